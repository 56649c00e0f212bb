//! Whether anything was lost or counted twice, and whether every attempt is accounted for.

use std::collections::BTreeMap;

use quintain_runner::engine::{AttemptEnd, EndedAttempt, Engine as _};

use super::ready;
use super::runs::RunState;
use super::simulated_fleet::SimulatedFleet;

/// How many problems are told of one run.
const TOLD: usize = 5;

/// What the accounts say.
#[derive(Debug, Default)]
pub(super) struct BudgetAccounts {
    pub(super) n_lost: u64,
    pub(super) n_twice: u64,
    pub(super) n_unaccounted: u64,
    pub(super) n_attempts: u64,
    /// Attempts by how they ended.
    pub(super) ends: BTreeMap<&'static str, u64>,
    pub(super) problems: Vec<String>,
}

impl SimulatedFleet<'_> {
    /// Compares the simulation's own account with the engine's.
    pub(super) fn verify(&self) -> BudgetAccounts {
        let mut accounts = BudgetAccounts::default();
        for run in &self.runs {
            let attempts = ready(self.engine.attempts(run.plan.name)).expect("memory tells of attempts");
            let n_before = accounts.problems.len();
            accounts.check_outcomes(run);
            accounts.check_attempts(run, &attempts);
            accounts.problems.truncate(n_before + TOLD);
        }
        accounts.check_limits(self);
        accounts
    }
}

impl BudgetAccounts {
    fn check_outcomes(&mut self, run: &RunState<'_>) {
        let name = run.plan.name;
        let n_twice = run.wins.iter().filter(|wins| **wins > 1).count() as u64;
        let n_open: u64 = run.wins.iter().map(|wins| u64::from(*wins == 0)).sum();
        let n_unseen = run.wins.iter().zip(&run.seen).filter(|(wins, seen)| **wins > 0 && !**seen).count() as u64;
        self.n_twice += n_twice;
        self.n_lost += n_unseen;
        if n_twice > 0 {
            self.problems.push(format!("{n_twice} trials of {name} were counted twice"));
        }
        if n_unseen > 0 {
            self.problems.push(format!("{n_unseen} outcomes of {name} never reached a steward"));
        }
        if n_open > 0 && !(run.is_over() && run.done_ms.is_none()) {
            self.n_lost += n_open;
            self.problems.push(format!("{n_open} trials of {name} have no outcome"));
        }
    }

    /// Every lease that was given is an attempt with an end; attempts are numbered from 1 without gaps; one of them won
    /// where there is an outcome.
    fn check_attempts(&mut self, run: &RunState<'_>, attempts: &[EndedAttempt]) {
        let name = run.plan.name;
        self.n_attempts += attempts.len() as u64;
        self.n_unaccounted += run.n_leases.abs_diff(attempts.len() as u64);
        if run.n_leases != attempts.len() as u64 {
            let told = format!("{name}: {} leases were given, {} attempts are on record", run.n_leases, attempts.len());
            self.problems.push(told);
        }
        for attempt in attempts {
            *self.ends.entry(end_of(&attempt.end)).or_default() += 1;
        }
        let n_won = attempts.iter().filter(|attempt| attempt.end == AttemptEnd::Won).count();
        if n_won != run.n_done as usize {
            self.problems.push(format!("{name}: {} outcomes were told to count, {n_won} attempts won", run.n_done));
        }
        for of_unit in attempts.chunk_by(|a, b| a.unit == b.unit) {
            if !of_unit.iter().zip(1..).all(|(attempt, number)| attempt.attempt == number) {
                self.n_unaccounted += 1;
                self.problems.push(format!("{name}: attempts at {} are not numbered from 1 on", of_unit[0].unit));
            }
        }
    }

    fn check_limits(&mut self, stage: &SimulatedFleet<'_>) {
        let most = stage.most_calls();
        if most > stage.scenario.calls_per_minute {
            let told = format!("{most} calls in a minute, {} are allowed", stage.scenario.calls_per_minute);
            self.problems.push(told);
        }
        for (run, plan) in stage.scenario.runs.iter().enumerate() {
            let (n, Some(budget)) = (stage.tally.calls_by_run[run] as f64, plan.budget) else { continue };
            if n >= budget + 1.0 {
                self.problems.push(format!("{}: {n} calls, {budget} were paid for", plan.name));
            }
        }
    }
}

impl SimulatedFleet<'_> {
    /// The most calls in any minute, by the second.
    pub(super) fn most_calls(&self) -> f64 {
        f64::from(self.tally.calls.windows(60).map(|minute| minute.iter().sum::<u32>()).max().unwrap_or(0))
    }
}

fn end_of(end: &AttemptEnd) -> &'static str {
    match end {
        AttemptEnd::Won => "won",
        AttemptEnd::Late => "late",
        AttemptEnd::Faulted { .. } => "faulted",
        AttemptEnd::PutDown => "put down",
        AttemptEnd::Lost => "lost",
    }
}
