//! Sixteen small tasks, read, judged fit or not, and made into tasks of ours.

mod contract;
mod folders;

use quintain_core::template::fill_text;
use std::collections::BTreeMap;

use quintain_core::{Action, Task, TaskId};
use quintain_harbor::{HarborTask, executable_files, fitness, harbor_files, into_suite};

use folders::{read, sound_tasks, task_names};

#[test]
fn every_task_is_told_whether_it_runs_here() {
    let mut told = Vec::new();
    for name in task_names() {
        match read(&name) {
            Err(problems) => told.push(format!("{name}: damaged\n{problems}")),
            Ok(task) => {
                let fitness = fitness(&task, &[]);
                let word = if fitness.runs_here() { "runs here" } else { "not, because" };
                let lines = fitness.reasons.iter().map(|reason| format!("\n- {reason}"));
                let remarks = fitness.remarks.iter().map(|remark| format!("\n  {remark}"));
                told.push(format!("{name}: {word}{}{}", lines.collect::<String>(), remarks.collect::<String>()));
            }
        }
    }
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn what_cannot_be_built_is_a_reason() {
    let task = read("word-count").unwrap();
    let found = fitness(&task, &["line 2: `RUN make world` fetches".to_owned()]);
    assert_eq!(found.reasons, ["`environment/Dockerfile`: line 2: `RUN make world` fetches"]);
}

#[test]
fn rounds_hold_what_steps_take_over() {
    let task = read("two-drafts").unwrap();
    let told: Vec<String> = task
        .rounds
        .iter()
        .map(|round| {
            format!(
                "{:?}: {:?} s, tests {:?} by {:?} in {} s with {:?}, solution {:?}, files {:?}, least {:?}",
                round.step.as_deref().unwrap_or_default(),
                round.agent_timeout_sec,
                round.tests,
                round.test_script.as_deref().unwrap_or_default(),
                round.verifier_timeout_sec,
                round.verifier_env,
                round.solution.as_deref().unwrap_or_default(),
                round.workdir,
                round.min_reward,
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    let gates = read("three-gates").unwrap();
    assert_eq!(gates.rounds[1].tests, ["tests", "steps/sums/tests"]);
    assert_eq!(gates.rounds[1].test_script.as_deref(), Some("tests/test.sh"));
    assert_eq!(gates.rounds[1].solution.as_deref(), Some("solution"));
}

/// A suite of ours is read by our own reader, and its instruction comes out word for word.
#[test]
fn imported_tasks_are_tasks_of_ours() {
    for task in sound_tasks() {
        let files = into_suite("imported", &task).unwrap();
        let made = Task::from_folder("imported", &files).unwrap_or_else(|problems| panic!("{}: {problems}", task.name));
        assert_eq!(made.id, format!("imported/{}", task.name).parse::<TaskId>().unwrap());
        let told = fill_text(&made.instruction, &BTreeMap::new()).unwrap();
        assert_eq!(told, task.rounds[0].instruction, "{}", task.name);
        assert!(made.canary().starts_with("quintain-canary-"));
        for (path, file) in &task.files {
            assert_eq!(made.reference[&format!("harbor/{path}")].digest(), file.digest());
        }
        let executable = executable_files(&made.spec.metadata);
        let judged = HarborTask::from_folder(&task.name, harbor_files(&made.reference), executable.clone()).unwrap();
        assert_eq!(judged, task);
        let played = HarborTask::without_tests(&task.name, harbor_files(&made.input), executable).unwrap();
        let told = |task: &HarborTask| task.rounds.iter().map(|round| round.instruction.clone()).collect::<Vec<_>>();
        assert_eq!((told(&played), &played.config), (told(&task), &task.config));
        let secret = |path: &String| path.contains("tests/") || path.contains("solution/");
        assert_eq!(made.input.keys().filter(|path| secret(path)).count(), 0, "{}", task.name);
    }
}

#[test]
fn a_declaration_keeps_what_has_no_counterpart() {
    let declared = |name: &str| {
        let files = into_suite("imported", &read(name).unwrap()).unwrap();
        String::from_utf8(files["task.toml"].whole(1 << 20).unwrap()).unwrap()
    };
    insta::assert_snapshot!(declared("ledger-sum"));
    insta::assert_snapshot!(declared("two-drafts"));
}

#[test]
fn a_solution_is_written_and_run() {
    let lines = |task: &HarborTask| {
        let files = into_suite("imported", task).unwrap();
        files.get("oracle.txt").map(|file| String::from_utf8(file.whole(1 << 20).unwrap()).unwrap())
    };
    assert_eq!(lines(&read("time-zones").unwrap()), None);
    let all = ["two-drafts", "shell-refactor"].map(|name| lines(&read(name).unwrap()).unwrap());
    insta::assert_snapshot!(all.join("\n"));
    for line in all.iter().flat_map(|text| text.lines()) {
        serde_json::from_str::<Action>(&fill_text(line, &BTreeMap::new()).unwrap()).unwrap();
    }
}
