//! What a model was sent: of our own loops built again from the record, of outside agents as it passed through the proxy.

use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use quintain_agents::AgentSpec;
use quintain_agents::loops::rehearsal::{PastTurn, rehearse};
use quintain_agents::spec::LoopSpec;
use quintain_core::words::{count, printable};
use quintain_core::{Briefing, Observation, Screen, Spent, Step, TrialId};
use quintain_models::model::{Message, MessageRole, Piece, Request, Tool};
use quintain_store::RunDir;
use quintain_workshop::{models, record_of};
use serde_json::{Value, json};

use super::trial;
use crate::printer::{Printer, plain};

/// Tells what was sent in a turn, or in a call of an outside agent.
pub(super) fn show(run: &RunDir, trial: &str, number: usize, printer: Printer) -> anyhow::Result<()> {
    let id = trial::id(trial)?;
    let used = run.header().agents.iter().find(|agent| agent.label == id.agent);
    match used.map(|agent| agent.spec.parse()) {
        Some(Ok(AgentSpec::Model(spec))) => of_loop(run, &id, number, &spec, printer),
        Some(Ok(AgentSpec::Outside { .. })) => of_outside(run, &id, number, printer),
        _ => bail!(
            "what `{}` was sent is not recorded, if it asks a model at all\nhint: `quintain show RUN TRIAL --json` has what \
             it was shown; only our own loops and `outside:` agents have more",
            id.agent
        ),
    }
}

fn of_loop(run: &RunDir, id: &TrialId, number: usize, spec: &LoopSpec, printer: Printer) -> anyhow::Result<()> {
    let record = record_of(run, id)?;
    let briefing = record.briefing().context("the beginning of the trial is not recorded")?;
    let steps = record.steps();
    let Some(until) = steps.get(..=number) else {
        bail!("`{id}` has {}\nhint: they are counted from 0", count(steps.len(), "turn"));
    };
    let catalogue = models::known_models(run.header())?;
    let past = past_turns(run, briefing, until)?;
    let asked = rehearse(spec, &|spec| catalogue.card(spec), briefing, &past)
        .map_err(|error| anyhow!("the request of turn {number} cannot be built again: {error}"))?;
    printer.say(caveat(run, &until[number]));
    printer.data(&json!({ "trial": id, "turn": number, "rebuilt": true, "request": request_json(&asked) }), || {
        request_text(&asked)
    })
}

/// What the reader must know of a request that was built again.
fn caveat(run: &RunDir, step: &Step) -> String {
    let then = run.header().fingerprint.get(models::PROMPTS);
    let now = quintain_agents::loops::prompts::digest().short();
    let changed = then.filter(|then| **then != now).map(|then| {
        format!("\nwarning: the prompts were others then ({then}, now {now}): what follows is what would be sent today")
    });
    let slips = count(step.reply.slips.len(), "slip");
    let corrected = if step.reply.slips.is_empty() {
        String::new()
    } else {
        format!("; {slips} came back, and the question after it is in `quintain show RUN TRIAL`")
    };
    format!(
        "built again from the record: what the loop asked first in this turn{corrected}\nnot recorded: the bytes that went \
         over the wire, and parts of turns that were forgotten within this one{}",
        changed.unwrap_or_default()
    )
}

/// The turns as the loop saw them.
fn past_turns(run: &RunDir, briefing: &Briefing, steps: &[Step]) -> anyhow::Result<Vec<PastTurn>> {
    let spent_before = std::iter::once(Spent::default()).chain(steps.iter().map(|step| step.spent));
    let turn = |(step, spent): (&Step, Spent)| {
        Ok(PastTurn {
            observation: observation(run, step)?,
            remaining: briefing.limits.left(&spent),
            reply: step.reply.clone(),
        })
    };
    steps.iter().zip(spent_before).map(turn).collect()
}

fn observation(run: &RunDir, step: &Step) -> anyhow::Result<Observation> {
    let mut observation = Observation { texts: step.shown.texts.clone(), ..Observation::default() };
    for (part, digest) in &step.shown.pictures {
        let png = run.picture_png(*digest)?.with_context(|| format!("picture {} is not kept", digest.short()))?;
        let picture = quintain_png::decode(&png).map_err(|why| anyhow!("picture {}: {why}", digest.short()))?;
        let size = (picture.width(), picture.height());
        let raw = Screen::Raw(Arc::new(picture));
        let is_file = raw.digest() != *digest; // The world handed over a file, whose bytes the name is made of.
        observation.pictures.insert(*part, if is_file { Screen::Png { bytes: png.into(), size } } else { raw });
    }
    Ok(observation)
}

fn request_text(request: &Request) -> String {
    let message = |message: &Message| {
        let whose = if message.role == MessageRole::User { "user" } else { "model" };
        let pieces: Vec<String> = message.pieces.iter().map(piece_text).collect();
        format!("== {whose}\n{}\n", pieces.join("\n"))
    };
    let tools: Vec<&str> = request.tools.iter().map(tool_name).collect();
    let tools = (!tools.is_empty()).then(|| format!("== tools (their schemas: --json)\n{}\n", tools.join(", ")));
    let mut parts = vec![format!("== system\n{}\n", request.system.trim_end())];
    parts.extend(request.messages.iter().map(message).chain(tools));
    parts.join("\n")
}

fn piece_text(piece: &Piece) -> String {
    match piece {
        Piece::Text { text } => text.trim_end().to_owned(),
        Piece::Picture(image) => {
            let (width, height) = image.size();
            let shows = image.shows().map(|digest| format!(", of picture {}", digest.short()));
            format!("[picture {width}x{height}{}]", shows.unwrap_or_default())
        }
        Piece::Thought { text, .. } => format!("[thought] {}", text.trim_end()),
        Piece::Call(call) => format!("[call] {} {}", call.name, call.input),
        Piece::Outcome { name, pieces, is_error, .. } => {
            let what = if *is_error { "error of" } else { "outcome of" };
            let pieces: Vec<String> = pieces.iter().map(piece_text).collect();
            format!("[{what} {name}] {}", pieces.join("\n"))
        }
    }
}

fn tool_name(tool: &Tool) -> &str {
    match tool {
        Tool::Function { name, .. } => name,
        Tool::Computer { .. } => "the model's own computer tool",
    }
}

fn request_json(request: &Request) -> Value {
    let message = |message: &Message| json!({ "role": message.role, "pieces": message.pieces.iter().map(piece_json).collect::<Vec<_>>() });
    let tool = |tool: &Tool| match tool {
        Tool::Function { name, about, schema } => json!({ "name": name, "about": about, "schema": schema }),
        Tool::Computer { size } => json!({ "computer": size }),
    };
    json!({
        "system": request.system,
        "messages": request.messages.iter().map(message).collect::<Vec<_>>(),
        "tools": request.tools.iter().map(tool).collect::<Vec<_>>(),
        "must_call": request.must_call,
        "max_output": request.max_output,
        "effort": request.effort,
    })
}

/// Pictures go by their names: the files are in the run.
fn piece_json(piece: &Piece) -> Value {
    match piece {
        Piece::Picture(image) => json!({ "piece": "picture", "size": image.size(), "shows": image.shows() }),
        Piece::Outcome { id, name, pieces, is_error } => json!({
            "piece": "outcome", "id": id, "name": name, "is_error": is_error,
            "pieces": pieces.iter().map(piece_json).collect::<Vec<_>>(),
        }),
        other => json!(other),
    }
}

/// The body of a call that passed through the proxy, byte for byte.
fn of_outside(run: &RunDir, id: &TrialId, number: usize, printer: Printer) -> anyhow::Result<()> {
    let passed: Vec<_> = run.exchanges()?.into_iter().filter(|exchange| exchange.trial == *id).collect();
    let Some(exchange) = passed.get(number) else {
        bail!(
            "{} of `{id}` passed through the proxy\nhint: they are counted from 0; what goes past the proxy is not recorded",
            count(passed.len(), "call")
        );
    };
    let body = run.sent(exchange)?;
    let status = exchange.status.map_or_else(|| "no answer".to_owned(), |status| format!("status {status}"));
    printer.say(format!(
        "call {number} of {}, attempt {}: {}, {status}; recorded as it was sent, without keys",
        passed.len(),
        exchange.attempt,
        exchange.path
    ));
    let body: Value = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(_not_json) => return plain(&printable(&String::from_utf8_lossy(&body))),
    };
    printer
        .data(&json!({ "trial": id, "call": number, "rebuilt": false, "path": exchange.path, "request": body }), || {
            serde_json::to_string_pretty(&body).unwrap_or_default()
        })
}
