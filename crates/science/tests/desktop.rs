//! Desktops with KAlgebra: what is shown, what is done, and whose doing it is when something is gone.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::action::Action;
use quintain_core::instance::Pick;
use quintain_core::surface::ActionGroup;
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::{OpenContext, World, WorldError};
use quintain_core::{ObservationPart, Settings};
use quintain_testkit::descendants;

const WITHIN: Duration = Duration::from_mins(1);

/// A task of KAlgebra that allows these groups of actions.
fn task(groups: &[ActionGroup]) -> Task {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/science/kalgebra-define-value");
    let read = |name: &str| (name.to_owned(), fs::read(folder.join(name)).expect("what tests stand on"));
    let files: TaskFiles = [read("task.toml"), read("instruction.md")].into();
    let mut task = Task::from_files("science", &files).expect("what tests stand on");
    task.spec.world.act = groups.iter().copied().collect();
    task
}

fn open(groups: &[ActionGroup]) -> Box<dyn World + Send> {
    let (task, settings) = (task(groups), Settings::default());
    let kind = quintain_science::offering().world;
    let instance = kind.instantiate(&task, &Pick::default()).expect("what tests stand on");
    kind.open_with(&instance, &OpenContext::of(&task, &settings)).expect("what tests stand on")
}

fn act(world: &mut dyn World, action: &str) -> Result<String, WorldError> {
    let action: Action = serde_json::from_str(action).expect("what tests stand on");
    world.apply(&action, WITHIN).map(|feedback| feedback.text)
}

fn seen(world: &mut dyn World, part: ObservationPart) -> String {
    let observation = world.observe(&BTreeSet::from([part]), WITHIN).expect("what tests stand on");
    observation.texts.get(&part).cloned().unwrap_or_default()
}

/// Kills a program in the only sandbox of this test process.
fn kill_from_outside(name: &str) {
    let below = descendants(std::process::id());
    let n_killed = below.iter().filter(|process| process.name == name && process.kill()).count();
    assert!(n_killed > 0, "there is no {name}");
}

/// Acts until that fails, and says how.
fn until_it_fails(world: &mut dyn World) -> WorldError {
    let deadline = Instant::now() + WITHIN;
    while Instant::now() < deadline {
        if let Err(error) = act(world, r#"{"do": "click", "at": {"x": 500, "y": 400}}"#) {
            return error;
        }
    }
    panic!("nothing was noticed");
}

#[test]
fn trees_have_numbers_and_numbers_can_be_clicked() {
    let mut world = open(&[ActionGroup::Gui]);
    let tree = seen(&mut *world, ObservationPart::Tree);
    let line = tree.lines().find(|line| line.contains("page tab \"2D Graph\"")).expect("the tab");
    let mark = line.trim().trim_start_matches('[').split(']').next().unwrap();
    let told = act(&mut *world, &format!(r#"{{"do": "click", "at": {{"mark": {mark}}}}}"#)).unwrap();
    assert_eq!(told, "Done.");
    let shown = world.snapshot(WITHIN).unwrap();
    assert_eq!(shown.documents["kalgebra"]["tab"], "2D Graph");
    assert_eq!(
        act(&mut *world, r#"{"do": "click", "at": {"x": 1280, "y": 1}}"#).unwrap(),
        "(1280, 1) is not on the screen, which is 1280 by 720."
    );
    let again = act(&mut *world, r#"{"do": "move", "to": {"x": 500, "y": 400}}"#).unwrap();
    assert_eq!(again, "Done.", "the pointer is seen to move");
    assert_eq!(act(&mut *world, r#"{"do": "screenshot"}"#).unwrap(), "Done; nothing looks different.");
}

#[test]
fn a_shell_is_beside_the_program_where_a_task_has_one() {
    let mut world = open(&[ActionGroup::Gui, ActionGroup::Shell]);
    act(&mut *world, r#"{"do": "shell", "command": "echo $DISPLAY; pwd; ls /home /root 2>&1 | head -3"}"#).unwrap();
    insta::assert_snapshot!(seen(&mut *world, ObservationPart::Text), @"
    :0
    /work
    ls: cannot access '/home': No such file or directory
    ls: cannot access '/root': No such file or directory
    [exit status 0]
    ");
}

#[test]
fn a_program_that_somebody_else_kills_is_a_fault() {
    let mut world = open(&[ActionGroup::Gui]);
    kill_from_outside("kalgebra");
    let error = until_it_fails(&mut *world);
    assert!(matches!(&error, WorldError::Fault { .. }), "{error}");
}

#[test]
fn a_screen_that_somebody_else_kills_is_a_fault() {
    let mut world = open(&[ActionGroup::Gui]);
    kill_from_outside("Xvfb");
    let error = until_it_fails(&mut *world);
    assert!(matches!(&error, WorldError::Fault { .. }), "{error}");
}

#[test]
fn an_agent_that_kills_the_screen_gains_nothing() {
    let mut world = open(&[ActionGroup::Gui, ActionGroup::Shell]);
    let error = match act(&mut *world, r#"{"do": "shell", "command": "pkill -KILL Xvfb"}"#) {
        Err(error) => error,
        Ok(_) => until_it_fails(&mut *world),
    };
    assert!(matches!(&error, WorldError::Exhausted(_)), "{error}");
}

#[test]
fn a_program_that_is_closed_is_gone_and_that_is_all() {
    let mut world = open(&[ActionGroup::Gui]);
    act(&mut *world, r#"{"do": "key", "keys": ["ctrl", "q"]}"#).unwrap();
    let deadline = Instant::now() + WITHIN;
    loop {
        act(&mut *world, r#"{"do": "wait", "ms": 50}"#).unwrap();
        let document = world.snapshot(WITHIN).unwrap().documents["kalgebra"].clone();
        if document["is_running"] == false {
            assert_eq!(document["variables"], serde_json::json!({}));
            break;
        }
        assert!(Instant::now() < deadline, "it does not close");
    }
}
