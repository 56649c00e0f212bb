//! Chains of subtasks on the page: the curve of SR@k, where agents broke, and the tables of both.

use std::collections::BTreeMap;

use super::escape::escape;
use super::parts::{panel, plain_table};
use super::plots::{across, figure, grid, notice, rect, svg, text};
use crate::summary::chains::render::{
    BREAKS_HEAD, CHAINS_HEAD, CutLines, LEVELS_HEAD, break_lines, figure_lines, histogram_name, level_lines,
};
use crate::summary::{BreakHistogram, ChainSummary, HopBreak, StartRate, Summary};
use crate::text::{interval, percent, shorten};

/// With more agents than this a curve each would drown the page.
const MOST_CURVES: usize = 6;

/// So many histograms are drawn; the table has more.
const MOST_HISTOGRAMS: usize = 6;

/// So many milestones have a bar and so many starts a line; the tables have more.
const MOST_HOPS: usize = 30;

/// What the plots leave out is said in these words.
const MORE: &str = "There are more: see the tables below, and --json.";

/// The plots; nothing where no task has milestones.
pub(super) fn chain_plots(summary: &Summary) -> String {
    let Some(chains) = &summary.chains else { return String::new() };
    let mut parts = [curves(&summary.starts), histograms(&chains.breaks)];
    parts.sort_by_key(String::is_empty);
    let columns = parts.map(|part| if part.is_empty() { part } else { format!("<div>{part}</div>") });
    format!("<div class=\"plots\">{}</div>", columns.concat())
}

/// The tables, what each holds at most being said below it.
pub(super) fn chain_tables(summary: &Summary) -> Vec<String> {
    let Some(chains) = &summary.chains else { return Vec::new() };
    let told = |title: &str, head: &[&str], cut: &CutLines| {
        let rest = cut.rest().map_or_else(String::new, |rest| format!("<p>{}</p>", escape(&rest)));
        (!cut.lines.is_empty()).then(|| panel(title, "wide", &(plain_table(head, &cut.lines) + &rest)))
    };
    let (ranges_head, ranges) = with_ranges(chains);
    let tables = [
        told("Chains", &ranges_head, &ranges),
        told("Broke at", &BREAKS_HEAD, &break_lines(chains)),
        told("Levels of tasks", &LEVELS_HEAD, &level_lines(chains)),
    ];
    tables.into_iter().flatten().collect()
}

/// The table of figures with the intervals that a terminal has no room for, behind the others.
fn with_ranges(chains: &ChainSummary) -> (Vec<&'static str>, CutLines) {
    let more = ["CR follow", "95 % of SR", "of CR steps by task", "of CR elem. by task", "of precision"];
    let head: Vec<&str> = CHAINS_HEAD.into_iter().chain(more).collect();
    let mut cut = figure_lines(chains);
    for (line, figures) in cut.lines.iter_mut().zip(&chains.figures) {
        let by_task = |average: crate::summary::Average| interval(average.by_task.map(|found| found.interval));
        line.push(percent(figures.follow_through.and_then(|follow| follow.value)));
        line.push(interval(figures.success.wilson));
        line.push(by_task(figures.completion));
        line.push(figures.elements.map_or_else(|| "-".to_owned(), by_task));
        line.push(interval(figures.precision.wilson));
    }
    (head, cut)
}

/// SR@k of each agent.
fn curves(starts: &[StartRate]) -> String {
    let mut agents: BTreeMap<&str, Vec<&StartRate>> = BTreeMap::new();
    for start in starts.iter().filter(|start| start.until.is_none()) {
        agents.entry(&start.agent).or_default().push(start);
    }
    let one = |(agent, starts): (&&str, &Vec<&StartRate>)| figure(&format!("SR@k: {agent}"), &curve(starts));
    let drawn: String = agents.iter().take(MOST_CURVES).map(one).collect();
    let is_cut = agents.len() > MOST_CURVES || agents.values().any(|starts| starts.len() > MOST_HOPS);
    if is_cut { drawn + &notice(MORE) } else { drawn }
}

/// A line for each start: the share solved, its Wilson interval, and the way there from the start before.
fn curve(starts: &[&StartRate]) -> String {
    let (mut marks, mut y, mut before) = (String::new(), 38.0, None);
    for start in starts.iter().take(MOST_HOPS) {
        let value = start.success.value.unwrap_or(0.0);
        if let Some((x, above)) = before {
            let path = format!("<path class=\"grid\" d=\"M{x:.1} {above:.1}L{:.1} {y:.1}\"/>", across(value));
            marks.push_str(&path);
        }
        before = Some((across(value), y));
        marks += &start_mark(start, value, y);
        y += 20.0;
    }
    let legend = text(585.0, 14.0, "note", "k milestones given, 95 % Wilson intervals");
    svg(y + 16.0, "success rate by the number of milestones given", &(legend + &grid(y - 8.0) + &marks))
}

fn start_mark(start: &StartRate, value: f64, y: f64) -> String {
    let name = text(180.0, y + 4.0, "name", &format!("k = {}", start.after));
    let told = format!("k = {}: {} of {} solved", start.after, start.success.hits, start.success.n);
    let range = start.success.wilson.map_or_else(String::new, |found| {
        let (low, high) = (across(found.low), across(found.high));
        format!("<path class=\"whisker\" d=\"M{low:.1} {y:.1}H{high:.1}\"/>")
    });
    let point = format!("<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>", across(value));
    format!("{name}<g class=\"easy\"><title>{}</title>{range}{point}</g>", escape(&told))
}

/// Where each agent broke: over all tasks where there are several, for that is what is drawn of many tasks.
fn histograms(all: &[BreakHistogram]) -> String {
    let is_summed = |histogram: &&BreakHistogram| {
        let has_sum = all.iter().any(|other| other.agent == histogram.agent && other.task.is_none());
        histogram.task.is_none() || !has_sum
    };
    let meant: Vec<&BreakHistogram> = all.iter().filter(is_summed).collect();
    let one = |histogram: &&BreakHistogram| {
        let unbroken = format!("{} of {} trials missed nothing", histogram.n_unbroken, histogram.n);
        figure(&format!("Broke at, {} ({unbroken})", histogram_name(histogram, all)), &bars(&histogram.hops))
    };
    let drawn: String = meant.iter().take(MOST_HISTOGRAMS).map(one).collect();
    let is_cut = meant.len() > MOST_HISTOGRAMS || meant.iter().any(|histogram| histogram.hops.len() > MOST_HOPS);
    if is_cut { drawn + &notice(MORE) } else { drawn }
}

fn bars(hops: &[HopBreak]) -> String {
    let most = hops.iter().map(|hop| hop.broke.hits).max().unwrap_or(0).max(1) as f64;
    let line = |(idx, hop): (usize, &HopBreak)| {
        let y = 8.0 + 24.0 * idx as f64;
        let name = hop.milestone.as_ref().map_or_else(|| hop.hop.to_string(), |name| format!("{} {name}", hop.hop));
        let long = 270.0 * hop.broke.hits as f64 / most;
        let words = format!("{} of {}, {}", hop.broke.hits, hop.broke.n, percent(hop.broke.value));
        let name = text(180.0, y + 13.0, "name", &shorten(&name, 26));
        name + &rect("by-limit", (190.0, y), (long, 17.0)) + &text(197.0 + long, y + 13.0, "key", &words)
    };
    let shown = &hops[..hops.len().min(MOST_HOPS)];
    let marks: String = shown.iter().enumerate().map(line).collect();
    svg(8.0 + 24.0 * shown.len() as f64, "at which milestone trials broke", &marks)
}
