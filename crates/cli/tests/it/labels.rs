//! Labels that a model gives, over a real connection to a server of the test's own, and budgets of whole runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use crate::command::Place;

/// A server that speaks Chat Completions, gives these labels to every one of `n_calls` requests, and returns what it was
/// sent.
fn labeller(labels: Value, n_calls: usize) -> (String, thread::JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    let served = thread::spawn(move || {
        (0..n_calls).map(|_| serve(&listener.accept().expect("a call comes").0, &labels)).collect()
    });
    (address, served)
}

fn serve(stream: &TcpStream, labels: &Value) -> Value {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line of the head");
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the whole body");
    let call = json!({"index": 0, "id": "call-1", "type": "function",
        "function": {"name": "give_labels", "arguments": labels.to_string()}});
    let chunks = [
        json!({"id": "c", "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}}]}),
        json!({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
        json!({"id": "c", "choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}}),
    ];
    let events = chunks.map(|chunk| format!("data: {chunk}\n\n")).concat();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let mut out = stream;
    out.write_all(format!("{head}{events}data: [DONE]\n\n").as_bytes()).expect("somebody listens");
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn a_model_labels_failed_trials_and_proves_it() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/maze-2d@easy#0 --agent random --steps 5 --name a --quiet").code, 0);
    let shown = place.json("show a puzzles/maze-2d@easy#0~random~0");
    let said = shown["steps"][0]["reply"]["raw"].as_str().unwrap();
    let label =
        |step: u32, quote: &str| json!({"kind": "wrong_strategy", "step": step, "quote": quote, "why": "No plan."});
    let (address, served) =
        labeller(json!({ "labels": [label(0, said), label(0, "words that nobody said"), label(99, said)] }), 1);

    let command = format!("label a --model chat/some-model,base_url={address} --json");
    let labelled = place.quintain(&command);
    assert_eq!(labelled.code, 0, "{}", labelled.text());
    let told: Value = serde_json::from_str(&labelled.stdout).unwrap();
    assert_eq!((&told["dropped"], &told["calls"]["n_calls"]), (&json!(2), &json!(1)), "{told}");
    assert!(labelled.stderr.contains("the quote does not stand in step 0"), "{}", labelled.stderr);
    let asked = served.join().unwrap().remove(0);
    let question = asked["messages"].to_string();
    assert!(question.contains("=== recording ") && question.contains("END: "), "{question}");

    let report = place.json("report a");
    let expected = json!([{"model": "chat/some-model", "kind": "wrong_strategy", "trials": 1}]);
    assert_eq!(report["summary"]["opinions"], expected);
    let own = report["summary"]["labels"].as_array().unwrap();
    assert!(own.iter().all(|count| count["kind"] != "wrong_strategy"), "rules and models are not mixed: {own:?}");
    assert_eq!(report["calls"]["totals"]["n_unpriced"], 1, "no price is known: {}", report["calls"]);
    let page = std::fs::read_to_string(place.path().join("runs/a/report.html")).unwrap();
    assert!(page.contains("Labels given by models") && page.contains("chat/some-model"));

    let again = place.json(&command);
    assert_eq!(again["labelled"], json!([]), "it was asked once and is not paid twice");

    let (address, _served) = labeller(json!({ "labels": [label(0, "words that nobody said")] }), 1);
    let dropped = place.quintain(&format!("label a --model chat/other,base_url={address}"));
    assert_eq!(dropped.code, 3, "nothing it gave stands: {}", dropped.text());
    assert!(dropped.stdout.contains("1 trial labelled: 0 labels given, 1 dropped"), "{}", dropped.text());
}

#[test]
fn a_run_stops_at_its_budget_and_is_resumed_with_more() {
    let place = Place::new();
    let cut = place.quintain("run puzzles/maze-2d --agent random --seeds 2 --workers 1 --run-steps 9 --name a");
    assert_eq!(cut.code, 130, "{}", cut.text());
    assert!(cut.stderr.contains("the run's budget of 9 steps is spent"), "{}", cut.stderr);
    assert!(cut.stderr.contains("hint: quintain resume a --run-steps MORE"), "{}", cut.stderr);
    let done = place.quintain("resume a --run-steps 100000 --quiet --json");
    assert_eq!(done.code, 0, "{}", done.text());
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&report["summary"]["total"]["n"], &report["run"]["budget"]["steps"]), (&json!(4), &json!(100_000)));

    let estimate = place.json("run puzzles/maze-2d --agent random --seeds 10 --dry-run --pilot a --run-steps 10");
    let estimate = &estimate["estimate"];
    assert_eq!((&estimate["n_trials"], &estimate["n_covered"]), (&json!(20), &json!(20)), "{estimate}");
    assert_eq!(estimate["budgets"][0]["budget"], 10.0);
    let without = place.quintain("run puzzles/maze-2d --agent random --seeds 2 --dry-run");
    assert!(without.stderr.contains("--pilot pilot"), "{}", without.stderr);
}
