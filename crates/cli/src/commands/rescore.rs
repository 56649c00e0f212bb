//! `quintain rescore`

use std::fmt;

use quintain_core::words::count;
use quintain_runner::rescore::{RescoredTrial, rescore as judge_again, save};
use quintain_workshop::Workshop;
use serde::Serialize;
use serde_json::json;

use crate::args::RescoreArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn rescore(args: &RescoreArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let tasks = workshop.tasks_of(&run)?;
    let rescored = judge_again(&run, &tasks, &workshop.judging()?)?;
    let changed: Vec<&RescoredTrial> = rescored.iter().filter(|rescored| rescored.changed()).collect();
    let (then, now) = (SuccessReading::as_then(&rescored), SuccessReading::as_now(&rescored, run.plan()?.len()));
    let json = json!({
        "trials": rescored.len(),
        "readings": { "as_then": then, "as_now": now },
        "changed": changed
            .iter()
            .map(|rescored| json!({ "trial": rescored.trial, "old": rescored.old, "new": rescored.new }))
            .collect::<Vec<_>>(),
    });
    printer.data(&json, || {
        let lines: String = changed.iter().map(|rescored| line(rescored)).collect();
        let (judged, changed) = (count(rescored.len(), "trial"), count(changed.len(), "verdict"));
        let readings = format!("success, as it was counted then: {then} without faults\nas it is counted now: {now}");
        format!("{lines}{judged} judged again, {changed} changed\n{readings}")
    })?;
    if args.write {
        let path = save(&run, &rescored)?;
        printer.say(format!("new verdicts: {}", path.display()));
    }
    Ok(if changed.is_empty() { Exit::Success } else { Exit::Refused })
}

/// How many trials are solved, by one way of counting.
#[derive(Clone, Copy, Serialize)]
struct SuccessReading {
    solved: usize,
    of: usize,
}

impl SuccessReading {
    /// By the verdicts of then, faults left out.
    fn as_then(rescored: &[RescoredTrial]) -> Self {
        let fair = || rescored.iter().filter(|rescored| !rescored.old.ending.is_fault());
        Self { solved: fair().filter(|rescored| rescored.old.solved).count(), of: fair().count() }
    }

    /// By the verdicts of now, over every trial that was planned.
    fn as_now(rescored: &[RescoredTrial], n_planned: usize) -> Self {
        Self { solved: rescored.iter().filter(|rescored| rescored.new.solved).count(), of: n_planned }
    }
}

impl fmt::Display for SuccessReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solved, of } = *self;
        let share = if of == 0 { 0.0 } else { 100.0 * solved as f64 / of as f64 };
        write!(f, "{share:.1} %, {solved} of {of}")
    }
}

fn line(rescored: &RescoredTrial) -> String {
    let RescoredTrial { trial, old, new } = rescored;
    let word = |solved: bool| if solved { "solved" } else { "not solved" };
    let because = new.findings.iter().map(|finding| finding.because.as_str()).collect::<Vec<_>>().join("; ");
    if (old.score, old.solved) == (new.score, new.solved) {
        return format!("{trial}: same score, other findings or digests: {because}\n");
    }
    let (before, after) = (old.score.value(), new.score.value());
    format!("{trial}: {} ({before}) is now {} ({after}): {because}\n", word(old.solved), word(new.solved))
}
