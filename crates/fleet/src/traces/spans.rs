//! The tree of spans that the record of an attempt stands for: `invoke_agent`, and below it a `chat` for each reply of a
//! model and an `execute_tool` for each action.
//!
//! The record has one time a turn, when the reply was there. A `chat` ends then; it begins when the turn before ended, so
//! it holds the carrying out of the action before as well, and an `execute_tool` has no length of its own.

use quintain_core::{Ending, TrialEvent, Usage, Verdict};
use serde_json::{Value, json};

use super::wire::{Span, SpanKind};

/// An attempt that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedAttempt {
    /// The run.
    pub run: String,
    /// The trial's name.
    pub trial: String,
    /// The number of the attempt.
    pub attempt: u32,
    /// The agent, as the run names it.
    pub agent: String,
    /// The model behind it, where there is one.
    pub model: Option<String>,
    /// When it was over, in milliseconds since 1970.
    pub ended_ms: i64,
    /// Its recorded lines.
    pub lines: Vec<u8>,
}

/// The number of a trace: the same on every host.
pub(super) fn trace_id(run: &str, trial: &str, attempt: u32) -> [u8; 16] {
    let hash = blake3::hash(format!("{run}\n{trial}\n{attempt}").as_bytes());
    let mut id = [0; 16];
    id.copy_from_slice(&hash.as_bytes()[..16]);
    id
}

/// Whether a trace is among so large a part of all.
pub(super) fn is_sampled(trace: &[u8; 16], ratio: f64) -> bool {
    let mut low = [0; 8];
    low[1..].copy_from_slice(&trace[9..]);
    (u64::from_be_bytes(low) as f64) < ratio * (1_u64 << 56) as f64
}

/// The spans of an attempt, the root first. Lines that cannot be read are left out.
pub(super) fn tree(played: &PlayedAttempt) -> Vec<Span> {
    let lines = played.lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let events: Vec<TrialEvent> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let (first, last) = (began_at(&events), ended_at(&events));
    let grower = SpanBuilder { played, trace: trace_id(&played.run, &played.trial, played.attempt), last_ms: last };
    let mut spans = vec![grower.root(&events, first)];
    let mut before = first;
    for event in &events {
        let TrialEvent::Turn { reply, action, spent, .. } = event else { continue };
        if let Some(usage) = &reply.usage {
            spans.push(grower.chat(spans.len(), usage, (before, spent.elapsed_ms)));
        }
        if let Some(action) = action {
            spans.push(grower.tool(spans.len(), action.verb(), spent.elapsed_ms));
        }
        before = spent.elapsed_ms;
    }
    spans
}

/// The trial's own time when the attempt began: one that goes on from another begins with its first turn.
fn began_at(events: &[TrialEvent]) -> u64 {
    let is_resumed = events.iter().any(|event| matches!(event, TrialEvent::Resumed { .. }));
    let first = events.iter().find_map(elapsed_ms);
    first.filter(|_| is_resumed).unwrap_or(0)
}

fn ended_at(events: &[TrialEvent]) -> u64 {
    events.iter().rev().find_map(elapsed_ms).unwrap_or(0)
}

fn elapsed_ms(event: &TrialEvent) -> Option<u64> {
    match event {
        TrialEvent::Turn { spent, .. } | TrialEvent::Stopped { spent, .. } => Some(spent.elapsed_ms),
        _ => None,
    }
}

struct SpanBuilder<'a> {
    played: &'a PlayedAttempt,
    trace: [u8; 16],
    last_ms: u64,
}

impl SpanBuilder<'_> {
    fn root(&self, events: &[TrialEvent], first_ms: u64) -> Span {
        let mut span = self.span(0, format!("invoke_agent {}", self.played.agent), (first_ms, self.last_ms));
        let mut attributes = self.common("invoke_agent");
        attributes.push(("gen_ai.agent.name", json!(self.played.agent)));
        attributes.push(("quintain.run", json!(self.played.run)));
        attributes.push(("quintain.trial", json!(self.played.trial)));
        attributes.push(("quintain.attempt", json!(self.played.attempt)));
        attributes.extend(used(events.iter().filter_map(usage)));
        if let Some(verdict) = events.iter().rev().find_map(verdict) {
            attributes.push(("quintain.score", json!(verdict.score.value())));
            attributes.push(("quintain.solved", json!(verdict.solved)));
        }
        if let Some(ending) = events.iter().rev().find_map(ending) {
            attributes.push(("quintain.ending", json!(ending.to_string())));
            if let Ending::Fault(_) = ending {
                attributes.push(("error.type", json!(ending.to_string())));
                span.error = Some(ending.to_string());
            }
        }
        span.attributes = attributes;
        span
    }

    fn chat(&self, n: usize, usage: &Usage, at: (u64, u64)) -> Span {
        let name = self.played.model.as_ref().map_or("chat".to_owned(), |model| format!("chat {model}"));
        let mut span = self.span(n, name, at);
        span.kind = SpanKind::Client;
        span.attributes = self.common("chat");
        span.attributes.extend(used([*usage]));
        span
    }

    fn tool(&self, n: usize, verb: &str, at_ms: u64) -> Span {
        let mut span = self.span(n, format!("execute_tool {verb}"), (at_ms, at_ms));
        span.attributes = vec![("gen_ai.operation.name", json!("execute_tool")), ("gen_ai.tool.name", json!(verb))];
        span
    }

    fn common(&self, operation: &str) -> Vec<(&'static str, Value)> {
        let mut attributes = vec![("gen_ai.operation.name", json!(operation))];
        attributes.extend(self.played.model.as_ref().map(|model| ("gen_ai.request.model", json!(model))));
        attributes
    }

    fn span(&self, n: usize, name: String, (from_ms, to_ms): (u64, u64)) -> Span {
        let trace = hex(&self.trace);
        let parent = (n > 0).then(|| span_id(&self.trace, 0));
        let (id, attributes) = (span_id(&self.trace, n), Vec::new());
        let (start_ms, end_ms) = (self.wall_ms(from_ms), self.wall_ms(to_ms));
        Span { trace, id, parent, name, kind: SpanKind::Internal, start_ms, end_ms, attributes, error: None }
    }

    /// The attempt was over at a known time, and everything else was so long before.
    fn wall_ms(&self, elapsed_ms: u64) -> i64 {
        let before = self.last_ms.saturating_sub(elapsed_ms);
        self.played.ended_ms.saturating_sub(i64::try_from(before).unwrap_or(i64::MAX))
    }
}

fn usage(event: &TrialEvent) -> Option<Usage> {
    if let TrialEvent::Turn { reply, .. } = event { reply.usage } else { None }
}

fn verdict(event: &TrialEvent) -> Option<&Verdict> {
    if let TrialEvent::Judged { verdict } = event { Some(verdict) } else { None }
}

fn ending(event: &TrialEvent) -> Option<&Ending> {
    match event {
        TrialEvent::Judged { verdict } => Some(&verdict.ending),
        TrialEvent::Stopped { ending, .. } => Some(ending),
        _ => None,
    }
}

/// Nothing where no model was asked: that is not the same as a model that used nothing.
fn used(usages: impl IntoIterator<Item = Usage>) -> Vec<(&'static str, Value)> {
    let Some(sum) = usages.into_iter().reduce(Usage::plus) else { return Vec::new() };
    vec![
        ("gen_ai.usage.input_tokens", json!(sum.input_tokens)),
        ("gen_ai.usage.output_tokens", json!(sum.output_tokens)),
    ]
}

fn span_id(trace: &[u8; 16], n: usize) -> String {
    let hash = blake3::keyed_hash(blake3::hash(trace).as_bytes(), &(n as u64).to_be_bytes());
    hex(&hash.as_bytes()[..8])
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes what is written");
        hex
    })
}
