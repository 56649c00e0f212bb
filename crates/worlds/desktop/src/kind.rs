//! The kind of world `desktop`.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use quintain_core::instance::render_stretch;
use quintain_core::offering::{AppOffered, NeedScope, WorldNeed};
use quintain_core::surface::ActionGroup;
use quintain_core::world::{AlteredFiles, OpenContext, OracleStyle, WorldSupport};
use quintain_core::{
    Agent, Digest, FileSet, Instance, InstanceGoal, InstanceId, Offering, Pick, Rng, Settings, Task, World, WorldError,
    WorldKind, suggest,
};
use quintain_machine::{PlannedPlayer, session_need};
use quintain_process::sandbox::SandboxLimits;
use quintain_workspace::version_facts;
use serde_json::{Value, json};

use crate::app::{DesktopApp, DesktopApps};
use crate::desktop_screen::DesktopScreen;
use crate::opening;
use crate::scenario::DesktopScenario;
use crate::world::DesktopWorld;

/// Counts up whenever a desktop behaves otherwise.
const VERSION: u32 = 1;
/// The size of the screen where a task names none.
const SCREEN: (u32, u32) = (1280, 720);

/// The kind of world `desktop`, with what its tasks can work with.
#[derive(Clone, Copy)]
pub struct Desktop {
    apps: DesktopApps,
}

impl Desktop {
    /// Desktops for these.
    pub fn new(apps: DesktopApps) -> Self {
        Self { apps }
    }

    /// Everything that is known of them.
    pub fn offering(apps: DesktopApps) -> Offering {
        let offered = apps.iter().map(|app| AppOffered { name: app.name(), strategies: &[], code: app.code() });
        let of_apps = apps.iter().flat_map(|app| needs_of(*app)).collect::<Vec<_>>();
        Offering {
            checks: apps.iter().flat_map(|app| app.checks()).collect(),
            verifiers: apps.iter().flat_map(|app| app.verifiers()).collect(),
            facts: version_facts(&of_apps),
            needs: iter::once(session_need("for desktop programs", NeedScope::EveryTask)).chain(of_apps).collect(),
            apps: offered.collect(),
            trial_bytes: Some(SandboxLimits::default().memory_bytes),
            rehearse: Some(Arc::new(|| opening::rehearse(SCREEN))),
            ..Offering::of(Arc::new(Self::new(apps)))
        }
    }

    fn named(&self, name: &str) -> Result<&'static dyn DesktopApp, WorldError> {
        self.apps.iter().copied().find(|app| app.name() == name).ok_or_else(|| {
            let hint = suggest::hint(name, self.apps.iter().map(|app| app.name()));
            WorldError::setup(format!("there is no app `{name}`; {hint}"))
        })
    }

    fn scenario(&self, app: &str, name: &str) -> Result<&'static dyn DesktopScenario, WorldError> {
        let scenarios = self.named(app)?.scenarios();
        scenarios.iter().copied().find(|scenario| scenario.name() == name).ok_or_else(|| {
            let hint = suggest::hint(name, scenarios.iter().map(|scenario| scenario.name()));
            WorldError::setup(format!("`{app}` has no start `{name}`; {hint}"))
        })
    }

    fn scenario_of(&self, instance: &Instance) -> Result<&'static dyn DesktopScenario, WorldError> {
        let word = |name: &str| instance.start[name].as_str().unwrap_or_default().to_owned();
        self.scenario(&word("app"), &word("scenario"))
    }

    /// An instance, whole or a stretch of it.
    fn instance(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let app = self.named(&task.spec.world.app)?;
        let start = task.spec.world.start.as_deref().unwrap_or_default();
        let scenario = self.scenario(app.name(), start)?;
        let parameters = task.parameters(pick);
        let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), &format!("{}/{}", task.id, app.version()));
        let prepared = scenario.prepare(&parameters, &mut rng).map_err(WorldError::setup)?;
        let mut words: BTreeMap<String, Value> = parameters.clone();
        words.extend(prepared.words);
        let stretch = pick.stretch();
        let plan = if stretch.is_whole() { Ok(prepared.plan) } else { scenario.stretched(prepared.plan, stretch) };
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render_stretch(task, stretch, &words).map_err(WorldError::setup)?,
            parameters,
            start: json!({
                "app": app.name(),
                "scenario": scenario.name(),
                "viewport": task.spec.world.viewport.unwrap_or(SCREEN),
                "shell": task.spec.world.act.contains(&ActionGroup::Shell),
                "plan": plan.map_err(WorldError::setup)?,
                "expected": prepared.expected,
            }),
            secrets: Vec::new(),
            source: None,
        })
    }

    fn opened(&self, instance: &Instance, settings: &Settings) -> Result<Box<dyn World + Send>, WorldError> {
        let app = self.named(instance.start["app"].as_str().unwrap_or_default())?;
        let launch = app.launch(&instance.start["plan"]).map_err(WorldError::setup)?;
        let screen = DesktopScreen::of(instance)?;
        let has_shell = screen.shell && settings.allows(ActionGroup::Shell);
        let can_end_all = has_shell || app.has_command_line();
        Ok(Box::new(DesktopWorld::new(app, opening::open(app, &launch, screen.size)?, can_end_all)?))
    }
}

/// What the tasks of an app need, and no others.
fn needs_of(app: &dyn DesktopApp) -> Vec<WorldNeed> {
    app.needs().into_iter().map(|need| need.within_app(app.name())).collect()
}

impl WorldKind for Desktop {
    fn kind(&self) -> &'static str {
        "desktop"
    }

    fn digest(&self, task: &Task) -> Digest {
        let name = &task.spec.world.app;
        let version = self.named(name).map_or(0, DesktopApp::version);
        let text = format!("desktop {VERSION} {name} {version}");
        Digest::of(text.as_bytes())
    }

    /// Programs run on real processors in real time.
    fn is_deterministic(&self) -> bool {
        false
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        self.instance(task, pick)
    }

    fn instantiate_stretch(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        self.instance(task, pick)
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        self.opened(instance, &Settings::default())
    }

    fn open_with(&self, instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        if !given.inputs.is_empty() {
            return Err(WorldError::setup("desktops take no input files"));
        }
        self.opened(instance, given.settings)
    }

    fn supports(&self, _task: &Task) -> WorldSupport {
        WorldSupport { inputs: false, file_results: true, wall_clock: true }
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        if style.length.is_some() {
            return Err(WorldError::setup("work at a desktop has no set length: leave out `length`"));
        }
        let scenario = self.scenario_of(instance)?;
        let wrong_way = style.strategy.as_deref();
        if let Some(unknown) = wrong_way.filter(|way| !scenario.wrong_ways().contains(way)) {
            let hint = suggest::hint(unknown, scenario.wrong_ways().iter().copied());
            return Err(WorldError::setup(format!("there is no strategy `{unknown}`; {hint}")));
        }
        let steps = scenario.solution(&instance.start["plan"], wrong_way).map_err(WorldError::setup)?;
        Ok(Box::new(PlannedPlayer::new(steps)))
    }

    fn wrong_ways(&self, task: &Task) -> &'static [&'static str] {
        let start = task.spec.world.start.as_deref().unwrap_or_default();
        self.scenario(&task.spec.world.app, start).map_or(&[], |scenario| scenario.wrong_ways())
    }

    fn altered_files(&self, instance: &Instance, left: &FileSet) -> AlteredFiles {
        let altered = |scenario: &dyn DesktopScenario| scenario.altered(&instance.start["plan"], left);
        self.scenario_of(instance).map_or_else(|_| AlteredFiles::default(), altered)
    }

    fn goal(&self, instance: &Instance) -> InstanceGoal {
        InstanceGoal::of(instance.start["expected"].clone())
    }
}
