//! How many steps oracles took, for chains of subtasks whose shortest way nobody can reckon.

use std::collections::{BTreeMap, BTreeSet};

use quintain_report::TrialRow;
use quintain_runner::Ledger;
use quintain_store::RunDir;

use crate::oracle_trails::{PlayedStart, is_oracle, start_of};

/// Fills in the steps of the quickest oracle that solved the same start, of this run and of others, where a solved trial
/// of a task with milestones has no shortest way that its world knows.
pub(crate) fn fill(run: &RunDir, rows: &mut [TrialRow], others: &[RunDir]) -> anyhow::Result<()> {
    let is_open =
        |row: &TrialRow| row.optimal_steps.is_none() && row.verdict.solved && !row.verdict.milestones.is_empty();
    let wanted: BTreeSet<PlayedStart> = rows.iter().filter(|row| is_open(row)).map(start_of).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut least: BTreeMap<PlayedStart, u32> = BTreeMap::new();
    for run in std::iter::once(run).chain(others) {
        add_from(run, &wanted, &mut least)?;
    }
    for row in rows.iter_mut().filter(|row| is_open(row)) {
        row.optimal_steps = least.get(&start_of(row)).copied();
    }
    Ok(())
}

fn add_from(
    run: &RunDir,
    wanted: &BTreeSet<PlayedStart>,
    least: &mut BTreeMap<PlayedStart, u32>,
) -> anyhow::Result<()> {
    let ledger = Ledger::of(run)?;
    let solved = ledger.entries.iter().filter(|entry| entry.finished.verdict.solved);
    for entry in solved.filter(|entry| is_oracle(run.header(), &entry.trial)) {
        let start = (entry.trial.instance.clone(), entry.finished.verdict.digests.instance);
        if wanted.contains(&start) {
            let steps = entry.finished.spent.steps;
            least.entry(start).and_modify(|least| *least = steps.min(*least)).or_insert(steps);
        }
    }
    Ok(())
}
