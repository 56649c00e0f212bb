//! What the harness adds to a step: the processor time of this process while a loop asks a provider on loopback that thinks
//! no time at all, beside reqwest alone that posts the same bodies. The provider runs in a process of its own. One command:
//! `just bench-harness`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod screens;
#[path = "../../crates/provider-sim/tests/it/tee.rs"]
mod tee;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::loops::{Generalist, LoopOptions, Solo};
use quintain_core::agent::{Agent, Briefing, Turn};
use quintain_core::limits::{Limits, Spent};
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::variables;
use quintain_core::{Observation, ObservationPart, Screen};
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::providers::{ConnectOptions, Connections, ModelSpec};
use quintain_provider_sim::asked::{Api, ReadRequest};
use quintain_provider_sim::mind::{Mind, MindReply, SpokenCall, UnknownToMind};
use quintain_provider_sim::{ProviderSettings, start};
use serde_json::{Value, json};

use tee::Tee;

/// Set for the process that is the provider.
const PROVIDER: &str = variables::BENCH_PROVIDER;
const N_STEPS: u32 = 50;
const N_ROUNDS: usize = 9;
const WITHIN: Duration = Duration::from_mins(1);
/// What a step may cost, in milliseconds.
const GOAL_MS: f64 = 2.0;

fn main() {
    if std::env::var_os(PROVIDER).is_some() {
        return provide();
    }
    // Whoever names a loop or a client wants no other: `-- react:google`.
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let screens = screens::screens(N_STEPS);
    let provider = Provider::start();
    let kilobytes = screens.iter().map(file_length).sum::<usize>() / screens.len() / 1000;
    println!("CPU of one step, in ms: least and median of {N_ROUNDS} rounds of {N_STEPS} steps, interleaved.");
    println!("Where others use the machine too, the least is what is least disturbed.");
    println!("Every step shows another screen of 1280x720, a file of about {kilobytes} kB. Goal: under {GOAL_MS} ms.");
    println!("{:<26} {:>12} {:>12} {:>6} {:>10}", "", "loop", "bare", "calls", "kB a call");
    for model in ["anthropic/sim", "openai/sim", "google/sim", "chat/sim"] {
        for name in ["react", "generalist"] {
            let what = format!("{name}:{model}");
            if what.contains(&wanted) {
                println!("{what:<26} {}", row(&provider, &LoopToMeasure { model, name }, &screens));
            }
        }
    }
}

fn file_length(screen: &Screen) -> usize {
    match screen {
        Screen::Png { bytes, .. } => bytes.len(),
        Screen::Raw(_) => panic!("files are shown"),
    }
}

/// Asks for a click wherever it is asked, at once, with the provider's own computer tool where there is one.
struct Clicker;

impl Mind for Clicker {
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        let native = match asked.api {
            Api::Anthropic => json!({ "action": "left_click", "coordinate": [40, 50] }),
            Api::Google => json!({ "name": "click_at", "args": { "x": 40, "y": 50 } }),
            Api::Responses | Api::Chat => json!({ "type": "click", "x": 40, "y": 50, "button": "left" }),
        };
        Ok(match (&asked.computer, asked.function("click")) {
            (Some(_), _) => MindReply::call(SpokenCall::Native(native)),
            (None, Some(_)) => MindReply::function("click", json!({ "x": 40, "y": 50 })),
            (None, None) => MindReply::function("wait", json!({ "ms": 10 })),
        })
    }
}

/// The provider's process: says where it is, and ends with its input.
fn provide() {
    let running = start(&ProviderSettings::default(), Arc::new(Clicker)).expect("a free port");
    println!("{}", running.url());
    std::io::stdin().read_to_end(&mut Vec::new()).expect("a pipe");
}

struct Provider {
    child: Child,
    url: String,
}

impl Provider {
    fn start() -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.env(PROVIDER, "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the provider starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("it says where it is");
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

struct LoopToMeasure {
    model: &'static str,
    name: &'static str,
}

/// Rounds of loop and bare client, how many calls a step takes, and how large their bodies are.
fn row(provider: &Provider, which: &LoopToMeasure, screens: &[Screen]) -> String {
    let tee = Tee::before(&provider.url);
    // What all trials of a run share is made once.
    let connections = Connections::new(ModelCatalogue::built_in(), Meter::unbound(), ConnectOptions::default());
    play(&connections, tee.url(), which, screens);
    let client = reqwest::Client::new();
    let sent = PostedRequest::all(&tee.taken());
    let n_bytes: usize = sent.iter().map(|request| request.body.len()).sum();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..N_ROUNDS {
        bare.push(per_step(|| post(&client, &provider.url, &sent)));
        ours.push(per_step(|| play(&connections, &provider.url, which, screens)));
    }
    let (n_calls, kilobytes) = (sent.len() as f64 / f64::from(N_STEPS), n_bytes / sent.len() / 1000);
    let (ours, bare) = (LeastAndMedian::of(ours), LeastAndMedian::of(bare));
    let verdict = if ours.median < GOAL_MS { "" } else { "  over the goal" };
    format!("{ours:>12} {bare:>12} {n_calls:>6.2} {kilobytes:>10}{verdict}")
}

struct LeastAndMedian {
    least: f64,
    median: f64,
}

impl LeastAndMedian {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self { least: values[0], median: values[values.len() / 2] }
    }
}

impl std::fmt::Display for LeastAndMedian {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{:.2} {:.2}", self.least, self.median))
    }
}

/// The processor time of this process alone, in milliseconds a step.
fn per_step(work: impl FnOnce()) -> f64 {
    let before = own_cpu();
    work();
    own_cpu().saturating_sub(before).as_secs_f64() * 1000.0 / f64::from(N_STEPS)
}

fn own_cpu() -> Duration {
    let usage = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(usage.tv_sec as u64, usage.tv_nsec as u32)
}

/// The loop as it plays a trial.
fn play(connections: &Connections, url: &str, which: &LoopToMeasure, screens: &[Screen]) {
    let mut spec: ModelSpec = which.model.parse().expect("a model");
    spec.base_url = Some(url.to_owned());
    spec.key = Some("CARGO_PKG_NAME".to_owned()); // Any key will do, and cargo sets this one.
    let model = connections.model(&spec, &CallOwner::default(), "bench").expect("a model");
    let mut agent: Box<dyn Agent> = match which.name {
        "react" => Box::new(Solo::react(model, LoopOptions::default())),
        _ => Box::new(Generalist::new(model, None, LoopOptions::default())),
    };
    agent.begin(&briefing()).expect("it begins");
    let limits = Limits::steps(N_STEPS + 1);
    for (step_idx, screen) in (0..).zip(screens) {
        let mut observation = Observation::default().with_text(ObservationPart::Feedback, "Clicked.");
        observation.pictures.insert(ObservationPart::Screen, screen.clone());
        let remaining = limits.left(&Spent { steps: step_idx, ..Spent::default() });
        let reply = agent.act(&Turn { step_idx, observation: &observation, remaining }, WITHIN).expect("a reply");
        assert!(reply.slips.is_empty(), "one call a step: {:?}", reply.slips);
    }
}

/// A request as the loop sent it.
struct PostedRequest {
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl PostedRequest {
    fn all(taken: &[Value]) -> Vec<Self> {
        taken.iter().map(Self::read).collect()
    }

    fn read(taken: &Value) -> Self {
        let headers = taken["headers"].as_object().expect("headers").iter();
        let own = headers.filter(|(name, _)| !["host", "content-length"].contains(&name.as_str()));
        Self {
            path: taken["path"].as_str().expect("a path").to_owned(),
            headers: own.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect(),
            body: taken["body"].to_string(),
        }
    }
}

/// The cheapest client there can be: the bodies of the loop, ready to be sent, and each stream read to its end.
fn post(client: &reqwest::Client, url: &str, sent: &[PostedRequest]) {
    quintain_models::providers::runtime().block_on(async {
        for PostedRequest { path, headers, body } in sent {
            let request = client.post(format!("{url}{path}"));
            let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
            let answer = request.body(body.clone()).send().await.expect("an answer");
            assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
            drop(answer.bytes().await.expect("the whole of it"));
        }
    });
}

fn briefing() -> Briefing {
    Briefing {
        instruction: "Insert a wait of 30 seconds before the last node.".to_owned(),
        surface: Surface {
            groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
            parts: [ObservationPart::Screen, ObservationPart::Feedback].into(),
            screen: Some((1280, 720)),
            ..Surface::default()
        },
        limits: Limits::steps(N_STEPS + 1),
        answer: None,
        history: None,
        effort: None,
        seed: 1,
    }
}
