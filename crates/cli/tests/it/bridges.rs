//! Agents that we do not run, over the real binary: the official MCP client, and a trainer on a socket.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use futures_util::{SinkExt, StreamExt};
use quintain_testkit::PATIENCE;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Map, Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::command::Place;

const TASK: &str = "puzzles/maze-2d@easy#3";

/// The oracle's actions, as name and arguments in order: the world's own solver, played once.
fn solution(place: &Place) -> Vec<(String, Vec<Value>)> {
    assert_eq!(place.quintain(&format!("run {TASK} --agent oracle --name solved --quiet")).code, 0);
    let shown = place.json(&format!("show solved {TASK}~oracle~0"));
    let steps = shown["steps"].as_array().expect("steps").iter();
    let call = |step: &Value| {
        let action = &step["action"];
        let args = action["args"].as_array().cloned().unwrap_or_default();
        (action["do"] == "call").then(|| (action["name"].as_str().expect("a name").to_owned(), args))
    };
    steps.filter_map(call).collect()
}

fn named(schema: &Value, args: Vec<Value>) -> Map<String, Value> {
    let names = schema["required"].as_array().cloned().unwrap_or_default();
    names.iter().map(|name| name.as_str().expect("a name").to_owned()).zip(args).collect()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| Some(block.as_text()?.text.clone())).collect()
}

async fn call(client: &RunningService<RoleClient, ()>, name: &str, args: Map<String, Value>) -> CallToolResult {
    let call = CallToolRequestParams::new(name.to_owned()).with_arguments(args);
    client.call_tool(call).await.unwrap()
}

/// Solves the maze over MCP and returns what was seen on the way.
async fn solve(client: &RunningService<RoleClient, ()>, solution: Vec<(String, Vec<Value>)>) -> Vec<String> {
    let tools: Vec<Tool> = client.list_all_tools().await.unwrap();
    let first = call(client, "look", Map::new()).await;
    assert!(first.content.iter().any(|block| block.as_image().is_some()), "the maze is shown as a picture");
    let mut seen = vec![text(&first)];
    for (name, args) in solution {
        let tool = tools.iter().find(|tool| tool.name == name).expect("a tool for every action");
        seen.push(text(&call(client, &name, named(&tool.schema_as_json_value(), args)).await));
    }
    seen.push(text(&call(client, "done", Map::new()).await));
    let late = call(client, "done", Map::new()).await;
    assert_eq!((text(&late).as_str(), late.is_error), ("The trial is over.", Some(true)));
    seen
}

fn first_lines(seen: &[String]) -> Vec<&str> {
    seen.iter().map(|text| text.lines().next().unwrap_or_default()).collect()
}

#[test]
fn the_official_client_solves_a_puzzle_over_standard_input_and_output() {
    let place = Place::new();
    let solution = solution(&place);
    let n_actions = solution.len();
    let (status, seen, words) = block_on(async {
        let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_quintain"))
            .args(["--json", "bridge", "mcp", TASK, "--name", "a"])
            .current_dir(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stdin) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let client = ().serve((stdout, stdin)).await.unwrap();
        let told = client.peer_info().and_then(|info| info.instructions.clone()).unwrap();
        assert!(told.contains("You have"), "{told}");
        let seen = solve(&client, solution).await;
        client.cancel().await.unwrap();
        let output = child.wait_with_output().await.unwrap();
        (output.status, seen, String::from_utf8(output.stderr).unwrap())
    });
    assert!(status.success(), "{words}");
    assert_eq!(first_lines(&seen)[..2], ["Turn 1.", "Turn 2."]);
    assert_eq!(seen.last().unwrap(), "The trial is over.");
    let verdict: Value = serde_json::from_str(words.trim()).unwrap_or_else(|error| panic!("{error}: {words}"));
    assert_eq!(verdict["verdict"]["solved"], true);
    assert_eq!(verdict["spent"]["steps"], n_actions + 1);
    assert_eq!(verdict["trial"], format!("{TASK}~guest~0"));
}

/// A bridge that serves until it is interrupted.
struct Bridge<'a> {
    place: &'a Place,
    child: Child,
    addresses: Value,
}

impl<'a> Bridge<'a> {
    fn open(place: &'a Place, more: &[&str]) -> Self {
        let mut child = place.start(&[&["--json", "--quiet", "bridge", "serve", "--name", "a"], more].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let addresses = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { place, child, addresses }
    }

    fn socket(&self) -> String {
        format!("{}/ws", self.addresses["openenv"].as_str().unwrap().replacen("http", "ws", 1))
    }

    /// Closes it as a person would, and returns the endings of its run, each with the number of trials.
    fn close(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.child.wait().unwrap();
        let shown = self.place.json("show a");
        let mut endings = BTreeMap::<String, u32>::new();
        for trial in shown["trials"].as_array().expect("trials") {
            let (verdict, steps) = (&trial["verdict"], &trial["spent"]["steps"]);
            let line = format!("{} solved={} steps={steps}", verdict["ending"], verdict["solved"]);
            *endings.entry(line).or_default() += 1;
        }
        endings.iter().map(|(line, n)| format!("{n} x {line}")).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn guests_are_offered_the_instances_of_a_key_and_the_run_names_the_key_by_its_id() {
    let place = Place::new();
    let made = place.json("seeds new a.key");
    let bridge = Bridge::open(&place, &["puzzles/maze-2d@easy", "--private", "a.key", "--seeds", "2"]);
    let offered: Vec<&str> = bridge.addresses["mcp"].as_array().unwrap().iter().map(instance_of).collect();
    let seeds: Vec<u64> = offered.iter().map(|name| name.split('#').nth(1).unwrap().parse().unwrap()).collect();
    assert!(seeds.len() == 2 && seeds.iter().all(|seed| *seed >= 1 << 62), "{offered:?}");
    bridge.close();
    let header = std::fs::read_to_string(place.path().join("runs/a/run.json")).unwrap();
    let header: Value = serde_json::from_str(&header).unwrap();
    assert_eq!((&header["private"]["key"], &header["private"]["numbers"]), (&made["key"], &json!([0, 1])));
}

fn instance_of(offered: &Value) -> &str {
    offered["instance"].as_str().unwrap()
}

#[test]
fn the_official_client_solves_a_puzzle_over_http() {
    let place = Place::new();
    let solution = solution(&place);
    let bridge = Bridge::open(&place, &["puzzles/maze-2d@easy#3"]);
    let url = bridge.addresses["mcp"][0]["url"].as_str().unwrap().to_owned();
    // Two tests may race for it; whoever is first wins.
    drop(rustls::crypto::ring::default_provider().install_default());
    let seen = block_on(async {
        let client = ().serve(StreamableHttpClientTransport::from_uri(url.clone())).await.unwrap();
        let (first, rest) = solution.split_at(1);
        let tools = client.list_all_tools().await.unwrap();
        let tool = tools.iter().find(|tool| tool.name == first[0].0).unwrap();
        call(&client, &first[0].0, named(&tool.schema_as_json_value(), first[0].1.clone())).await;
        client.cancel().await.unwrap();
        // Whoever comes back to the address goes on where the trial is.
        let again = ().serve(StreamableHttpClientTransport::from_uri(url)).await.unwrap();
        let seen = solve(&again, rest.to_vec()).await;
        again.cancel().await.unwrap();
        seen
    });
    assert_eq!(first_lines(&seen)[0], "Turn 2.");
    let openenv = bridge.addresses["openenv"].as_str().unwrap().to_owned();
    let root = openenv.split("/env/").next().unwrap();
    for (base, status) in [(root, "404"), (openenv.as_str(), "200")] {
        let health = get(&format!("{base}/health"));
        assert!(
            health.starts_with(&format!("HTTP/1.1 {status}")),
            "no way to the scores but by their secret: {health}"
        );
    }
    let ended = bridge.close();
    assert!(ended.starts_with("1 x ") && ended.contains("solved=true"), "{ended}");
}

/// What a plain request is answered.
fn get(url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn ask(socket: &mut Socket, message: Value) -> Value {
    socket.send(Message::text(message.to_string())).await.unwrap();
    hear(socket).await
}

async fn hear(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.expect("an answer").unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Close(_) => return Value::Null,
            _ => {}
        }
    }
}

#[test]
fn a_trainer_solves_a_puzzle_over_a_socket_and_is_told_its_score() {
    let place = Place::new();
    let solution = solution(&place);
    let bridge = Bridge::open(&place, &["puzzles/maze-2d@easy", "--capacity", "1"]);
    let codes = block_on(async {
        let (mut socket, _) = tokio_tungstenite::connect_async(bridge.socket()).await.unwrap();
        let begun = ask(&mut socket, json!({"type": "reset", "data": {"seed": 3}})).await;
        let actions = begun["data"]["observation"]["actions"].as_array().cloned().unwrap();
        assert!(begun["data"]["observation"]["pictures"]["screen"].is_string());
        for (name, args) in solution {
            let schema = &actions.iter().find(|action| action["name"] == name.as_str()).unwrap()["arguments"];
            let step = json!({"type": "step", "data": {"name": name, "arguments": named(schema, args)}});
            let seen = ask(&mut socket, step).await;
            assert_eq!((&seen["data"]["done"], &seen["data"]["reward"]), (&json!(false), &json!(0.0)), "{seen}");
        }
        let state = ask(&mut socket, json!({"type": "state"})).await;
        assert_eq!(state["data"]["trial"], format!("{TASK}~guest~0"));
        let ended = ask(&mut socket, json!({"type": "step", "data": {"name": "done"}})).await;
        assert_eq!((&ended["data"]["done"], &ended["data"]["reward"]), (&json!(true), &json!(1.0)), "{ended}");
        let mut codes = Vec::new();
        for wrong in [
            json!({"type": "judge"}),
            json!({"type": "step", "data": {}}),
            json!({"type": "step", "data": {"name": "done"}}),
            json!({"type": "reset", "data": {"task": "x/y"}}),
        ] {
            codes.push(ask(&mut socket, wrong).await["data"]["code"].clone());
        }
        socket.send(Message::text("{")).await.unwrap();
        codes.push(hear(&mut socket).await["data"]["code"].clone());
        let (mut crowd, _) = tokio_tungstenite::connect_async(bridge.socket()).await.unwrap();
        codes.push(hear(&mut crowd).await["data"]["code"].clone());
        codes
    });
    insta::assert_snapshot!(json!(codes), @r#"["UNKNOWN_TYPE","VALIDATION_ERROR","EXECUTION_ERROR","VALIDATION_ERROR","INVALID_JSON","CAPACITY_REACHED"]"#);
    let ended = bridge.close();
    assert!(ended.starts_with("1 x ") && ended.contains("solved=true"), "{ended}");
}

#[test]
fn a_thousand_idle_sessions_are_ended_and_each_is_on_record() {
    const N: usize = 1000;
    let place = Place::new();
    let bridge = Bridge::open(&place, &["puzzles/maze-2d@easy", "--idle", "2", "--show", "ascii"]);
    let errors = block_on(async {
        quintain_bridge::limit::make_room_for(N);
        let mut sockets = Vec::new();
        for _ in 0..N {
            let (mut socket, _) = tokio_tungstenite::connect_async(bridge.socket()).await.unwrap();
            socket.send(Message::text(r#"{"type": "reset"}"#)).await.unwrap();
            sockets.push(socket);
        }
        let ends = sockets.iter_mut().map(|socket| async {
            assert_eq!(hear(socket).await["type"], "observation");
            hear(socket).await["data"]["code"].clone()
        });
        let all = futures_util::future::join_all(ends);
        tokio::time::timeout(PATIENCE, all).await.expect("every session comes to an end")
    });
    assert_eq!(errors.len(), N);
    assert!(errors.iter().all(|code| code == "SESSION_ERROR"), "{errors:?}");
    insta::assert_snapshot!(bridge.close(), @r#"1000 x {"truncated":"time"} solved=false steps=0"#);
}
