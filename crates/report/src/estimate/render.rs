//! An estimate as text for the terminal.

use std::collections::BTreeMap;

use quintain_core::words::count;

use super::{Estimate, ExpectedAmount, TrialKind, UsedQuantity, WillDo};
use crate::stats::Interval;
use crate::text::{dollars, number, table};

impl Estimate {
    /// The estimate as plain text, at most 100 characters wide.
    pub fn text(&self) -> String {
        let n_pilot: usize = self.kinds.iter().map(|kind| kind.n_pilot).sum();
        let covered = format!("{} of {}", self.n_covered, count(self.n_trials, "planned trial"));
        let mut parts = vec![format!("estimate for {covered}, from {}\n", count(n_pilot, "pilot trial"))];
        if !self.kinds.is_empty() {
            parts.extend(self.kinds_texts());
            parts.push(self.total_text());
        }
        if !self.missing.is_empty() {
            parts.push(self.missing_text());
        }
        if self.lacks_interval() {
            parts.push("an interval needs two pilot trials of each task, preset and agent\n".to_owned());
        }
        parts.join("\n")
    }

    fn lacks_interval(&self) -> bool {
        self.kinds.iter().any(|kind| kind.n_pilot < 2)
    }

    /// A table for each agent, so that there is room for the names of tasks.
    fn kinds_texts(&self) -> Vec<String> {
        let mut by_agent: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
        for kind in &self.kinds {
            by_agent.entry(&kind.agent).or_default().push(kind_line(kind));
        }
        let text = |(agent, lines): (&str, Vec<Vec<String>>)| {
            let first = format!("a trial by {agent}");
            table(&[&first, "trials", "pilot", "steps", "minutes", "tokens", "cost"], &lines)
        };
        by_agent.into_iter().map(text).collect()
    }

    fn total_text(&self) -> String {
        let all = [UsedQuantity::Steps, UsedQuantity::Minutes, UsedQuantity::Tokens, UsedQuantity::Dollars];
        let mut lines: Vec<Vec<String>> = Vec::new();
        for what in all {
            let amount = self.total.get(&what).copied();
            let name = if what == UsedQuantity::Minutes { "minutes of trials".to_owned() } else { what.to_string() };
            let budget = if what == UsedQuantity::Minutes { Vec::new() } else { self.budget_cells(what) };
            lines.push(total_line(name, what, amount, budget));
        }
        let budget = self.budget_cells(UsedQuantity::Minutes);
        lines.push(total_line("minutes of the run".to_owned(), UsedQuantity::Minutes, self.run_minutes, budget));
        table(&["in all", "expected", "95 %", "budget", "will it do"], &lines)
    }

    fn budget_cells(&self, what: UsedQuantity) -> Vec<String> {
        let check = self.budgets.iter().find(|check| check.what == what);
        check.map_or_else(Vec::new, |check| {
            let answer = match check.answer {
                WillDo::Yes => "yes",
                WillDo::Unsure => "perhaps",
                WillDo::No => "no",
            };
            vec![amount_text(what, check.budget), answer.to_owned()]
        })
    }

    fn missing_text(&self) -> String {
        let line = |missing: &super::UnknownTrials| {
            vec![format!("{} {}", missing.task, missing.agent), missing.n_trials.to_string()]
        };
        table(&["not in the pilot, not in the estimate", "trials"], &self.missing.iter().map(line).collect::<Vec<_>>())
    }
}

fn kind_line(kind: &TrialKind) -> Vec<String> {
    let each = |what: UsedQuantity| kind.each.get(&what).map_or("unknown".to_owned(), |it| spread(what, *it));
    let mut line = vec![kind.task.clone(), kind.n_trials.to_string(), kind.n_pilot.to_string()];
    line.extend([UsedQuantity::Steps, UsedQuantity::Minutes, UsedQuantity::Tokens, UsedQuantity::Dollars].map(each));
    line
}

fn total_line(name: String, what: UsedQuantity, amount: Option<ExpectedAmount>, budget: Vec<String>) -> Vec<String> {
    let expected = amount.map_or("unknown".to_owned(), |amount| amount_text(what, amount.mean));
    let interval = amount.and_then(|amount| amount.interval).map_or("-".to_owned(), |Interval { low, high }| {
        format!("[{}, {}]", amount_text(what, low), amount_text(what, high))
    });
    let mut line = vec![name, expected, interval];
    line.extend(budget);
    line.resize(5, String::new());
    line
}

fn spread(what: UsedQuantity, amount: ExpectedAmount) -> String {
    let mean = amount_text(what, amount.mean);
    let reach = amount.interval.map(|interval| interval.high - amount.mean);
    reach.map_or_else(|| mean.clone(), |reach| format!("{mean} ±{}", amount_text(what, reach)))
}

fn amount_text(what: UsedQuantity, value: f64) -> String {
    if what == UsedQuantity::Dollars { dollars(Some(value)) } else { number(Some(value)) }
}
