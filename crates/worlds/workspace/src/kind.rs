//! The kind of world `workspace`.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::instance::render;
use quintain_core::offering::{AppOffered, NeedScope, WorldNeed};
use quintain_core::surface::ActionGroup;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::{AlteredFiles, HandedWork, OpenContext, OracleStyle, WorldSupport};
use quintain_core::{
    Agent, Digest, FileSet, Instance, InstanceGoal, InstanceId, Offering, Pick, Rng, Settings, Task, World, WorldError,
    WorldKind, suggest,
};
use quintain_machine::{PlannedPlayer, session_need};
use quintain_process::sandbox::{SandboxLimits, this_host};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::assignment::{Assignment, InputFiles};
use crate::deliverables::DeliverableReading;
use crate::parameters::WorkParameters;
use crate::screen_start::ScreenStart;
use crate::screen_wish::ScreenWish;
use crate::software::version_facts;
use crate::solution::PlannedWork;
use crate::world::{DOCUMENT, OpenWorkspace};

/// Counts up whenever a workspace behaves otherwise.
const VERSION: u32 = 1;

/// Where an instance tells of its screen.
const SCREEN: &str = "screen";

/// All that tasks can work on.
pub type Assignments = &'static [&'static dyn Assignment];

/// The kind of world `workspace`, with what its tasks can work on.
#[derive(Clone, Copy)]
pub struct Workspace {
    assignments: Assignments,
}

impl Workspace {
    /// Workspaces for these.
    pub fn new(assignments: Assignments) -> Self {
        Self { assignments }
    }

    /// Everything that is known of them.
    pub fn offering(assignments: Assignments) -> Offering {
        let sandbox = WorldNeed {
            name: "sandbox",
            label: "a sandbox",
            purpose: "for workspaces",
            look: Arc::new(|| {
                let host = this_host().map_err(|fault| fault.to_string())?;
                Ok(format!("{}, limits by {}", host.examination.provider, host.examination.enforcement))
            }),
            mend: "apt install bubblewrap; docs/isolation.md says what it needs of the kernel",
            scope: NeedScope::EveryTask,
        };
        let screen = session_need("for workspaces with a screen", NeedScope::Tasks(has_screen));
        let general: [Arc<dyn VerifierKind>; 1] = [Arc::new(DeliverableReading)];
        let of_assignments = assignments.iter().flat_map(|one| needs_of(*one)).collect::<Vec<_>>();
        let apps = assignments.iter().map(|assignment| AppOffered {
            name: assignment.name(),
            strategies: &[],
            code: assignment.code(),
        });
        Offering {
            checks: assignments.iter().flat_map(|assignment| assignment.checks()).collect(),
            verifiers: general.into_iter().chain(assignments.iter().flat_map(|one| one.verifiers())).collect(),
            facts: version_facts(&of_assignments),
            needs: [sandbox, screen].into_iter().chain(of_assignments).collect(),
            apps: apps.collect(),
            trial_bytes: Some(SandboxLimits::default().memory_bytes),
            document: |_task| DOCUMENT.to_owned(),
            ..Offering::of(Arc::new(Self::new(assignments)))
        }
    }

    fn named(&self, name: &str) -> Result<&'static dyn Assignment, WorldError> {
        self.assignments.iter().copied().find(|assignment| assignment.name() == name).ok_or_else(|| {
            let hint = suggest::hint(name, self.assignments.iter().map(|assignment| assignment.name()));
            WorldError::setup(format!("there is no assignment `{name}`; {hint}"))
        })
    }

    fn of(&self, instance: &Instance) -> Result<&'static dyn Assignment, WorldError> {
        self.named(instance.start["assignment"].as_str().unwrap_or_default())
    }

    /// The screen of an instance, where it has one.
    fn screen(&self, instance: &Instance, settings: &Settings) -> Result<Option<ScreenStart>, WorldError> {
        let wish = &instance.start[SCREEN];
        if wish.is_null() {
            return Ok(None);
        }
        let broken = |error: serde_json::Error| WorldError::setup(format!("the screen of the instance: {error}"));
        let wish = ScreenWish::deserialize(wish).map_err(broken)?;
        let can_end_all = wish.shell && settings.allows(ActionGroup::Shell);
        Ok(Some(ScreenStart { wish, home: self.of(instance)?.home(), can_end_all }))
    }

    fn inputs(&self, instance: &Instance) -> Result<InputFiles, WorldError> {
        self.of(instance)?.inputs(&instance.start["plan"]).map_err(WorldError::setup)
    }
}

/// What the tasks of an assignment need, and no others.
fn needs_of(assignment: &dyn Assignment) -> Vec<WorldNeed> {
    assignment.needs().into_iter().map(|need| need.within_app(assignment.name())).collect()
}

/// Whether a task asks for a screen.
fn has_screen(task: &Task) -> bool {
    task.spec.world.viewport.is_some()
}

impl WorldKind for Workspace {
    fn kind(&self) -> &'static str {
        "workspace"
    }

    fn digest(&self, task: &Task) -> Digest {
        let name = &task.spec.world.app;
        let version = self.named(name).map_or(0, Assignment::version);
        let text = format!("workspace {VERSION} {name} {version}");
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
        let assignment = self.named(&task.spec.world.app)?;
        let parameters = task.parameters(pick);
        let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), &format!("{}/{}", task.id, assignment.version()));
        let prepared = assignment.prepare(&WorkParameters(&parameters), &mut rng).map_err(WorldError::setup)?;
        let mut words: BTreeMap<String, Value> = parameters.clone();
        words.extend(prepared.words);
        let mut start = serde_json::Map::from_iter([
            ("assignment".to_owned(), assignment.name().into()),
            ("plan".to_owned(), prepared.plan),
            ("expected".to_owned(), prepared.expected),
        ]);
        start.extend(ScreenWish::of(task).map(|wish| (SCREEN.to_owned(), json!(wish))));
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &words).map_err(WorldError::setup)?,
            parameters,
            start: Value::Object(start),
            secrets: Vec::new(),
            source: None,
        })
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let screen = self.screen(instance, &Settings::default())?;
        Ok(Box::new(OpenWorkspace::open(&self.inputs(instance)?, &FileSet::new(), screen)?))
    }

    fn open_with(&self, instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        let screen = self.screen(instance, given.settings)?;
        Ok(Box::new(OpenWorkspace::open(&self.inputs(instance)?, given.inputs, screen)?))
    }

    fn supports(&self, _task: &Task) -> WorldSupport {
        WorldSupport { inputs: true, file_results: true, wall_clock: true }
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        if style.length.is_some() {
            return Err(WorldError::setup("work in files has no set length: leave out `length`"));
        }
        let assignment = self.of(instance)?;
        let wrong_way = style.strategy.as_deref();
        if let Some(unknown) = wrong_way.filter(|way| !assignment.wrong_ways().contains(way)) {
            let hint = suggest::hint(unknown, assignment.wrong_ways().iter().copied());
            return Err(WorldError::setup(format!("there is no strategy `{unknown}`; {hint}")));
        }
        let plan = &instance.start["plan"];
        if instance.start[SCREEN].is_null() {
            let actions = assignment.solution(plan, wrong_way).map_err(WorldError::setup)?;
            return Ok(Box::new(PlannedWork::new(actions)));
        }
        let steps = assignment.solution_at_screen(plan, wrong_way).map_err(WorldError::setup)?;
        Ok(Box::new(PlannedPlayer::new(steps)))
    }

    fn wrong_ways(&self, task: &Task) -> &'static [&'static str] {
        self.named(&task.spec.world.app).map_or(&[], |assignment| assignment.wrong_ways())
    }

    fn altered_files(&self, instance: &Instance, left: &FileSet) -> AlteredFiles {
        let altered = |assignment: &dyn Assignment| assignment.altered(&instance.start["plan"], left);
        self.of(instance).map_or_else(|_| AlteredFiles::default(), altered)
    }

    fn handed_out(&self, task: &Task, instance: &Instance) -> Result<Option<HandedWork>, WorldError> {
        if has_screen(task) {
            return Ok(None);
        }
        let made = self.inputs(instance)?.into_iter().map(|(path, bytes)| (path, bytes.into()));
        let solution = self.of(instance)?.solution(&instance.start["plan"], None).map_err(WorldError::setup)?;
        Ok(Some(HandedWork { files: made.chain(task.input.clone()).collect(), solution }))
    }

    fn goal(&self, instance: &Instance) -> InstanceGoal {
        InstanceGoal::of(instance.start["expected"].clone())
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Action;

    use super::*;
    use crate::assignment::PreparedWork;
    use crate::software::Software;

    /// An assignment that nobody works on, by its name.
    struct Unplayed(&'static str);

    impl Assignment for Unplayed {
        fn name(&self) -> &'static str {
            self.0
        }

        fn version(&self) -> u32 {
            1
        }

        fn prepare(&self, _parameters: &WorkParameters<'_>, _rng: &mut Rng) -> Result<PreparedWork, String> {
            Ok(PreparedWork::of(Value::Null, Value::Null))
        }

        fn inputs(&self, _plan: &Value) -> Result<InputFiles, String> {
            Ok(InputFiles::new())
        }

        fn solution(&self, _plan: &Value, _wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
            Ok(Vec::new())
        }

        fn wrong_ways(&self) -> &'static [&'static str] {
            &[]
        }

        fn needs(&self) -> Vec<WorldNeed> {
            let need = |program| Software { program, package: program, mend: "install it" }.need(self.0);
            let at_screen = |need| WorldNeed { scope: NeedScope::Tasks(has_screen), ..need };
            if self.0 == "sound" {
                vec![need("ffmpeg"), need("python3"), at_screen(need("audacity"))]
            } else {
                vec![need("python3")]
            }
        }
    }

    const UNPLAYED: Assignments = &[&Unplayed("sound"), &Unplayed("letters")];

    /// What needs a screen for one assignment is in no class with another, and stands where the class of a task has it.
    #[test]
    fn what_an_assignment_needs_at_its_screen_is_in_its_own_classes_alone() {
        let offering = Workspace::offering(UNPLAYED);
        let names: Vec<String> = offering.classes().into_iter().map(|class| class.name).collect();
        insta::assert_snapshot!(names.join("\n"), @"
        workspace+desktop+ffmpeg+python3+audacity
        workspace+desktop+ffmpeg+python3
        workspace+ffmpeg+python3+audacity
        workspace+desktop+python3
        workspace+ffmpeg+python3
        workspace+desktop
        workspace+python3
        workspace
        ");
    }

    #[test]
    fn versions_of_programs_and_the_memory_of_a_sandbox_are_told() {
        let offering = Workspace::offering(UNPLAYED);
        let facts: Vec<&str> = offering.facts.iter().map(|fact| fact.name).collect();
        assert_eq!(facts, ["ffmpeg", "python3", "audacity"]);
        assert_eq!(offering.trial_bytes, Some(2 << 30));
    }
}
