//! `quintain rescore`

use quintain_core::words::count;
use quintain_runner::rescore::{RescoredTrial, rescore as judge_again, save};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::RescoreArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn rescore(args: &RescoreArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let tasks = workshop.tasks_of(&run)?;
    let rescored = judge_again(&run, &tasks, &workshop.judging()?)?;
    let changed: Vec<&RescoredTrial> = rescored.iter().filter(|rescored| rescored.changed()).collect();
    let json = json!({
        "trials": rescored.len(),
        "changed": changed
            .iter()
            .map(|rescored| json!({ "trial": rescored.trial, "old": rescored.old, "new": rescored.new }))
            .collect::<Vec<_>>(),
    });
    printer.data(&json, || {
        let lines: String = changed.iter().map(|rescored| line(rescored)).collect();
        let (judged, changed) = (count(rescored.len(), "trial"), count(changed.len(), "verdict"));
        format!("{lines}{judged} judged again, {changed} changed")
    })?;
    if args.write {
        let path = save(&run, &rescored)?;
        printer.say(format!("new verdicts: {}", path.display()));
    }
    Ok(if changed.is_empty() { Exit::Success } else { Exit::Refused })
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
