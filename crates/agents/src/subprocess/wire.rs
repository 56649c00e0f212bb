//! The lines that go back and forth, as `docs/agent-protocol.md` has them.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quintain_core::action::Dialect;
use quintain_core::{Briefing, ObservationPart, Reply, Screen, Turn, Usage};
use quintain_models::screen;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the protocol. It counts up when a program that follows the old one would break.
const VERSION: u32 = 1;
/// More tokens than any reply uses: what is above is a mistake that would spoil the sums.
const MAX_TOKENS: u64 = 1_000_000_000_000;
/// More US dollars than any reply costs.
const MAX_COST_USD: f64 = 1e6;

#[derive(Serialize)]
struct ToldLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    quintain: Option<u32>,
    r#type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    briefing: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<&'a str>,
}

impl<'a> ToldLine<'a> {
    fn new(kind: &'a str) -> Self {
        Self { quintain: None, r#type: kind, briefing: None, step: None, observation: None, reply: None, thought: None }
    }

    fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("texts, numbers and maps with text keys are JSON");
        line.push('\n');
        line
    }
}

/// What a program may answer with.
#[derive(Debug, PartialEq)]
pub(super) enum ProgramReply {
    Reply(Reply),
    /// It says that it cannot go on, and why.
    Fault(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidLine {
    reply: Option<String>,
    thought: Option<String>,
    usage: Option<SaidUsage>,
    step: Option<u32>,
    fault: Option<String>,
    dialect: Option<Dialect>,
    seen: Option<(u32, u32)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default)]
    cached_tokens: u64,
    cost_usd: Option<f64>,
}

pub(super) fn begin(briefing: &Briefing) -> String {
    let mut value = serde_json::to_value(briefing).expect("a briefing is recorded as JSON too");
    value["prompt"] = briefing.prompt().into();
    ToldLine { quintain: Some(VERSION), briefing: Some(value), ..ToldLine::new("begin") }.line()
}

pub(super) fn turn(turn: &Turn<'_>) -> io::Result<String> {
    let observation = Some(observation(turn)?);
    Ok(ToldLine { step: Some(turn.step_idx), observation, ..ToldLine::new("turn") }.line())
}

pub(super) fn recall(turn: &Turn<'_>, reply: &Reply) -> io::Result<String> {
    let told = ToldLine {
        step: Some(turn.step_idx),
        observation: Some(observation(turn)?),
        reply: Some(&reply.raw),
        thought: reply.thought.as_deref(),
        ..ToldLine::new("recall")
    };
    Ok(told.line())
}

pub(super) fn end() -> String {
    ToldLine::new("end").line()
}

/// The parts that are shown, by name. What is left of the limits goes as numbers rather than as a text.
fn observation(turn: &Turn<'_>) -> io::Result<Map<String, Value>> {
    let mut parts = Map::new();
    for (part, text) in &turn.observation.texts {
        let value = match part {
            ObservationPart::Remaining => json!(turn.remaining),
            _ => text.as_str().into(),
        };
        parts.insert(part.to_string(), value);
    }
    for (part, screen) in &turn.observation.pictures {
        parts.insert(part.to_string(), picture(screen)?);
    }
    Ok(parts)
}

fn picture(screen: &Screen) -> io::Result<Value> {
    let (width, height) = screen.size();
    Ok(json!({"width": width, "height": height, "png_base64": STANDARD.encode(screen::png(screen)?)}))
}

/// Reads what a program wrote, or says what is wrong with it.
pub(super) fn reply(line: &str, step_idx: u32) -> Result<ProgramReply, String> {
    let said: SaidLine =
        serde_json::from_str(line).map_err(|error| format!("{} is no reply: {error}", excerpt(line)))?;
    if let Some(step) = said.step.filter(|step| *step != step_idx) {
        return Err(format!("it answered turn {step} when asked for turn {step_idx}"));
    }
    match (said.reply, said.fault) {
        (Some(raw), None) => {
            let usage = said.usage.as_ref().map(sound).transpose()?;
            Ok(ProgramReply::Reply(Reply {
                raw,
                thought: said.thought,
                usage,
                dialect: said.dialect,
                seen: said.seen,
                ..Reply::default()
            }))
        }
        (None, Some(why)) => Ok(ProgramReply::Fault(why)),
        _ => Err(format!("{} is no reply: either `reply` or `fault` is wanted", excerpt(line))),
    }
}

fn sound(usage: &SaidUsage) -> Result<Usage, String> {
    let SaidUsage { input_tokens, output_tokens, cached_tokens, cost_usd } = *usage;
    let counts = [("input_tokens", input_tokens), ("output_tokens", output_tokens), ("cached_tokens", cached_tokens)];
    if let Some((field, n_tokens)) = counts.into_iter().find(|(_, n_tokens)| *n_tokens > MAX_TOKENS) {
        return Err(format!("`{field}` is {n_tokens}, and one reply may count {MAX_TOKENS} at most"));
    }
    // Written so that a number that is none is outside too.
    if let Some(cost) = cost_usd.filter(|cost| !(0.0..=MAX_COST_USD).contains(cost)) {
        return Err(format!("`cost_usd` is {cost:?}, and one reply may cost from 0 to {MAX_COST_USD}"));
    }
    Ok(Usage { input_tokens, output_tokens, cached_tokens, cost_usd, n_unknown: 0 })
}

/// The beginning of a line, short enough for a message.
pub(super) fn excerpt(line: &str) -> String {
    let start: String = line.chars().take(80).collect();
    let dots = if start.len() < line.len() { "..." } else { "" };
    format!("{start:?}{dots}")
}
