//! The Workflow Builder's instances, and what it brings to the browser.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_browser::{App, Bundle, NothingToAnswer, PreparedApp, Service};
use quintain_core::check::CheckKind;
use quintain_core::manual::ManualChapter;
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Digest, Instance, InstanceGoal, Pick, Rng, Stretch, Task};
use serde::Deserialize;
use serde_json::{Value, json};

use super::goal::goal;
use super::starts::{self, OwnWords};
use super::{manual, solution, stretches};
use crate::bundle::{bundle, code};
use crate::oracle::AppOracle;
use crate::workflow::checks::{WorkflowGraph, what_counts};

/// The parameter by which a task fills in words of its start itself: an object of texts.
const CONTENT: &str = "content";

/// What every task of the app tells first, with a place for what counts.
const BACKGROUND: &str = include_str!("background.md");

/// The app: workflows of nodes and edges, in a hub and on a canvas.
pub struct WorkflowBuilder;

impl App for WorkflowBuilder {
    fn name(&self) -> &'static str {
        "workflow-builder"
    }

    fn version(&self) -> u32 {
        1
    }

    fn bundle(&self) -> Bundle {
        bundle(self.name())
    }

    fn code(&self) -> Option<Digest> {
        code("workflow")
    }

    fn prepare(
        &self,
        task: &Task,
        _pick: &Pick,
        parameters: &BTreeMap<String, Value>,
        rng: Option<&mut Rng>,
    ) -> Result<PreparedApp, String> {
        let start = task.spec.world.start.as_deref().ok_or("the task does not say what the app starts with")?;
        let own = own_words(parameters)?;
        let hub = rng.map_or_else(|| starts::canonical(start, &own), |rng| starts::drawn(start, &own, rng))?;
        let mut words = parameters.clone();
        words.insert("start".to_owned(), Value::Object(hub.words.into_iter().collect()));
        let edits = solution::edits(task, &words)?;
        let expected = solution::made(task, &hub.document, &edits)?;
        words.retain(|name, _| !parameters.contains_key(name));
        words.insert("background".to_owned(), background().into());
        Ok(PreparedApp {
            document: hub.document.to_value(),
            expected: expected.to_value(),
            plan: json!({ "edit": edits }),
            words,
        })
    }

    fn start_of(&self, task: &Task, whole: &Value, stretch: Stretch) -> Result<Value, String> {
        stretches::start(task, whole, stretch)
    }

    fn service(&self) -> Box<dyn Service + Send> {
        Box::new(NothingToAnswer)
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String> {
        Ok(Box::new(AppOracle(super::oracle::Builder::new(instance, style)?)))
    }

    fn right_document(&self, instance: &Instance) -> Option<Value> {
        stretches::right_end(&instance.start)
    }

    fn goal(&self, document: &Value, expected: &Value) -> InstanceGoal {
        goal(document, expected)
    }

    fn blank(&self) -> Value {
        starts::canonical("blank", &OwnWords::new()).map_or(Value::Null, |hub| json!(hub.document))
    }

    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        vec![Arc::new(WorkflowGraph)]
    }

    fn manual(&self) -> Vec<ManualChapter> {
        manual::chapters()
    }
}

/// The words of its start that a task fills in itself.
fn own_words(parameters: &BTreeMap<String, Value>) -> Result<OwnWords, String> {
    let Some(content) = parameters.get(CONTENT) else { return Ok(OwnWords::new()) };
    OwnWords::deserialize(content).map_err(|error| format!("parameter `{CONTENT}`: {error}"))
}

/// What every task of the app tells first.
fn background() -> String {
    BACKGROUND.trim_end().replace("{{ what_counts }}", &what_counts())
}
