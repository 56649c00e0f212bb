//! What the harness adds to a step: the processor time of this process while a loop asks a provider on loopback that thinks
//! no time at all, beside a bare client that sends the same bytes, and beside a step of a browser world. The provider runs
//! in a process of its own. One command: `just bench-harness`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../browser/cpu.rs"]
mod cpu;
#[path = "../browser/scene.rs"]
#[expect(dead_code, reason = "the bench of the browser uses the rest of it")]
mod scene;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_agents::loops::{Generalist, LoopOptions, Solo};
use quintain_browser::{Browser, BrowserSandbox};
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
use serde_json::json;

use cpu::{Account, children};

/// Set for the process that is the provider.
const PROVIDER: &str = variables::BENCH_PROVIDER;
const N_STEPS: u32 = 100;
const N_ROUNDS: usize = 3;
const WITHIN: Duration = Duration::from_mins(1);

fn main() {
    if std::env::var_os(PROVIDER).is_some() {
        return provide();
    }
    let installed = rustls::crypto::ring::default_provider().install_default();
    installed.expect("nobody else has chosen yet");
    let (browser, screen) = browser_step();
    let provider = Provider::start();
    println!("CPU of one step, in ms; {N_ROUNDS} rounds of {N_STEPS} steps each, interleaved; a screen of 1280x720");
    println!("{:<32} {:>8} {:>8} {:>10}", "", "loop", "bare", "of browser");
    for model in ["anthropic/sim", "openai/sim", "chat/sim", "google/sim"] {
        for name in ["react", "generalist"] {
            let (ours, bare) = rounds(&provider, model, name, &screen);
            println!("{:<32} {ours:>8.2} {bare:>8.2} {:>9.1}%", format!("{name}:{model}"), 100.0 * ours / browser);
        }
    }
    println!("{:<32} {browser:>8.2}", "a step of a browser world");
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

/// The median over rounds of both, in milliseconds of processor time a step.
fn rounds(provider: &Provider, model: &str, name: &str, screen: &Screen) -> (f64, f64) {
    let mut ours = Vec::new();
    let mut bare = Vec::new();
    for _ in 0..N_ROUNDS {
        bare.push(bare_round(provider, screen));
        ours.push(our_round(provider, model, name, screen));
        bare.push(bare_round(provider, screen));
    }
    (median(ours), median(bare))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// This process alone; to a tenth of a microsecond, since it has many threads and short steps.
fn own_cpu() -> Duration {
    let usage = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(usage.tv_sec as u64, usage.tv_nsec as u32)
}

fn per_step(cpu: Duration) -> f64 {
    cpu.as_secs_f64() * 1000.0 / f64::from(N_STEPS)
}

/// The loop as it plays a trial.
fn our_round(provider: &Provider, model: &str, name: &str, screen: &Screen) -> f64 {
    let mut spec: ModelSpec = model.parse().expect("a model");
    spec.base_url = Some(provider.url.clone());
    spec.key = Some("CARGO_PKG_NAME".to_owned()); // Any key will do, and cargo sets this one.
    let connections = Connections::new(ModelCatalogue::built_in(), Meter::unbound(), ConnectOptions::default());
    let model = connections.model(&spec, &CallOwner::default(), "bench").expect("a model");
    let mut agent: Box<dyn Agent> = match name {
        "react" => Box::new(Solo::react(model, LoopOptions::default())),
        _ => Box::new(Generalist::new(model, None, LoopOptions::default())),
    };
    agent.begin(&briefing()).expect("it begins");
    let limits = Limits::steps(N_STEPS + 1);
    let before = own_cpu();
    for step_idx in 0..N_STEPS {
        let mut observation = Observation::default().with_text(ObservationPart::Feedback, "Clicked.");
        observation.pictures.insert(ObservationPart::Screen, screen.clone());
        let remaining = limits.left(&Spent { steps: step_idx, ..Spent::default() });
        let reply = agent.act(&Turn { step_idx, observation: &observation, remaining }, WITHIN).expect("a reply");
        assert!(reply.slips.is_empty(), "one call a step: {:?}", reply.slips);
    }
    per_step(own_cpu().saturating_sub(before))
}

/// The cheapest client there can be: three pictures in base 64 in one body, sent, and the stream read to its end.
fn bare_round(provider: &Provider, screen: &Screen) -> f64 {
    use base64::Engine as _;
    let Screen::Png { bytes, .. } = screen else { panic!("browsers hand out files") };
    let picture = format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes));
    let image = json!({ "type": "image_url", "image_url": { "url": picture } });
    let message = json!({ "role": "user", "content": [image, image, image, { "type": "text", "text": "Turn 1." }] });
    let tool = json!({ "type": "function", "function": { "name": "wait", "parameters": { "type": "object", "properties": { "ms": { "type": "integer" } } } } });
    let body = json!({ "model": "sim", "stream": true, "messages": [message], "tools": [tool] });
    let body: Arc<str> = body.to_string().into();
    let url = format!("{}/v1/chat/completions", provider.url);
    let before = own_cpu();
    quintain_models::providers::runtime().block_on(async {
        let client = reqwest::Client::new();
        for _ in 0..N_STEPS {
            let request = client.post(&url).bearer_auth("sim").header("content-type", "application/json");
            let answer = request.body(body.to_string()).send().await.expect("an answer");
            assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
            drop(answer.bytes().await.expect("the whole of it"));
        }
    });
    per_step(own_cpu().saturating_sub(before))
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

/// The processor time of a click and the settled screen after it, browser included, and such a screen.
fn browser_step() -> (f64, Screen) {
    let kind = Browser::new(quintain_apps::ALL, BrowserSandbox::Off);
    let instance = scene::instance(&kind);
    let clicks = scene::clicks(&kind, &instance);
    let mut world = scene::Ours::open(&kind, &instance, clicks);
    let mut screen = world.step();
    let account = Account { roots: children(), with_own: true };
    let (before, began) = (account.used(), Instant::now());
    for _ in 0..N_STEPS {
        screen = world.step();
    }
    let cpu = account.used().saturating_sub(before);
    println!(
        "browser steps took {:.0} ms of wall time each",
        began.elapsed().as_secs_f64() * 1000.0 / f64::from(N_STEPS)
    );
    (per_step(cpu), screen)
}
