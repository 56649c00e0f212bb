//! Programs that know nothing but an address play the maze, their model being asked through the proxy.

use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use quintain_bridge::{LoopbackServer, Outside, OutsideHost, Proxy, TrialRoute};
use quintain_core::event::RecordError;
use quintain_core::exchange::{Exchange, Exchanges};
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::Meter;
use quintain_process::sandbox::ProgramAccess;
use serde_json::{Value, json};

use crate::maze::{Game, SOLUTION};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agent40.py");

/// The paths of what passed.
#[derive(Default)]
struct Passed(Mutex<Vec<String>>);

impl Exchanges for Passed {
    fn keep(&self, exchange: &Exchange<'_>) -> Result<(), RecordError> {
        self.0.lock().expect("nobody panics").push(exchange.path.to_owned());
        Ok(())
    }
}

struct Outdoors {
    server: Arc<LoopbackServer>,
    proxy: Proxy,
    passed: Arc<Passed>,
    _provider: TrialRoute,
}

/// A server for addresses, and a proxy in front of a provider that knows the way.
fn outdoors() -> Outdoors {
    let server = Arc::new(LoopbackServer::open(0).expect("a port"));
    let provider = server.room(|_url| Router::new().route("/v1/chat/completions", post(guide))).expect("a room");
    let base = provider.url().to_owned();
    let passed = Arc::new(Passed::default());
    let exchanges: Arc<dyn Exchanges> = passed.clone();
    let proxy = Proxy::new(Meter::unbound(), Arc::new(ModelCatalogue::built_in()), exchanges).expect("a client");
    let proxy = proxy.in_environment(move |name| (name == "CHAT_BASE_URL").then(|| base.clone()));
    Outdoors { server, proxy, passed, _provider: provider }
}

impl Outdoors {
    fn agent(&self, words: &[&str]) -> Outside {
        let argv = words.iter().map(|word| (*word).to_owned()).collect();
        let trial = "test/maze#7~someone~0".parse().expect("a trial's name");
        let (house, proxy) = (Arc::clone(&self.server), self.proxy.clone());
        Outside::new(argv, trial, 1, OutsideHost { house, proxy, access: ProgramAccess::Host, relay: None })
    }
}

/// Says the next step of the solution, by the number of the turn that it is shown.
async fn guide(Json(asked): Json<Value>) -> Response {
    let shown = asked["messages"][1]["content"][0]["text"].as_str().unwrap_or_default();
    let turn = shown.lines().find_map(|line| line.strip_prefix("Turn ")?.strip_suffix('.')?.parse::<usize>().ok());
    let Some(step) = turn.and_then(|turn| SOLUTION.get(turn - 1)) else {
        return (StatusCode::BAD_REQUEST, "which turn is it").into_response();
    };
    let way = step.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse::<u32>().ok());
    let (name, arguments) = way.map_or(("done", json!({})), |way| ("move", json!({ "direction": way })));
    let call =
        json!({ "id": "c", "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
    Json(json!({
        "id": "x", "object": "chat.completion", "model": "sim",
        "choices": [{ "index": 0, "finish_reason": "tool_calls",
            "message": { "role": "assistant", "content": null, "tool_calls": [call] } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 },
    }))
    .into_response()
}

#[test]
fn a_program_that_knows_only_an_address_finds_its_way_and_is_billed() {
    let outdoors = outdoors();
    let outcome = Game::new().play(&mut outdoors.agent(&["python3", EXAMPLE, "sim"]));
    assert_eq!(outcome.story(), "move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1");
    let spent = outcome.steps.last().expect("it took steps").spent;
    assert_eq!((spent.tokens, spent.n_unknown), (7 * 110, 0));
    assert!((spent.cost_usd - 7.0 * (100.0 * 2.0 + 10.0 * 10.0) / 1e6).abs() < 1e-9, "{}", spent.cost_usd);
    assert_eq!(outdoors.passed.0.lock().unwrap().len(), 7);
}

#[test]
fn a_program_that_leaves_is_done_and_one_that_breaks_has_broken() {
    let outdoors = outdoors();
    let left = Game::new().play(&mut outdoors.agent(&["true"])).story();
    assert_eq!(left, "done | done, score 0");
    let broke = Game::new().play(&mut outdoors.agent(&["sh", "-c", "echo no idea >&2; exit 3"])).story();
    assert!(broke.contains("broke: exit") && broke.contains("left with exit status: 3"), "{broke}");
    // A request that is wrong by itself is the program's own doing too, or it would buy another attempt.
    let ask = r#"import json, os, sys, urllib.request
body = json.dumps({"model": "sim", "messages": [{"role": "user", "content": "?"}, {"role": "user", "content": [{"type": "text", "text": "?"}]}]})
ask = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body.encode(), {"content-type": "application/json"})
urllib.request.urlopen(ask)"#;
    let refused = Game::new().play(&mut outdoors.agent(&["python3", "-c", ask])).story();
    assert!(refused.contains("broke: exit") && refused.contains("HTTP Error 400"), "{refused}");
    let missing = Game::new().play(&mut outdoors.agent(&["/no/such/program"])).story();
    assert!(missing.contains("cannot be started"), "{missing}");
}

#[test]
fn a_program_finds_addresses_and_no_keys_in_its_environment() {
    let outdoors = outdoors();
    let check = r#"test "$ANTHROPIC_API_KEY$GEMINI_API_KEY" = "$OPENAI_API_KEY$OPENAI_API_KEY" && test ${#OPENAI_API_KEY} = 32 \
        && test "$QUINTAIN_MCP_URL" = "$0" && test "$OPENAI_BASE_URL" = "${QUINTAIN_URL%/t/*}/t/$OPENAI_API_KEY/v1" \
        && test "$OPENAI_BASE_URL" != "$QUINTAIN_URL/v1" && test "$1" = "Walk to the goal.""#;
    let story = Game::new().play(&mut outdoors.agent(&["sh", "-c", check, "{mcp_url}", "{instruction}"])).story();
    assert_eq!(story, "done | done, score 0");
}

/// Everybody on a machine can read command lines, and so the address that stands there.
#[test]
fn who_knows_the_address_from_a_command_line_cannot_ask_models_without_the_key() {
    let outdoors = outdoors();
    let ask = r#"import json, os, sys, urllib.error, urllib.request
def status(headers):
    ask = urllib.request.Request(sys.argv[1] + "/v1/files", headers=headers)
    try:
        return urllib.request.urlopen(ask).status
    except urllib.error.HTTPError as error:
        return error.code
key = os.environ["OPENAI_API_KEY"]
asked = [{}, {"authorization": "Bearer quintain"}, {"x-api-key": key[:-1]}, {"authorization": "Bearer " + key}, {"x-api-key": key}, {"x-goog-api-key": key}]
sys.exit(" ".join(str(status(headers)) for headers in asked))"#;
    let story = Game::new().play(&mut outdoors.agent(&["python3", "-c", ask, "{url}"])).story();
    assert!(story.contains("401 401 401 404 404 404"), "{story}");
}
