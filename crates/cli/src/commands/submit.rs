//! `quintain submit`

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use quintain_agents::Script;
use quintain_bridge::{OutsideSource, Submission, SubmissionResult, ending, submit as submit_at};
use quintain_core::limits::LimitOverrides;
use quintain_core::world::Collected;
use quintain_core::{Evidence, FileSet, Task};
use quintain_runner::{Job, Ledger, run_here};
use quintain_store::{RunDir, files_below};
use quintain_workshop::Workshop;
use serde_json::{Value, json};

use crate::args::SubmitArgs;
use crate::commands::play::tell;
use crate::disk;
use crate::exit::Exit;
use crate::outside::{OutsideTrial, options};
use crate::printer::Printer;

pub(crate) fn submit(args: &SubmitArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let answer = args.answer.as_deref().map(parse_answer).transpose()?;
    let submission = Submission { answer, give_up: args.give_up.clone() };
    if args.what.starts_with("http://") || args.what.starts_with("https://") {
        return to_address(args, &submission, printer);
    }
    let outing = OutsideTrial::of(&args.what, workshop)?;
    check(outing.task(), &submission, args.document.as_deref().or(args.files.as_deref()))?;
    let document = args.document.as_deref().map(read_document).transpose()?;
    let files = args.files.as_deref().map_or_else(|| Ok(FileSet::new()), files_below)?;
    let venue = Arc::new(SubmittedWork { evidence: evidence(&outing, document)?, files });
    let said = ending(submission.answer.as_ref(), submission.give_up.as_deref());
    let cast = outing.cast(venue, move || Ok(Box::new(Script::new([said.clone()]))))?;
    let run = outing.make_run(args.name.as_deref(), "submit", LimitOverrides::default(), &cast)?;
    let (options, tasks, stop) = (options(), [outing.task().clone()], AtomicBool::new(false));
    run_here(&Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_event| {} })?;
    if let Some(path) = &args.reward {
        write_reward(&run, path)?;
    }
    tell(&run, printer)
}

/// The score as Harbor reads it. After a fault there is none: that is an error there, and no 0.
fn write_reward(run: &RunDir, path: &Path) -> anyhow::Result<()> {
    let ledger = Ledger::of(run)?;
    match ledger.entries.first().map(|entry| &entry.finished.verdict) {
        Some(verdict) if !verdict.ending.is_fault() => {
            disk::write(path, json!({ "reward": verdict.score.value() }).to_string().as_bytes())
        }
        _ => Ok(()),
    }
}

/// Tells a trial that `quintain open` opened that it is done. The verdict is told there, not here.
fn to_address(args: &SubmitArgs, submission: &Submission, printer: Printer) -> anyhow::Result<Exit> {
    if args.document.is_some() {
        bail!("an opened trial has its document already\nhint: leave out --document");
    }
    let submitted: SubmissionResult = submit_at(&args.what, submission)?;
    printer.data(&submitted, || match &submitted.why {
        None => "the trial is over".to_owned(),
        Some(why) => format!("the trial goes on: {why}"),
    })?;
    Ok(if submitted.over { Exit::Success } else { Exit::Refused })
}

fn parse_answer(text: &str) -> anyhow::Result<Value> {
    serde_json::from_str(text).with_context(|| format!("the answer `{text}` is no JSON"))
}

fn read_document(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

/// Refuses what could only be judged as nothing.
fn check(task: &Task, submission: &Submission, document: Option<&Path>) -> anyhow::Result<()> {
    let wants_answer = task.spec.result.shape();
    match (&submission.answer, &wants_answer) {
        _ if submission.give_up.is_some() => Ok(()),
        (Some(answer), _) => task.spec.result.accepts(answer).map_err(anyhow::Error::msg),
        (None, Some(shape)) => bail!("`{}` asks for an answer\nhint: --answer '{shape}'", task.id),
        (None, None) if document.is_none() => bail!("there is nothing to judge\nhint: --document FILE, or --files DIR"),
        (None, None) => Ok(()),
    }
}

/// The evidence that a world would have handed over.
fn evidence(outing: &OutsideTrial<'_>, document: Option<Value>) -> anyhow::Result<Evidence> {
    let name = (outing.offering()?.document)(outing.task());
    Ok(document.map_or_else(Evidence::default, |document| Evidence::document(&name, document)))
}

/// What was made elsewhere.
struct SubmittedWork {
    evidence: Evidence,
    files: FileSet,
}

impl OutsideSource for SubmittedWork {
    fn directions(&self) -> String {
        "The work was done elsewhere.".to_owned()
    }

    fn collect(&self) -> Collected {
        let files = self.files.iter().map(|(path, file)| (path.clone(), Arc::clone(file.source()))).collect();
        Collected { evidence: self.evidence.clone(), files, ..Collected::default() }
    }
}
