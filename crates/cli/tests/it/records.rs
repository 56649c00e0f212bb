//! What can be done with the record of a run when what it was made with is gone.

use std::fs;

use crate::command::{Place, root};

#[test]
fn judging_again_needs_no_agents() {
    let place = Place::new();
    for (agent, name) in [("oracle", "a"), ("replay:a", "b")] {
        let args = format!("run puzzles/maze-2d@easy#0 --agent {agent} --name {name} --quiet");
        assert_eq!(place.quintain(&args).code, 0);
    }
    fs::remove_dir_all(place.path().join("runs/a")).unwrap();
    let rescored = place.quintain("rescore b");
    assert_eq!(rescored.code, 0, "{}", rescored.text());
}

#[test]
fn tasks_are_looked_for_where_the_run_had_them_and_may_be_gone() {
    let place = Place::new();
    assert_eq!(place.quintain("new mine/first --like puzzles/maze-2d").code, 0);
    let run = "--suites suites run mine/first@easy#0 --agent oracle --name a --quiet";
    assert_eq!(place.quintain(run).code, 0);
    let report = place.json("report a --no-html");
    assert_eq!(report["summary"]["by_difficulty"][0]["name"], "easy", "{report}");

    fs::rename(place.path().join("suites"), place.path().join("elsewhere")).unwrap();
    let told = place.quintain("report a");
    assert_eq!(told.code, 0, "{}", told.text());
    assert!(told.stderr.contains("difficulty, capabilities and efficiency are unknown"), "{}", told.text());
    let report = place.json("report a --no-html");
    assert_eq!(report["summary"]["total"]["success"]["hits"], 1, "{report}");
    assert_eq!(report["summary"]["by_difficulty"].as_array().map(Vec::len), Some(0), "{report}");
}

#[test]
fn a_trial_that_the_clock_ended_or_an_agent_that_broke_is_compared_turn_by_turn_only() {
    let place = Place::new();
    let run = "run puzzles/maze-2d@easy#0 --quiet";
    assert_eq!(place.quintain(&format!("{run} --agent oracle --minutes 0.0000001 --name hurried")).code, 0);
    assert_eq!(place.quintain(&format!("{run} --agent cmd:false --attempts 1 --name broken")).code, 0);
    for name in ["hurried", "broken"] {
        let replayed = place.quintain(&format!("replay {name} --all"));
        assert_eq!(replayed.code, 0, "{}", replayed.text());
        assert!(replayed.stdout.contains("the verdict is not compared"), "{}", replayed.text());
    }
}

#[test]
fn agents_are_told_apart() {
    let place = Place::new();
    let done = place.quintain("run puzzles/maze-2d@easy --agent oracle --agent idle --seeds 2 --name a");
    assert_eq!(done.code, 0, "{}", done.text());
    let lines: Vec<&str> = done.stdout.lines().take(3).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    agent   trials  faults  success  score    isolation
    idle    2       0       0.0 %    0.0 %    our code
    oracle  2       0       100.0 %  100.0 %  our code
    ");
    assert!(done.stdout.contains("\n== idle\n") && done.stdout.contains("\n== oracle\n"), "{}", done.stdout);
    let report = place.json("report a --no-html");
    assert_eq!(report["by_agent"]["oracle"]["total"]["success"]["value"], 1.0, "{report}");
    assert_eq!(report["by_agent"]["idle"]["total"]["success"]["value"], 0.0, "{report}");
}

/// A tolerance that is changed later is applied to the recorded evidence, without running a world.
#[test]
fn a_changed_tolerance_is_applied_to_what_was_recorded() {
    let place = Place::new();
    let folder = place.path().join("suites/puzzles/matchstick-rotation");
    fs::create_dir_all(folder.join("reference")).unwrap();
    let original = root().join("suites/puzzles/matchstick-rotation");
    for file in ["task.toml", "instruction.md", "reference/canary.txt"] {
        fs::copy(original.join(file), folder.join(file)).unwrap();
    }
    assert_eq!(place.quintain("run puzzles --suites suites --agent idle --seeds 3 --name a --quiet").code, 0);
    let same = place.quintain("rescore a --suites suites");
    assert_eq!(same.code, 0, "{}", same.text());

    let toml = fs::read_to_string(folder.join("task.toml")).unwrap();
    let wide = toml.replace("\"{{ position_tolerance }}\"", "1000").replace("\"{{ angle_tolerance }}\"", "180");
    assert_ne!(toml, wide);
    fs::write(folder.join("task.toml"), wide).unwrap();
    let changed = place.quintain("rescore a --suites suites --write");
    assert_eq!(changed.code, 3, "{}", changed.text());
    assert!(changed.stdout.contains("not solved (0) is now solved (1): the goal is reached"), "{}", changed.text());
    assert!(changed.stdout.contains("6 trials judged again, 6 verdicts changed"), "{}", changed.text());
    assert_eq!(fs::read_dir(place.path().join("runs/a/rescored")).unwrap().count(), 1);
}
