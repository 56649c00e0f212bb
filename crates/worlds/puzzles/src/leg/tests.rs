use std::num::NonZeroU32;
use std::path::Path;

use quintain_core::instance::{Instance, Pick};
use quintain_core::task::TaskFiles;
use quintain_core::world::{OracleStyle, WorldKind};

use super::*;
use crate::Puzzles;

/// The maze with milestones as it stands in the suite.
fn task(alter: impl Fn(String) -> String) -> Task {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../suites/puzzles/maze-legs");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let files: TaskFiles = [
        ("task.toml".to_owned(), alter(read("task.toml")).into_bytes()),
        ("instruction.md".to_owned(), read("instruction.md").into_bytes()),
    ]
    .into();
    Task::from_files("puzzles", &files).unwrap_or_else(|problems| panic!("{problems}"))
}

fn pick(preset: &str, seed: u64, stretch: Stretch) -> Pick {
    Pick { preset: Some(preset.to_owned()), seed: Some(seed), ..Pick::default() }.over(stretch)
}

/// How many moves are left where an instance begins, and how many its oracle makes.
fn measured(puzzles: &Puzzles, instance: &Instance) -> (u32, u32) {
    let mut world = puzzles.open(instance).unwrap();
    let state = world.snapshot(AT_ONCE).unwrap().documents["puzzle"].clone();
    let entry = puzzles.entries().iter().find(|entry| entry.name() == "maze-2d").unwrap();
    let Ok(measures) = (entry.measure)(&instance.start["start"], &state) else { panic!("a state of the maze") };
    (measures["moves_left"] as u32, puzzles.shortest(instance).unwrap() - 1)
}

#[test]
fn every_instance_begins_and_ends_at_every_milestone() {
    let (task, puzzles) = (task(|toml| toml), Puzzles::default());
    for (preset, seed) in ["easy", "hard"].into_iter().flat_map(|preset| (0..10).map(move |seed| (preset, seed))) {
        let make = |stretch| puzzles.instantiate(&task, &pick(preset, seed, stretch)).unwrap();
        let (moves_left, n_moves) = measured(&puzzles, &make(Stretch::WHOLE));
        assert!(moves_left >= 12 && n_moves == moves_left, "{preset}#{seed}");
        let from = [1, 2].map(|after| measured(&puzzles, &make(Stretch::after(after))));
        assert_eq!(from, [(8, 8), (4, 4)], "{preset}#{seed}");
        let only = [1, 2, 3].map(|n| measured(&puzzles, &make(Stretch::only(NonZeroU32::new(n).unwrap()))));
        assert_eq!(only, [(moves_left, n_moves - 8), (8, 4), (4, 4)], "{preset}#{seed}");
    }
}

#[test]
fn a_whole_instance_knows_nothing_of_legs() {
    let (task, puzzles) = (task(|toml| toml), Puzzles::default());
    let whole = puzzles.instantiate(&task, &pick("easy", 7, Stretch::WHOLE)).unwrap();
    let part = puzzles.instantiate(&task, &pick("easy", 7, Stretch::after(1))).unwrap();
    assert!(whole.start.get("leg").is_none());
    assert_eq!(part.start["start"], whole.start["start"]);
    assert_ne!(part.digest(), whole.digest());
}

#[test]
fn what_cannot_begin_after_a_milestone_is_refused() {
    let puzzles = Puzzles::default();
    let refused = |alter: &dyn Fn(String) -> String, stretch| match puzzles
        .instantiate(&task(alter), &pick("easy", 0, stretch))
    {
        Ok(instance) => format!("{}: fine", instance.id),
        Err(error) => error.to_string(),
    };
    let swap = |toml: String| toml.replace("moves_left = 8", "moves_left = 3");
    let early = |toml: String| toml.replace("moves_left = 8", "moves_left = 800");
    let other =
        |toml: String| toml.replace("name = \"near\", kind = \"puzzle-goal\"", "name = \"near\", kind = \"exact\"");
    let lines = [
        refused(&|toml| toml, Stretch::after(2)),
        refused(&|toml| toml, Stretch::after(3)),
        refused(&swap, Stretch::after(1)),
        refused(&early, Stretch::after(1)),
        refused(&other, Stretch::after(1)),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    puzzles/maze-legs@easy#0+2: fine
    setup fault: task `puzzles/maze-legs` has milestones 1 to 3, so `+3` is too far: at least the last one is left to be reached
    setup fault: the usual solution does not reach milestone `nearer` of task `puzzles/maze-legs` after the one before it, so that nothing can begin or end there
    setup fault: the usual solution does not reach milestone `near` of task `puzzles/maze-legs` after the one before it, so that nothing can begin or end there
    setup fault: milestone `near` of task `puzzles/maze-legs`: `exact` judges it, but a puzzle begins after milestones of `puzzle-goal` alone
    ");
    let instance = puzzles.instantiate(&task(|toml| toml), &pick("easy", 0, Stretch::after(1))).unwrap();
    let style = |strategy: &str| OracleStyle { strategy: Some(strategy.to_owned()), ..OracleStyle::default() };
    assert!(puzzles.oracle(&instance, &style("shortest")).is_ok());
    let refusal = puzzles.oracle(&instance, &style("padded")).err().unwrap().to_string();
    assert!(refusal.contains("usual strategy"), "{refusal}");
}
