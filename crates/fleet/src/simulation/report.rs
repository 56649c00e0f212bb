//! What came of a simulation.

use std::fmt;
use std::time::Duration;

use super::cost::{REPLICAS, cores};
use super::scenario::{HOUR, MINUTE, SECOND, Scenario};
use super::simulated_fleet::SimulatedFleet;
use super::tally::resident_kb;
use super::verify::BudgetAccounts;

/// What came of a simulation.
#[derive(Debug)]
pub struct SimulationReport {
    /// What must not be and is. Nothing is as it should be.
    pub problems: Vec<String>,
    /// Trials that have no outcome and should, or whose outcome nobody saw.
    pub n_lost: u64,
    /// Trials that were counted twice.
    pub n_twice: u64,
    /// Attempts that nobody can tell the end of.
    pub n_unaccounted: u64,
    /// Outcomes that count.
    pub n_done: u64,
    /// The part of the slots of living hosts that played while there was work for them.
    pub utilisation: f64,
    /// Lines of text in sections.
    sections: Vec<(&'static str, Vec<String>)>,
    /// What depends on this machine and differs from time to time.
    machine: Vec<String>,
}

impl SimulationReport {
    /// What the same scenario always comes to.
    pub fn outcome(&self) -> String {
        let section = |(title, lines): &(&str, Vec<String>)| format!("{title}\n  {}\n", lines.join("\n  "));
        self.sections.iter().map(section).collect()
    }
}

impl fmt::Display for SimulationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.outcome())?;
        writeln!(f, "on this machine\n  {}", self.machine.join("\n  "))?;
        match self.problems.as_slice() {
            [] => write!(f, "nothing was lost, nothing was counted twice, every attempt is accounted for"),
            problems => write!(f, "problems\n  {}", problems.join("\n  ")),
        }
    }
}

impl SimulatedFleet<'_> {
    /// Lets the steward read to the end, closes the accounts, and reports.
    pub(super) fn conclude(mut self) -> SimulationReport {
        self.switch.go_up();
        if self.lead.overseer.is_none() {
            self.take_over();
        }
        self.catch_up();
        let mut accounts = self.verify();
        if !self.is_over {
            accounts.problems.insert(0, format!("not over after {}", span(self.now())));
        }
        let tally = &self.tally;
        let sections = vec![
            ("scenario", self.told_scenario()),
            ("accounts", self.told_accounts(&accounts)),
            ("runs", self.told_runs()),
            ("slots", self.told_slots()),
            ("shares of slots by class, while others wanted them too", self.told_shares()),
            ("limits", self.told_limits()),
            ("requests per second: while more than half of the slots played, at most over 10 s", self.told_requests()),
        ];
        SimulationReport {
            n_lost: accounts.n_lost,
            n_twice: accounts.n_twice,
            n_unaccounted: accounts.n_unaccounted,
            n_done: self.runs.iter().map(|run| u64::from(run.n_done)).sum(),
            utilisation: tally.busy_wanted / tally.wanted,
            machine: self.told_machine(),
            problems: accounts.problems,
            sections,
        }
    }

    fn told_scenario(&self) -> Vec<String> {
        let Scenario { seed, n_slots, .. } = self.scenario;
        let tally = &self.tally;
        vec![
            format!(
                "seed {seed}: {} hosts with {n_slots} slots, {} runs, {} trials, {} simulated",
                self.scenario.n_hosts(),
                self.scenario.runs.len(),
                self.scenario.n_trials(),
                span(self.now())
            ),
            format!("kept on offer: {:?}", self.scenario.depth),
            format!(
                "{} crashes of workers, {} workers cut off, {} takeovers by stewards, {} outages of the server",
                tally.n_crashes, tally.n_cut_off, self.lead.n_takeovers, tally.n_outages
            ),
        ]
    }

    fn told_accounts(&self, accounts: &BudgetAccounts) -> Vec<String> {
        let ends: Vec<String> = accounts.ends.iter().map(|(end, n)| format!("{n} {end}")).collect();
        let tally = &self.tally;
        let of_class = |((class, again), useful): ((&super::scenario::TrialClass, &i64), &i64)| {
            format!("{} {:.2} %", class.name, 100.0 * *again as f64 / (again + useful).max(1) as f64)
        };
        let classes = self.scenario.classes.iter().zip(&tally.replayed_ms).zip(&tally.useful_ms);
        let replayed: Vec<String> = classes.map(of_class).collect();
        vec![
            format!(
                "lost {}, counted twice {}, attempts unaccounted for {}",
                accounts.n_lost, accounts.n_twice, accounts.n_unaccounted
            ),
            format!("{} attempts: {}", accounts.n_attempts, ends.join(", ")),
            format!("{} late outcomes were refused, {} attempts were cut", tally.n_late, tally.n_cut),
            format!("units leased while another held them: {}", self.engine.n_overlaps()),
            format!("units offered again because they were neither on offer nor held: {}", self.lead.n_reoffered),
            format!("slot time in which work was played again: {}", replayed.join(", ")),
        ]
    }

    fn told_runs(&self) -> Vec<String> {
        let after = |ms: Option<i64>, at_ms: i64| ms.map_or("-".to_owned(), |ms| span(ms - at_ms));
        let line = |run: &super::runs::RunState<'_>| {
            format!(
                "{:14} {:6} {:>6} trials, {:>6} done; first start after {}, all started after {}, done after {}",
                run.plan.name,
                format!("{:?}", run.plan.priority).to_lowercase(),
                run.plan.n_units(),
                run.n_done,
                after(run.first_ms, run.plan.at_ms),
                after(run.all_started_ms, run.plan.at_ms),
                after(run.done_ms, run.plan.at_ms),
            )
        };
        self.runs.iter().map(line).collect()
    }

    fn told_slots(&self) -> Vec<String> {
        let tally = &self.tally;
        let n = tally.n_samples.max(1) as f64;
        vec![
            format!("busy while there was work for them: {:.1} %", 100.0 * tally.busy_wanted / tally.wanted),
            format!(
                "busy over the whole time, the tail of long trials included: {:.1} %",
                100.0 * tally.busy / tally.up
            ),
            format!(
                "units on offer and not leased: {:.0} on average, {} at most",
                tally.queued_sum / n,
                tally.queued_most
            ),
        ]
    }

    fn told_shares(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (class, shares) in self.scenario.classes.iter().zip(&self.tally.shares) {
            for (run, share) in self.scenario.runs.iter().zip(shares).filter(|(_, share)| share.n > 0) {
                let n = f64::from(share.n);
                lines.push(format!(
                    "{:8} {:14} had {:5.1} %, due {:5.1} %, off by {:4.1} points on average over {}",
                    class.name,
                    run.name,
                    100.0 * share.had / n,
                    100.0 * share.due / n,
                    100.0 * share.off / n,
                    span(i64::from(share.n) * super::tally::SAMPLE_EVERY_MS)
                ));
            }
        }
        lines
    }

    fn told_limits(&self) -> Vec<String> {
        let allowed = self.scenario.calls_per_minute;
        let minutes: Vec<u32> = self.tally.calls.chunks(60).map(|minute| minute.iter().sum()).collect();
        let pressed: Vec<f64> = minutes.iter().map(|n| f64::from(*n)).filter(|n| *n > allowed / 2.0).collect();
        let used = pressed.iter().sum::<f64>() / pressed.len().max(1) as f64;
        let mut lines = vec![
            format!("model: {allowed} calls a minute allowed, {} at most in any minute", self.most_calls()),
            format!(
                "model: {:.1} % of the allowed rate used in the {} minutes that used more than half of it",
                100.0 * used / allowed,
                pressed.len()
            ),
        ];
        for (plan, n) in self.scenario.runs.iter().zip(&self.tally.calls_by_run).filter(|(_, n)| **n > 0) {
            let budget = plan.budget.map_or("no budget".to_owned(), |budget| format!("a budget of {budget}"));
            lines.push(format!("{}: {n} calls, {budget}", plan.name));
        }
        lines
    }

    fn told_requests(&self) -> Vec<String> {
        let secs = self.tally.busy_ms.max(1) as f64 / 1_000.0;
        let named = self.tally.counts.named();
        let mean = self.tally.busy_counts.map(|n| n as f64 / secs);
        let peaks = &self.tally.peaks;
        let line = |((name, _), (mean, peak)): (&(&str, u64), (&f64, &f64))| format!("{name:15} {mean:9.1} {peak:9.1}");
        let mut lines: Vec<String> = named.iter().zip(mean.iter().zip(peaks)).map(line).collect();
        let [mean, peak] = [cores(&mean), cores(peaks)];
        lines.push(format!("cores of one NATS node {mean:.3} on average, {peak:.2} if all peaks fell together"));
        let [mean, peak] = [mean * REPLICAS, peak * REPLICAS];
        lines.push(format!("cores of three nodes   {mean:.3} on average, {peak:.2} if all peaks fell together"));
        lines
    }

    fn told_machine(&self) -> Vec<String> {
        let lead = &self.lead;
        let simulated = self.now() as f64 / 1_000.0;
        let per_second = |cpu: Duration| cpu.as_secs_f64() * 1e3 / simulated;
        vec![
            format!(
                "steward's offers: {:.2} ms of CPU per simulated second, over {} rounds, {} parcels; longest {:.0} ms",
                per_second(lead.overseer_cpu),
                lead.n_rounds,
                lead.n_offered,
                lead.longest_round.as_secs_f64() * 1e3
            ),
            format!(
                "allocator: {:.1} us of CPU per question, {} questions, {:.2} ms per simulated second",
                lead.allocator_cpu.as_secs_f64() * 1e6 / self.tally.counts.asks.max(1) as f64,
                self.tally.counts.asks,
                per_second(lead.allocator_cpu)
            ),
            format!("longest takeover: {:.2} s of CPU", lead.longest_takeover.as_secs_f64()),
            format!("the process grew by {} MB in the first takeover", lead.grown_kb / 1024),
            format!("{} events; the process is {} MB at the end", self.events.n(), resident_kb() / 1024),
        ]
    }
}

/// A time in words.
fn span(ms: i64) -> String {
    match ms {
        _ if ms >= 2 * HOUR => format!("{:.1} h", ms as f64 / HOUR as f64),
        _ if ms >= 2 * MINUTE => format!("{:.1} min", ms as f64 / MINUTE as f64),
        _ => format!("{:.1} s", ms as f64 / SECOND as f64),
    }
}
