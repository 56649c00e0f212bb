//! Where oracles put the pointer, from their recorded trials: in a web app only the open page knows where things are.

use std::collections::{BTreeMap, BTreeSet};

use quintain_agents::AgentSpec;
use quintain_core::{Digest, InstanceId, TrialId};
use quintain_report::{PlayedBy, PointerTrail, TrialRow};
use quintain_runner::Ledger;
use quintain_runner::ledger::TrialEntry;
use quintain_store::{RunDir, RunHeader};

/// How many trials of oracles are read of each other run: a report must not take longer than the reading of its own.
const MOST_READ: usize = 2000;

/// What was played: an instance by name, and its start.
pub(crate) type PlayedStart = (InstanceId, Digest);

/// Where oracles put the pointer, by what they played.
type RecordedOracles = BTreeMap<PlayedStart, Vec<PointerTrail>>;

/// The rows of a run, each with how its pointer's places compare with those of oracles, of this run and of others. What
/// plays the oracle's solution by its nature, an oracle or a replay, is not compared.
pub(crate) fn compared(
    run: &RunDir,
    played: Vec<(TrialRow, PointerTrail)>,
    others: &[RunDir],
) -> anyhow::Result<Vec<TrialRow>> {
    let own = played.iter().filter(|(row, _)| is_oracle(run.header(), &row.trial));
    let mut oracles = RecordedOracles::new();
    for (row, trail) in own {
        oracles.entry(start_of(row)).or_default().push(trail.clone());
    }
    if !others.is_empty() {
        let wanted: BTreeSet<PlayedStart> = played.iter().map(|(row, _)| start_of(row)).collect();
        for other in others {
            add_from(other, &wanted, &mut oracles)?;
        }
    }
    let told = |(mut row, trail): (TrialRow, PointerTrail)| {
        if row.plays == PlayedBy::Itself {
            row.trail = trail.against(oracles.get(&start_of(&row)).map_or(&[], Vec::as_slice));
        }
        row
    };
    Ok(played.into_iter().map(told).collect())
}

/// Adds what the oracles of a run did where it is wanted.
fn add_from(run: &RunDir, wanted: &BTreeSet<PlayedStart>, oracles: &mut RecordedOracles) -> anyhow::Result<()> {
    let start = |entry: &TrialEntry| (entry.trial.instance.clone(), entry.finished.verdict.digests.instance);
    let ledger = Ledger::of(run)?;
    let of_oracles = ledger.entries.iter().filter(|entry| is_oracle(run.header(), &entry.trial));
    for entry in of_oracles.filter(|entry| wanted.contains(&start(entry))).take(MOST_READ) {
        let Some(record) = run.salvaged(&entry.place)? else { continue };
        let trail = PointerTrail::of(&record.steps());
        oracles.entry(start(entry)).or_default().push(trail);
    }
    Ok(())
}

/// What a trial played.
pub(crate) fn start_of(row: &TrialRow) -> PlayedStart {
    (row.trial.instance.clone(), row.verdict.digests.instance)
}

/// Whether a trial's agent is an oracle.
pub(crate) fn is_oracle(header: &RunHeader, trial: &TrialId) -> bool {
    matches!(spec_of(header, trial), Some(AgentSpec::Oracle(_)))
}

/// What a trial's agent plays by: oracles and replays by the solution, by their nature.
pub(crate) fn played_by(header: &RunHeader, trial: &TrialId) -> PlayedBy {
    match spec_of(header, trial) {
        Some(AgentSpec::Oracle(_) | AgentSpec::Replay { .. }) => PlayedBy::Solution,
        _ => PlayedBy::Itself,
    }
}

/// The trial's agent, where a text names it.
fn spec_of(header: &RunHeader, trial: &TrialId) -> Option<AgentSpec> {
    header.agent(&trial.agent)?.spec.parse().ok()
}
