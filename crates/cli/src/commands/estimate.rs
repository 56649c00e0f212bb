//! `quintain run --dry-run`: what would be run, and by a pilot, what it would use up.

use quintain_core::TrialId;
use quintain_core::words::count;
use quintain_report::{PlannedTrials, TrialRow, estimate};
use quintain_runner::RunOptions;
use quintain_store::{PlannedTrial, RunHeader};
use quintain_workshop::{Workshop, rows_of};
use serde_json::json;

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn dry_run(
    args: &RunArgs,
    header: &RunHeader,
    planned: &[PlannedTrial],
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let Some(pilot) = &args.pilot else {
        return list(planned, printer);
    };
    let pilot = rows_of(&workshop.open_run(pilot)?)?;
    let trials: Vec<TrialId> = planned.iter().map(|planned| known_by(&pilot, &planned.trial)).collect();
    let n_workers = args.working.workers.unwrap_or(RunOptions::default().n_workers);
    let estimate = estimate(&PlannedTrials { trials: &trials, n_workers, budget: header.budget }, &pilot);
    printer.data(&json!({ "trials": trials, "estimate": estimate }), || estimate.text())?;
    printer.say(format!("{}; nothing was run", count(planned.len(), "trial")));
    Ok(Exit::Success)
}

/// The trial by the name of an agent that the pilot knows: under other settings an agent uses up about the same.
fn known_by(pilot: &[TrialRow], trial: &TrialId) -> TrialId {
    let is_known = pilot.iter().any(|row| row.trial.agent == trial.agent);
    let agent = if is_known { &trial.agent } else { trial.player() };
    TrialId { agent: agent.to_owned(), ..trial.clone() }
}

fn list(planned: &[PlannedTrial], printer: Printer) -> anyhow::Result<Exit> {
    printer
        .data(&planned, || planned.iter().map(|planned| planned.trial.to_string()).collect::<Vec<_>>().join("\n"))?;
    printer.say(format!(
        "{}; nothing was run\n\
         hint: for an estimate of what they use up, run a few with the same agents (--seeds 2 --name pilot), then add --pilot pilot",
        count(planned.len(), "trial")
    ));
    Ok(Exit::Success)
}
