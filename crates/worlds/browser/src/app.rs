//! What an app brings besides its bundle: its instances, the answers to what its page asks, its oracle.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::check::CheckKind;
use quintain_core::manual::ManualChapter;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::{DryFigures, OracleStyle};
use quintain_core::{Agent, Digest, Instance, InstanceGoal, Pick, Rng, Stretch, Task};
use serde_json::Value;

use crate::sites::OpenSites;

/// The files of one app, by path.
pub type Bundle = &'static [(&'static str, &'static [u8])];

/// The apps there are.
pub type Apps = &'static [&'static dyn App];

/// One app that can be opened in the browser.
pub trait App: Send + Sync {
    /// The word for it in `task.toml`, and the host it is served under.
    fn name(&self) -> &'static str;

    /// Counts up whenever its behaviour changes outside its bundle.
    fn version(&self) -> u32;

    /// The files that are served into the page.
    fn bundle(&self) -> Bundle;

    /// Everything of an instance that is the app's own. The canonical instance draws nothing, and has nothing to draw from.
    fn prepare(
        &self,
        task: &Task,
        pick: &Pick,
        parameters: &BTreeMap<String, Value>,
        rng: Option<&mut Rng>,
    ) -> Result<PreparedApp, String>;

    /// Makes the sites of an instance, where the app is a web of server pages and has no bundle.
    fn sites(&self) -> Option<OpenSites> {
        None
    }

    /// The start of an instance that begins or ends after milestones, from that of the whole one: the same, but for the
    /// document it opens with and whatever the app adds for its checks and its oracle. Refused, unless an app knows how.
    fn start_of(&self, task: &Task, _whole: &Value, stretch: Stretch) -> Result<Value, String> {
        let (name, id) = (self.name(), &task.id);
        Err(format!("the app `{name}` cannot begin or end after a milestone of `{id}`; leave out `{stretch}`"))
    }

    /// Answers what the page asks while it is open.
    fn service(&self) -> Box<dyn Service + Send>;

    /// An agent that carries out the plan of an instance with mouse and keyboard.
    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String>;

    /// The document at the right end of an instance, for tasks that ask for nothing else.
    fn right_document(&self, instance: &Instance) -> Option<Value>;

    /// Proves an instance without opening it, as [`WorldKind::prove_dry`](quintain_core::WorldKind::prove_dry) does.
    fn prove_dry(
        &self,
        _task: &Task,
        _instance: &Instance,
        _by_heart: Option<&Instance>,
    ) -> Option<Result<DryFigures, Vec<String>>> {
        None
    }

    /// What is right at the end of an instance, from the document it opens with and what its checks compare with: only what
    /// tells it from other instances of its task.
    fn goal(&self, _document: &Value, expected: &Value) -> InstanceGoal {
        InstanceGoal::of(expected.clone())
    }

    /// The document of an empty page.
    fn blank(&self) -> Value;

    /// The checks that its tasks can declare besides the general ones.
    fn checks(&self) -> Vec<Arc<dyn CheckKind>>;

    /// The verifiers that its tasks can declare.
    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        Vec::new()
    }

    /// The hash of the code of its checks, its oracle and what makes its instances, where its crate tells it.
    fn code(&self) -> Option<Digest> {
        None
    }

    /// What its tasks can say besides what all can: starts, edits, kinds.
    fn manual(&self) -> Vec<ManualChapter> {
        Vec::new()
    }

    /// What some of its tasks need besides a browser.
    fn needs(&self) -> Vec<WorldNeed> {
        Vec::new()
    }
}

/// What an app makes of a task's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedApp {
    /// The document the app opens with.
    pub document: Value,
    /// What the checks compare with.
    pub expected: Value,
    /// What the oracle carries out.
    pub plan: Value,
    /// Words for the instruction, besides the parameters.
    pub words: BTreeMap<String, Value>,
}

/// Answers the questions of an open page.
pub trait Service {
    /// The answer to one question, given the document as the app last told it; or a sentence on what is wrong.
    fn answer(&mut self, what: &str, body: &Value, document: &Value) -> Result<Value, String>;
}

/// For apps that ask nothing.
pub struct NothingToAnswer;

impl Service for NothingToAnswer {
    fn answer(&mut self, what: &str, _body: &Value, _document: &Value) -> Result<Value, String> {
        Err(format!("this app has no answer to `{what}`"))
    }
}
