//! Models that play, from the command line, against a provider of our own (`quintain provider-sim`).
//!
//! `QUINTAIN_FULL=1` asks for the long forms (`just models`, `just chaos`).

pub(crate) mod provider;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use quintain_testkit::wait_for;
use serde_json::Value;

use super::command::{Place, SIX, is_full};
use provider::{KEY, Provider};

const MAZE: &str = "puzzles/maze-2d@easy#0";
const PROVIDERS: [&str; 4] = ["anthropic", "openai", "chat", "google"];

/// Every loop with every client.
fn everyone() -> Vec<String> {
    let loops = |provider: &str| {
        let model = format!("{provider}/sim");
        ["turns", "react", "generalist"]
            .map(|name| format!("{name}:{model}"))
            .into_iter()
            .chain([format!("planner:{model},grounder={model}")])
            .collect::<Vec<_>>()
    };
    PROVIDERS.into_iter().flat_map(loops).collect()
}

/// Lets the oracle play, and gives its solutions to a provider.
pub(crate) fn taught(tasks: &str, more: &str) -> (Place, Provider) {
    let mut place = Place::new();
    let done = place.quintain(&format!("run {tasks} --agent oracle --name oracle --no-sandbox"));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let provider = Provider::start(&mut place, format!("--mind oracle {more}").trim_end());
    (place, provider)
}

/// Plays, and tells what each agent came to: name, trials, solved, faults.
fn came_to(place: &Place, args: &str) -> Vec<(String, u64, u64, u64)> {
    let done = place.quintain(&format!("--json --quiet run {args} --no-sandbox"));
    assert!([0, 3].contains(&done.code), "exit {}: {}", done.code, done.stderr);
    let summary: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {}", done.stdout));
    let groups = summary["summary"]["by_agent"].as_array().or(summary["by_agent"].as_array()).expect("agents");
    let count = |value: &Value| value.as_u64().expect("a number");
    let of = |group: &Value| {
        let name = group["name"].as_str().expect("a name").to_owned();
        (name, count(&group["n"]), count(&group["success"]["hits"]), count(&group["n_faulted"]))
    };
    groups.iter().map(of).collect()
}

fn agents(specs: &[String]) -> String {
    specs.iter().map(|spec| format!("--agent {spec}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_model_that_cannot_be_asked_is_told_before_the_run_begins() {
    let place = Place::new();
    let refused = |args: &str, code: i32| {
        let done = place.quintain(args);
        assert_eq!(done.code, code, "{}", done.stderr);
        done.stderr
    };
    let run = format!("run {MAZE} --agent");
    insta::assert_snapshot!(refused(&format!("{run} react:anthropic/claude-opus-4-6"), 1), @"
    error: the environment has no key for anthropic
    hint: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN
    ");
    insta::assert_snapshot!(refused(&format!("{run} turns:chat/sim"), 1), @"
    error: nobody says where `chat/sim` is
    hint: give base_url=URL, or set CHAT_BASE_URL
    ");
    insta::assert_snapshot!(refused(&format!("{run} idle --effort hgh"), 2), @"
    error: there is no effort `hgh`
    hint: did you mean `high`?
    ");
    insta::assert_snapshot!(refused(&format!("{run} idle --groups gui,shel"), 2), @"
    error: there is no group of actions `shel`
    hint: did you mean `shell`?
    ");
    assert!(!place.path().join("runs").exists(), "nothing was made");
}

#[test]
fn every_loop_and_every_client_solve_the_puzzles() {
    let (tasks, least) = if is_full() { ("puzzles", 30) } else { (SIX, 12) };
    let (place, _provider) = taught(&format!("{tasks} --seeds 1"), "");
    let came = came_to(&place, &format!("{tasks} --seeds 1 -n 8 --name models {}", agents(&everyone())));
    assert_eq!(came.len(), 16, "{came:?}");
    for (agent, n, solved, faults) in came {
        assert!(n >= least && (solved, faults) == (n, 0), "{agent}: {solved} of {n}, {faults} faults");
    }
}

#[test]
fn every_loop_and_every_client_solve_tasks_in_apps_and_a_wrong_scale_does_not() {
    const TASKS: [&str; 10] = [
        "gauntlet/workflow-insert-wait",
        "gauntlet/circuit-not-from-nand",
        "gauntlet/circuit-parity",
        "gauntlet/circuit-comparator",
        "gauntlet/circuit-summing-amplifier",
        "gauntlet/circuit-full-adder",
        "gauntlet/workflow-remove-node",
        "gauntlet/workflow-side-branch",
        "gauntlet/workflow-rewire-edges",
        "gauntlet/circuit-wheatstone-bridge",
    ];
    let who = ["react:anthropic/sim", "react:openai/sim", "react:google/sim", "generalist:chat/sim"].map(str::to_owned);
    let (tasks, right) = if is_full() {
        (&TASKS[..], everyone())
    } else {
        (&TASKS[..2], who.into_iter().chain(["planner:chat/sim,grounder=chat/sim".to_owned()]).collect())
    };
    let (place, provider) = taught(&tasks.join(" "), "");
    let n = tasks.len() as u64;
    let tasks = tasks.join(" ");
    for (agent, trials, solved, faults) in came_to(&place, &format!("{tasks} -n 2 --name right {}", agents(&right))) {
        assert_eq!((trials, solved, faults), (n, n, 0), "{agent}");
    }
    let wrong = PROVIDERS.map(|provider| format!("react:{provider}/sim,tools=schema,points=unit"));
    let astray = format!("{}/mind/{{instance}}/points/thousandths", provider.url());
    let wrong: Vec<String> = wrong.into_iter().map(|agent| format!("{agent},base_url={astray}")).collect();
    for (agent, trials, solved, _) in came_to(&place, &format!("{tasks} -n 2 --name wrong {}", agents(&wrong))) {
        assert_eq!((trials, solved), (n, 0), "{agent}");
    }
}

/// Calls that are in the run's books without what they used.
fn unknown(place: &Place, run: &str) -> BTreeSet<String> {
    let report = place.json(&format!("report {run} --no-html"));
    let calls = report["calls"]["unknown"].as_array().expect("a list").iter();
    calls.map(|call| call["id"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn in_chaos_every_trial_has_a_verdict_or_a_provider_fault_and_every_cent_is_accounted_for() {
    let (n_seeds, n_at_once) = if is_full() { (42, 32) } else { (4, 16) };
    let (place, provider) =
        taught(&format!("{SIX} --seeds {n_seeds}"), "--chaos 429=0.2,5xx=0.05,hang=0.02,cut=0.02 --seed 7");
    let agent = "react:anthropic/sim,timeout=5";
    let came = came_to(&place, &format!("{SIX} --seeds {n_seeds} -n {n_at_once} --name chaos --agent {agent}"));
    let [(_, n, solved, faults)] = came.as_slice() else { panic!("{came:?}") };
    assert_eq!(*n, n_seeds * 12);
    assert_eq!(solved + faults, *n, "nothing is held against the agent");

    let billed = provider.billed();
    let report = place.json("report chaos --no-html");
    let told: f64 = billed.iter().filter(|call| call.told).map(|call| call.cost_usd).sum();
    let booked = report["calls"]["totals"]["cost_usd"].as_f64().expect("a sum");
    assert!((told - booked).abs() < 0.005, "billed ${told}, booked ${booked}");
    let untold: BTreeSet<String> = billed.into_iter().filter(|call| !call.told).map(|call| call.call).collect();
    assert!(!untold.is_empty(), "there was chaos");
    assert_eq!(unknown(&place, "chaos"), untold, "the calls that nobody was told the price of");
    eprintln!("{n} trials: {solved} solved, {faults} provider faults; ${booked:.2}; {} unknown", untold.len());
}

#[test]
fn a_budget_holds_but_for_the_calls_in_flight_and_nothing_is_paid_twice() {
    let (place, provider) = taught(&format!("{SIX} --seeds 2"), "--bill 0.01..0.30 --seed 3");
    let n_at_once = 8;
    let agent = "react:openai/sim";
    let cut = place.quintain(&format!("run {SIX} --seeds 2 -n {n_at_once} --run-cost 5 --name poor --agent {agent}"));
    assert_eq!(cut.code, 130, "{}", cut.stderr);
    let spent = |provider: &Provider| provider.billed().iter().map(|call| call.cost_usd).sum::<f64>();
    let before = spent(&provider);
    assert!((5.0..5.0 + 0.30 * f64::from(n_at_once)).contains(&before), "${before}");
    let again = place.quintain("resume poor");
    assert_eq!(again.code, 130, "{}", again.stderr);
    assert!((spent(&provider) - before).abs() < 1e-9, "the budget is still spent");

    let done = place.quintain(&format!("resume poor -n {n_at_once} --run-cost 1000"));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let turns = place.json("report poor --no-html");
    let n_turns: u64 = ended_turns(&place, "poor");
    assert_eq!(provider.billed().len() as u64, n_turns, "one call a turn, none twice: {}", turns["calls"]);
}

#[test]
fn a_killed_run_goes_on_and_pays_again_only_for_calls_in_flight() {
    let (place, provider) = taught("puzzles/maze-2d --seeds 2", "--latency 50");
    let args = "run puzzles/maze-2d --seeds 2 -n 4 --name killed --agent react:anthropic/sim";
    let mut child = place.start(&args.split(' ').collect::<Vec<_>>());
    wait_for("the run to get going", || provider.billed().len() >= 20);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let done = place.quintain("resume killed -n 4");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("half-done trials went on"), "{}", done.stderr);
    let (n_billed, n_turns) = (provider.billed().len() as u64, ended_turns(&place, "killed"));
    assert!((n_turns..=n_turns + 4).contains(&n_billed), "{n_billed} calls for {n_turns} turns");
    let n_unknown = unknown(&place, "killed").len() as u64;
    // A call may be in the books and not yet with the provider when the run is killed, or be answered and booked while its
    // turn is not yet on record: either way it is one of those in flight.
    assert!(n_unknown <= 4, "{n_unknown} unknown, {} paid twice", n_billed - n_turns);
}

#[test]
fn speaking_out_of_turn_is_corrected_once_counted_and_told() {
    let (place, provider) = taught(MAZE, "--habit prose=0.3,several=0.2,plan=0.2 --seed 5");
    for agent in ["react:anthropic/sim", "react:openai/sim", "turns:chat/sim", "generalist:google/sim"] {
        let before = provider.billed().len() as u64;
        let name = agent.replace([':', '/'], "-");
        let done = place.quintain(&format!("run {MAZE} --name {name} --agent {agent}"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.contains("protocol violation"), "{agent}: {}", done.stdout);
        let (n_calls, n_turns) = (provider.billed().len() as u64 - before, ended_turns(&place, &name));
        assert!(n_calls > n_turns, "{agent}: {n_calls} calls for {n_turns} turns");
        let report = place.json(&format!("report {name} --no-html"));
        assert_eq!(report["summary"]["total"]["success"]["hits"], 1, "{agent}: corrected, it solves the maze");
    }
}

#[test]
fn slips_and_what_the_model_was_sent_are_told() {
    let (place, _provider) = taught(MAZE, "--habit prose=0.5 --seed 5");
    assert_eq!(place.quintain(&format!("run {MAZE} --name a --agent fast=turns:chat/sim --quiet")).code, 0);
    let trial = format!("{MAZE}~fast~0");
    let record = place.json(&format!("show a {trial}"));
    let steps = record["steps"].as_array().expect("steps");
    let slipped = steps.iter().position(|step| step["reply"].get("slips").is_some()).expect("a slip");
    let shown = place.quintain(&format!("show a {trial}"));
    assert!(shown.stdout.contains("slip, words and no action: "), "{}", shown.stdout);
    assert!(shown.stdout.contains("was told: "), "{}", shown.stdout);
    assert!(shown.stderr.contains("--sent N"), "{}", shown.stderr);

    let last = steps.len() - 1;
    assert!(slipped < last, "the end is no slip");
    let sent = place.json(&format!("show a {trial} --sent {last}"));
    let messages = sent["request"]["messages"].as_array().expect("messages");
    assert_eq!((&sent["rebuilt"], &messages.last().unwrap()["role"]), (&true.into(), &"user".into()), "{sent}");
    assert!(sent["request"]["system"].as_str().unwrap().contains("maze"), "{}", sent["request"]["system"]);
    let text = place.quintain(&format!("show a {trial} --sent 0"));
    assert!(text.stdout.starts_with("== system\n") && text.stdout.contains("\n== user\n"), "{}", text.text());
    assert!(text.stdout.contains("[picture ") && text.stdout.contains(", of picture "), "{}", text.stdout);
    assert!(text.stderr.contains("built again from the record"), "{}", text.stderr);
    let beyond = place.quintain(&format!("show a {trial} --sent 99"));
    assert_eq!(beyond.code, 1, "{}", beyond.text());
    let none = place.quintain(&format!("show oracle {MAZE}~oracle~0 --sent 0"));
    assert!(none.stderr.contains("what `oracle` was sent is not recorded"), "{}", none.text());
    let page = fs::read_to_string(place.path().join("runs/a/report.html")).unwrap();
    assert!(page.contains("\"slips\":[[\"words and no action\""), "slips are in the page's data");
}

/// How many turns the trials of a run took.
fn ended_turns(place: &Place, run: &str) -> u64 {
    let events = place.quintain(&format!("replay {run} --json")).stdout;
    let taken = |line: &&str| line.contains("\"turn_taken\"");
    events.lines().filter(taken).count() as u64
}

#[test]
fn a_key_turns_up_in_no_file_and_no_line() {
    let (place, _provider) = taught(MAZE, "--chaos 429=0.3,5xx=0.1 --seed 1");
    let models = PROVIDERS.map(|provider| format!("react:{provider}/sim"));
    let done = place.quintain(&format!("run {MAZE} --name secret --log events.jsonl {}", agents(&models)));
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(!done.stdout.contains(KEY) && !done.stderr.contains(KEY));
    let n_files = search(place.path(), KEY.as_bytes());
    assert!(n_files > 20, "{n_files} files were searched");
}

/// Looks for a text in every file under a folder, and counts the files.
fn search(folder: &Path, text: &[u8]) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let searched = entries.map(|path| {
        if path.is_dir() {
            return search(&path, text);
        }
        let bytes = fs::read(&path).expect("readable");
        assert!(!bytes.windows(text.len()).any(|window| window == text), "{} has the key", path.display());
        1
    });
    searched.sum()
}

/// A provider that refuses everybody with one status, and counts how often it was asked.
pub(crate) struct Refusing {
    pub(crate) address: String,
    n_asked: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Refusing {
    pub(crate) fn start(status: &'static str) -> Self {
        use std::io::{BufRead as _, BufReader, Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let n_asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = std::sync::Arc::clone(&n_asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                let mut reader = BufReader::new(stream);
                let head: Vec<String> =
                    reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let length = head.iter().find_map(|line| {
                    line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<u64>().ok()
                });
                drop(reader.by_ref().take(length.unwrap_or(0)).read_to_end(&mut Vec::new()));
                let body = r#"{"type":"error","error":{"type":"refused","message":"not with this key"}}"#;
                let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\n");
                let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
                drop(reader.get_mut().write_all(answer.as_bytes()));
            }
        });
        Self { address, n_asked }
    }

    pub(crate) fn n_asked(&self) -> usize {
        self.n_asked.load(std::sync::atomic::Ordering::SeqCst)
    }
}

/// The variable that says where Anthropic is asked.
const BASE: &str = "ANTHROPIC_BASE_URL";

/// Has Anthropic's models asked there, and returns where they were asked before.
fn sent_to(place: &mut Place, refusing: &Refusing) -> String {
    let before = place.variables().find(|(name, _)| *name == BASE).map(|(_, base)| base.to_owned());
    place.set(BASE, &refusing.address);
    before.expect("the simulator's address")
}

#[test]
fn a_key_that_is_refused_stops_the_run_and_the_run_goes_on_with_another() {
    let tasks = "puzzles/maze-2d@easy#0 puzzles/maze-2d@easy#1 puzzles/maze-2d@easy#2";
    let (mut place, _provider) = taught(tasks, "");
    let refusing = Refusing::start("401 Unauthorized");
    let simulator = sent_to(&mut place, &refusing);
    let stopped = place.quintain(&format!("run {tasks} --agent turns:anthropic/sim --name night --workers 1"));
    assert_eq!(stopped.code, 130, "{}", stopped.text());
    assert!(stopped.stderr.contains("nobody can play: anthropic/sim: 401"), "{}", stopped.stderr);
    assert_eq!(refusing.n_asked(), 1, "the first answer is enough");
    place.set(BASE, simulator);
    let done = place.quintain("resume night");
    assert_eq!(done.code, 0, "{}", done.text());
    assert_eq!(place.json("report night --no-html")["summary"]["total"]["success"]["hits"], 3);
}

#[test]
fn trials_that_ended_in_faults_are_played_again_on_request() {
    let (mut place, _provider) = taught(MAZE, "");
    let refusing = Refusing::start("404 Not Found");
    let simulator = sent_to(&mut place, &refusing);
    let faulted = place.quintain(&format!("run {MAZE} --agent turns:anthropic/sim --name night --attempts 1"));
    assert_eq!(faulted.code, 4, "{}", faulted.text());
    assert!(place.quintain("resume night").stderr.contains("1 of 1 trials are done"));
    place.set(BASE, simulator);
    let done = place.quintain("resume night --faults");
    assert_eq!(done.code, 0, "{}", done.text());
    assert!(done.stderr.contains("played again after faults: 1 trial"), "{}", done.stderr);
    let report = place.json("report night --no-html");
    assert_eq!(report["summary"]["total"]["success"]["hits"], 1, "{report}");
    fs::remove_file(place.path().join("runs/night/engine.sqlite")).unwrap();
    let again = place.json("report night --no-html");
    assert_eq!(again["summary"]["total"]["success"]["hits"], 1, "the record tells the same");
}

/// Ten tries take minutes; whoever mistyped an address knows after the first.
#[test]
fn a_provider_that_is_not_reached_is_told_at_the_first_try() {
    let mut place = Place::new();
    place.set("CHAT_API_KEY", KEY);
    let agent = "turns:chat/sim,base_url=http://127.0.0.1:9";
    let mut child = place.start(&["run", MAZE, "--agent", agent, "--name", "a"]);
    let words = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let told: Vec<String> = words
        .take_while(|line| !line.contains("made again"))
        .filter(|line| line.contains("not reached"))
        .take(1)
        .collect();
    child.kill().expect("a signal");
    child.wait().expect("it ends");
    assert!(told[0].starts_with("`chat/sim` is not reached at http://127.0.0.1:9: "), "{told:?}");
    assert!(!told[0].contains("asked 10 times"), "{told:?}");
}
