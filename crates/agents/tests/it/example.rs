//! The example of the book, against a real world, with a real Python.

use std::process::{Command, Stdio};

use quintain_agents::Subprocess;
use quintain_core::ObservationPart;
use quintain_process::sandbox::ProgramAccess;

use crate::maze::Game;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agent.py");

fn example() -> Subprocess {
    Subprocess::new(["python3", PATH].map(str::to_owned), ProgramAccess::Sandbox { files: Vec::new() })
}

#[test]
fn the_example_finds_its_way() {
    let outcome = Game::new().play(&mut example());
    assert_eq!(outcome.story(), "move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1");
    assert_eq!(outcome.steps[0].reply.thought.as_deref(), Some("6 moves to go"));
}

#[test]
fn the_example_goes_on_after_a_crash() {
    let past = Game::new().play(&mut example()).steps[..4].to_vec();
    let story = Game { past, ..Game::new() }.play(&mut example()).story();
    assert_eq!(story, "move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1");
}

#[test]
fn the_example_says_what_it_lacks() {
    let story = Game { show: [ObservationPart::Screen].into(), ..Game::new() }.play(&mut example()).story();
    assert!(story.contains("broke: exit"), "{story}");
    assert!(story.ends_with("this agent reads the map in characters: show it the part `ascii`"), "{story}");
}

#[test]
fn the_example_leaves_when_its_input_closes() {
    let output = Command::new("python3").arg(PATH).stdin(Stdio::null()).output().expect("python3 starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
