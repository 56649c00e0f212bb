//! Instances that begin and end at milestones, through the binary.

use std::fs;

use quintain_core::variables;
use serde_json::Value;

use crate::command::{Place, root};

/// `agent k success gain`, one start a line.
fn curve(report: &Value) -> String {
    let starts = report["summary"]["starts"].as_array().expect("a table of starts");
    let line = |start: &Value| {
        let until = start["until"].as_u64().map_or_else(String::new, |until| format!("..{until}"));
        let gain = start.get("gain").map_or_else(|| "-".to_owned(), |gain| gain["value"].to_string());
        format!(
            "{} {}{until}: {} of {}, gain {gain}",
            start["agent"], start["after"], start["success"]["hits"], start["success"]["n"]
        )
    };
    starts.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn success_is_told_by_what_was_given() {
    let place = Place::new();
    let done = place.quintain("run puzzles/maze-legs --after all --agent oracle --agent idle --seeds 3 --name a");
    assert_eq!(done.code, 0, "{}", done.text());
    insta::assert_snapshot!(curve(&place.json("report a --no-html")), @r#"
    "idle" 0: 0 of 6, gain -
    "idle" 1: 0 of 6, gain 0.0
    "idle" 2: 0 of 6, gain 0.0
    "oracle" 0: 6 of 6, gain -
    "oracle" 1: 6 of 6, gain 0.0
    "oracle" 2: 6 of 6, gain 0.0
    "#);
    let report = place.quintain("report a");
    let table: Vec<&str> = report.stdout.lines().filter(|line| line.contains("  k = ")).collect();
    insta::assert_snapshot!(table.join("\n"), @"
    idle     k = 0       6    0.0 %  [0.0, 39.0]                  -              -
    idle     k = 1       6    0.0 %  [0.0, 39.0]  +0.0 % over k = 0  [-39.0, 39.0]
    idle     k = 2       6    0.0 %  [0.0, 39.0]  +0.0 % over k = 1  [-39.0, 39.0]
    oracle   k = 0       6  100.0 %  [61.0, 100.0]                  -              -
    oracle   k = 1       6  100.0 %  [61.0, 100.0]  +0.0 % over k = 0  [-39.0, 39.0]
    oracle   k = 2       6  100.0 %  [61.0, 100.0]  +0.0 % over k = 1  [-39.0, 39.0]
    ");
    let html = fs::read_to_string(place.path().join("runs/a/report.html")).unwrap();
    assert!(html.contains("<h3>SR@k</h3>") && html.contains("100.0 %"));

    // A run without starts has no such table.
    assert_eq!(place.quintain("run puzzles/maze-legs --agent oracle --seeds 1 --name b --quiet").code, 0);
    assert!(place.json("report b --no-html")["summary"].get("starts").is_none());
    assert!(!place.quintain("report b --no-html").stdout.contains("SR@k"));
}

/// The figures of chains, where an agent breaks, and what its trial is told to have missed.
#[test]
fn a_report_tells_what_chains_came_to_and_a_trial_where_it_broke() {
    let place = Place::new();
    let args = "run puzzles/maze-legs@easy --after all --agent oracle --agent random --agent idle --seeds 5 --name a";
    let done = place.quintain(args);
    assert_eq!(done.code, 0, "{}", done.text());
    let told = place.json("report a --no-html");
    let chains = &told["summary"]["chains"];
    let line = |figures: &Value| {
        let value = |name: &str| figures[name]["value"].to_string();
        let solved = figures["solved_steps"]["mean"].to_string();
        let (name, after) = (&figures["agent"], &figures["after"]);
        format!(
            "{name} {after}: SR {}, CR {} and {}, AE {solved}",
            value("success"),
            value("completion"),
            value("elements")
        )
    };
    let lines: Vec<String> = chains["figures"].as_array().unwrap().iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    "idle" 0: SR 0.0, CR 0.0 and 0.0, AE null
    "idle" 1: SR 0.0, CR 0.0 and 0.0, AE null
    "idle" 2: SR 0.0, CR 0.0 and 0.0, AE null
    "oracle" 0: SR 1.0, CR 1.0 and 1.0, AE 13.8
    "oracle" 1: SR 1.0, CR 1.0 and 1.0, AE 9.0
    "oracle" 2: SR 1.0, CR 1.0 and 1.0, AE 5.0
    "random" 0: SR 0.0, CR 0.26666666666666666 and 0.26666666666666666, AE null
    "random" 1: SR 0.0, CR 0.2 and 0.2, AE null
    "random" 2: SR 0.0, CR 0.0 and 0.0, AE null
    "#);
    assert!(told["by_agent"]["idle"]["chains"]["levels"].as_array().unwrap().is_empty(), "levels are over all agents");
    assert_eq!(chains["levels"][0]["n_agents"], 2, "the oracle knows the solution");
    let text = place.quintain("report a --no-html").stdout;
    let idle = text.split("== idle").nth(1).unwrap().split("== oracle").next().unwrap();
    let table: Vec<&str> = idle.lines().skip_while(|line| !line.starts_with("chains of")).take(4).collect();
    insta::assert_snapshot!(table.join("\n"), @"
    chains of  after  trials     SR  CR steps  CR elem.  AE  effic.  answered  precision
    idle           0       5  0.0 %     0.0 %     0.0 %   -       -   100.0 %      0.0 %
    idle           1       5  0.0 %     0.0 %     0.0 %   -       -   100.0 %      0.0 %
    idle           2       5  0.0 %     0.0 %     0.0 %   -       -   100.0 %      0.0 %
    ");
    let shown = place.quintain("show a puzzles/maze-legs@easy#1+1~idle~0");
    let lines: Vec<&str> = shown.stdout.lines().skip(1).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    done: score 0, not solved
      goal: moves_left is 8, 0 is wanted
      milestone near: given
      milestone nearer: missed, and this is where it broke
        nearer: moves_left is 8, at most 4 is wanted
      milestone there: missed
        there: moves_left is 8, 0 is wanted
    ");
}

#[test]
fn a_stretch_is_recorded_shown_exported_replayed_and_judged_again() {
    let place = Place::new();
    let done = place.quintain("run puzzles/maze-legs@easy#7+1..2 puzzles/maze-legs@hard#7+2 --agent oracle --name a");
    assert_eq!(done.code, 0, "{}", done.text());
    let trial = "puzzles/maze-legs@easy#7+1..2~oracle~0";
    let shown = place.quintain(&format!("show a {trial}"));
    insta::assert_snapshot!(shown.stdout.lines().skip(5).collect::<Vec<_>>().join("\n"), @"
    done: score 1, solved
      nearer: the goal is reached
      milestone near: given
      milestone nearer: reached after 4 steps
    ");
    let told = place.json(&format!("show a {trial}"));
    let instruction = told["briefing"]["instruction"].as_str().unwrap();
    insta::assert_snapshot!(instruction.split_once("then stop.").unwrap().1.trim(), @"
    This much of it has been done already:
    - Bring the disc to a cell from which the red square is at most 8 moves away.

    You are asked for no more of it than this. Stop when it is done:
    - Bring the disc to a cell from which the red square is at most 4 moves away.
    ");
    let replayed = place.quintain("replay a --all --quiet");
    assert_eq!(replayed.code, 0, "{}", replayed.text());
    assert_eq!(place.quintain("rescore a").code, 0);
    let exported = place.json("export a --format atif --out out");
    assert_eq!(exported["trials"], 2);
    let names: Vec<String> = fs::read_dir(place.path().join("out/trajectories"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().any(|name| name.contains("maze-legs_easy_7_1..2_oracle")), "{names:?}");
    let seen = place.quintain("show puzzles/maze-legs@easy#7+2");
    assert!(seen.stdout.starts_with("puzzles/maze-legs@easy#7+2\n"), "{}", seen.text());
}

#[test]
fn a_run_with_starts_goes_on_where_it_was() {
    let place = Place::new();
    let args = "run puzzles/maze-legs@easy --after 0,1,0..1 --agent random --seeds 4 --workers 1 --name";
    let cut = place.quintain(&format!("{args} cut --run-steps 60"));
    assert_ne!(cut.code, 0, "{}", cut.text());
    let resumed = place.quintain("resume cut --run-steps 100000");
    assert_eq!(resumed.code, 0, "{}", resumed.text());
    assert_eq!(place.quintain(&format!("{args} whole --quiet")).code, 0);
    let summary = |name: &str| curve(&place.json(&format!("report {name} --no-html")));
    assert_eq!(summary("cut"), summary("whole"));
    let verdicts = |name: &str| -> Vec<Value> {
        let trials = place.json(&format!("show {name}"))["trials"].clone();
        trials.as_array().unwrap().iter().map(|trial| serde_json::json!([trial["trial"], trial["verdict"]])).collect()
    };
    assert_eq!(verdicts("cut").len(), 12);
    assert_eq!(verdicts("cut"), verdicts("whole"));
}

#[test]
fn what_has_no_such_milestones_is_refused_before_anything_is_played() {
    let place = Place::new();
    let refused = |args: &str| {
        let done = place.quintain(args);
        assert_ne!(done.code, 0, "{}", done.text());
        assert!(!place.path().join("runs").exists(), "{args}");
        done.stderr
    };
    let lines = [
        "run puzzles/maze-legs@easy#7+3 --agent idle",
        "run puzzles/maze-2d@easy#7+1 --agent idle",
        "run puzzles/maze-legs@easy#7+x --agent idle",
        "run puzzles/maze-legs puzzles/maze-2d --after 1 --agent idle",
        "run puzzles/maze-legs --after 0,x --agent idle",
        "check puzzles/maze-legs@easy#7+1 --quick",
        "demos puzzles/maze-legs@easy+1 --n 1 --out a",
    ]
    .map(refused);
    insta::assert_snapshot!(lines.join("\n"), @"
    error: `puzzles/maze-legs@easy#7+3`: task `puzzles/maze-legs` has milestones 1 to 3, so `+3` is too far: at least the last one is left to be reached
    hint: `quintain show TASK` lists a task's milestones

    error: `puzzles/maze-2d@easy#7+1`: task `puzzles/maze-2d` has no milestones to begin or to end after
    hint: `quintain show TASK` lists a task's milestones

    error: `puzzles/maze-legs@easy#7+x` cannot be read as a choice of tasks: `+x` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    hint: for example `puzzles`, `puzzles/maze-*` or `puzzles/maze-2d@easy#7`

    error: task `puzzles/maze-2d` has no milestones to begin or to end after
    hint: `quintain show TASK` lists a task's milestones; `--after all` takes every start that there is

    error: invalid value 'x' for '--after <MILESTONES>': `+x` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted

    For more information, try '--help'.

    error: a certificate is about whole instances of `puzzles/maze-legs`
    hint: leave out `+`; every start is examined

    error: `puzzles/maze-legs@easy+1` names a stretch
    hint: demonstrations are of whole instances; leave out `+`
    ");
}

/// The Circuit Designer cannot begin after a milestone, whatever its task says.
#[test]
fn a_world_that_cannot_begin_after_a_milestone_says_so() {
    let place = Place::new();
    let (from, to) =
        (root().join("suites/gauntlet/circuit-comparator"), place.path().join("own/gauntlet/circuit-comparator"));
    for name in ["task.toml", "instruction.md", "oracle.toml", "reference/canary.txt"] {
        fs::create_dir_all(to.join(name).parent().unwrap()).unwrap();
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
    let milestone = |name: &str| {
        format!(
            "\n[[milestones]]\nname = '{name}'\ninstruction = 'Do it.'\nchecks = [{{ name = 'c', kind = 'exact', selector = 'documents/x', expect = 1 }}]\n"
        )
    };
    let toml = fs::read_to_string(to.join("task.toml")).unwrap();
    fs::write(to.join("task.toml"), toml + &milestone("a") + &milestone("b")).unwrap();
    let refused = place.quintain("--suites own run gauntlet/circuit-comparator+1 --agent idle");
    assert_ne!(refused.code, 0, "{}", refused.text());
    insta::assert_snapshot!(refused.stderr, @"
    error: `gauntlet/circuit-comparator+1` cannot be made
      because: setup fault: the app `circuit-designer` cannot begin or end after a milestone of `gauntlet/circuit-comparator`; leave out `+1`
    ");
}

/// One trial and its verdict as it is told.
fn told(place: &Place, trial: &str) -> String {
    let shown = place.quintain(&format!("show w {trial}"));
    assert_eq!(shown.code, 0, "{}", shown.text());
    let verdict = shown.stdout.lines().skip_while(|line| !line.contains(": score"));
    format!("{trial}\n{}", verdict.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_workflow_is_built_on_from_each_of_its_milestones() {
    let mut place = Place::new();
    place.set(variables::NO_SANDBOX, "1");
    let task = "gauntlet/workflow-three-nodes#7";
    let run = format!("run {task} {task}+1 {task}+2 {task}+1..2 --agent oracle --agent idle --name w --quiet");
    let done = place.quintain(&run);
    assert_eq!(done.code, 0, "{}", done.text());
    let trials = ["~oracle~0", "+1~oracle~0", "+2~oracle~0", "+1..2~oracle~0", "+2~idle~0"];
    let lines = trials.map(|trial| told(&place, &format!("{task}{trial}")));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    gauntlet/workflow-three-nodes#7~oracle~0
    done: score 1, solved
      workflow: the document is as expected
      milestone nodes: reached after 17 steps
      milestone connections: reached after 19 steps
      milestone request: reached after 26 steps
    gauntlet/workflow-three-nodes#7+1~oracle~0
    done: score 1, solved
      workflow: the document is as expected
      milestone nodes: given
      milestone connections: reached after 2 steps
      milestone request: reached after 9 steps
    gauntlet/workflow-three-nodes#7+2~oracle~0
    done: score 1, solved
      workflow: the document is as expected
      milestone nodes: given
      milestone connections: given
      milestone request: reached after 7 steps
    gauntlet/workflow-three-nodes#7+1..2~oracle~0
    done: score 1, solved
      connections: the document is as expected
      milestone nodes: given
      milestone connections: reached after 2 steps
    gauntlet/workflow-three-nodes#7+2~idle~0
    done: score 0, not solved
      workflow: in `Room Plan Patch`: the node `HTTP Request` has "GET" for `method`, not "PATCH"; in
        `Room Plan Patch`: the node `HTTP Request` has "" for `url`, not
        "https://api.greenbank.example/rooms/plans/25"
      milestone nodes: given
      milestone connections: given
      milestone request: missed, and this is where it broke
        request: in `Room Plan Patch`: the node `HTTP Request` has "GET" for `method`, not "PATCH"; in
        `Room Plan Patch`: the node `HTTP Request` has "" for `url`, not
        "https://api.greenbank.example/rooms/plans/25"
    "#);

    // It begins with what somebody would have done by then, in the places where the app puts things.
    let evidence = |trial: &str| place.json(&format!("show w {task}{trial}"))["evidence"]["documents"].clone();
    let workflow = evidence("+2~idle~0")["workflow-builder"]["workflows"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((workflow["nodes"].as_array().unwrap().len(), workflow["edges"].as_array().unwrap().len()), (3, 2));
    let positions = |trial: &str| {
        let made = evidence(trial)["workflow-builder"]["workflows"].as_array().unwrap().last().unwrap().clone();
        made["nodes"].as_array().unwrap().iter().map(|node| node["position"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(positions("+2~idle~0"), positions("~oracle~0"));

    let replayed = place.quintain("replay w --all --quiet");
    assert_eq!(replayed.code, 0, "{}", replayed.text());
    let again = place.quintain("rescore w");
    assert_eq!(again.code, 0, "{}", again.text());
    let curve = curve(&place.json("report w --no-html"));
    assert!(curve.contains("\"oracle\" 2: 1 of 1") && curve.contains("\"idle\" 2: 0 of 1"), "{curve}");
}

#[test]
fn the_certificate_examines_every_start() {
    let place = Place::new();
    let certificates = place.json("check puzzles/maze-legs@easy --quick --seeds 2");
    assert_eq!(certificates[0]["refusals"], serde_json::json!([]), "{}", certificates[0]["refusals"]);
    let stretches: Vec<String> = certificates[0]["picks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pick| pick["stretches"].as_array().unwrap())
        .map(|proof| format!("{} {}", proof["instance"].as_str().unwrap(), proof["oracle_steps"]))
        .collect();
    insta::assert_snapshot!(stretches.join("\n"), @"
    puzzles/maze-legs@easy#0+1 9
    puzzles/maze-legs@easy#0+2 5
    puzzles/maze-legs@easy#0+0..1 5
    puzzles/maze-legs@easy#0+1..2 5
    puzzles/maze-legs@easy#0+2..3 5
    puzzles/maze-legs@easy#1+1 9
    puzzles/maze-legs@easy#1+2 5
    puzzles/maze-legs@easy#1+0..1 5
    puzzles/maze-legs@easy#1+1..2 5
    puzzles/maze-legs@easy#1+2..3 5
    ");
}
