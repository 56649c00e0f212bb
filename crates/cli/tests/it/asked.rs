//! `quintain doctor --ask`: the one call before a big run, against a provider of our own.

use std::fs;

use serde_json::{Value, json};

use super::command::Place;
use super::models::Refusing;
use super::models::provider::{KEY, Provider};

const MODEL: &str = "anthropic/claude-opus-4-6";
const CHAT: &str = "chat/sim,points=pixels";

/// What is said of a model that answers so.
fn asked(model: &str, answer: &Value) -> String {
    let mut place = Place::new();
    fs::write(place.path().join("script.jsonl"), answer.to_string()).expect("a script");
    let _provider = Provider::start(&mut place, "--script script.jsonl");
    let done = place.quintain(&format!("doctor --ask {model}"));
    assert!(!done.stdout.contains(KEY), "{}", done.stdout);
    steady(&done.text())
}

/// Without what differs from call to call.
fn steady(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.split_once("after ").map_or(line.to_owned(), |(before, after)| {
            format!("{before}after SECONDS{}", after.split_once(" s,").map_or("", |(_, rest)| rest))
        });
        line.split_once("the request ").map_or(line.clone(), |(before, _)| format!("{before}the request NAME"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn clicks(words: &str, x: u32, y: u32) -> Value {
    json!({"text": words, "calls": [{"native": {"action": "left_click", "coordinate": [x, y]}}]})
}

fn calls_click(words: &str, x: f64, y: f64) -> Value {
    json!({"text": words, "calls": [{"name": "click", "arguments": {"x": x, "y": y}}]})
}

#[test]
fn a_model_that_sees_and_points_is_in_order() {
    insta::assert_snapshot!(asked(MODEL, &clicks("162", 1169, 151)));
}

#[test]
fn a_wrong_scale_a_blind_model_and_one_that_calls_nothing_are_told_apart() {
    let told = [
        asked(MODEL, &clicks("162", 913, 210)),
        asked(MODEL, &clicks("I cannot see it, perhaps 7", 640, 360)),
        asked(MODEL, &json!({"text": "The number is 162."})),
        asked(CHAT, &calls_click("1", 5.0, 5.0)),
    ];
    insta::assert_snapshot!(told.join("\n\n"));
}

/// A model of a compatible server that answers in thousandths where pixels are expected, with functions of ours.
#[test]
fn the_scale_of_functions_is_mended_by_an_option() {
    let missed = asked(CHAT, &calls_click("1", 5.0, 5.0));
    let after =
        |words: &str| missed.split_once(words).expect("it says so").1.split(':').next().expect("a colon").to_owned();
    let (number, target) = (after("that shows "), after("the target is at "));
    let (across, down) = target.split_once(',').expect("two numbers");
    let thousandths = |px: &str, side: f64| (px.parse::<f64>().expect("a number") / side * 1000.0).round();
    let answer = calls_click(&number, thousandths(across, 1280.0), thousandths(down, 720.0));
    let wrong = asked(CHAT, &answer);
    assert!(wrong.contains("hint: give the agent points=thousandths, or say so"), "{wrong}");
    let mended = asked("chat/sim,points=thousandths", &answer);
    assert!(mended.starts_with("exit 0"), "{mended}");
}

#[test]
fn who_does_not_answer_is_told_with_what_helps() {
    let mut place = Place::new();
    place.set("ANTHROPIC_API_KEY", KEY);
    let refusing = Refusing::start("401 Unauthorized");
    let told = |address: &str| place.quintain(&format!("doctor --ask {MODEL},base_url={address}")).text();
    let keyless = Place::new().quintain(&format!("doctor --ask {MODEL}")).text();
    let all = [told(&refusing.address), told("http://127.0.0.1:9"), keyless];
    assert_eq!(refusing.n_asked(), 1, "once is enough");
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_was_found_is_data_too() {
    let mut place = Place::new();
    fs::write(place.path().join("script.jsonl"), clicks("162", 913, 210).to_string()).unwrap();
    let _provider = Provider::start(&mut place, "--script script.jsonl");
    let done = place.quintain(&format!("--json doctor --ask {MODEL}"));
    assert_eq!(done.code, 3, "{}", done.text());
    let told: Value = serde_json::from_str(&done.stdout).unwrap();
    let fine: Vec<_> = told["findings"].as_array().unwrap().iter().map(|finding| &finding["fine"]).collect();
    assert_eq!(fine, [true, true, false]);
    assert!(told["usage"]["cost_usd"].as_f64().is_some_and(|usd| usd > 0.0 && usd < 0.05), "{told}");
    assert!(told["request_id"].as_str().is_some_and(|id| id.starts_with("req-")), "{told}");
}

/// Tokens of Google's cloud are asked of its own program.
#[test]
fn a_token_of_gcloud_is_the_key() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut place = Place::new();
    let gcloud = place.path().join("gcloud");
    fs::write(&gcloud, "#!/bin/sh\necho ya29.$1-$2\n").unwrap();
    fs::set_permissions(&gcloud, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.path().join("script.jsonl"), clicks("162", 1169, 151).to_string()).unwrap();
    let provider = Provider::start(&mut place, "--script script.jsonl");
    let vertex = format!("{}/at/vertex/v1/projects/p/locations/l/publishers/anthropic", provider.url());
    let ask = format!("doctor --ask {MODEL},base_url={vertex},key=gcloud");
    let without = place.quintain(&ask);
    assert!(without.stderr.contains("`gcloud auth print-access-token` gives no token"), "{}", without.text());
    let path = format!("{}:/usr/bin:/bin", place.path().display());
    place.set("PATH", path);
    let done = place.quintain(&ask);
    assert_eq!(done.code, 0, "{}", done.text());
}
