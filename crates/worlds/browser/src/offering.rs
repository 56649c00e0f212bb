//! What apps in a browser bring: that they need a Chromium, and the checks, verifiers and needs of each.

use std::collections::BTreeMap;
use std::iter;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use quintain_core::instance::InstanceId;
use quintain_core::offering::{AppOffered, HostFact, NeedScope, Offering, OutsidePage, WorldNeed};
use quintain_core::task::NotATaskId;
use quintain_core::{Instance, Pick, WorldKind};
use quintain_process::SpawnOptions;
use serde_json::{Value, json};

use crate::app::{App, Apps};
use crate::chromium::BrowserSandbox;
use crate::find_chromium;
use crate::kind::Browser;
use crate::outside::OutsideApp;

/// What a trial in a browser takes of memory.
const TRIAL_BYTES: u64 = 512 * 1024 * 1024;

/// How long an app may take that is opened to see whether any can be.
const REHEARSAL: Duration = Duration::from_secs(30);

/// How long a browser may take to tell its version, and how much it may say.
const VERSION_LIMIT: Duration = Duration::from_secs(30);
const VERSION_BYTES: usize = 4 * 1024;

/// Some apps, in browsers with or without Chromium's own sandbox. No browser starts before it is needed.
pub fn offering(apps: Apps, sandbox: BrowserSandbox) -> Offering {
    let world = Arc::new(Browser::new(apps, sandbox));
    let rehearsed = Arc::clone(&world);
    Offering {
        checks: apps.iter().flat_map(|app| app.checks()).collect(),
        verifiers: apps.iter().flat_map(|app| app.verifiers()).collect(),
        needs: iter::once(chromium()).chain(apps.iter().flat_map(|app| app.needs())).collect(),
        facts: vec![HostFact { name: "browser", value: Arc::new(chromium_version) }],
        apps: apps.iter().map(|app| offered(*app)).collect(),
        manual: apps.iter().flat_map(|app| app.manual()).collect(),
        trial_bytes: Some(TRIAL_BYTES),
        rehearse: Some(Arc::new(move || rehearse(&rehearsed, apps))),
        outside: Some(Arc::new(
            move |instance| Ok(Arc::new(OutsideApp::open(apps, instance)?) as Arc<dyn OutsidePage>),
        )),
        ..Offering::of(world)
    }
}

fn offered(app: &dyn App) -> AppOffered {
    AppOffered { name: app.name(), strategies: &[], code: app.code() }
}

fn chromium() -> WorldNeed {
    let look = || {
        let found = find_chromium().ok_or("no Chromium is found")?;
        chromium_version().ok_or_else(|| format!("the Chromium {} does not tell its version", found.display()))
    };
    WorldNeed {
        name: "chromium",
        label: "a headless Chromium",
        purpose: "for browser worlds",
        look: Arc::new(look),
        mend: "apt install chromium-headless-shell chromium-sandbox, or name one in QUINTAIN_CHROMIUM",
        scope: NeedScope::EveryTask,
    }
}

/// The name and build of the browser, as it tells them. It is asked once.
fn chromium_version() -> Option<String> {
    static VERSION: OnceLock<Option<String>> = OnceLock::new();
    let ask = || {
        let asked = SpawnOptions::new(find_chromium()?).args(["--version"]).ask(VERSION_LIMIT, VERSION_BYTES);
        asked.ok()?.output.trim().lines().next().map(str::to_owned)
    };
    VERSION.get_or_init(ask).clone()
}

/// Opens the first app as a trial would, and closes it again.
fn rehearse(world: &Browser, apps: Apps) -> Result<(), String> {
    let Some(app) = apps.first() else { return Ok(()) };
    let opened = blank(app.name(), &app.blank()).map_err(|error| error.to_string()).and_then(|instance| {
        let mut opened = world.open(&instance).map_err(|error| error.to_string())?;
        opened.snapshot(REHEARSAL).map_err(|error| error.to_string())
    });
    opened.map(drop).map_err(|why| format!("a Chromium is found and does not start: {why}"))
}

/// An instance of no task.
fn blank(app: &str, document: &Value) -> Result<Instance, NotATaskId> {
    Ok(Instance {
        id: InstanceId { task: "rehearsal/blank".parse()?, pick: Pick::default() },
        instruction: String::new(),
        parameters: BTreeMap::new(),
        start: json!({"app": app, "document": document}),
        secrets: Vec::new(),
        source: None,
    })
}
