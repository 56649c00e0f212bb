//! The lines that a text and a page have in common.

use super::{BreakHistogram, ChainFigures, HopBreak, TaskLevel};
use crate::summary::ChainSummary;
use crate::text::{interval, number, percent, table};

/// So many lines of each table are told at most; the JSON has them all.
const MOST_LINES: usize = 40;

/// How long the longest bar of a histogram is.
const BAR: usize = 14;

/// The head of the table of figures.
pub(crate) const CHAINS_HEAD: [&str; 10] =
    ["chains of", "after", "trials", "SR", "CR steps", "CR elem.", "AE", "effic.", "answered", "precision"];

/// The head of the histogram.
pub(crate) const BREAKS_HEAD: [&str; 7] =
    ["broke at", "asked", "reached", "broke", "share", "95 % Wilson", "of those there"];

/// The head of the table of levels.
pub(crate) const LEVELS_HEAD: [&str; 6] = ["level of", "level", "agents", "trials", "SR", "CR elem."];

/// Lines of a table, and how many more there are.
pub(crate) struct CutLines {
    pub(crate) lines: Vec<Vec<String>>,
    pub(crate) n_more: usize,
}

impl CutLines {
    fn of(mut all: impl Iterator<Item = Vec<String>>) -> Self {
        let lines = all.by_ref().take(MOST_LINES).collect();
        Self { lines, n_more: all.count() }
    }

    /// What is left out, in words; nothing where that is nothing.
    pub(crate) fn rest(&self) -> Option<String> {
        (self.n_more > 0).then(|| format!("and {} more; --json has all", self.n_more))
    }
}

/// Of and until which milestones: `2`, or `0..1`.
pub(crate) fn start_of(figures: &ChainFigures) -> String {
    let ChainFigures { after, until, .. } = figures;
    until.map_or_else(|| after.to_string(), |until| format!("{after}..{until}"))
}

/// The table of figures.
pub(crate) fn figure_lines(chains: &ChainSummary) -> CutLines {
    CutLines::of(chains.figures.iter().map(|figures| {
        vec![
            figures.agent.clone(),
            start_of(figures),
            figures.success.n.to_string(),
            percent(figures.success.value),
            percent(figures.completion.value),
            percent(figures.elements.and_then(|elements| elements.value)),
            number(figures.solved_steps.mean),
            percent(figures.efficiency.mean),
            percent(figures.answered.value),
            percent(figures.precision.value),
        ]
    }))
}

/// Of whom and of what a histogram tells: the agent stands there where there are several.
pub(crate) fn histogram_name(histogram: &BreakHistogram, among: &[BreakHistogram]) -> String {
    let task = histogram.task.as_deref().unwrap_or("all tasks");
    let is_alone = among.iter().all(|other| other.agent == histogram.agent);
    if is_alone { task.to_owned() } else { format!("{}: {task}", histogram.agent) }
}

/// The histograms below each other.
pub(crate) fn break_lines(chains: &ChainSummary) -> CutLines {
    let hops = chains.breaks.iter().flat_map(|histogram| histogram.hops.iter().map(move |hop| (histogram, hop)));
    CutLines::of(hops.map(|(histogram, hop)| hop_line(&histogram_name(histogram, &chains.breaks), hop)))
}

fn hop_line(of: &str, hop: &HopBreak) -> Vec<String> {
    let name = hop.milestone.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    vec![
        format!("{of} {}{name}", hop.hop),
        hop.broke.n.to_string(),
        hop.n_reached.to_string(),
        hop.broke.hits.to_string(),
        percent(hop.broke.value),
        interval(hop.broke.wilson),
        percent(hop.broke_of_came.value),
    ]
}

/// The table of levels.
pub(crate) fn level_lines(chains: &ChainSummary) -> CutLines {
    CutLines::of(chains.levels.iter().map(|level: &TaskLevel| {
        vec![
            level.task.clone(),
            level.level.to_string(),
            level.n_agents.to_string(),
            level.n.to_string(),
            percent(Some(level.success)),
            percent(Some(level.elements)),
        ]
    }))
}

impl ChainSummary {
    /// All of it as plain text.
    pub(crate) fn text(&self) -> String {
        let figures = told(&CHAINS_HEAD, &figure_lines(self));
        let parts = [figures, self.breaks_text(), self.levels_text()];
        parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// The levels as plain text; nothing where there are none.
    pub fn levels_text(&self) -> Option<String> {
        told(&LEVELS_HEAD, &level_lines(self))
    }

    /// The histograms with a bar behind each line.
    fn breaks_text(&self) -> Option<String> {
        let hops = || self.breaks.iter().flat_map(|histogram| &histogram.hops);
        let most = hops().map(|hop| hop.broke.hits).max().unwrap_or(0).max(1);
        let mut cut = break_lines(self);
        for (line, hop) in cut.lines.iter_mut().zip(hops()) {
            let n = (hop.broke.hits * BAR).div_ceil(most);
            line.push(format!("{:<BAR$}", "#".repeat(n)));
        }
        told(&[&BREAKS_HEAD[..], &[""]].concat(), &cut)
    }
}

fn told(head: &[&str], cut: &CutLines) -> Option<String> {
    let rest = cut.rest().map_or_else(String::new, |rest| format!("{rest}\n"));
    (!cut.lines.is_empty()).then(|| table(head, &cut.lines) + &rest)
}
