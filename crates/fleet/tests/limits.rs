//! Eight workers with one provider and one budget: neither is exceeded, and both are used, through the death of the
//! allocator.
//!
//! The usual form allows 100 requests in 6 seconds. With `QUINTAIN_FULL=1` it is 100 in a minute, and the provider itself
//! refuses the 101st.

#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use quintain_core::books::{NoBooks, Purpose, Totals};
use quintain_core::limits::Budget;
use quintain_core::variables;
use quintain_fleet::ask::{StewardAnswer, StewardRequest};
use quintain_fleet::limits::{Keeper, KeeperOptions, Rule, Rules, Shares, rule};
use quintain_fleet::steward::grants::Grants;
use quintain_fleet::{FleetLink, FleetNames};
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::model::{Message, ModelError, Request};
use quintain_models::providers::{ConnectOptions, Connections, ModelSpec};
use quintain_provider_sim::asked::ReadRequest;
use quintain_provider_sim::mind::MindReply;
use quintain_provider_sim::{Billing, ProviderSettings, Running, start};
use quintain_testkit::servers::Nats;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

const MODEL: &str = "chat/sim-words";
const RUN: &str = "night";
const N_WORKERS: usize = 8;
/// Calls that each worker makes at once.
const N_AT_ONCE: usize = 3;
const PER_WINDOW: usize = 100;
const BUDGET: Budget = Budget { cost_usd: Some(5.0), steps: None, minutes: None, tokens: None };
/// The dearest call, in US dollars.
const DEAREST: f64 = 0.02;
/// The use of the rate is measured over so many calls; the budget lasts for a few more.
const N_MEASURED: usize = 290;

/// How fast time passes in the test.
#[derive(Clone, Copy)]
struct Form {
    window: Duration,
    keeper: KeeperOptions,
    tell_every: Duration,
    per_minute: Option<usize>,
    /// The least part of the rate that is to be used.
    least_used: f64,
    /// Calls on their way that may come late. In the usual form the delays of a busy machine count ten times.
    on_the_way: usize,
}

impl Form {
    fn chosen() -> Self {
        let ms = Duration::from_millis;
        if std::env::var_os(variables::FULL).is_some() {
            return Self {
                window: Duration::from_mins(1),
                keeper: KeeperOptions::default(),
                tell_every: Duration::from_secs(5),
                per_minute: Some(PER_WINDOW),
                least_used: 0.9,
                on_the_way: 0,
            };
        }
        Self {
            window: ms(6_000),
            keeper: KeeperOptions { every: ms(100), fence: ms(300) },
            tell_every: ms(500),
            per_minute: None,
            least_used: 0.85,
            on_the_way: N_WORKERS,
        }
    }
}

/// An allocator at work, as a process of its own would be: dropped, it is dead at once and has kept nothing more.
struct Allocating(Vec<JoinHandle<()>>);

impl Allocating {
    async fn start(url: &str, names: &FleetNames, options: KeeperOptions) -> Self {
        let client = FleetLink::to(url, "steward").connect().await.unwrap();
        let keeper = Arc::new(Keeper::open(client.clone(), names.clone(), options).await.unwrap());
        let mut asked = client.subscribe(names.ask("+").replace('+', "*")).await.unwrap();
        let (leads, answers) = (Arc::clone(&keeper), keeper);
        let (stay, stop) = watch::channel(false);
        let lead = tokio::spawn(async move {
            leads.lead(stop).await.unwrap();
            drop(stay);
        });
        let answer = tokio::spawn(async move {
            while let Some(message) = asked.next().await {
                let Ok(StewardRequest::Grant(request)) = serde_json::from_slice(&message.payload) else { continue };
                let worker = message.subject.rsplit('.').next().unwrap();
                let answer = StewardAnswer::Granted(answers.grant(worker, &request));
                let body = serde_json::to_vec(&answer).unwrap();
                client.publish(message.reply.unwrap(), body.into()).await.unwrap();
            }
        });
        Self(vec![lead, answer])
    }
}

impl Drop for Allocating {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// What one worker's calls came to.
struct Came {
    totals: Totals,
    ends: Vec<ModelError>,
}

/// A worker that asks until it is told to stop.
fn work(url: &str, names: &FleetNames, number: usize, provider: &str, form: Form) -> Came {
    let runtime = Runtime::new().unwrap();
    let name = format!("host-{number}");
    let client = runtime.block_on(FleetLink::to(url, &name).connect()).unwrap();
    let shares = Shares::telling(client, names, &name, "first", form.tell_every);
    let purse = shares.purse(RUN, &BUDGET).unwrap();
    let meter = Meter::sharing(Arc::new(NoBooks), BUDGET, Totals::default(), purse);
    let options = ConnectOptions { ration: shares.ration(), ..ConnectOptions::default() };
    let connections = Connections::new(ModelCatalogue::built_in(), Arc::clone(&meter), options);
    let ends = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| ask_until_refused(&connections, provider));
        let asking: Vec<_> = (0..N_AT_ONCE).map(|_| ask()).collect();
        asking.into_iter().map(|asking| asking.join().unwrap()).collect()
    });
    runtime.block_on(shares.close(Duration::from_secs(5)));
    Came { totals: meter.totals(), ends }
}

fn ask_until_refused(connections: &Connections, provider: &str) -> ModelError {
    let mut spec: ModelSpec = MODEL.parse().unwrap();
    spec.base_url = Some(format!("{provider}/v1"));
    spec.key = Some("PATH".to_owned()); // Any key will do.
    let model = connections.model(&spec, &CallOwner::default(), "").unwrap();
    let request = Request {
        system: String::new(),
        messages: vec![Message::user("well?")],
        tools: Vec::new(),
        must_call: false,
        max_output: 10,
        effort: None,
        purpose: Purpose::Act,
        step_idx: 0,
    };
    loop {
        if let Err(error) = model.ask(&request, Duration::from_mins(2)) {
            return error;
        }
    }
}

/// A provider that writes down when it was asked.
fn provider(form: Form) -> (Running, Arc<Mutex<Vec<Instant>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let mind = move |_asked: &ReadRequest| {
        noted.lock().unwrap().push(Instant::now());
        MindReply::words("yes")
    };
    let billing = Billing::Drawn { least: 1, most: (DEAREST * 100.0) as u32, seed: 7 };
    let latency = Duration::from_millis(40);
    let settings = ProviderSettings { billing, latency, per_minute: form.per_minute, ..ProviderSettings::default() };
    (start(&settings, Arc::new(mind)).unwrap(), asked)
}

/// The most calls in any window.
fn most(asked: &[Instant], window: Duration) -> usize {
    let within = |from: &Instant| asked.iter().filter(|at| **at >= *from && **at < *from + window).count();
    asked.iter().map(within).max().unwrap_or_default()
}

#[test]
fn eight_workers_share_a_rate_and_a_budget_through_the_death_of_the_allocator() {
    let form = Form::chosen();
    let (nats, names) = (Nats::start(1), FleetNames::of("limits"));
    let (provider, asked) = provider(form);
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let client = FleetLink::to(nats.urls(), "operator").connect().await.unwrap();
        let rules = Rules::open(client, names.clone()).await.unwrap();
        let rate = Rule::Rate { amount: PER_WINDOW as f64, window_ms: form.window.as_millis() as u64 };
        rules.set(&rule::requests(MODEL), &rate).await.unwrap();
        rules.set_budget(RUN, &BUDGET).await.unwrap();
    });
    let first = runtime.block_on(Allocating::start(&nats.urls(), &names, form.keeper));
    let came: Vec<Came> = std::thread::scope(|scope| {
        let (nats, names, url) = (&nats, &names, provider.url());
        let worker = |number| {
            let url = url.clone();
            scope.spawn(move || work(&nats.urls(), names, number, &url, form))
        };
        let workers: Vec<_> = (0..N_WORKERS).map(worker).collect();
        let within = Instant::now() + 10 * form.window;
        while asked.lock().unwrap().len() < N_MEASURED / 2 {
            assert!(Instant::now() < within, "{} calls were made", asked.lock().unwrap().len());
            std::thread::park_timeout(Duration::from_millis(10));
        }
        drop(first);
        let _second = runtime.block_on(Allocating::start(&nats.urls(), names, form.keeper));
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    judge(form, &asked.lock().unwrap(), &provider, &came);
}

fn judge(form: Form, asked: &[Instant], provider: &Running, came: &[Came]) {
    let measured = asked[N_MEASURED - 1].duration_since(asked[0]).as_secs_f64() / form.window.as_secs_f64();
    let used = (N_MEASURED - 1) as f64 / PER_WINDOW as f64 / measured;
    let (billed_usd, _told) = provider.ledger().total_usd();
    let most = most(asked, form.window);
    let n_refused: u64 = came.iter().map(|came| came.totals.n_free).sum();
    let said = format!(
        "{} calls, at most {most} in a window, {:.1} % of the rate used, ${billed_usd:.2} billed, {n_refused} refused",
        asked.len(),
        100.0 * used,
    );
    if let Some(file) = std::env::var_os(variables::SAID) {
        std::fs::write(file, &said).unwrap();
    }
    assert!(most <= PER_WINDOW + form.on_the_way, "{said}");
    assert!(used >= form.least_used, "{said}");
    assert_eq!(n_refused, 0, "{said}");
    assert!(billed_usd <= BUDGET.cost_usd.unwrap() + DEAREST + 1e-9, "{said}");
    assert!(billed_usd >= 0.95 * BUDGET.cost_usd.unwrap(), "{said}");
    let ends: Vec<&ModelError> = came.iter().flat_map(|came| &came.ends).collect();
    assert!(ends.iter().all(|end| **end == ModelError::OverBudget), "{ends:?}");
    let known: f64 = came.iter().map(|came| came.totals.cost_usd).sum();
    assert!((known - billed_usd).abs() < 1e-6, "our books say ${known}, the provider's ${billed_usd}");
}
