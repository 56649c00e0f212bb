//! What an app brings besides its bundle: its instances, the answers to what its page asks, its oracle.

use std::collections::BTreeMap;

use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Instance, Rng, Task};
use serde_json::Value;

use crate::bundle::{Bundle, bundle};

/// One app that can be opened in the browser.
pub(crate) trait App: Send + Sync {
    /// The word for it in `task.toml`, and the host it is served under.
    fn name(&self) -> &'static str;

    /// Counts up whenever its behaviour changes outside its bundle.
    fn version(&self) -> u32;

    /// The files that are served into the page.
    fn bundle(&self) -> Bundle {
        bundle(self.name())
    }

    /// Everything of an instance that is the app's own. The canonical instance draws nothing.
    fn prepare(
        &self,
        task: &Task,
        parameters: &BTreeMap<String, Value>,
        rng: &mut Rng,
        is_canonical: bool,
    ) -> Result<Prepared, String>;

    /// Answers what the page asks while it is open.
    fn service(&self) -> Box<dyn Service + Send>;

    /// An agent that carries out the plan of an instance with mouse and keyboard.
    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String>;
}

/// What an app makes of a task's parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prepared {
    /// The document the app opens with.
    pub(crate) document: Value,
    /// What the checks compare with.
    pub(crate) expected: Value,
    /// What the oracle carries out.
    pub(crate) plan: Value,
    /// Words for the instruction, besides the parameters.
    pub(crate) words: BTreeMap<String, Value>,
}

/// Answers the questions of an open page.
pub(crate) trait Service {
    /// The answer to one question, given the document as the app last told it; or a sentence on what is wrong.
    fn answer(&mut self, what: &str, body: &Value, document: &Value) -> Result<Value, String>;
}

/// For apps that ask nothing.
pub(crate) struct NothingToAnswer;

impl Service for NothingToAnswer {
    fn answer(&mut self, what: &str, _body: &Value, _document: &Value) -> Result<Value, String> {
        Err(format!("this app has no answer to `{what}`"))
    }
}

#[cfg(test)]
pub(crate) mod tests;
