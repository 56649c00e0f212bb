//! `quintain doctor --ask MODEL`: one small call, before a run makes thousands.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use quintain_agents::AgentSpec;
use quintain_agents::sight_test::{ClickFinding, SightFinding, SightTest};
use quintain_agents::spec::LoopSpec;
use quintain_core::Backoff;
use quintain_core::Usage;
use quintain_core::words::count;
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::model::{Model, ModelCard, ModelError, Points};
use quintain_models::providers::retry::CallRetries;
use quintain_models::providers::{ConnectOptions, Connections, ModelSpec, keys};
use quintain_workshop::{Workshop, WrongWord};
use serde::Serialize;

use crate::exit::Exit;
use crate::printer::Printer;

/// The longest that one call may take.
const PATIENCE: Duration = Duration::from_mins(5);

/// What a call showed, line by line and as data.
#[derive(Serialize)]
struct AskReport {
    model: String,
    request_id: Option<String>,
    seconds: f64,
    n_calls: u32,
    usage: Usage,
    findings: Vec<AskFinding>,
}

#[derive(Serialize)]
struct AskFinding {
    what: &'static str,
    fine: bool,
    detail: String,
    mend: Option<String>,
}

pub(super) fn doctor(text: &str, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let spec = loop_spec(text)?;
    let model = connected(&spec.model, workshop)?;
    let began = Instant::now();
    let asked = SightTest::of(&spec.model.full_name()).ask(&*model, spec.manner.mode, PATIENCE);
    let seconds = (began.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    let report = report(&spec.model, &*model, asked, seconds);
    printer.data(&report, || lines(&report))?;
    let broken = report.findings.iter().any(|finding| !finding.fine);
    Ok(if broken { Exit::Refused } else { Exit::Success })
}

/// Reads `PROVIDER/NAME[,options]`, as agents do.
fn loop_spec(text: &str) -> anyhow::Result<LoopSpec> {
    match format!("react:{text}").parse()? {
        AgentSpec::Model(spec) => Ok(*spec),
        _ => bail!(WrongWord(format!("`{text}` names no model"))),
    }
}

/// A model that is asked once, whatever comes of it.
fn connected(spec: &ModelSpec, workshop: &Workshop) -> anyhow::Result<Arc<dyn Model>> {
    let catalogue = ModelCatalogue::load(workshop.setup().models.as_deref())?;
    let retries = CallRetries { tries: 1, backoff: Backoff { first: Duration::ZERO, longest: Duration::ZERO } };
    let options = ConnectOptions { retries, ..ConnectOptions::default() };
    let connections = Connections::new(catalogue, Meter::unbound(), options);
    Ok(connections.model(spec, &CallOwner::default(), "doctor")?)
}

fn report(spec: &ModelSpec, model: &dyn Model, asked: Result<SightFinding, ModelError>, seconds: f64) -> AskReport {
    let request_id = model.request_id();
    let (n_calls, usage, findings) = match asked {
        Ok(found) => (found.n_calls, found.usage, findings(&found, model.card(), seconds)),
        Err(error) => (1, model.wasted(), vec![unanswered(error)]),
    };
    AskReport { model: spec.full_name(), request_id, seconds, n_calls, usage, findings }
}

fn findings(found: &SightFinding, card: &ModelCard, seconds: f64) -> Vec<AskFinding> {
    let answer = format!("after {seconds} s, {}", count(u64::from(found.n_calls), "call"));
    let cut = found
        .cut
        .then(|| "it had no room left to end what it wrote: it may think too much for so small a question".to_owned());
    vec![
        AskFinding { what: "answer", fine: cut.is_none(), detail: cut.unwrap_or(answer), mend: None },
        number(found, card),
        click(found, card),
    ]
}

fn number(found: &SightFinding, card: &ModelCard) -> AskFinding {
    let wanted = found.number;
    let (fine, detail) = match found.read {
        Some(read) if read == wanted => (true, format!("it read {read} off the picture")),
        Some(read) => {
            (false, format!("it read {read} off a picture that shows {wanted}: it may not see pictures at all"))
        }
        None => (false, format!("it read nothing off a picture that shows {wanted}: it may not see pictures at all")),
    };
    let mend = if card.sees {
        "ask a model that sees, or say sees = false of it in a file of models (--models)"
    } else {
        "as known of it, it sees no pictures: let it play what is shown as text"
    };
    AskFinding { what: "sight", fine, detail, mend: Some(mend.to_owned()).filter(|_| !fine) }
}

fn click(found: &SightFinding, card: &ModelCard) -> AskFinding {
    let (across, down) = found.target_px;
    let place = |(x, y): (f64, f64)| format!("{x:.0},{y:.0}");
    let target = place((across, down));
    let (fine, detail, mend) = match &found.click {
        ClickFinding::Hit { at_px } => {
            (true, format!("it clicked at {}, the target is at {target}", place(*at_px)), None)
        }
        ClickFinding::OtherUnits { said, units } => {
            let detail = format!(
                "it answered in {} ({}, {} is the target), but what is known of it says {}",
                in_words(*units),
                said.0,
                said.1,
                in_words(card.points)
            );
            let name = units.name();
            // Its own computer tool has units of its own, which no setting changes.
            let tools = if found.is_native { "tools=schema," } else { "" };
            (
                false,
                detail,
                Some(format!("give the agent {tools}points={name}, or say so in a file of models (--models)")),
            )
        }
        ClickFinding::Missed { at_px } => {
            let detail =
                format!("it clicked at {}, but the target is at {target}: no scale explains that", place(*at_px));
            (
                false,
                detail,
                Some("try tools=schema, or another model for pointing (planner:..., grounder=...)".to_owned()),
            )
        }
        ClickFinding::Unread(why) => {
            (false, format!("its call cannot be read: {why}"), Some("try tools=schema or tools=text".to_owned()))
        }
        ClickFinding::None => (
            false,
            "it called no tool".to_owned(),
            Some("try tools=text; a vLLM server wants its tool-call parser switched on".to_owned()),
        ),
    };
    AskFinding { what: "click", fine, detail, mend }
}

fn in_words(points: Points) -> &'static str {
    match points {
        Points::Pixels => "pixels of the picture",
        Points::Thousandths => "0-1000 across and down",
        Points::Unit => "0-1 across and down",
        Points::Resized => "pixels of the picture with its sides made multiples of 28",
    }
}

/// Why there is no answer, and what helps.
fn unanswered(error: ModelError) -> AskFinding {
    let (detail, mend) = error.parts();
    AskFinding { what: "answer", fine: false, detail: keys::redact(&detail), mend }
}

fn lines(report: &AskReport) -> String {
    let mut lines: Vec<String> = report.findings.iter().map(line).collect();
    if report.usage.tokens() > 0 {
        lines.push(format!("        {}", used(&report.usage)));
    }
    if let Some(id) = &report.request_id {
        lines.push(format!("        the provider calls the request {id}"));
    }
    lines.join("\n")
}

fn used(usage: &Usage) -> String {
    let price = usage.cost_usd.map_or("its price is not known".to_owned(), |usd| format!("${usd:.4}"));
    format!("{} tokens read, {} written, {price}", usage.input_tokens, usage.output_tokens)
}

fn line(finding: &AskFinding) -> String {
    let mark = if finding.fine { "ok      " } else { "broken  " };
    let mend = finding.mend.as_ref().map_or(String::new(), |mend| format!("\n        hint: {mend}"));
    format!("{mark}{}: {}{mend}", finding.what, finding.detail)
}
