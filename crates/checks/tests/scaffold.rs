//! A new task says what its model says, under a name and a canary of its own.

use std::collections::BTreeMap;

use quintain_checks::scaffold::{NewTask, files};
use quintain_core::task::{Task, TaskFiles, TaskId};

const MODEL: &str = "
[task]
id = 'puzzles/maze'
title = 'A maze'
version = 3
capabilities = ['planning']
[world]
kind = 'puzzles'
app = 'maze-2d'
observe = ['screen', 'feedback']
act = ['call']
[parameters.size]
value = 9
about = 'cells across'
generator = { integer = [5, 9] }
[parameters.walls]
value = []
[parameters.gate]
value = true
generator = { choice = [true, false, []] }
[presets.hard]
difficulty = 'hard'
parameters = { size = 15, gate = false }
limits = { steps = 60 }
chance = 0.01
[limits]
steps = 30
minutes = 1.5
[[checks]]
name = 'goal'
kind = 'puzzle-goal'
options = { at_most = { cells = 0 } }
[[checks]]
name = 'count'
kind = 'numeric'
selector = 'documents/puzzle/n'
expect = 0
weight = 0.0
";

fn folder(files: &BTreeMap<String, String>) -> TaskFiles {
    files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect()
}

fn made() -> (Task, BTreeMap<String, String>) {
    let model: BTreeMap<String, String> = [
        ("task.toml".to_owned(), MODEL.to_owned()),
        ("instruction.md".to_owned(), "Find the way through {{ size }} cells.".to_owned()),
        ("reference/canary.txt".to_owned(), "quintain-canary-of-the-model".to_owned()),
    ]
    .into();
    let model = Task::from_files("puzzles", &folder(&model)).expect("the example is sound");
    let id: TaskId = "mine/my-maze".parse().expect("the example is sound");
    let files =
        files(&NewTask { id: &id, title: "My \"own\" maze", model: &model, salt: b"salt", called: "mine/my-maze" })
            .expect("the example is sound");
    (model, files)
}

#[test]
fn a_new_task_reads_back_as_its_model_under_another_name() {
    let (model, files) = made();
    let task = Task::from_files("mine", &folder(&files)).expect("the example is sound");
    let mut wanted = model.spec.clone();
    wanted.task.id = "mine/my-maze".to_owned();
    wanted.task.title = "My \"own\" maze".to_owned();
    wanted.task.version = 1;
    assert_eq!(task.spec, wanted);
    assert_eq!(task.instruction, model.instruction);
    assert_ne!(task.canary(), model.canary());
}

#[test]
fn a_new_task_is_written_for_people() {
    let files = made().1;
    insta::assert_snapshot!(files.keys().cloned().collect::<Vec<_>>().join("\n"), @"
    instruction.md
    reference/canary.txt
    task.toml
    ");
    insta::assert_snapshot!(files["reference/canary.txt"], @"quintain-canary-f6aacd45045c49a9bd75c28dd88a17d8");
    insta::assert_snapshot!(files["task.toml"], @r#"
    # A task is a folder: this file, instruction.md (what the agent reads, a template over the parameters) and
    # reference/ (what only the judge may read). After every change, `quintain check mine/my-maze` proves it sound.

    # Identity. The version counts up whenever the meaning changes.
    [task]
    capabilities = ["planning"]
    id = "mine/my-maze"
    title = 'My "own" maze'
    version = 1

    # Where it takes place, what may be shown and done.
    [world]
    act = ["call"]
    app = "maze-2d"
    kind = "puzzles"
    observe = ["screen", "feedback"]

    # What may differ between instances: the canonical value, and a generator where a seed should draw it.
    [parameters.gate]
    value = true

    [parameters.gate.generator]
    choice = [true, false, []]

    [parameters.size]
    about = "cells across"
    value = 9

    [parameters.size.generator]
    integer = [5, 9]

    [parameters.walls]
    value = []

    # Named choices of parameters.
    [presets.hard]
    chance = 0.01
    difficulty = "hard"

    [presets.hard.limits]
    steps = 60

    [presets.hard.parameters]
    gate = false
    size = 15

    # What a trial may use up.
    [limits]
    minutes = 1.5
    steps = 30

    # How the end state is judged.
    [[checks]]
    kind = "puzzle-goal"
    name = "goal"

    [checks.options.at_most]
    cells = 0

    [[checks]]
    expect = 0
    kind = "numeric"
    name = "count"
    selector = "documents/puzzle/n"
    weight = 0.0
    "#);
}
