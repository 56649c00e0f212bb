//! Runs that are interrupted, listened to for a while only, or gone on with.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Command;
use std::time::Duration;

use quintain_testkit::wait_long_for;
use serde_json::Value;

use crate::command::Place;

/// How long what is begun or ended by a signal may take.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn a_reader_who_goes_away_does_not_harm_a_run() {
    let place = Place::new();
    let mut child = place.start(&["run", "puzzles/maze-2d", "--agent", "idle", "--seeds", "5", "--name", "a"]);
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.json("report a --no-html")["summary"]["total"]["n"], 10);
}

#[test]
fn the_first_interruption_is_answered_and_the_second_obeyed() {
    let place = Place::new();
    let mut child = place.start(&["run", "puzzles/maze-2d@easy#0", "--agent", "cmd:sleep 20", "--name", "a"]);
    let mut words = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let interrupt =
        || assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(words.any(|line| line == "run `a`: 1 trial"));
    interrupt();
    assert_eq!(words.next().unwrap(), "finishing the turns in flight; press Ctrl-C again to stop at once");
    interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// An agent that hears no signal, and a program that it started, are gone when the process is.
#[test]
fn a_second_signal_leaves_no_stubborn_agent_behind() {
    let place = Place::new();
    let stubborn =
        "trap '' INT TERM HUP\nsleep 600 & echo $! >> pids.tmp\necho $$ >> pids.tmp\nmv pids.tmp pids\nwait; wait";
    fs::write(place.path().join("stubborn.sh"), stubborn).unwrap();
    let mut child = place.start(&[
        "run",
        "puzzles/maze-2d@easy#0",
        "--agent",
        "cmd:sh stubborn.sh",
        "--agent-access",
        "host",
        "--name",
        "a",
    ]);
    let pids = || fs::read_to_string(place.path().join("pids")).ok();
    wait_long_for("the agent has started", SOON, || pids().is_some());
    let pids: Vec<String> = pids().unwrap().lines().map(str::to_owned).collect();
    let is_alive =
        |pid: &String| fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    assert_eq!((pids.len(), pids.iter().filter(|pid| is_alive(pid)).count()), (2, 2));
    let mut words = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let signal = |name: &str| Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(signal("-HUP").success());
    assert!(words.any(|line| line.starts_with("finishing the turns in flight")));
    assert!(signal("-TERM").success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_long_for("nothing is left of the agent", SOON, || !pids.iter().any(is_alive));
}

#[test]
fn the_log_tells_what_a_replay_tells() {
    let place = Place::new();
    let run = "run puzzles/maze-2d@easy#0 --agent oracle --name a --log events.jsonl --quiet";
    assert_eq!(place.quintain(run).code, 0);
    let log = fs::read_to_string(place.path().join("events.jsonl")).unwrap();
    let replayed = place.quintain("replay a --json").stdout;
    let events = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    assert_eq!(events(&log), events(&replayed));
    assert!(log.starts_with(r#"{"event":"run_began","run":"a","n_trials":1"#), "{log}");

    let resumed = place.quintain("resume a --log events.jsonl");
    assert!(resumed.stderr.contains("0 solved, 0 faults in this session"), "{}", resumed.text());
    let longer = fs::read_to_string(place.path().join("events.jsonl")).unwrap();
    assert_eq!(longer.lines().count(), log.lines().count() + 2, "{longer}");
}

#[test]
fn a_game_that_was_left_is_gone_on_with() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/maze-2d@easy#3 --agent oracle --name a --quiet").code, 0);
    let shown = place.json("show a puzzles/maze-2d@easy#3~oracle~0");
    let steps = shown["steps"].as_array().unwrap();
    let replies: Vec<&str> = steps.iter().filter_map(|step| step["reply"]["raw"].as_str()).collect();
    let (first, rest) = replies.split_at(1);
    let left = place
        .quintain_with(&["play", "puzzles/maze-2d@easy#3", "--name", "game"], &format!("{}\nquit\n", first.join("\n")));
    assert_eq!(left.code, 130, "{}", left.text());
    let typed = ["resume", "game", "--json", "--screen", "there.png"];
    let done = place.quintain_with(&typed, &format!("{}\n", rest.join("\n")));
    assert_eq!(done.code, 0, "{}", done.text());
    assert!(place.path().join("there.png").exists(), "the screen is where it was asked for");
    let told: Value = serde_json::from_str(&done.stdout).expect("only JSON on standard output");
    assert_eq!(told["verdict"]["solved"], true, "{}", done.text());
    assert_eq!(told["spent"]["steps"], replies.len(), "{told}");
    assert_eq!(place.json("show game")["trials"][0]["attempts"], 1, "a trial that is put down is not tried again");
}

#[test]
fn a_game_in_json_leaves_standard_output_to_the_data() {
    let place = Place::new();
    let played = place.quintain_with(&["play", "puzzles/maze-2d@easy#3", "--json"], "stop\n");
    assert_eq!(played.code, 0, "{}", played.text());
    let told: Value = serde_json::from_str(&played.stdout).expect("only JSON on standard output");
    assert_eq!(told["verdict"]["solved"], false);
    assert!(played.stderr.contains("== turn 0"), "{}", played.text());
}
