//! Models that play, from the command line: a compatible server on loopback stands for the provider.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::command::Place;

const MAZE: &str = "puzzles/maze-2d@easy#0";

#[test]
fn a_model_that_cannot_be_asked_is_told_before_the_run_begins() {
    let place = Place::new();
    let refused = |args: &str| {
        let done = place.quintain(args);
        assert_eq!(done.code, 1, "{}", done.stderr);
        done.stderr
    };
    let run = format!("run {MAZE} --agent");
    insta::assert_snapshot!(refused(&format!("{run} react:anthropic/claude-opus-4-6")), @"
    error: the environment has no key for anthropic
    hint: set ANTHROPIC_API_KEY
    ");
    insta::assert_snapshot!(refused(&format!("{run} turns:chat/sim")), @"
    error: nobody says where `chat/sim` is
    hint: give base_url=URL, or set CHAT_BASE_URL
    ");
    insta::assert_snapshot!(refused(&format!("{run} idle --effort hgh")), @"
    error: there is no effort `hgh`
    hint: did you mean `high`?
    ");
    insta::assert_snapshot!(refused(&format!("{run} idle --groups gui,shel")), @"
    error: there is no group of actions `shel`
    hint: did you mean `shell`?
    ");
    assert!(!place.path().join("runs").exists(), "nothing was made");
}

#[test]
fn every_loop_plays_and_is_billed() {
    let place = Place::new();
    let server = Server::with_solution(&place);
    for agent in ["turns:chat/sim", "react:chat/sim", "react:chat/sim,tools=text", "generalist:chat/sim"] {
        let calls = played(&place, &server, agent);
        assert_eq!(calls, server.solution.len(), "{agent}: one call a turn");
    }
    assert_eq!(played(&place, &server, "planner:chat/sim,grounder=chat/sim"), server.solution.len());
}

/// Plays the maze, expects it solved, and counts the calls.
fn played(place: &Place, server: &Server, agent: &str) -> usize {
    let name = agent.replace([':', '/', ',', '='], "-");
    let done = place.quintain(&format!("run {MAZE} --json --name {name} --agent {agent},base_url={}", server.url));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let header: Value = read_json(place, &format!("runs/{name}/run.json"));
    assert!(header["agents"][0]["model"].as_str().is_some_and(|model| model.starts_with("chat/sim")), "{header}");
    assert!(header["fingerprint"]["prompts"].is_string(), "{header}");
    assert!(done.stderr.contains("1 solved, 0 faults"), "{}", done.stderr);
    server.asked.lock().unwrap().drain(..).count()
}

#[test]
fn a_run_that_is_out_of_budget_goes_on_without_paying_twice() {
    let place = Place::new();
    let server = Server::with_solution(&place);
    let agent = format!("react:chat/sim,base_url={}", server.url);
    let cut = place.quintain(&format!("run {MAZE} --name poor --run-tokens 500 --agent {agent}"));
    assert_eq!(cut.code, 130, "{}", cut.stderr);
    let n_before = server.asked.lock().unwrap().len();
    assert!((1..server.solution.len()).contains(&n_before), "{n_before} calls");

    let done = place.quintain("resume poor --run-tokens 100000");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("1 solved, 0 faults"), "{}", done.stderr);
    let asked = server.asked.lock().unwrap().clone();
    assert_eq!(asked, (1..=server.solution.len()).collect::<Vec<_>>(), "every turn was asked for once, in order");
}

fn read_json(place: &Place, path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(place.path().join(path)).unwrap()).unwrap()
}

/// Speaks Chat Completions and knows the way through one maze.
struct Server {
    url: String,
    solution: Arc<Vec<String>>,
    /// The turns that were asked for.
    asked: Arc<Mutex<Vec<usize>>>,
}

impl Server {
    /// The solution is what the oracle does.
    fn with_solution(place: &Place) -> Self {
        assert_eq!(place.quintain(&format!("run {MAZE} --agent oracle --name solution")).code, 0);
        let events = place.quintain("replay solution --json").stdout;
        let actions = events.lines().filter_map(|line| {
            let event: Value = serde_json::from_str(line).unwrap();
            event["action"].as_str().filter(|_| event["event"] == "turn_taken").map(str::to_owned)
        });
        let solution = Arc::new(actions.collect::<Vec<_>>());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (known, heard) = (Arc::clone(&solution), Arc::clone(&asked));
        // The thread ends with the process of the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                answer(stream, &known, &heard);
            }
        });
        Self { url, solution, asked }
    }
}

/// Answers one request with what is done in the turn that it shows last.
fn answer(stream: TcpStream, solution: &[String], asked: &Mutex<Vec<usize>>) {
    let mut reader = BufReader::new(stream);
    let mut n_bytes = 0;
    for line in reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
        if let Some((_, length)) = line.to_ascii_lowercase().split_once("content-length:") {
            n_bytes = length.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; n_bytes];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    let turn: usize = body.rsplit("Turn ").next().unwrap().split('.').next().unwrap().parse().unwrap();
    asked.lock().unwrap().push(turn);
    let has_tools = serde_json::from_str::<Value>(&body).unwrap()["tools"].is_array();
    let delta = if has_tools { called(&solution[turn - 1]) } else { said(&solution[turn - 1]) };
    let choice =
        |delta: Value, reason: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}});
    let events = [choice(delta, Value::Null), choice(json!({}), json!("stop")), usage];
    let events: String =
        events.iter().map(|event| format!("data: {event}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    reader.into_inner().write_all(format!("{head}{events}").as_bytes()).unwrap();
}

fn said(action: &str) -> Value {
    json!({"role": "assistant", "content": if action == "done" { "stop()" } else { action }})
}

fn called(action: &str) -> Value {
    let (name, direction) = action.trim_end_matches(')').split_once('(').unwrap_or((action, ""));
    let arguments = if direction.is_empty() { "{}".to_owned() } else { format!("{{\"direction\": {direction}}}") };
    let function = json!({"name": name, "arguments": arguments});
    json!({"role": "assistant", "tool_calls": [{"index": 0, "id": "call", "type": "function", "function": function}]})
}
