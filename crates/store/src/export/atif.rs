//! The Agent Trajectory Interchange Format.

use quintain_core::{Briefing, Step, Usage};
use serde_json::{Map, Value, json};

use super::prose::{ProsePiece, before_reply, pieces};
use super::{PictureLink, tools};
use crate::run::{AgentUsed, AttemptRecord, RunHeader};

/// The version that is written.
pub const ATIF_VERSION: &str = "ATIF-v1.7";

/// One trial as a trajectory. The first step is the user's: the briefing and the first observation. Every other step
/// is the agent's: its reply, the action as a tool call, and what it was shown next as the observation.
pub fn atif(header: &RunHeader, record: &AttemptRecord, link: &PictureLink<'_>) -> Value {
    let briefing = record.briefing();
    let taken = record.steps();
    let mut steps = vec![first_step(briefing, taken.first(), link)];
    for (step_idx, step) in taken.iter().enumerate() {
        steps.push(agent_step(step_idx, step, taken.get(step_idx + 1), briefing, link));
    }
    let final_metrics = final_metrics(&taken, steps.len());
    json!({
        "schema_version": ATIF_VERSION,
        "session_id": header.name,
        "trajectory_id": format!("{}/{}", header.name, record.trial),
        "agent": agent(header, record, briefing),
        "steps": steps,
        "final_metrics": final_metrics,
        "extra": extra(record),
    })
}

fn agent(header: &RunHeader, record: &AttemptRecord, briefing: Option<&Briefing>) -> Value {
    let used = header.agent(&record.trial.agent);
    let version = used.and_then(|agent| agent.version.as_ref()).or_else(|| header.fingerprint.get("quintain"));
    let mut agent = Map::new();
    agent.insert("name".to_owned(), record.trial.agent.clone().into());
    agent.insert("version".to_owned(), version.cloned().unwrap_or_else(|| "unknown".to_owned()).into());
    if let Some(AgentUsed { model: Some(model), .. }) = used {
        agent.insert("model_name".to_owned(), model.clone().into());
    }
    if let Some(briefing) = briefing {
        agent.insert("tool_definitions".to_owned(), tools::definitions(&briefing.surface).into());
    }
    if let Some(used) = used {
        agent.insert("extra".to_owned(), json!({"spec": used.spec}));
    }
    Value::Object(agent)
}

fn first_step(briefing: Option<&Briefing>, first: Option<&Step>, link: &PictureLink<'_>) -> Value {
    let shown = first.map(|step| step.shown.clone()).unwrap_or_default();
    json!({"step_id": 1, "source": "user", "message": parts(&before_reply(briefing, 0, &shown), link)})
}

fn agent_step(
    step_idx: usize,
    step: &Step,
    next: Option<&Step>,
    briefing: Option<&Briefing>,
    link: &PictureLink<'_>,
) -> Value {
    let call_id = format!("call_{}", step_idx + 1);
    let mut fields = Map::new();
    let mut set = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    set("step_id", (step_idx + 2).into());
    set("source", "agent".into());
    set("message", step.reply.raw.clone().into());
    if let Some(thought) = &step.reply.thought {
        set("reasoning_content", thought.clone().into());
    }
    if let Some(action) = &step.action {
        let arguments = tools::arguments(action, briefing);
        let call = json!({"tool_call_id": call_id, "function_name": action.verb(), "arguments": arguments});
        set("tool_calls", json!([call]));
    }
    let seen = observed(step, next);
    if !seen.is_empty() {
        let mut result = json!({"content": parts(&seen, link)});
        if step.action.is_some() {
            result["source_call_id"] = call_id.into();
        }
        set("observation", json!({"results": [result]}));
    }
    if let Some(usage) = &step.reply.usage {
        set("metrics", metrics(usage));
        set("llm_call_count", 1.into());
    }
    set("extra", json!({"spent": step.spent, "effect": step.feedback.as_ref().map(|feedback| feedback.effect)}));
    Value::Object(fields)
}

/// What the agent saw of its action: the next observation, or, after the last action, only what came of it.
fn observed(step: &Step, next: Option<&Step>) -> Vec<ProsePiece> {
    match (next, &step.feedback) {
        (Some(next), _) => pieces(&next.shown),
        (None, Some(feedback)) => vec![ProsePiece::Text(feedback.text.clone())],
        (None, None) => Vec::new(),
    }
}

fn parts(pieces: &[ProsePiece], link: &PictureLink<'_>) -> Value {
    let part = |piece: &ProsePiece| match piece {
        ProsePiece::Text(text) => json!({"type": "text", "text": text}),
        ProsePiece::Picture(digest) => {
            json!({"type": "image", "source": {"media_type": "image/png", "path": link(*digest)}})
        }
    };
    pieces.iter().map(part).collect()
}

fn metrics(usage: &Usage) -> Value {
    let mut metrics = json!({
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
    });
    if let Some(cost) = usage.cost_usd {
        metrics["cost_usd"] = cost.into();
    }
    metrics
}

/// The totals. The cost is left out unless every reply's is known: unknown is not zero.
fn final_metrics(taken: &[Step], n_steps: usize) -> Value {
    let usages: Vec<&Usage> = taken.iter().filter_map(|step| step.reply.usage.as_ref()).collect();
    let mut totals = json!({"total_steps": n_steps});
    if usages.is_empty() {
        return totals;
    }
    let sum = |of: fn(&Usage) -> u64| usages.iter().map(|usage| of(usage)).sum::<u64>();
    totals["total_prompt_tokens"] = sum(|usage| usage.input_tokens).into();
    totals["total_completion_tokens"] = sum(|usage| usage.output_tokens).into();
    totals["total_cached_tokens"] = sum(|usage| usage.cached_tokens).into();
    if let Some(cost) = usages.iter().map(|usage| usage.cost_usd).sum::<Option<f64>>() {
        totals["total_cost_usd"] = cost.into();
    }
    totals
}

/// What the format has no place for: which trial it was and what it came to.
fn extra(record: &AttemptRecord) -> Value {
    json!({
        "trial": record.trial,
        "attempt": record.attempt,
        "seed": record.briefing().map(|briefing| briefing.seed),
        "verdict": record.verdict(),
    })
}
