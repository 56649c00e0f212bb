//! `quintain label`

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use quintain_agents::AgentSpec;
use quintain_core::TrialId;
use quintain_core::books::Purpose;
use quintain_core::limits::Budget;
use quintain_core::words::count;
use quintain_models::meter::{CallOwner, Meter};
use quintain_models::model::{Message, Model, ModelCard, ModelError, Request, Tool};
use quintain_models::providers::{Connections, ModelSpec};
use quintain_report::TrailSummary;
use quintain_report::opinion::{DroppedLabel, HeardOpinion, SYSTEM, TOOL, dossier, hear, tool_schema};
use quintain_runner::Ledger;
use quintain_runner::ledger::TrialEntry;
use quintain_store::{AttemptRecord, RunDir};
use quintain_workshop::opinions::{OpinionLine, kept};
use quintain_workshop::{Workshop, WrongWord, models, rows_of};
use serde_json::{Value, json};

use crate::args::LabelArgs;
use crate::exit::Exit;
use crate::printer::Printer;

/// The longest that a labeller may think, retries included.
const PATIENCE: Duration = Duration::from_mins(10);

/// So many characters of a dropped label are shown.
const SHOWN: usize = 160;

pub(crate) fn label(args: &LabelArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let spec = model_spec(&args.model)?;
    let connections = connections(&run, args, workshop)?;
    connections.check(&spec)?;
    let ledger = Ledger::of(&run)?;
    let (mut asked, mut failed) = (Vec::new(), 0);
    let wanted = wanted(&run, &ledger, args, &spec.full_name())?;
    if wanted.is_empty() {
        printer
            .say("every trial is solved, ended in a fault, or was labelled by this model before (--again asks anew)");
    }
    for entry in wanted {
        match ask(&run, entry, &connections, &spec) {
            Ok(line) => {
                run.add_opinion(&serde_json::to_value(&line)?)?;
                printer.say(words(&line));
                asked.push(line);
            }
            Err(NotAsked::Model(ModelError::OverBudget)) => {
                tell(&run, &asked, printer)?;
                printer.say("the run's budget is spent\nhint: give --run-cost MORE to go on");
                return Ok(Exit::Interrupted);
            }
            Err(NotAsked::Model(error @ (ModelError::Rejected { .. } | ModelError::Denied { .. }))) => bail!(error),
            Err(NotAsked::Model(error)) => {
                failed += 1;
                printer.say(format!("{}: not labelled: {error}", entry.trial));
            }
            Err(NotAsked::Other(error)) => return Err(error),
        }
    }
    tell(&run, &asked, printer)?;
    warn_of_trails(&run, printer)?;
    Ok(match failed {
        0 if none_stands(&asked) => Exit::Refused,
        0 => Exit::Success,
        _ => Exit::Faults,
    })
}

/// A model that reads a recording cannot know what the oracle did: says where pointers went its way to the pixel.
fn warn_of_trails(run: &RunDir, printer: Printer) -> anyhow::Result<()> {
    let rows = rows_of(run)?;
    if let Some(words) = TrailSummary::of(&rows.iter().collect::<Vec<_>>()).same_words() {
        printer.say(format!("warning: {words}; `quintain report` names them"));
    }
    Ok(())
}

/// Whether labels were given and every one of them was dropped.
fn none_stands(asked: &[OpinionLine]) -> bool {
    let is_given = asked.iter().any(|line| !line.heard.opinions.is_empty());
    !is_given && asked.iter().any(|line| !line.heard.dropped.is_empty())
}

/// Reads `PROVIDER/NAME[,options]`, as agents do.
fn model_spec(text: &str) -> anyhow::Result<ModelSpec> {
    match format!("turns:{text}").parse()? {
        AgentSpec::Model(spec) => Ok(spec.model),
        _ => bail!(WrongWord(format!("`{text}` names no model"))),
    }
}

/// Labels are paid from the run's budget and written in its books.
fn connections(run: &RunDir, args: &LabelArgs, workshop: &Workshop) -> anyhow::Result<Connections> {
    let mut header = run.header().clone();
    if let Some(path) = &workshop.setup().models {
        header.catalogue = Some(models::catalogue_of(path)?);
    }
    let budget = Budget { cost_usd: args.run_cost.or(header.budget.cost_usd), ..header.budget };
    let meter = Meter::new(Arc::new(run.books()?), budget, run.calls()?.totals);
    models::connected(&header, meter)
}

/// The trials that were not solved, faults apart, and that this model was not asked about.
fn wanted<'a>(run: &RunDir, ledger: &'a Ledger, args: &LabelArgs, model: &str) -> anyhow::Result<Vec<&'a TrialEntry>> {
    let known: BTreeSet<TrialId> =
        kept(run)?.into_iter().filter(|line| line.model == model && !args.again).map(|line| line.trial).collect();
    let failed = |entry: &&TrialEntry| !entry.finished.verdict.solved && !entry.finished.verdict.ending.is_fault();
    let new = |entry: &&TrialEntry| !known.contains(&entry.trial);
    Ok(ledger.entries.iter().filter(failed).filter(new).take(args.max.unwrap_or(usize::MAX)).collect())
}

/// Why a trial was not labelled.
enum NotAsked {
    Model(ModelError),
    Other(anyhow::Error),
}

fn ask(run: &RunDir, entry: &TrialEntry, connections: &Connections, spec: &ModelSpec) -> Result<OpinionLine, NotAsked> {
    let other = |error: anyhow::Error| NotAsked::Other(error);
    let record = run.trajectory(&entry.place).context("a trial cannot be read").map_err(other)?;
    let who = CallOwner { trial: Some(entry.trial.clone()), attempt: entry.attempt };
    let instance = entry.trial.instance.to_string();
    let model: Arc<dyn Model> =
        connections.model(spec, &who, &instance).map_err(|error| NotAsked::Other(error.into()))?;
    let response = model.ask(&request(&record, entry, model.card()), PATIENCE).map_err(NotAsked::Model)?;
    let given = response.message.calls().find(|call| call.name == TOOL).map(|call| call.input.clone());
    let heard = given.map_or_else(|| said_otherwise(&response.message), |given| hear(&given, &record.steps()));
    Ok(OpinionLine { v: 1, trial: entry.trial.clone(), model: spec.full_name(), heard })
}

fn request(record: &AttemptRecord, entry: &TrialEntry, card: &ModelCard) -> Request {
    Request {
        system: SYSTEM.to_owned(),
        messages: vec![Message::user(dossier(record.briefing(), &record.steps(), &entry.finished.verdict))],
        tools: vec![Tool::Function {
            name: TOOL.to_owned(),
            about: "Gives the labels that the recording proves, each with its evidence.".to_owned(),
            schema: tool_schema().into(),
        }],
        must_call: true,
        max_output: card.usual_output(None),
        effort: None,
        purpose: Purpose::Label,
        step_idx: 0,
    }
}

/// A model that does not use the tool has given nothing that counts.
fn said_otherwise(message: &Message) -> HeardOpinion {
    let dropped = DroppedLabel { given: Value::String(message.text()), because: "the tool was not used".to_owned() };
    HeardOpinion { opinions: Vec::new(), dropped: vec![dropped] }
}

fn words(line: &OpinionLine) -> String {
    let given: Vec<String> = line.heard.opinions.iter().map(|it| format!("{} (step {})", it.kind, it.step)).collect();
    let given = if given.is_empty() { "no label".to_owned() } else { given.join(", ") };
    let dropped = |it: &DroppedLabel| format!("  dropped, {}: {}", it.because, short(&it.given));
    let first = std::iter::once(format!("{}: {given}", line.trial));
    first.chain(line.heard.dropped.iter().map(dropped)).collect::<Vec<_>>().join("\n")
}

/// As much of what was given as fits a line or two; all of it is in the file.
fn short(given: &Value) -> String {
    let given = given.to_string();
    given.char_indices().nth(SHOWN).map_or(given.clone(), |(end, _)| format!("{}...", &given[..end]))
}

fn tell(run: &RunDir, asked: &[OpinionLine], printer: Printer) -> anyhow::Result<()> {
    let n_dropped: usize = asked.iter().map(|line| line.heard.dropped.len()).sum();
    let n_given: usize = asked.iter().map(|line| line.heard.opinions.len()).sum();
    let totals = run.calls()?.totals;
    printer.data(&json!({ "labelled": asked, "dropped": n_dropped, "calls": totals }), || {
        let labels = count(n_given, "label");
        format!("{} labelled: {labels} given, {n_dropped} dropped", count(asked.len(), "trial"))
    })
}
