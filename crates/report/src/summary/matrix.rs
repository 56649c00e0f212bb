//! Tasks down, agents across: what each agent solved of each task. Agents are never averaged together.

use serde::Serialize;

use super::RateEstimate;
use crate::text::{WIDTH, table};

/// So many tasks are told in a text or on a page; the JSON has them all.
const MOST_TASKS: usize = 40;

/// So many agents stand beside each other.
const MOST_AGENTS: usize = 8;

/// The success rate of each agent on each task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskMatrix {
    /// The agents, in the order of the cells.
    pub agents: Vec<String>,
    /// A row for each task.
    pub tasks: Vec<MatrixRow>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatrixRow {
    /// The task.
    pub task: String,
    /// What each agent solved of it; nothing where it was not planned.
    pub success: Vec<Option<RateEstimate>>,
}

/// A matrix as a table that fits: its head, its lines, and what is not in it.
pub(crate) struct MatrixTable {
    /// What the columns are called, the tasks' first.
    pub(crate) head: Vec<String>,
    /// The cells.
    pub(crate) lines: Vec<Vec<String>>,
    /// What is left out, in words; nothing where that is nothing.
    pub(crate) rest: Option<String>,
}

impl TaskMatrix {
    /// As much as a text or a page shows.
    pub(crate) fn shown(&self) -> MatrixTable {
        let head = std::iter::once("solved".to_owned()).chain(self.agents.iter().take(MOST_AGENTS).cloned());
        let cell = |rate: &Option<RateEstimate>| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{} of {}", rate.hits, rate.n))
        };
        let line = |row: &MatrixRow| {
            std::iter::once(row.task.clone()).chain(row.success.iter().take(MOST_AGENTS).map(cell)).collect()
        };
        let lines = self.tasks.iter().take(MOST_TASKS).map(line).collect();
        MatrixTable { head: head.collect(), lines, rest: self.rest() }
    }

    fn rest(&self) -> Option<String> {
        let more = |n: usize, most: usize, noun: &str| {
            let n_more = n.saturating_sub(most);
            (n_more > 0).then(|| quintain_core::words::count(n_more, noun))
        };
        let left =
            [more(self.tasks.len(), MOST_TASKS, "more task"), more(self.agents.len(), MOST_AGENTS, "more agent")];
        let left: Vec<String> = left.into_iter().flatten().collect();
        (!left.is_empty()).then(|| format!("and {}; --json has all", left.join(" and ")))
    }

    /// The matrix as plain text. Agents whose names would not fit beside each other go by numbers that are told below.
    pub fn text(&self) -> String {
        let MatrixTable { mut head, lines, rest } = self.shown();
        let widest = lines.iter().map(|line| line[0].chars().count()).max().unwrap_or(0);
        let names: usize = head[1..].iter().map(|name| name.chars().count() + 2).sum();
        let mut legend = Vec::new();
        if widest + names > WIDTH {
            for (number, name) in (1..).zip(&mut head[1..]) {
                let short = format!("agent {number}");
                legend.push(format!("{short} is {name}\n"));
                *name = short;
            }
        }
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let rest = rest.map_or_else(String::new, |rest| format!("{rest}\n"));
        table(&head, &lines) + &rest + &legend.concat()
    }
}
