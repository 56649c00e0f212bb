//! Programs that do not start.

use quintain_core::offering::WorldNeed;
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::WorldKind as _;
use quintain_core::{Instance, Pick, Rng};
use quintain_desktop::{AppLaunch, AppProbe, Desktop, DesktopApp, DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::Value;

/// A program that leaves at once.
struct Leaving;

struct Nothing;

impl DesktopApp for Leaving {
    fn name(&self) -> &'static str {
        "leaving"
    }

    fn version(&self) -> u32 {
        1
    }

    fn launch(&self, _plan: &Value) -> Result<AppLaunch, String> {
        let argv = ["sh", "-c", "echo no such licence >&2; exit 3"].map(str::to_owned).into();
        Ok(AppLaunch { argv, ..AppLaunch::default() })
    }

    fn is_ready(&self, _shown: &AppProbe<'_>) -> bool {
        true
    }

    fn probe(&self, _shown: &AppProbe<'_>) -> Value {
        Value::Null
    }

    fn scenarios(&self) -> &'static [&'static dyn DesktopScenario] {
        &[&Nothing]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        Vec::new()
    }
}

impl DesktopScenario for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn prepare(
        &self,
        _parameters: &std::collections::BTreeMap<String, Value>,
        _rng: &mut Rng,
    ) -> Result<PreparedScenario, String> {
        Ok(PreparedScenario::default())
    }

    fn solution(&self, _plan: &Value, _wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(Vec::new())
    }
}

fn instance(kind: Desktop, app: &str, start: &str) -> Result<Instance, String> {
    let spec = format!(
        "[task]\nid = \"t/t\"\ntitle = \"t\"\nversion = 1\ndifficulty = \"easy\"\n[world]\nkind = \"desktop\"\napp = \"{app}\"\nstart = \"{start}\"\n\
         observe = [\"screen\"]\nact = [\"gui\"]\nclock = \"wall\"\n[limits]\nsteps = 5\n\
         [[checks]]\nname = \"c\"\nkind = \"exact\"\nselector = \"documents/leaving\"\nexpect = 1\n"
    );
    let files: TaskFiles =
        [("task.toml".to_owned(), spec.into_bytes()), ("instruction.md".to_owned(), b"Do it.".to_vec())].into();
    let task = Task::from_files("t", &files).map_err(|problems| format!("{problems:?}"))?;
    kind.instantiate(&task, &Pick::default()).map_err(|error| error.to_string())
}

#[test]
fn a_program_that_does_not_start_is_a_fault_of_the_set_up_with_its_last_words() {
    let kind = Desktop::new(&[&Leaving]);
    let opened = kind.open(&instance(kind, "leaving", "nothing").unwrap());
    let told = "setup fault: `leaving` was started 3 times and never was ready: the display broke: `leaving` has left (Exited(3)): no such licence";
    assert_eq!(opened.err().unwrap().to_string(), told);
}

#[test]
fn what_there_is_not_is_told_with_what_there_is() {
    let kind = Desktop::new(&[&Leaving]);
    let told =
        [("leving", "nothing"), ("leaving", "nothin")].map(|(app, start)| instance(kind, app, start).unwrap_err());
    insta::assert_snapshot!(told.join("\n"), @"
    setup fault: there is no app `leving`; did you mean `leaving`?
    setup fault: `leaving` has no start `nothin`; did you mean `nothing`?
    ");
}
