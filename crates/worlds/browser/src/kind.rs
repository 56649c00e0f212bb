//! All apps as one kind of world.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::instance::{InstanceId, render_stretch};
use quintain_core::surface::ActionGroup;
use quintain_core::task::ResultKind;
use quintain_core::world::{DryFigures, OpenContext, OracleStyle, World, WorldError, WorldKind};
use quintain_core::{Agent, Digest, Evidence, Instance, InstanceGoal, Pick, Rng, Settings, Task, suggest};
use serde_json::{Value, json};

use crate::app::{App, Apps};
use crate::chromium::BrowserSandbox;
use crate::gate::RequestGate;
use crate::page::PageOpening;
use crate::pool::BrowserPool;
use crate::sites::{OpenSites, PageMedium, SITES_VERSION, SiteGate, SiteWorld, SitesOpening, TEXT_VERSION, TextWorld};
use crate::world::BrowserWorld;

/// Counts up whenever the driver behaves differently: what a step is, how actions are carried out.
const DRIVER_VERSION: u32 = 1;
/// The size of the screen where a task names none.
const VIEWPORT: (u32, u32) = (1280, 720);

/// The kind of world that holds every app.
pub struct Browser {
    apps: Apps,
    pool: Arc<BrowserPool>,
}

impl Browser {
    /// Apps in browsers with or without Chromium's sandbox. No browser starts before it is needed.
    pub fn new(apps: Apps, sandbox: BrowserSandbox) -> Self {
        Self { apps, pool: Arc::new(BrowserPool::new(sandbox)) }
    }
}

impl Browser {
    /// Opens the sites of an instance at their home, as text.
    fn open_text(open_sites: OpenSites, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let seed = instance.id.pick.seed.unwrap_or(0);
        let server = open_sites(&instance.start["document"], seed).map_err(WorldError::setup)?;
        Ok(Box::new(TextWorld::open(SiteGate::new(server, PageMedium::Text))?))
    }

    /// Opens the sites of an instance at their home.
    fn open_web(&self, open_sites: OpenSites, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let viewport = serde_json::from_value(instance.start["viewport"].clone()).unwrap_or(VIEWPORT);
        let seed = instance.id.pick.seed.unwrap_or(0);
        let opening = || {
            let server = open_sites(&instance.start["document"], seed).map_err(WorldError::setup)?;
            Ok(SitesOpening { gate: SiteGate::new(server, PageMedium::Screen), viewport })
        };
        Ok(Box::new(SiteWorld::open(&self.pool, opening)?))
    }
}

/// Whether a run leaves agents nothing but calls.
fn is_text(settings: &Settings) -> bool {
    let by_hand = [ActionGroup::Gui, ActionGroup::Browser];
    settings.allows(ActionGroup::Call) && !by_hand.into_iter().any(|group| settings.allows(group))
}

fn app_named(apps: Apps, name: &str) -> Result<&'static dyn App, WorldError> {
    apps.iter().copied().find(|app| app.name() == name).ok_or_else(|| {
        let hint = suggest::hint(name, apps.iter().map(|app| app.name()));
        WorldError::setup(format!("there is no app `{name}`; {hint}"))
    })
}

pub(crate) fn app_of(apps: Apps, instance: &Instance) -> Result<&'static dyn App, WorldError> {
    app_named(apps, instance.start["app"].as_str().unwrap_or_default())
}

impl WorldKind for Browser {
    fn kind(&self) -> &'static str {
        "browser"
    }

    fn digest(&self, task: &Task) -> Digest {
        let name = &task.spec.world.app;
        let app = app_named(self.apps, name).ok();
        let version = app.map_or(0, App::version).to_le_bytes();
        let files = app.map_or(&[][..], App::bundle);
        let bundle = Digest::of_parts(files.iter().map(|(path, bytes)| (*path, *bytes)));
        let bundle = bundle.to_string();
        let sites = app.and_then(App::sites).map(|_| [SITES_VERSION, TEXT_VERSION].map(u32::to_le_bytes).concat());
        let driver = DRIVER_VERSION.to_le_bytes();
        let parts: [(&str, &[u8]); 4] =
            [("app", name.as_bytes()), ("driver", &driver), ("version", &version), ("bundle", bundle.as_bytes())];
        Digest::of_parts(parts.into_iter().chain(sites.as_ref().map(|version| ("sites", version.as_slice()))))
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let app = app_named(self.apps, &task.spec.world.app)?;
        let parameters = task.parameters(pick);
        let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), &format!("{}/{}", task.id, app.version()));
        let prepared = app.prepare(task, pick, &parameters, pick.seed.map(|_| &mut rng)).map_err(WorldError::setup)?;
        let mut words: BTreeMap<String, Value> = parameters.clone();
        words.extend(prepared.words);
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render_stretch(task, pick.stretch(), &words).map_err(WorldError::setup)?,
            parameters,
            start: json!({
                "app": app.name(),
                "viewport": task.spec.world.viewport.unwrap_or(VIEWPORT),
                "document": prepared.document,
                "expected": prepared.expected,
                "plan": prepared.plan,
            }),
            secrets: Vec::new(),
            source: None,
        })
    }

    /// It opens with what the app makes of the milestones that are given.
    fn instantiate_stretch(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let mut instance = self.instantiate_whole(task, pick)?;
        let app = app_of(self.apps, &instance)?;
        instance.start = app.start_of(task, &instance.start, pick.stretch()).map_err(WorldError::setup)?;
        Ok(instance)
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let app = app_of(self.apps, instance)?;
        if let Some(open_sites) = app.sites() {
            return self.open_web(open_sites, instance);
        }
        if app.bundle().is_empty() {
            return Err(WorldError::setup(format!("the app `{}` was not built into this program", app.name())));
        }
        let viewport = serde_json::from_value(instance.start["viewport"].clone()).unwrap_or(VIEWPORT);
        let document = instance.start["document"].clone();
        let seed = instance.id.pick.seed.unwrap_or(0);
        let opening = || PageOpening {
            gate: RequestGate::new(app.name(), app.bundle()),
            service: app.service(),
            viewport,
            document: document.clone(),
            seed,
        };
        Ok(Box::new(BrowserWorld::open(app.name(), &self.pool, opening)?))
    }

    /// Sites are opened without a browser where agents may only call functions.
    fn open_with(&self, instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        if !given.inputs.is_empty() {
            return Err(WorldError::setup("apps in a browser take no input files"));
        }
        match app_of(self.apps, instance)?.sites() {
            Some(open_sites) if is_text(given.settings) => Self::open_text(open_sites, instance),
            _ => self.open(instance),
        }
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        app_of(self.apps, instance)?.oracle(instance, style).map_err(WorldError::setup)
    }

    fn right_end(&self, task: &Task, instance: &Instance) -> Option<Evidence> {
        let app = app_of(self.apps, instance).ok().filter(|_| task.spec.result.kind == ResultKind::State)?;
        let documents = [(app.name().to_owned(), app.right_document(instance)?)].into();
        Some(Evidence { documents, ..Evidence::default() })
    }

    fn prove_dry(
        &self,
        task: &Task,
        instance: &Instance,
        by_heart: Option<&Instance>,
    ) -> Option<Result<DryFigures, Vec<String>>> {
        app_of(self.apps, instance).ok()?.prove_dry(task, instance, by_heart)
    }

    fn goal(&self, instance: &Instance) -> InstanceGoal {
        let start = &instance.start;
        app_of(self.apps, instance).map_or_else(
            |_unknown| InstanceGoal::of(start.clone()),
            |app| app.goal(&start["document"], &start["expected"]),
        )
    }
}
