//! The official packages of the providers against our simulator, and our requests against their types: both sides agree
//! without our reading of the formats in between.
#![expect(clippy::print_stderr, reason = "it is told what was asked, in which version, and what was not")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::loops::{Generalist, LoopOptions, Mode, Solo};
use quintain_core::agent::Effort;
use quintain_core::observation::ObservationPart;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{Agent, Briefing, Limits, Observation, Picture, Spent, Turn, variables};
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::model::Model;
use quintain_models::providers::{ConnectOptions, Connections, ModelSpec};
use quintain_provider_sim::asked::{Api, ReadRequest};
use quintain_provider_sim::mind::{MindReply, SpokenCall};
use quintain_provider_sim::speak::ScriptSpeaker;
use quintain_provider_sim::{ProviderSettings, Running, start};
use serde_json::{Value, json};

use crate::tee::Tee;

/// More turns than pictures are kept, and than a linked conversation lasts.
const N_TURNS: u32 = 8;

/// What the packages' own clients make of the simulator, and it of them.
#[test]
fn the_official_clients_and_their_computer_tools_talk_to_the_simulator() {
    let Some(python) = python() else { return };
    let simulators = ["anthropic", "openai", "functions", "google"].map(|name| (name, speaking(name)));
    let named = simulators.iter().map(|(name, simulator)| format!("{name}={}", simulator.url()));
    insta::assert_snapshot!(run(&python, "calls.py", named));
}

/// What is sent in the course of trials under the real names of models, and the requests that are pinned in fixtures.
#[test]
fn the_official_types_read_our_requests() {
    const MODELS: [&str; 8] = [
        "anthropic/claude-opus-5-5",
        "anthropic/claude-opus-4-6",
        "anthropic/claude-sonnet-4-5",
        "openai/gpt-5.4",
        "google/gemini-2.5-computer-use-preview-10-2025",
        "google/gemini-3-flash-preview",
        "chat/gpt-5.4",
        "chat/qwen3-vl",
    ];
    let Some(python) = python() else { return };
    let simulator = start(&ProviderSettings::default(), Arc::new(clicks)).expect("it listens");
    let tee = Tee::before(&simulator.url());
    for model in MODELS {
        for effort in [None, Some(Effort::None), Some(Effort::High)] {
            played(model, tee.url(), effort);
        }
    }
    let captured = tee.taken();
    assert!(captured.len() > 500, "{} requests were captured", captured.len());
    let lines: Vec<String> = captured.iter().chain(&fixtures()).map(Value::to_string).collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("requests.jsonl"); // Left there, to be looked at.
    fs::write(&file, lines.join("\n")).expect("a file");
    run(&python, "requests.py", [file.display().to_string()]);
}

/// A simulator that says the lines of a script.
fn speaking(name: &str) -> Running {
    let lines = fs::read_to_string(folder().join(format!("{name}.jsonl"))).expect("a script");
    start(&ProviderSettings::default(), Arc::new(ScriptSpeaker::read(&lines).expect("JSON lines"))).expect("it listens")
}

/// Clicks with whatever it is offered; in the third turn it presses a key that there is not.
fn clicks(asked: &ReadRequest) -> MindReply {
    let slips = asked.turn().is_some_and(|(turn, _)| turn == 3) && !asked.is_second_try();
    let call = match asked.api {
        _ if asked.computer.is_none() => {
            SpokenCall::Function { name: "click".to_owned(), arguments: json!({"x": 10, "y": 10}) }
        }
        Api::Anthropic if slips => SpokenCall::Native(json!({"action": "key", "text": "Foo"})),
        Api::Anthropic => SpokenCall::Native(json!({"action": "left_click", "coordinate": [10, 10]})),
        Api::Google => SpokenCall::Native(json!({"name": "click_at", "args": {"x": 10, "y": 10}})),
        _ if slips => SpokenCall::Native(json!({"type": "keypress", "keys": ["FOO"]})),
        _ => SpokenCall::Native(json!({"type": "click", "button": "left", "x": 10, "y": 10})),
    };
    let said = |words: &str| Some(words.to_owned());
    if asked.functions.is_empty() && asked.computer.is_none() {
        return MindReply::words("click(10, 10)");
    }
    MindReply { thought: said("I think."), text: said("I click."), calls: vec![call] }
}

/// Plays some turns with every loop.
fn played(name: &str, url: &str, effort: Option<Effort>) {
    let connections = Connections::new(ModelCatalogue::built_in(), Meter::unbound(), ConnectOptions::default());
    let spec = ModelSpec { base_url: Some(url.to_owned()), ..name.parse().expect("a model") };
    let key = |_variable: &str| Some("any-key".to_owned());
    let model = || -> Arc<dyn Model> {
        connections.model_in(&spec, &CallOwner::default(), "a", &key).expect("it has all it needs")
    };
    let options = |mode| LoopOptions { mode, ..LoopOptions::default() };
    let agents: [Box<dyn Agent>; 4] = [
        Box::new(Solo::react(model(), options(None))),
        Box::new(Solo::react(model(), options(Some(Mode::Schema)))),
        Box::new(Solo::turns(model(), options(None))),
        Box::new(Generalist::new(model(), None, options(None))),
    ];
    for mut agent in agents {
        agent.begin(&briefing(effort)).expect("it begins");
        for step_idx in 0..N_TURNS {
            let observation = observation(step_idx);
            let remaining = Limits::steps(30).left(&Spent::default());
            let turn = Turn { step_idx, observation: &observation, remaining };
            agent.act(&turn, Duration::from_mins(1)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

fn briefing(effort: Option<Effort>) -> Briefing {
    Briefing {
        instruction: "Press the button.\n".to_owned(),
        surface: Surface {
            groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
            parts: [ObservationPart::Screen, ObservationPart::Feedback].into(),
            screen: Some((1280, 720)),
            ..Surface::default()
        },
        limits: Limits::steps(30),
        answer: None,
        history: None,
        effort,
        seed: 1,
    }
}

/// A screen that differs from turn to turn.
fn observation(step_idx: u32) -> Observation {
    let picture = Picture::filled(1280, 720, [step_idx as u8, 0, 0]);
    let seen = Observation::default().with_picture(ObservationPart::Screen, Arc::new(picture));
    if step_idx == 0 { seen } else { seen.with_text(ObservationPart::Feedback, format!("came of turn {step_idx}")) }
}

/// The requests in the fixtures of the clients.
fn fixtures() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/providers");
    let formats = [
        ("anthropic", "/v1/messages"),
        ("responses", "/v1/responses"),
        ("chat", "/v1/chat/completions"),
        ("google", "/v1beta/models/x:streamGenerateContent"),
    ];
    let requests = formats.iter().flat_map(|(format, path)| {
        let files = fs::read_dir(folder.join(format)).expect("a folder").map(|entry| entry.expect("readable").path());
        let named = |file: &PathBuf| file.to_string_lossy().ends_with("request.json");
        let read = move |file: PathBuf| {
            let body: Value = serde_json::from_str(&fs::read_to_string(&file).expect("UTF-8")).expect("JSON");
            json!({ "name": file, "path": path, "headers": {}, "body": body })
        };
        files.filter(named).map(read)
    });
    let requests: Vec<Value> = requests.collect();
    assert!(requests.len() >= 8, "the fixtures are found");
    requests
}

/// The Python that has the packages; where none is named, that is said.
fn python() -> Option<String> {
    let named = std::env::var(variables::SDK_PYTHON).ok();
    if named.is_none() {
        eprintln!("{} is not set: the official packages are not asked", variables::SDK_PYTHON);
    }
    named
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdk")
}

/// Runs a script of the folder, and tells which versions it found.
fn run(python: &str, script: &str, args: impl IntoIterator<Item = String>) -> String {
    let ran = Command::new(python).arg(folder().join(script)).args(args).output().expect("it runs");
    let (out, words) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    eprintln!("{}\n{out}", words.lines().next().unwrap_or_default());
    assert!(ran.status.success(), "{words}");
    out.into_owned()
}
