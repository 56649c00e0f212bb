//! Calls against a scripted server on loopback, in a wire format of three events.

mod lateness;
mod server;
mod toy;

use std::sync::Arc;

use quintain_core::Backoff;
use quintain_core::books::{CallLine, Journal, Purpose, Totals};
use quintain_core::limits::Budget;
use server::{Act, Crowd, Server};
use toy::Toy;

use super::*;
use crate::catalogue::ModelCatalogue;
use crate::model::{Message, Points};
use crate::picture_limit::PictureLimit;
use crate::providers::codec::sample;
use crate::providers::{ConnectOptions, Connections, ModelSpec, Provider};
use crate::ration::Permit;

const OK: &str = "event: say\ndata: yes\n\nevent: usage\ndata: 1000 100 0 0\n\nevent: end\ndata:\n\n";
const LONG: Duration = Duration::from_mins(2);

/// Books in memory.
#[derive(Default)]
struct Lines(Mutex<Vec<CallLine>>);

impl Journal for Lines {
    fn write(&self, line: &CallLine) -> Result<(), RecordError> {
        self.0.lock().unwrap().push(line.clone());
        Ok(())
    }
}

impl Lines {
    fn text(&self) -> String {
        let lines = self.0.lock().unwrap();
        let ended = lines.iter().filter_map(|line| match line {
            CallLine::Began { .. } => None,
            CallLine::Ended { bill: Bill::Told(usage), failed, .. } => {
                Some(format!("told ${:.4} {}", usage.cost_usd.unwrap_or(-1.0), failed.as_deref().unwrap_or("ok")))
            }
            CallLine::Ended { bill, failed, .. } => Some(format!("{bill:?} {}", failed.as_deref().unwrap_or("ok"))),
        });
        ended.collect::<Vec<_>>().join("\n")
    }

    fn ids(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap();
        let began = lines.iter().filter_map(|line| match line {
            CallLine::Began { id, .. } => Some(id.clone()),
            CallLine::Ended { .. } => None,
        });
        began.collect()
    }
}

struct Stage {
    server: Server,
    books: Arc<Lines>,
    connection: ModelConnection,
}

fn stage(acts: Vec<Act>) -> Stage {
    stage_with(acts, Budget::default())
}

fn stage_with(acts: Vec<Act>, budget: Budget) -> Stage {
    let server = Server::start(acts);
    let books = Arc::new(Lines::default());
    let journal: Arc<dyn Journal> = books.clone();
    let connection = ModelConnection {
        card: ModelCard {
            name: "chat/toy".to_owned(),
            computer: None,
            points: Points::Pixels,
            sees: false,
            context: 1000,
            pictures: PictureLimit::default(),
        },
        provider: Provider::Chat,
        codec: Arc::new(Toy),
        base_url: format!("http://{}/base/v1", server.address),
        key: Some(Secret::new("sk-toy-secret-key", "TOY_KEY")),
        auth: KeyHeader::Usual,
        client: super::super::runtime::client().unwrap(),
        limiter: Limiter::new(8),
        meter: Meter::new(journal, budget, Totals::default()),
        ration: crate::ration::Unlimited::shared(),
        last_tokens: AtomicU64::new(0),
        price: Some(Price { input: 2.0, output: 10.0, ..Price::default() }),
        cache: None,
        who: CallOwner::default(),
        timeout: LONG,
        idle: LONG,
        retries: CallRetries {
            tries: 4,
            backoff: Backoff { first: Duration::from_millis(2), longest: Duration::from_millis(4) },
        },
        reach: Arc::default(),
        wasted: Mutex::new(Usage::nothing()),
        chain: Mutex::default(),
        request_id: Mutex::default(),
    };
    Stage { server, books, connection }
}

fn question(texts: &[&str]) -> Request {
    Request {
        system: String::new(),
        messages: texts.iter().map(|text| Message::user(*text)).collect(),
        tools: Vec::new(),
        must_call: false,
        max_output: 10,
        effort: None,
        purpose: Purpose::Act,
        step_idx: 0,
    }
}

impl Stage {
    fn ask(&self, within: Duration) -> String {
        let answer = match self.connection.ask(&question(&["well?"]), within) {
            Ok(Response { message, usage, .. }) => {
                let cost = usage.cost_usd.map_or("?".to_owned(), |cost| format!("{cost:.4}"));
                format!("`{}` for ${cost}, {} unknown", message.text(), usage.n_unknown)
            }
            Err(error) => {
                let wasted = self.connection.wasted();
                format!("{error}; wasted ${:.4}, {} unknown", wasted.cost_usd.unwrap(), wasted.n_unknown)
            }
        };
        format!("{}\n{answer}", self.books.text())
    }
}

fn busy(status: &str, headers: &str, body: &str) -> Act {
    Act::Say(format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n{body}"))
}

#[test]
fn an_answer_is_priced_and_its_request_carries_key_and_name() {
    let stage = stage(vec![Act::stream(OK)]);
    insta::assert_snapshot!(stage.ask(LONG), @"
    told $0.0030 ok
    `yes` for $0.0030, 0 unknown
    ");
    let seen = stage.server.seen().remove(0);
    assert!(seen.starts_with("POST /base/v1/toy HTTP/1.1"), "the version is not doubled: {seen}");
    assert!(seen.contains("x-toy-key: sk-toy-secret-key"));
    assert!(seen.contains(&format!("x-client-request-id: {}", stage.books.ids()[0])));
}

#[test]
fn refusals_that_pass_are_waited_out_and_cost_nothing() {
    let acts = vec![
        busy("429 Too Many Requests", "retry-after-ms: 3\r\n", "slow down"),
        busy("503 Service Unavailable", "", "overloaded"),
        Act::stream(OK),
    ];
    insta::assert_snapshot!(stage(acts).ask(LONG), @"
    Free 429 slow down
    Free 503 overloaded
    told $0.0030 ok
    `yes` for $0.0030, 0 unknown
    ");
}

#[test]
fn the_provider_says_whether_asking_again_helps() {
    let never = busy("503 Service Unavailable", "x-should-retry: false\r\n", "for ever");
    insta::assert_snapshot!(stage(vec![never]).ask(LONG), @"
    Free 503 for ever
    chat/toy: for ever; wasted $0.0000, 0 unknown
    ");
    let once_more = busy("400 Bad Request", "x-should-retry: true\r\n", "a hiccup");
    insta::assert_snapshot!(stage(vec![once_more, Act::stream(OK)]).ask(LONG), @"
    Free 400 a hiccup
    told $0.0030 ok
    `yes` for $0.0030, 0 unknown
    ");
}

#[test]
fn answers_that_break_off_have_unknown_bills_unless_usage_came() {
    let acts = vec![
        Act::stream("event: say\ndata: ye\n\n"),
        Act::stream("event: say\ndata: yes\n\nevent: usage\ndata: 500 50 0 0\n\n"),
        Act::stream("event: nonsense\ndata: {\n\n"),
        Act::stream(OK),
    ];
    insta::assert_snapshot!(stage(acts).ask(LONG), @"
    Unknown stream cut
    told $0.0015 stream cut
    Unknown malformed stream: nonsense
    told $0.0030 ok
    `yes` for $0.0045, 2 unknown
    ");
}

#[test]
fn a_whole_answer_counts_even_if_the_connection_is_never_closed() {
    let mut stage = stage(vec![Act::Stall(OK.to_owned())]);
    stage.connection.idle = Duration::from_secs(1);
    insta::assert_snapshot!(stage.ask(LONG), @"
    told $0.0030 ok
    `yes` for $0.0030, 0 unknown
    ");
}

#[test]
fn hanging_and_stalling_calls_are_made_again() {
    let mut stage = stage(vec![Act::Hang, Act::Stall("event: say\ndata: ye\n\n".to_owned()), Act::stream(OK)]);
    stage.connection.timeout = Duration::from_secs(2);
    stage.connection.idle = Duration::from_secs(1);
    insta::assert_snapshot!(stage.ask(LONG), @"
    Unknown timed out
    Unknown stream stalled
    told $0.0030 ok
    `yes` for $0.0030, 2 unknown
    ");
}

#[test]
fn a_provider_that_never_answers_is_at_fault() {
    let mut stage = stage(vec![Act::Hang, Act::Hang, Act::Hang, Act::Hang]);
    stage.connection.timeout = Duration::from_millis(50);
    insta::assert_snapshot!(stage.ask(LONG), @"
    Unknown timed out
    Unknown timed out
    Unknown timed out
    Unknown timed out
    chat/toy: asked 4 times: timed out; wasted $0.0000, 4 unknown
    ");
    assert_eq!(stage.connection.wasted(), Usage::nothing(), "told once");
}

#[test]
fn an_answer_that_cannot_be_kept_is_paid_for() {
    let folder = tempfile::NamedTempFile::new().unwrap();
    let mut stage = stage(vec![Act::stream(OK)]);
    stage.connection.cache = Some(Cache::new(folder.path()));
    let said = stage.ask(LONG);
    assert!(said.contains("cannot be kept") && said.ends_with("wasted $0.0030, 0 unknown"), "{said}");
}

#[test]
fn what_is_wrong_with_the_request_is_said_at_once_and_without_the_key() {
    let stage = stage(vec![busy("401 Unauthorized", "", "bad key sk-toy-secret-key")]);
    insta::assert_snapshot!(stage.ask(LONG), @"
    Free 401 bad key [TOY_KEY]
    chat/toy: bad key [TOY_KEY]; TOY_KEY holds no key that is taken there, or it goes into another header: auth=bearer, api-key or x-api-key; wasted $0.0000, 0 unknown
    ");
}

#[test]
fn an_overflow_is_told_as_one() {
    let stage = stage(vec![busy("413 Payload Too Large", "", "")]);
    let error = stage.connection.ask(&question(&["well?"]), LONG).unwrap_err();
    assert_eq!(error, ModelError::Overflow { model: "chat/toy".to_owned() });
}

#[test]
fn a_spent_budget_admits_no_call() {
    let budget = Budget { cost_usd: Some(0.005), ..Budget::default() };
    let stage = stage_with(vec![Act::stream(OK), Act::stream(OK), Act::stream(OK)], budget);
    let ask = || stage.connection.ask(&question(&["well?"]), LONG);
    assert!(ask().is_ok() && ask().is_ok());
    assert_eq!(ask().unwrap_err(), ModelError::OverBudget);
    assert_eq!(stage.server.seen().len(), 2, "the third was never sent");
}

/// Lets so many calls pass and writes down what was expected and used.
#[derive(Debug)]
struct Passes(Mutex<u32>, Arc<Mutex<Vec<String>>>);

impl Ration for Passes {
    fn take<'a>(&'a self, model: &'a str, expected: CallAmount, within: Duration) -> crate::ration::ShareWait<'a> {
        let mut left = self.0.lock().unwrap();
        if *left == 0 {
            let late = crate::ration::Refused::Late { limit: model.to_owned(), within: within.min(Duration::ZERO) };
            return Box::pin(std::future::ready(Err(late)));
        }
        *left -= 1;
        let said = Arc::clone(&self.1);
        let tell = move |used: Option<CallAmount>| {
            let used = used.map(|used| (used.tokens, used.cost_usd));
            said.lock().unwrap().push(format!("expected {} tokens, used {used:?}", expected.tokens));
        };
        Box::pin(std::future::ready(Ok(Permit::new(tell))))
    }
}

#[test]
fn every_call_asks_first_and_tells_afterwards_what_it_used() {
    let busy = busy("429 Too Many Requests", "retry-after-ms: 3\r\n", "slow down");
    let mut stage = stage(vec![Act::stream(OK), busy, Act::stream("event: say\ndata: ye\n\n")]);
    let said = Arc::new(Mutex::new(Vec::new()));
    stage.connection.ration = Arc::new(Passes(Mutex::new(3), Arc::clone(&said)));
    stage.ask(LONG);
    assert!(stage.ask(LONG).contains("chat/toy: no share of `chat/toy` within 0ns"), "nothing is asked without");
    assert_eq!(stage.server.seen().len(), 3);
    insta::assert_snapshot!(said.lock().unwrap().join("\n"), @"
    expected 11 tokens, used Some((1100, 0.003))
    expected 1100 tokens, used Some((0, 0.0))
    expected 1100 tokens, used None
    ");
}

#[test]
fn nobody_there_is_no_bill() {
    let mut stage = stage(vec![]);
    stage.connection.base_url = "http://127.0.0.1:1".to_owned();
    let said = stage.ask(LONG);
    assert_eq!(said.matches("Free not reached").count(), 4, "{said}");
}

#[test]
fn a_kept_answer_is_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(vec![Act::stream(OK)]);
    stage.connection.cache = Some(Cache::new(folder.path()));
    stage.ask(LONG);
    insta::assert_snapshot!(stage.ask(LONG), @"
    told $0.0030 ok
    Free ok
    `yes` for $0.0000, 0 unknown
    ");
    assert_eq!(stage.server.seen().len(), 1);
}

#[test]
fn a_conversation_goes_on_where_the_provider_has_it_and_is_told_again_where_it_forgot() {
    let forgot = busy("400 Bad Request", "", "no such response");
    let stage = stage(vec![Act::stream(OK), forgot, Act::stream(OK)]);
    let first = stage.connection.ask(&question(&["a"]), LONG).unwrap();
    let mut second = question(&["a", "b"]);
    second.messages.insert(1, first.message);
    stage.connection.ask(&second, LONG).unwrap();
    let bodies: Vec<String> =
        stage.server.seen().iter().map(|seen| seen.rsplit("\r\n\r\n").next().unwrap().to_owned()).collect();
    insta::assert_snapshot!(bodies.join("\n"), @r#"
    {"after":null,"say":["a"]}
    {"after":"toy-1","say":["b"]}
    {"after":null,"say":["a","yes","b"]}
    "#);
}

#[test]
fn everybody_is_served_by_a_provider_that_refuses_crowds() {
    let crowd = Crowd::start(3, OK);
    let mut first = stage(vec![]);
    first.connection.base_url = format!("http://{}", crowd.address);
    first.connection.retries.tries = 1000;
    let first = &first;
    std::thread::scope(|scope| {
        for _ in 0..24 {
            scope.spawn(move || {
                for _ in 0..5 {
                    first.connection.ask(&question(&["well?"]), LONG).unwrap();
                }
            });
        }
    });
    let totals = first.connection.meter.totals();
    assert_eq!((totals.n_calls - totals.n_free, totals.n_unknown), (120, 0));
    assert!((totals.cost_usd - 0.36).abs() < 1e-9);
}

/// A whole question to a provider in its own format, answered with a fixture.
fn for_real(provider: Provider, answer: &str) -> String {
    let server = Server::start(vec![Act::stream(answer)]);
    let connections = Connections::new(ModelCatalogue::built_in(), Meter::unbound(), ConnectOptions::default());
    let base_url = Some(format!("http://{}/trials/{{instance}}", server.address));
    let spec = ModelSpec { base_url, ..ModelSpec::new(provider, "sim-oracle") };
    let key = |_variable: &str| Some("k-for-tests".to_owned());
    let model = connections.model_in(&spec, &CallOwner::default(), "puzzles/maze-2d@easy#0", &key).unwrap();
    let response = model.ask(&sample::opening(vec![sample::function()]), LONG).unwrap();
    let seen = server.seen().remove(0);
    let keyed = seen.lines().find(|line| line.ends_with("k-for-tests")).unwrap();
    let calls = response.message.calls().count();
    let cost = response.usage.cost_usd.unwrap();
    format!("{}\n  {keyed}\n  {calls} calls, {:?}, ${cost:.6}", seen.lines().next().unwrap(), response.stop)
}

#[test]
fn every_provider_is_asked_in_its_own_format() {
    let said = [
        for_real(Provider::Anthropic, include_str!("../../../tests/fixtures/providers/anthropic/computer_call.sse")),
        for_real(Provider::OpenAi, include_str!("../../../tests/fixtures/providers/responses/function_call.sse")),
        for_real(Provider::Chat, include_str!("../../../tests/fixtures/providers/chat/function_call.sse")),
        for_real(Provider::Google, include_str!("../../../tests/fixtures/providers/google/function_call.sse")),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    POST /trials/puzzles%2Fmaze-2d%40easy%230/v1/messages HTTP/1.1
      x-api-key: k-for-tests
      1 calls, Called, $0.007524
    POST /trials/puzzles%2Fmaze-2d%40easy%230/v1/responses HTTP/1.1
      authorization: Bearer k-for-tests
      1 calls, Called, $0.002000
    POST /trials/puzzles%2Fmaze-2d%40easy%230/v1/chat/completions HTTP/1.1
      authorization: Bearer k-for-tests
      1 calls, Called, $0.001904
    POST /trials/puzzles%2Fmaze-2d%40easy%230/v1beta/models/sim-oracle:streamGenerateContent?alt=sse HTTP/1.1
      x-goog-api-key: k-for-tests
      1 calls, Called, $0.001720
    ");
}

#[test]
fn addresses_are_joined_without_doubling() {
    let joined = [
        endpoint::address("http://a", "/v1/messages"),
        endpoint::address("http://a/x/", "/v1/messages"),
        endpoint::address("http://a/x/v1", "/v1/messages"),
        endpoint::address("http://a/x/v1/", "/v1/messages"),
        endpoint::address("http://a/dev1", "/v1/messages"),
        endpoint::address("http://a/v1beta", "/v1beta/models/m:go?alt=sse"),
    ];
    insta::assert_snapshot!(joined.join("\n"), @"
    http://a/v1/messages
    http://a/x/v1/messages
    http://a/x/v1/messages
    http://a/x/v1/messages
    http://a/dev1/v1/messages
    http://a/v1beta/models/m:go?alt=sse
    ");
}
