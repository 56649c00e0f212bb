//! What a program on this workshop is made of: the command `quintain`, the Python package, and those of other people.

use std::sync::Arc;

use quintain_core::Offering;
use quintain_store::{BuiltInFiles, KeptFiles, Suites};

use crate::setup::Setup;
use crate::workshop::Workshop;
use crate::worlds::{self, OfferWorlds};

/// The worlds and suites that a program has in it.
#[derive(Clone)]
pub struct ProgramParts {
    worlds: OfferWorlds,
    files: Vec<BuiltInFiles>,
    certificates: Vec<BuiltInFiles>,
}

impl Default for ProgramParts {
    /// What is built in, and nothing else.
    fn default() -> Self {
        Self::of(Arc::new(worlds::offered))
    }
}

impl ProgramParts {
    /// With these worlds instead of those that are built in.
    pub fn of(worlds: OfferWorlds) -> Self {
        Self { worlds, files: Vec::new(), certificates: Vec::new() }
    }

    /// With one kind of world more.
    #[must_use]
    pub fn with_world(mut self, offering: fn() -> Offering) -> Self {
        let others = self.worlds;
        self.worlds = Arc::new(move |settings| {
            let mut offered = others(settings);
            offered.push(Ok(offering()));
            offered
        });
        self
    }

    /// With suites beside those that are built in.
    #[must_use]
    pub fn with_suites(mut self, files: BuiltInFiles) -> Self {
        self.files.push(files);
        self
    }

    /// With certificates that are kept of its suites, each by its path: `<suite>/<task>.json`.
    #[must_use]
    pub fn with_certificates(mut self, files: BuiltInFiles) -> Self {
        self.certificates.push(files);
        self
    }

    /// The kept certificates that are part of the program.
    pub(crate) fn kept_files(&self) -> KeptFiles {
        KeptFiles::built_in_with(&self.certificates)
    }

    /// The suites that are part of the program.
    pub fn suites(&self) -> Suites {
        Suites::embedded_with(&self.files)
    }

    /// The worlds that are part of the program.
    pub(crate) fn worlds(&self) -> &OfferWorlds {
        &self.worlds
    }

    /// A workshop of this program.
    pub fn workshop(&self, setup: Setup) -> Workshop {
        Workshop::of(setup, self.clone())
    }
}
