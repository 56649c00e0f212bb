//! A web as an app among others: what its crate has to write.

use quintain_core::check::CheckKind;
use quintain_core::instance::InstanceId;
use quintain_core::world::{OracleStyle, WorldError, WorldKind};
use quintain_core::{Agent, Instance, Pick, Rng, Task};
use serde_json::json;

use super::*;
use crate::{App, Browser, Bundle, NothingToAnswer, OpenSites, OutsideApp, PreparedApp, Service};

/// The small web as an app.
struct WebApp;

static APPS: [&dyn App; 1] = [&WebApp];

impl App for WebApp {
    fn name(&self) -> &'static str {
        "sites"
    }

    fn version(&self) -> u32 {
        1
    }

    fn bundle(&self) -> Bundle {
        &[]
    }

    fn sites(&self) -> Option<OpenSites> {
        Some(|document, seed| match document["edition"].as_u64() {
            Some(1) => Ok(Box::new(SmallWeb::default())),
            edition => Err(format!("there is no edition {edition:?} of the web of seed {seed}")),
        })
    }

    fn prepare(
        &self,
        _task: &Task,
        _pick: &Pick,
        _parameters: &BTreeMap<String, Value>,
        _rng: Option<&mut Rng>,
    ) -> Result<PreparedApp, String> {
        Err("no task is prepared here".to_owned())
    }

    fn service(&self) -> Box<dyn Service + Send> {
        Box::new(NothingToAnswer)
    }

    fn oracle(&self, _instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String> {
        Err("nobody knows how".to_owned())
    }

    fn right_document(&self, _instance: &Instance) -> Option<Value> {
        None
    }

    fn blank(&self) -> Value {
        json!({ "edition": 1 })
    }

    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        Vec::new()
    }
}

fn instance(edition: u64) -> Instance {
    Instance {
        id: InstanceId { task: "chains/one".parse().expect("a name"), pick: Pick::default() },
        instruction: String::new(),
        parameters: BTreeMap::new(),
        start: json!({ "app": "sites", "viewport": [800, 500], "document": { "edition": edition } }),
        secrets: Vec::new(),
        source: None,
    }
}

#[test]
fn a_web_is_opened_as_any_app_is() {
    let browser = Browser::new(&APPS, BrowserSandbox::On);
    let mut world = browser.open(&instance(1)).expect("opened");
    assert_eq!(world.surface().screen, Some((800, 500)));
    assert!(world.surface().offers(ObservationPart::Dom));
    world.apply(&go("shop.test"), SOON).expect("gone");
    let collected = world.collect(SOON).expect("collected");
    let names: Vec<&String> = collected.evidence.documents.keys().collect();
    assert_eq!(names, ["sites", "tabs", "tree", "visits", "writes"]);
    let snapshot = world.snapshot(SOON).expect("a snapshot");
    assert_eq!(snapshot.documents.keys().collect::<Vec<_>>(), ["sites", "tabs"], "the rest is handed over once");
}

#[test]
fn a_web_that_cannot_be_made_is_a_fault_of_the_preparation_and_no_web_is_shown_outside() {
    let browser = Browser::new(&APPS, BrowserSandbox::On);
    let error = browser.open(&instance(2)).err().expect("there is no such edition");
    assert_eq!(error, WorldError::setup("there is no edition Some(2) of the web of seed 0"));
    let error = OutsideApp::open(&APPS, &instance(1)).err().expect("refused");
    assert_eq!(error, WorldError::setup("the sites of `sites` are shown in our own browser only"));
}
