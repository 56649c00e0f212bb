//! Agents outside of the surface that we control: a browser of their own, or work done elsewhere.

mod provider;
mod visitor;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::Place;
use provider::Provider;
use visitor::Visitor;

const TASK: &str = "gauntlet/workflow-insert-wait";

/// What the oracle does, and the app's document when it is done.
fn oracle(place: &Place) -> (Vec<Value>, Value) {
    let done = place.quintain(&format!("run {TASK} --agent oracle --name base --quiet"));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let shown = place.quintain(&format!("show base {TASK}~oracle~0 --json"));
    let record: Value = serde_json::from_str(&shown.stdout).expect("it is JSON");
    let steps = record["steps"].as_array().expect("it has steps");
    let actions = steps.iter().map(|step| step["action"].clone()).collect();
    (actions, record["evidence"]["documents"]["workflow-builder"].clone())
}

fn told(text: &str) -> (bool, bool) {
    let told: Value = serde_json::from_str(text).expect("it is JSON");
    (told["verdict"]["solved"] == true, told["verdict"]["outside"] == true)
}

#[test]
fn a_browser_that_is_not_ours_does_a_task_and_a_document_made_elsewhere_is_judged() {
    let place = Place::new();
    let (actions, document) = oracle(&place);

    fs::write(place.path().join("end.json"), document.to_string()).expect("written");
    let submitted = place.quintain(&format!("submit {TASK} --document end.json --json"));
    assert_eq!((submitted.code, told(&submitted.stdout)), (0, (true, true)), "{}", submitted.stderr);
    let shown = place.quintain("show submit");
    assert!(shown.stdout.contains("done, outside"), "{}", shown.stdout);

    let mut open = place.start(&["open", TASK, "--json", "--name", "opened", "--minutes", "3"]);
    let mut lines = BufReader::new(open.stdout.take().expect("a pipe"));
    let mut invitation = String::new();
    lines.read_line(&mut invitation).expect("it says where the app is");
    let invitation: Value = serde_json::from_str(&invitation).expect("it is JSON");
    assert!(!invitation.to_string().contains("expected"), "{invitation}");
    Visitor::carry_out(invitation["app"].as_str().expect("an address"), &actions);
    let url = invitation["url"].as_str().expect("an address");
    let refused = place.quintain(&format!("submit {url} --answer 5"));
    assert_eq!((refused.code, refused.stdout.starts_with("the trial goes on")), (3, true), "{}", refused.stderr);
    let ended = place.quintain(&format!("submit {url}"));
    assert_eq!((ended.code, ended.stdout.trim()), (0, "the trial is over"), "{}", ended.stderr);
    let verdict: String = lines.lines().map(|line| line.expect("UTF-8") + "\n").collect();
    assert_eq!(told(&verdict), (true, true), "{verdict}");
    assert!(open.wait().expect("it ends").success());
}

#[test]
fn work_that_was_not_done_is_not_solved_and_nothing_is_refused() {
    let place = Place::new();
    let nothing = place.quintain(&format!("submit {TASK}"));
    assert!(nothing.stderr.contains("hint: --document FILE"), "{}", nothing.stderr);
    let wrong = place.quintain("submit gauntlet/circuit-wheatstone-bridge --answer {}");
    assert!(wrong.stderr.contains("the answer lacks"), "{}", wrong.stderr);
    let gone = place.quintain("submit http://127.0.0.1:1/t/x");
    assert!(gone.stderr.contains("hint: `quintain open` prints the address"), "{}", gone.stderr);
    let puzzle = place.quintain("open puzzles/maze-2d");
    assert!(puzzle.stderr.contains("is no browser app"), "{}", puzzle.stderr);
    fs::write(place.path().join("empty.json"), "{}").expect("written");
    let empty = place.quintain(&format!("submit {TASK} --document empty.json --json"));
    assert_eq!((empty.code, told(&empty.stdout)), (0, (false, true)), "{}", empty.stderr);
}

/// The run's files hold no secret.
fn assert_without(folder: &Path, secret: &str) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            assert_without(&path, secret);
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{}", path.display());
    }
}

#[test]
fn a_program_whose_only_setting_is_a_base_url_is_billed_limited_and_recorded() {
    const MAZE: &str = "puzzles/maze-2d@easy#0";
    let place = Place::new();
    place.quintain(&format!("run {MAZE} --agent oracle --name base --quiet"));
    let shown = place.quintain(&format!("show base {MAZE}~oracle~0 --json"));
    let record: Value = serde_json::from_str(&shown.stdout).expect("it is JSON");
    let provider = Provider::start(record["steps"].as_array().expect("steps"));
    let agent = concat!("outside:python3 ", env!("CARGO_MANIFEST_DIR"), "/../../examples/agent40.py sim");
    let play = |name: &str, more: &[&str]| -> Value {
        let mut args = vec!["run", MAZE, "--agent", agent, "--name", name, "--quiet"];
        args.extend(more);
        let mut command = Command::new(env!("CARGO_BIN_EXE_quintain"));
        command.args(args).current_dir(place.path()).env_remove("CHAT_BASE_URL");
        command.env("OPENAI_BASE_URL", &provider.url).env("OPENAI_API_KEY", Provider::KEY);
        assert!(command.output().expect("it starts").status.success(), "{name}");
        let shown = place.quintain(&format!("show {name} --json"));
        let run: Value = serde_json::from_str(&shown.stdout).expect("it is JSON");
        run["trials"][0].clone()
    };
    let whole = play("whole", &[]);
    assert_eq!((&whole["verdict"]["solved"], &whole["spent"]["tokens"]), (&true.into(), &(13 * 1100).into()));
    let short = play("short", &["--cost", "0.01"]);
    assert_eq!(short["verdict"]["ending"]["truncated"], "cost", "{}", short["verdict"]);
    assert_eq!(short["spent"]["tokens"], 4 * 1100);
    let exchanges = fs::read_to_string(place.path().join("runs/short/proxy.jsonl")).expect("it is kept");
    assert_eq!(exchanges.lines().count(), 4);
    let trial = short["trial"].as_str().expect("a name");
    let sent = place.json(&format!("show short {trial} --sent 3"));
    assert_eq!((&sent["rebuilt"], &sent["request"]["model"]), (&false.into(), &"sim".into()), "{sent}");
    let beyond = place.quintain(&format!("show short {trial} --sent 4"));
    assert!(beyond.stderr.starts_with("error: 4 calls of "), "{}", beyond.text());
    assert_without(place.path(), Provider::KEY);
}
