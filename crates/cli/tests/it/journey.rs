//! The way of a new user through the commands, on real puzzles.

use std::fs;

use quintain_core::variables;
use serde_json::Value;

use crate::command::{Place, copy, root};

fn solved(report: &Value) -> (u64, u64) {
    let rate = &report["summary"]["total"]["success"];
    (rate["hits"].as_u64().expect("a count"), rate["n"].as_u64().expect("a count"))
}

#[test]
fn the_oracle_solves_every_puzzle_and_everything_can_be_done_with_the_record() {
    let place = Place::new();
    let done = place.quintain("run puzzles --agent oracle --seeds 1 --name a --workers 2");
    assert_eq!(done.code, 0, "{}", done.text());
    let report = place.json("report a --no-html");
    let (n_solved, n) = solved(&report);
    assert!(n >= 30 && n_solved == n, "{report}");

    let replayed = place.quintain("replay a --all --quiet");
    assert_eq!(replayed.code, 0, "{}", replayed.text());
    let rescored = place.quintain("rescore a");
    assert_eq!(rescored.code, 0, "{}", rescored.text());

    for format in ["atif", "sharegpt", "openai"] {
        let exported = place.json(&format!("export a --format {format} --out out-{format} --only success"));
        assert_eq!(exported["trials"], n, "{format}");
        assert!(exported["pictures"].as_u64() > Some(n), "{format}");
    }
    let shown = place.quintain("show a puzzles/maze-2d@easy#0~oracle~0");
    assert!(shown.stdout.contains("done: score 1, solved"), "{}", shown.text());

    // The engine's file is only an index: without it the record still tells everything.
    fs::remove_file(place.path().join("runs/a/engine.sqlite")).unwrap();
    assert_eq!(solved(&place.json("report a --no-html")), (n, n));
}

/// What a newcomer sees at the end fits one screen of 24 lines and 100 columns. Three puzzles stand for all here.
#[test]
fn the_demo_ends_with_a_table_and_three_commands() {
    let place = Place::new();
    for name in ["matchstick-equation", "maze-2d", "sliding-block"] {
        copy(&root().join("suites/puzzles").join(name), &place.path().join("suites/puzzles").join(name));
    }
    let done = place.quintain("demo --suites suites --name first");
    assert_eq!(done.code, 0, "{}", done.text());
    insta::assert_snapshot!(done.stdout, @"
    solved                       oracle    random
    puzzles/matchstick-equation  4 of 4    0 of 4
    puzzles/maze-2d              4 of 4    0 of 4
    puzzles/sliding-block        4 of 4    0 of 4
    all                          12 of 12  0 of 12
    ");
    let (_, words) = done.stderr.split_once("report: ").expect("the report is named");
    assert!(done.stderr.lines().count() < 12, "a screen holds it: {}", done.stderr);
    insta::assert_snapshot!(words, @"
    runs/first/report.html
    next:
      quintain report first                                every figure of this run
      quintain show first puzzles/maze-2d@easy#0~oracle~0  one trial, step by step
      quintain play puzzles/sliding-block@easy             play one yourself
    ");
    let lines: Vec<&str> = done.stdout.lines().chain(words.lines()).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{lines:#?}");
    for command in ["report first --no-html", "show first puzzles/maze-2d@easy#0~oracle~0"] {
        let next = place.quintain(&format!("{command} --suites suites"));
        assert_eq!(next.code, 0, "{}", next.text());
    }
}

#[test]
fn two_runs_are_compared_in_pairs() {
    let place = Place::new();
    for agent in ["oracle", "idle"] {
        let args =
            format!("run puzzles/maze-2d puzzles/sliding-block@easy --agent {agent} --seeds 4 --name {agent} --quiet");
        assert_eq!(place.quintain(&args).code, 0);
    }
    let comparison = place.json("compare idle oracle");
    assert_eq!(comparison["n_pairs"], 12, "{comparison}");
    let text = place.quintain("compare idle oracle").stdout;
    assert!(text.contains("McNemar"), "{text}");
}

/// Agents of one run, agents of two, several at once.
#[test]
fn agents_are_compared_within_a_run_and_across_runs() {
    let place = Place::new();
    let tasks = "puzzles/maze-2d puzzles/sliding-block@easy --seeds 4 --quiet";
    let run = format!("run {tasks} --agent oracle --agent blind=random:seed=3 --name both --steps 30");
    assert_eq!(place.quintain(&run).code, 0);
    assert_eq!(place.quintain(&format!("run {tasks} --agent idle --name lazy")).code, 0);

    let alone = place.quintain("compare both");
    assert_eq!(alone.code, 0, "{}", alone.text());
    let head: Vec<&str> = alone.stdout.lines().take(3).collect();
    insta::assert_snapshot!(head.join("\n"), @"
    A          both: oracle (our code)
    B          both: blind (our code)
    pairs      12 over 2 tasks
    ");
    let named = place.json("compare lazy both@oracle");
    assert_eq!((&named["n_pairs"], &named["mcnemar"]["only_b"], &named["v"]), (&12.into(), &12.into(), &1.into()));
    let by_spec = place.json("compare lazy both@random:seed=3");
    assert_eq!(by_spec["agents_b"], serde_json::json!(["blind"]));

    let three = place.json("compare both lazy");
    assert_eq!((&three["scheme"], &three["n_tests"]), (&"all_pairs".into(), &3.into()), "{three}");
    let text = place.quintain("compare both lazy").stdout;
    insta::assert_snapshot!(text, @"
    1   both: oracle (our code)
    2   both: blind (our code)
    3   lazy: idle (our code)

    each against each, on the instances that both played; Holm's p is corrected for 3 tests

    A, B  pairs        A      B     B - A             95 %  exact p  Holm's p
    1, 2     12  100.0 %  0.0 %  -100.0 %  [-100.0, -51.5]  < 0.001     0.001
    1, 3     12  100.0 %  0.0 %  -100.0 %  [-100.0, -51.5]  < 0.001     0.001
    2, 3     12    0.0 %  0.0 %    +0.0 %    [-24.2, 24.2]    1.000     1.000
      1, 2: 1 solves more on these tasks: interval over instances leaves out zero, Holm's p is 0.001
      1, 3: 1 solves more on these tasks: interval over instances leaves out zero, Holm's p is 0.001
      2, 3: no difference is shown; only one of 57.8 % or more would have been likely to

    warning: 1, 2: only 2 tasks: the interval over tasks is rough
    warning: 1, 3: only 2 tasks: the interval over tasks is rough
    warning: 2, 3: only 2 tasks: the interval over tasks is rough
    ");

    let wrong = place.quintain("compare both@oracel lazy");
    insta::assert_snapshot!(wrong.text(), @"
    exit 2
    --- stderr
    error: no agent `oracel` played in run `both`
    hint: did you mean `oracle`?
    ");
    assert_eq!(place.quintain("compare lazy").code, 1);
}

/// With several agents a report tells each by itself: tasks down, agents across, and no mean over agents.
#[test]
fn a_report_of_several_agents_mixes_nothing() {
    let place = Place::new();
    let run = "run puzzles/maze-2d@easy puzzles/sliding-block@easy --seeds 2 --quiet --name a";
    assert_eq!(place.quintain(&format!("{run} --agent oracle --agent idle")).code, 0);
    let told = place.quintain("report a");
    let matrix: Vec<&str> = told.stdout.lines().skip_while(|line| !line.starts_with("solved")).take(3).collect();
    insta::assert_snapshot!(matrix.join("\n"), @"
    solved                   idle  oracle
    puzzles/maze-2d        0 of 2  2 of 2
    puzzles/sliding-block  0 of 2  2 of 2
    ");
    let report = place.json("report a --no-html");
    assert_eq!(report["summary"]["matrix"]["agents"], serde_json::json!(["idle", "oracle"]));
    assert_eq!(report["summary"]["matrix"]["tasks"][0]["success"][1]["hits"], 2, "{report}");
    for mixed in ["total", "by_task", "by_difficulty", "by_capability"] {
        assert!(report["summary"].get(mixed).is_none(), "{mixed}");
        assert!(report["by_agent"]["oracle"].get(mixed).is_some(), "{mixed}");
    }
    let page = fs::read_to_string(place.path().join("runs/a/report.html")).unwrap();
    assert!(page.contains("Tasks by agent") && !page.contains("all agents together"));
}

#[test]
fn a_person_plays_through_a_pipe() {
    let place = Place::new();
    let done = place.quintain("run puzzles/maze-2d@easy#3 --agent oracle --name a --quiet");
    assert_eq!(done.code, 0, "{}", done.text());
    let shown = place.json("show a puzzles/maze-2d@easy#3~oracle~0");
    let replies: Vec<&str> =
        shown["steps"].as_array().unwrap().iter().filter_map(|step| step["reply"]["raw"].as_str()).collect();
    let played = place.quintain_with(
        &["play", "puzzles/maze-2d@easy#3", "--show", "screen,ascii,feedback,remaining"],
        &format!("help\nmoove 1\n{}\n", replies.join("\n")),
    );
    assert_eq!(played.code, 0, "{}", played.text());
    assert!(played.stdout.contains("that is no action; nothing was done and no step taken"), "{}", played.text());
    assert!(played.stdout.contains(&format!("{} steps", replies.len())), "a slip takes none: {}", played.text());
    assert!(played.stdout.contains("solved (done"), "{}", played.text());
    assert!(fs::read(place.path().join("screen.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_program_in_python_plays() {
    let place = Place::new();
    let agent = format!("cmd:python3 {}", root().join("examples/agent.py").display());
    let args = [
        "run",
        "puzzles/maze-2d",
        "--agent",
        &agent,
        "--seeds",
        "2",
        "--name",
        "py",
        "--show",
        "ascii,feedback,remaining",
        "--quiet",
    ];
    let done = place.quintain_with(&args, "");
    assert_eq!(done.code, 0, "{}", done.text());
    assert_eq!(solved(&place.json("report py --no-html")), (4, 4));
}

#[test]
fn a_new_task_passes_its_check_and_a_spoilt_one_does_not() {
    let place = Place::new();
    assert_eq!(place.quintain("new mine/first --like puzzles/maze-2d").code, 0);
    let checked = place.quintain("check suites/mine/first --quick --seeds 2");
    assert_eq!(checked.code, 0, "{}", checked.text());

    let folder = place.path().join("suites/mine/first");
    let canary = fs::read_to_string(folder.join("reference/canary.txt")).unwrap();
    let instruction = fs::read_to_string(folder.join("instruction.md")).unwrap();
    fs::write(folder.join("instruction.md"), format!("{instruction}\n{canary}\n")).unwrap();
    let refused = place.quintain("check suites/mine/first --quick --seeds 2");
    assert_eq!(refused.code, 3, "{}", refused.text());
    assert!(refused.stdout.contains("canary"), "{}", refused.text());
}

#[test]
fn a_recorded_run_is_replayed_by_an_agent() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/jigsaw@easy --agent oracle --seeds 2 --name a --quiet").code, 0);
    assert_eq!(place.quintain("run puzzles/jigsaw@easy --agent replay:a --seeds 2 --name b --quiet").code, 0);
    assert_eq!(solved(&place.json("report b --no-html")), (2, 2));
}

#[test]
fn everything_is_listed() {
    let place = Place::new();
    for what in ["suites", "tasks", "puzzles", "checks", "agents", "runs"] {
        assert!(place.json(&format!("list {what}")).is_array(), "{what}");
    }
    let models = place.quintain("list models").stdout;
    let widest = models.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(104), "{widest:?}");
    assert_eq!(place.quintain("doctor").code, 0);
    assert!(place.quintain("completions bash").stdout.contains("_quintain"));
}

#[test]
fn the_doctor_leaves_nothing_in_the_archive_and_does_not_pass_a_server_that_is_not_there() {
    let mut place = Place::new();
    let archive = place.path().join("archive");
    fs::create_dir(&archive).expect("a folder can be made");
    place.set(variables::STORE, archive.display().to_string());
    let fine = place.quintain("doctor");
    assert_eq!(fine.code, 0, "{}", fine.text());
    assert!(fine.stdout.contains("ok      the archive (for fleets)"), "{}", fine.text());
    assert_eq!(fs::read_dir(&archive).map_or(0, Iterator::count), 0, "nothing is left in the archive");
    place.set(variables::NATS, "nats://127.0.0.1:1");
    let broken = place.quintain("doctor");
    assert_eq!(broken.code, 3, "{}", broken.text());
}
