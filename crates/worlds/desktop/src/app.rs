//! What a desktop task works with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::Digest;
use quintain_core::check::CheckKind;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_machine::{AccessibleElement, OpenWindow};
use serde_json::Value;

use crate::scenario::DesktopScenario;

/// All that tasks can work with.
pub type DesktopApps = &'static [&'static dyn DesktopApp];

/// A program that desktop tasks work with: one for each value of `world.app`.
pub trait DesktopApp: Send + Sync {
    /// Its name in `task.toml`, and that of the document that its probe gives.
    fn name(&self) -> &'static str;

    /// Counts up whenever it is started or read otherwise.
    fn version(&self) -> u32;

    /// How it is started for an instance.
    fn launch(&self, plan: &Value) -> Result<AppLaunch, String>;

    /// Whether it shows what it shows when one can begin to work with it.
    fn is_ready(&self, shown: &AppProbe<'_>) -> bool;

    /// What it truly holds. Looking changes nothing.
    fn probe(&self, shown: &AppProbe<'_>) -> Value;

    /// Texts in the home, by their paths in it, that its probe tells of as they are saved.
    fn told_files(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it has a command line of its own, with which an agent could end anything, shell or no shell.
    fn has_command_line(&self) -> bool {
        false
    }

    /// What its tasks can ask for.
    fn scenarios(&self) -> &'static [&'static dyn DesktopScenario];

    /// What its tasks need of a machine besides a sandbox and a screen.
    fn needs(&self) -> Vec<WorldNeed>;

    /// The checks that its tasks can declare besides the general ones.
    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        Vec::new()
    }

    /// The verifiers that its tasks can declare.
    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        Vec::new()
    }

    /// The hash of its code, where its crate tells it.
    fn code(&self) -> Option<Digest> {
        None
    }
}

/// How a program is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppLaunch {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables of its environment, and of that of the agent's shell.
    pub variables: BTreeMap<String, String>,
    /// Files of the home that it begins with, by their paths in it.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Folders of the host besides its programs that it reads.
    pub folders: Vec<PathBuf>,
}

/// What is seen of a program: its own windows and elements alone. Others could pretend to be it.
#[derive(Clone, Copy, Debug)]
pub struct AppProbe<'a> {
    /// Its windows, those on top last.
    pub windows: &'a [OpenWindow],
    /// What it shows; nothing where it does not run any more, or does not tell.
    pub elements: Option<&'a AccessibleElement>,
    /// The texts of [`DesktopApp::told_files`] that are there.
    pub files: &'a BTreeMap<&'static str, String>,
    /// Whether it runs.
    pub is_running: bool,
}

impl<'a> AppProbe<'a> {
    /// The first element of it with this role and this name.
    pub fn find(&self, role: &str, name: &str) -> Option<&'a AccessibleElement> {
        self.elements.and_then(|elements| elements.find(role, name))
    }
}
