//! Workspaces as an agent meets them.

mod killed;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::time::Duration;

use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Action, Instance, InstanceId, ObservationPart, Pick, Rng, WorldKind as _};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, WorkParameters, Workspace};
use serde_json::{Value, json};

const SOON: Duration = Duration::from_mins(2);

/// An assignment with two files.
struct Letters;

impl Assignment for Letters {
    fn name(&self) -> &'static str {
        "letters"
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, _parameters: &WorkParameters<'_>, _rng: &mut Rng) -> Result<PreparedWork, String> {
        Err("instances are made by hand here".to_owned())
    }

    fn inputs(&self, _plan: &Value) -> Result<InputFiles, String> {
        let text: String = (1..=3).map(|n| format!("letter {n}\n")).collect::<Vec<_>>().concat();
        Ok([("letters.txt".to_owned(), text.into_bytes()), ("more/deep.bin".to_owned(), vec![0xff, 0, 1])].into())
    }

    fn solution(&self, _plan: &Value, _wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        Ok(Vec::new())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[]
    }
}

fn opened() -> Box<dyn World + Send> {
    let instance = Instance {
        id: InstanceId { task: "exam/letters".parse().expect("a name"), pick: Pick::default() },
        instruction: String::new(),
        parameters: BTreeMap::new(),
        start: json!({ "assignment": "letters", "plan": {} }),
        secrets: Vec::new(),
        source: None,
    };
    Workspace::new(&[&Letters]).open(&instance).expect("a workspace")
}

/// What is shown after an action, with what became of it.
fn after(world: &mut Box<dyn World + Send>, action: &Action) -> String {
    let feedback = world.apply(action, SOON).expect("no fault");
    let seen = world.observe(&[ObservationPart::Text].into(), SOON).expect("an observation");
    let text = seen.texts.get(&ObservationPart::Text).cloned().unwrap_or_default();
    format!("{:?}: {text}", feedback.effect)
}

fn shell(command: &str) -> Action {
    Action::Shell { command: command.to_owned() }
}

fn collected(world: &mut Box<dyn World + Send>) -> Collected {
    world.collect(SOON).expect("evidence")
}

#[test]
fn an_agent_works_with_a_shell_and_with_files() {
    let mut world = opened();
    let seen = world.observe(&[ObservationPart::Text].into(), SOON).expect("an observation");
    let first = &seen.texts[&ObservationPart::Text];
    assert_eq!(
        first,
        "You are in /work. In /work/input (read-only):\n          27  letters.txt\n           3  more/  1 file"
    );
    let call = |name: &str, args: &[Value]| Action::call(name, args.to_vec());
    let told = [
        after(&mut world, &shell("wc -l input/letters.txt; cd /tmp; exit 4")),
        after(&mut world, &shell("pwd; echo x > input/new")),
        after(&mut world, &call("read_file", &[json!("input/letters.txt"), json!(2)])),
        after(&mut world, &call("read_file", &[json!("input/more/deep.bin"), json!(1)])),
        after(&mut world, &call("read_file", &[json!("nowhere"), json!(1)])),
        after(&mut world, &call("write_file", &[json!("output/a/result.csv"), json!("name,amount\nx,1\n")])),
        after(&mut world, &call("edit_file", &[json!("output/a/result.csv"), json!("x,1"), json!("x,2")])),
        after(&mut world, &call("edit_file", &[json!("output/a/result.csv"), json!("a"), json!("b")])),
        after(&mut world, &call("list_folder", &[json!("output/a")])),
        after(&mut world, &call("search_files", &[json!("amo|x,2"), json!("output")])),
        after(&mut world, &Action::Screenshot),
    ];
    insta::assert_snapshot!(told.map(|line| line.replace('\n', " | ")).join("\n"), @r"
    Changed: 3 input/letters.txt | [exit status 4]
    Changed: /work | bash: line 1: input/new: Read-only file system | [exit status 1]
    Unchanged: letter 2 | letter 3 | [lines 2 to 3 of 3]
    Refused: `input/more/deep.bin` is not shown: it is not a text file in UTF-8; look at it with a program.
    Refused: `nowhere`: No such file or directory.
    Changed: 16 bytes are written to output/a/result.csv.
    Changed: output/a/result.csv is changed.
    Refused: `output/a/result.csv` is not changed: the stretch is in it more than once; take more of what is around it.
    Unchanged:           16  result.csv | [1 in all]
    Unchanged: /work/output/a/result.csv:1:name,amount | /work/output/a/result.csv:2:x,2 | [exit status 0]
    Unchanged: /work/output/a/result.csv:1:name,amount | /work/output/a/result.csv:2:x,2 | [exit status 0]
    ");
    let left = collected(&mut world);
    let mut text = String::new();
    left.files["a/result.csv"].open().expect("a file").read_to_string(&mut text).expect("text");
    assert_eq!(text, "name,amount\nx,2\n");
}

#[test]
fn only_what_is_left_in_the_output_is_handed_over_and_nothing_runs_on() {
    let mut world = opened();
    let script = "echo mine > scratch; echo done > output/done; ln -s /etc/passwd output/link; mkfifo output/pipe; \
                  (while :; do date +%s%N > output/beat; sleep 0.01; done) & disown; echo started";
    assert!(after(&mut world, &shell(script)).contains("started"));
    let left = collected(&mut world);
    let names: Vec<&String> = left.files.keys().collect();
    assert!(names == ["beat", "done"] || names == ["done"], "{names:?}");
    let told = &left.evidence.documents["workspace"];
    assert_eq!(told["n_left_out"], 2, "{told}");
    let beat = || {
        let mut text = String::new();
        left.files.get("beat").map(|file| file.open().expect("a file").read_to_string(&mut text));
        text
    };
    let once = beat();
    assert_eq!(once, beat(), "whoever wrote it is gone");
}

#[test]
fn who_uses_too_much_or_ends_the_workspace_ends_the_trial_alone() {
    let mut world = opened();
    let mut other = opened();
    let fault = world.apply(&shell("kill -9 2"), SOON).expect_err("the workspace is gone");
    assert!(matches!(&fault, WorldError::Exhausted(why) if why.contains("first program")), "{fault}");
    assert!(after(&mut other, &shell("echo unharmed")).contains("unharmed"));
}
