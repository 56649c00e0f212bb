//! What calls cost, also beside what litellm's own package makes of the same answers and the same prices.

use std::io::Write as _;
use std::process::{Command, Stdio};

use quintain_core::variables;
use serde_json::{Map, Value, json};

use super::*;
use crate::catalogue::ModelCatalogue;
use crate::providers::{ModelSpec, Provider};

const PRICE: Price = Price {
    input: 2.0,
    output: 10.0,
    cached: Some(0.5),
    cache_write: Some(2.5),
    cache_write_long: None,
    long: None,
    surcharge: None,
};

#[test]
fn every_kind_of_token_has_its_price() {
    let tokens = UsedTokens {
        input: 1_000_000,
        output: 100_000,
        cached: 600_000,
        cache_written: 200_000,
        ..UsedTokens::default()
    };
    let cents = (PRICE.cost(tokens) * 100.0).round();
    assert!((cents - 220.0).abs() < 1e-9, "0.40 read, 0.30 from the cache, 0.50 into it, 1.00 written: {cents}");
}

#[test]
fn special_service_and_long_caching_cost_more() {
    let tokens = UsedTokens { input: 100_000, cache_written: 100_000, ..UsedTokens::default() };
    let long = UsedTokens { cache_written_long: 60_000, ..tokens };
    let dear = UsedTokens { speed: ServedSpeed::Fast, place: ServedPlace::UnitedStates, ..long };
    let factors = PriceFactors { fast: Some(2.0), us: Some(1.1) };
    let cents = |price: Price, tokens| (price.cost(tokens) * 1e5).round() / 1e3;
    let costs = [
        cents(PRICE, tokens),
        cents(PRICE, long),
        cents(Price { cache_write_long: Some(3.0), ..PRICE }, long),
        cents(PRICE, dear),
        cents(Price { surcharge: Some(factors), ..PRICE }, dear),
    ];
    assert_eq!(costs.map(|cents| cents.to_string()), ["25", "34", "28", "34", "74.8"]);
}

#[test]
fn long_requests_have_prices_of_their_own() {
    let long = LongPrices { over: 200_000, input: 4.0, output: 15.0, cached: None, cache_write: None };
    let price = Price { long: Some(long), ..PRICE };
    let of = |input| price.cost(UsedTokens { input, ..UsedTokens::default() });
    assert!((of(200_000) - 0.4).abs() < 1e-9);
    assert!((of(300_000) - 1.2).abs() < 1e-9);
}

/// One model of every family whose prices differ in kind, and what litellm calls its provider.
const FAMILIES: [(&str, &str); 9] = [
    ("anthropic/claude-opus-5-5", "anthropic"),
    ("anthropic/claude-haiku-5-5", "anthropic"),
    ("openai/gpt-6.1-sol", "openai"),
    ("openai/gpt-5.4", "openai"),
    ("openai/gpt-5.4-mini", "openai"),
    ("google/gemini-3.1-pro-preview", "gemini"),
    ("google/gemini-3.8-flash", "gemini"),
    ("chat/kimi-k3", "moonshot"),
    ("chat/grok-4.7", "xai"),
];
const N_CALLS: usize = 500;
/// A hundredth of a cent.
const NEAR_USD: f64 = 0.0001;

/// Runs only where `QUINTAIN_LITELLM_PYTHON` names a Python that has `litellm`.
#[test]
fn calls_cost_what_litellm_says() {
    let Ok(python) = std::env::var(variables::LITELLM_PYTHON) else { return };
    let catalogue = ModelCatalogue::built_in();
    let mut draws = DrawnCounts(1);
    let (mut models, mut calls, mut ours) = (Map::new(), Vec::new(), Vec::new());
    for (name, provider) in FAMILIES {
        let (spec, price): (ModelSpec, Price) = (name.parse().unwrap(), catalogue.price(name).unwrap());
        let theirs = format!("quintain-{}", spec.name);
        models.insert(format!("{provider}/{theirs}"), entry(&price, provider));
        for _ in 0..N_CALLS {
            let body = answer(spec.provider, &price, &mut draws);
            let tokens = spec.provider.codec().whole_tokens(&body).unwrap();
            ours.push((name, body.clone(), tokens.priced(Some(price)).cost_usd.unwrap()));
            calls.push(json!({"model": theirs, "provider": provider, "body": body}));
        }
    }
    let theirs = priced(&python, &json!({"models": models, "calls": calls}));
    assert_eq!(ours.len(), theirs.len());
    for ((name, body, usd), theirs) in ours.iter().zip(theirs) {
        assert!((usd - theirs).abs() < NEAR_USD, "{name}: {usd} instead of {theirs} for {body}");
    }
}

/// Our prices as litellm's table has them.
fn entry(price: &Price, provider: &str) -> Value {
    let mut entry = json!({"litellm_provider": provider, "mode": "chat"});
    let mut put = |key: &str, usd: Option<f64>| {
        if let Some(usd) = usd {
            entry[key] = json!(usd / 1e6);
        }
    };
    let rates = [(price.input, price.output, price.cached, price.cache_write, String::new())];
    let long = price.long.map(|long| {
        let when = format!("_above_{}k_tokens", long.over / 1000);
        (long.input, long.output, long.cached, long.cache_write, when)
    });
    for (input, output, cached, cache_write, when) in rates.into_iter().chain(long) {
        put(&format!("input_cost_per_token{when}"), Some(input));
        put(&format!("output_cost_per_token{when}"), Some(output));
        put(&format!("cache_read_input_token_cost{when}"), cached);
        put(&format!("cache_creation_input_token_cost{when}"), cache_write);
    }
    entry
}

/// An answer as its provider tells what it used, with tokens of every kind; every third reads more than the limit.
fn answer(provider: Provider, price: &Price, draws: &mut DrawnCounts) -> Value {
    let over = price.long.map_or(0, |long| long.over);
    let least = if draws.below(3) == 0 { over } else { 0 };
    let (plain, cached) = (least + draws.below(90_000), draws.below(90_000));
    let written = if price.cache_write.is_some() { draws.below(30_000) } else { 0 };
    let (words, thoughts) = (draws.below(9000), draws.below(20_000));
    let (input, output) = (plain + cached + written, words + thoughts);
    match provider {
        Provider::Anthropic => json!({"usage": {
            "input_tokens": plain, "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": written, "output_tokens": output,
        }}),
        Provider::OpenAi => json!({"usage": {
            "input_tokens": input, "output_tokens": output, "total_tokens": input + output,
            "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
            "output_tokens_details": {"reasoning_tokens": thoughts},
        }}),
        Provider::Google => json!({"usageMetadata": {
            "promptTokenCount": input, "cachedContentTokenCount": cached, "candidatesTokenCount": words,
            "thoughtsTokenCount": thoughts, "totalTokenCount": input + output,
        }}),
        Provider::Chat => json!({"usage": {
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": thoughts},
        }}),
    }
}

fn priced(python: &str, asked: &Value) -> Vec<f64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/litellm_costs.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a Python");
    child.stdin.take().expect("it is piped").write_all(asked.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "it says on standard error what is wrong");
    let said = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(said.lines().last().unwrap_or_default()).unwrap()
}

/// Numbers that are the same in every run.
struct DrawnCounts(u64);

impl DrawnCounts {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}
