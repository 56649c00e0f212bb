//! The plots, as inline SVG. Colours are classes, so that the page's style decides between light and dark.

use std::collections::BTreeMap;

use quintain_core::task::Difficulty;
use quintain_core::words::count;

use super::escape::escape;
use crate::row::TrialRow;
use crate::summary::{EndedBy, EndingCount, Summary, SummaryCell};
use crate::text::{interval, percent, shorten};

/// Longer plots say nothing that the table does not say better.
const MOST_TASKS: usize = 60;

/// With more agents than this a plot each would drown the page.
const MOST_AGENTS: usize = 6;

/// All plots of a report.
pub(super) fn plots(summary: &Summary, rows: &[TrialRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut agents: BTreeMap<&str, Vec<&SummaryCell>> = BTreeMap::new();
    for cell in &summary.cells {
        agents.entry(&cell.agent).or_default().push(cell);
    }
    let several = agents.len() > 1;
    let plot = |(agent, cells): (&&str, &Vec<&SummaryCell>)| {
        let title = if several { format!("Success by task: {agent}") } else { "Success by task".to_owned() };
        figure(&title, &success_by_task(cells))
    };
    let mut left: String = agents.iter().take(MOST_AGENTS).map(plot).collect();
    if agents.len() > MOST_AGENTS {
        left += &notice(&format!("Plots of {MOST_AGENTS} of {} agents.", agents.len()));
    }
    let right = figure("Steps", &steps_histogram(rows)) + &figure("Endings", &endings(summary));
    format!("<div class=\"plots\"><div>{left}</div><div>{right}</div></div>")
}

pub(super) fn figure(title: &str, content: &str) -> String {
    format!("<figure class=\"panel\"><figcaption>{}</figcaption>{content}</figure>", escape(title))
}

pub(super) fn svg(height: f64, label: &str, content: &str) -> String {
    format!("<svg viewBox=\"0 0 600 {height:.0}\" role=\"img\" aria-label=\"{}\">{content}</svg>", escape(label))
}

pub(super) fn text(x: f64, y: f64, class: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(words))
}

fn class_of(difficulty: Option<Difficulty>) -> &'static str {
    match difficulty {
        Some(Difficulty::Easy) => "easy",
        Some(Difficulty::Medium) => "medium",
        Some(Difficulty::Hard) => "hard",
        None => "unknown",
    }
}

pub(super) fn notice(words: &str) -> String {
    format!("<p class=\"notice\">{}</p>", escape(words))
}

pub(super) fn rect(class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    format!("<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")
}

/// Where a share lies on the axis of shares.
pub(super) fn across(share: f64) -> f64 {
    190.0 + 380.0 * share
}

/// One line for each task and difficulty: the share solved and its Wilson interval.
fn success_by_task(cells: &[&SummaryCell]) -> String {
    let mut tasks: BTreeMap<&str, Vec<&SummaryCell>> = BTreeMap::new();
    for cell in cells {
        tasks.entry(&cell.task).or_default().push(cell);
    }
    let (mut marks, mut y) = (String::new(), 30.0);
    for (task, cells) in tasks.iter().take(MOST_TASKS) {
        let name = task.split_once('/').map_or(*task, |(_, name)| name);
        let middle = y + 7.5 * cells.len() as f64;
        marks += &text(180.0, middle + 4.0, "name", &shorten(name, 26));
        for cell in cells {
            marks += &whisker(cell, y + 7.5);
            y += 15.0;
        }
        y += 7.0;
    }
    let rest = tasks.len().saturating_sub(MOST_TASKS);
    let rest =
        if rest > 0 { notice(&format!("{} more in the table below.", count(rest, "task"))) } else { String::new() };
    let content = legend(cells) + &grid(y) + &marks;
    svg(y + 22.0, "success rate by task with 95 % Wilson intervals", &content) + &rest
}

/// Lines at the quarters, down to `bottom`.
pub(super) fn grid(bottom: f64) -> String {
    let line = |share: f64| {
        let x = across(share);
        let path = format!("<path class=\"grid\" d=\"M{x:.1} 24V{bottom:.1}\"/>");
        path + &text(x, bottom + 15.0, "tick", &format!("{:.0} %", 100.0 * share))
    };
    [0.0, 0.25, 0.5, 0.75, 1.0].map(line).concat()
}

fn legend(cells: &[&SummaryCell]) -> String {
    let mut levels: Vec<Option<Difficulty>> = cells.iter().map(|cell| cell.difficulty).collect();
    levels.sort_unstable();
    levels.dedup();
    let key = |(i, level): (usize, &Option<Difficulty>)| {
        let x = 196.0 + 80.0 * i as f64;
        let dot = format!("<circle class=\"{}\" cx=\"{x}\" cy=\"10\" r=\"4\"/>", class_of(*level));
        dot + &text(x + 9.0, 14.0, "key", class_of(*level))
    };
    levels.iter().enumerate().map(key).collect::<String>() + &text(585.0, 14.0, "note", "95 % Wilson intervals")
}

fn whisker(cell: &SummaryCell, y: f64) -> String {
    let class = class_of(cell.difficulty);
    let Some((value, wilson)) = cell.success.value.zip(cell.success.wilson) else {
        return text(across(0.0) + 6.0, y + 4.0, "key", "none planned");
    };
    let (low, high) = (across(wilson.low), across(wilson.high));
    let told = format!(
        "{} {}: {} of {} solved, {} {}",
        cell.task,
        class,
        cell.success.hits,
        cell.success.n,
        percent(Some(value)),
        interval(Some(wilson))
    );
    format!(
        "<g class=\"{class}\"><title>{}</title><path class=\"whisker\" d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\"/>\
         <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/></g>",
        escape(&told),
        y - 3.0,
        y - 3.0,
        across(value)
    )
}

/// How many trials took how many steps, the solved ones below.
fn steps_histogram(rows: &[TrialRow]) -> String {
    let fair: Vec<&TrialRow> = rows.iter().filter(|row| !row.faulted()).collect();
    let most = fair.iter().map(|row| row.spent.steps).max().unwrap_or(0);
    let width = nice_width(most);
    let mut bins = vec![(0_usize, 0_usize); (most / width + 1) as usize];
    for row in &fair {
        let bin = &mut bins[(row.spent.steps / width) as usize];
        if row.verdict.solved { bin.0 += 1 } else { bin.1 += 1 }
    }
    let tallest = bins.iter().map(|(solved, not)| solved + not).max().unwrap_or(0).max(1);
    let bar = 540.0 / bins.len() as f64;
    let mut marks = format!("<path class=\"grid\" d=\"M45 {BASE}H585\"/>");
    marks += &text(40.0, BASE - REACH + 4.0, "name", &tallest.to_string());
    marks += &text(40.0, BASE + 4.0, "name", "0");
    for (i, counts) in bins.iter().enumerate() {
        let x = 45.0 + bar * i as f64;
        let (first, last) = (i as u32 * width, (i as u32 + 1) * width - 1);
        let steps = if first == last { first.to_string() } else { format!("{first}-{last}") };
        marks += &column(&steps, *counts, REACH / tallest as f64, (x, bar));
        if i % bins.len().div_ceil(8) == 0 {
            marks += &text(x + bar / 2.0, BASE + 16.0, "tick", &steps);
        }
    }
    svg(195.0, "histogram of steps", &(marks + &solved_legend()))
}

/// The bottom of the histogram's columns.
const BASE: f64 = 170.0;

/// How high the highest column reaches.
const REACH: f64 = 135.0;

/// One column of the histogram: solved below, not solved above.
fn column(steps: &str, (solved, not): (usize, usize), unit: f64, (x, bar): (f64, f64)) -> String {
    let (low, high) = (unit * solved as f64, unit * not as f64);
    let (x, width) = (x + bar * 0.06, bar * 0.88);
    let lower = rect("solved", (x, BASE - low), (width, low));
    let upper = rect("unsolved", (x, BASE - low - high), (width, high));
    format!("<g><title>{steps} steps: {solved} solved, {not} not</title>{lower}{upper}</g>")
}

fn solved_legend() -> String {
    "<rect class=\"solved\" x=\"47\" y=\"6\" width=\"9\" height=\"9\"/>".to_owned()
        + &text(61.0, 14.0, "key", "solved")
        + "<rect class=\"unsolved\" x=\"147\" y=\"6\" width=\"9\" height=\"9\"/>"
        + &text(161.0, 14.0, "key", "not solved")
}

/// A width of 1, 2 or 5 times a power of ten that gives at most 24 bins.
fn nice_width(most: u32) -> u32 {
    let wanted = most / 24 + 1;
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * power >= wanted {
                return factor * power;
            }
        }
        power *= 10;
    }
}

/// How trials ended: first those the agent ended itself, then those that were ended for it.
fn endings(summary: &Summary) -> String {
    let most = summary.endings.iter().map(|ending| ending.n).max().unwrap_or(1) as f64;
    let line = |(i, ending): (usize, &EndingCount)| ending_line(ending, 8.0 + 24.0 * i as f64, 290.0 / most);
    let marks: String = summary.endings.iter().enumerate().map(line).collect();
    svg(8.0 + 24.0 * summary.endings.len() as f64, "endings", &marks)
}

fn ending_line(ending: &EndingCount, y: f64, unit: f64) -> String {
    let class = match ending.by {
        EndedBy::Agent => "by-agent",
        EndedBy::Limit => "by-limit",
        EndedBy::Breaking => "by-breaking",
        EndedBy::Cheating => "by-cheating",
        EndedBy::Fault => "by-fault",
    };
    let (whole, solved) = (unit * ending.n as f64, unit * ending.solved as f64);
    let words =
        if ending.solved > 0 { format!("{}, {} solved", ending.n, ending.solved) } else { ending.n.to_string() };
    text(130.0, y + 13.0, "name", &ending.ending)
        + &rect(class, (140.0, y), (whole, 17.0))
        + &rect("solved", (140.0, y), (solved, 17.0))
        + &text(147.0 + whole, y + 13.0, "key", &words)
}
