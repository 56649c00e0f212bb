//! A comparison as text for the terminal.

use std::collections::BTreeMap;

use quintain_core::AgentIsolation;
use quintain_core::words::count;

use super::{FaultedPairs, Flip, MeanDifference, RunComparison, TaskDifference};
use crate::isolation::{IsolationByAgent, isolation_warning, noted_line};
use crate::text::{clustered, headline_row as row, interval, p_value, percent, signed, table};

/// How many flips are listed before the rest is only counted.
const MOST_FLIPS: usize = 40;

impl RunComparison {
    /// The comparison as plain text, at most 100 characters wide, with the names of the two sides.
    pub fn text(&self, name_a: &str, name_b: &str) -> String {
        let mut parts = vec![self.headline(name_a, name_b), self.tasks_text()];
        if !self.flips.is_empty() {
            parts.push(self.flips_text());
        }
        let warnings: Vec<String> = self.warnings.iter().cloned().chain(self.isolation_warning()).collect();
        if !warnings.is_empty() {
            let lines: Vec<String> = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
            parts.push(lines.concat());
        }
        parts.join("\n")
    }

    /// In one sentence: is there a difference?
    pub fn conclusion(&self) -> String {
        self.words(("A", "B"), self.mcnemar.exact_p, "exact p")
    }

    fn headline(&self, name_a: &str, name_b: &str) -> String {
        let side = |name: &str, agents: &[String], isolation: &IsolationByAgent| {
            let noted = noted_line(agents.iter().map(|agent| (agent.as_str(), isolation.get(agent).copied())));
            format!("{name}: {noted}")
        };
        let test = &self.mcnemar;
        row("A", side(name_a, &self.agents_a, &self.isolation_a))
            + &row("B", side(name_b, &self.agents_b, &self.isolation_b))
            + &row("pairs", format!("{} over {}", self.n_pairs, count(self.n_tasks, "task")))
            + &row("success", sides(&self.success))
            + &row("", format!("95 % by task {}", clustered(self.success.by_task)))
            + &self.instances_row()
            + &self.faulted.map_or_else(String::new, |faulted| faulted_rows(&faulted))
            + &row("score", sides(&self.score))
            + &row("", format!("95 % by task {}", clustered(self.score.by_task)))
            + &row(
                "McNemar",
                format!(
                    "only A {}, only B {}, both {}, neither {}; exact p {}, mid-p {}",
                    test.only_a,
                    test.only_b,
                    test.both,
                    test.neither,
                    p_value(test.exact_p),
                    p_value(test.mid_p)
                ),
            )
            + &row(
                "detectable",
                self.numbers(1.0).detectable.map_or_else(|| "nothing".to_owned(), |least| percent(Some(least))),
            )
            + &row("so", self.conclusion())
    }

    /// The interval over instances, where it is the one that decides.
    fn instances_row(&self) -> String {
        let decides = self.deciding().filter(|_| !self.speaks_of_others());
        decides.map_or_else(String::new, |found| {
            row("", format!("95 % by instance {}, for these tasks alone", interval(Some(found))))
        })
    }

    /// What must be known of agents of either side whose own programs ran without isolation.
    fn isolation_warning(&self) -> Option<String> {
        let agents: BTreeMap<&str, AgentIsolation> =
            self.isolation_a.iter().chain(&self.isolation_b).map(|(agent, known)| (agent.as_str(), *known)).collect();
        isolation_warning(agents.into_iter().map(|(agent, known)| (agent, Some(known))))
    }

    fn tasks_text(&self) -> String {
        let line = |task: &TaskDifference| {
            vec![
                task.task.clone(),
                task.n_pairs.to_string(),
                percent(Some(task.a)),
                percent(Some(task.b)),
                signed(Some(task.b - task.a)),
                signed(Some(task.score_b - task.score_a)),
            ]
        };
        let lines: Vec<_> = self.by_task.iter().map(line).collect();
        table(&["task", "pairs", "A", "B", "B - A", "score"], &lines)
    }

    fn flips_text(&self) -> String {
        let name = |flip: &Flip| match &flip.agent {
            Some(agent) => format!("{}~{agent}", flip.instance),
            None => flip.instance.to_string(),
        };
        let line = |flip: &Flip| vec![name(flip), percent(Some(flip.a)), percent(Some(flip.b))];
        let lines: Vec<_> = self.flips.iter().take(MOST_FLIPS).map(line).collect();
        let rest = self.flips.len().saturating_sub(MOST_FLIPS);
        let rest = if rest > 0 { format!("and {rest} more\n") } else { String::new() };
        table(&["flipped", "A", "B"], &lines) + &rest
    }
}

fn faulted_rows(faulted: &FaultedPairs) -> String {
    let FaultedPairs { n_a, n_b, n_without, without } = faulted;
    let counted = format!("{n_a} of A and {n_b} of B ended in a fault and count as not solved");
    let pairs = count(*n_without, "pair");
    row("", counted) + &row("", format!("{} over the {pairs} without a fault", sides(without)))
}

fn sides(difference: &MeanDifference) -> String {
    format!("{} -> {}  {}", percent(difference.a), percent(difference.b), signed(difference.value))
}
