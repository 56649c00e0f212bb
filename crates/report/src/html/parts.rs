//! The parts of the page that are numbers: headlines and tables.

use quintain_core::words::count;

use super::chains::chain_tables;
use super::escape::escape;
use crate::failure_class::FAILURES_HEAD;
use crate::stats::Interval;
use crate::summary::matrix::MatrixTable;
use crate::summary::render::{COSTS_HEAD, asked, costs_line, left_out};
use crate::summary::starts::{STARTS_HEAD, start_lines};
use crate::summary::subjects;
use crate::summary::{AgentSubjects, Cost, RateEstimate, Summary, TaskMatrix, TrialGroup, Usual};
use crate::text::{clustered, dollars, duration, interval, least_dollars, number, percent};
use crate::tool_mix::ToolClass;

/// With more agents than this only the table compares them.
const MOST_HEADLINES: usize = 6;

/// What the run was made with.
pub(super) fn fingerprint(entries: &[(String, String)]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let line = |(name, value): &(String, String)| {
        format!("<tr><th>{}</th><td><code>{}</code></td></tr>", escape(name), escape(value))
    };
    let lines: String = entries.iter().map(line).collect();
    format!("<details class=\"panel fingerprint\"><summary>Fingerprint</summary><table>{lines}</table></details>")
}

/// The numbers that matter, for each agent apart: agents pooled together would mean nothing.
pub(super) fn headlines(summary: &Summary) -> String {
    match summary.noted_agents().as_slice() {
        [] => "<p class=\"notice\">There are no trials.</p>".to_owned(),
        [one] => cards(one),
        agents if agents.len() <= MOST_HEADLINES => agents.iter().map(agent_cards).collect(),
        agents => table("Agents", "agent", agents),
    }
}

fn agent_cards(agent: &TrialGroup) -> String {
    format!("<h3 class=\"agent\">{}</h3>{}", escape(&agent.name), cards(agent))
}

fn cards(group: &TrialGroup) -> String {
    let mut cards = vec![success_card(group)];
    cards.push(card("Mean score", &percent(group.score.value), &[range_line(group.score.by_task)]));
    cards.push(card("Completion", &percent(group.completion.value), &[range_line(group.completion.by_task)]));
    if group.efficiency.n > 0 {
        let over = format!("over {} solved with a known shortest way", group.efficiency.n);
        cards.push(card("Action efficiency", &percent(group.efficiency.mean), &[over]));
    }
    cards.push(usual_card("Steps", &group.steps, number));
    if group.tokens.n > 0 {
        cards.push(usual_card("Tokens", &group.tokens, number));
    }
    cards.push(cost_card(&group.cost));
    cards.push(usual_card("Time", &group.elapsed_ms, duration));
    cards.push(card(
        "Faults",
        &group.n_faulted.to_string(),
        &[format!("of {}, after all attempts", count(group.n, "trial"))],
    ));
    format!("<div class=\"cards\">{}</div>", cards.concat())
}

/// Each text in an element of its own.
fn each(tag: &str, texts: &[impl AsRef<str>]) -> String {
    let element = |text: &_| -> String { format!("<{tag}>{}</{tag}>", escape(AsRef::<str>::as_ref(text))) };
    texts.iter().map(element).collect()
}

fn card(title: &str, value: &str, lines: &[String]) -> String {
    let lines = each("small", lines);
    format!("<div class=\"card\"><h4>{}</h4><b>{}</b>{lines}</div>", escape(title), escape(value))
}

fn usual_card(title: &str, usual: &Usual, show: fn(Option<f64>) -> String) -> String {
    card(title, &show(usual.median), &[format!("median; mean {}", show(usual.mean))])
}

fn cost_card(cost: &Cost) -> String {
    let unknown = (cost.n_unknown > 0).then(|| format!("not all known for {}", count(cost.n_unknown, "trial")));
    let Some(total) = cost.total_usd else {
        let value = if cost.n_unknown > 0 { "unknown" } else { "none" };
        return card("Cost", value, &[unknown.unwrap_or_else(|| "no model was asked".to_owned())]);
    };
    let mean = cost.known.mean.map(|mean| format!("mean {} a trial", dollars(Some(mean))));
    let calls = (cost.n_unknown_calls > 0).then(|| count(cost.n_unknown_calls as usize, "unknown call"));
    let lines: Vec<String> = mean.into_iter().chain(unknown).chain(calls).collect();
    card("Cost", &least_dollars(total, cost.n_unknown), &lines)
}

fn range_line(found: Option<crate::stats::Clustered>) -> String {
    format!("by task {}", clustered(found))
}

fn success_card(group: &TrialGroup) -> String {
    let RateEstimate { hits, n, value, wilson, by_task } = group.success;
    let mut lines = vec![
        format!("{hits} of {n} planned"),
        format!("95 % Wilson {}", interval(wilson)),
        format!("95 % by task {}", clustered(by_task)),
    ];
    if let Some(left_out) = left_out(group) {
        let RateEstimate { hits, n, value, .. } = group.judged;
        lines.push(format!("{hits} of {n} without {left_out}: {}", percent(value)));
    }
    let lines = each("small", &lines);
    let bar = wilson.map(|wilson| bar(value.unwrap_or(0.0), wilson)).unwrap_or_default();
    format!("<div class=\"card main\"><h4>Success rate</h4><b>{}</b>{bar}{lines}</div>", percent(value))
}

/// A share and its interval as a small bar.
fn bar(value: f64, Interval { low, high }: Interval) -> String {
    let (low, high, value) = (100.0 * low, 100.0 * high, 100.0 * value);
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"track\" width=\"100\" height=\"8\"/>\
         <rect class=\"range\" x=\"{low:.2}\" width=\"{:.2}\" height=\"8\"/>\
         <rect class=\"value\" x=\"{:.2}\" width=\"1\" height=\"8\"/></svg>",
        high - low,
        (value - 0.5).clamp(0.0, 99.0)
    )
}

/// All tables of the summary.
pub(super) fn tables(summary: &Summary) -> String {
    let mut parts = Vec::new();
    if (2..=MOST_HEADLINES).contains(&summary.by_agent.len()) {
        parts.push(table("Agents", "agent", &summary.noted_agents()));
    }
    parts.extend(group_tables(summary));
    parts.extend(chain_tables(summary));
    parts.extend(summary.subjects.iter().map(subject_table));
    parts.extend([start_table(summary), cost_table(summary), tool_table(summary)].into_iter().flatten());
    parts.push(small_tables(summary));
    parts.concat()
}

/// What was solved by task and more; with several agents task by agent alone, since a mean over agents tells of none.
fn group_tables(summary: &Summary) -> Vec<String> {
    if let Some(matrix) = &summary.matrix {
        return vec![matrix_table(matrix)];
    }
    let groups = [
        ("Tasks", "task", &summary.by_task),
        ("Difficulty", "difficulty", &summary.by_difficulty),
        ("Capabilities", "capability", &summary.by_capability),
    ];
    let there = groups.into_iter().filter(|(_, _, groups)| !groups.is_empty());
    there.map(|(title, what, groups)| table(title, what, groups)).collect()
}

fn subject_table(subjects: &AgentSubjects) -> String {
    let title = format!("Fields of work: {}", subjects.agent);
    panel(&title, "wide", &plain_table(&subjects::HEAD, &subjects.lines()))
}

fn matrix_table(matrix: &TaskMatrix) -> String {
    let MatrixTable { head, lines, rest } = matrix.shown();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rest = rest.map_or_else(String::new, |rest| format!("<p>{}</p>", escape(&rest)));
    panel("Tasks by agent", "wide", &(plain_table(&head, &lines) + &rest))
}

fn table(title: &str, what: &str, groups: &[TrialGroup]) -> String {
    let head = [
        what,
        "trials",
        "faults",
        "success",
        "95 % Wilson",
        "95 % by task",
        "score",
        "efficiency",
        "median steps",
        "median time",
        "mean cost",
    ];
    let line = |group: &TrialGroup| {
        let by_task = group.success.by_task.map(|found| found.interval);
        vec![
            group.name.clone(),
            group.n.to_string(),
            group.n_faulted.to_string(),
            percent(group.success.value),
            interval(group.success.wilson),
            interval(by_task),
            percent(group.score.value),
            percent(group.efficiency.mean),
            number(group.steps.median),
            duration(group.elapsed_ms.median),
            if group.cost.n_unknown > 0 { "unknown".to_owned() } else { dollars(group.cost.known.mean) },
        ]
    };
    let lines: Vec<Vec<String>> = groups.iter().map(line).collect();
    panel(title, "wide", &plain_table(&head, &lines))
}

fn start_table(summary: &Summary) -> Option<String> {
    let (lines, n_more) = start_lines(&summary.starts);
    let rest = if n_more == 0 { String::new() } else { format!("<p>and {n_more} more starts</p>") };
    (!lines.is_empty()).then(|| panel("SR@k", "wide", &(plain_table(&STARTS_HEAD, &lines) + &rest)))
}

fn cost_table(summary: &Summary) -> Option<String> {
    let lines: Vec<_> = summary.by_agent.iter().filter(|group| asked(group)).map(costs_line).collect();
    (!lines.is_empty()).then(|| panel("Cost", "wide", &plain_table(&COSTS_HEAD, &lines)))
}

fn tool_table(summary: &Summary) -> Option<String> {
    let line = |mix: &crate::summary::ToolMix| {
        let share = |class: ToolClass| percent(Some(mix.shares.get(&class).copied().unwrap_or(0.0)));
        let mut line = vec![mix.agent.clone(), mix.n.to_string()];
        line.extend(ToolClass::ALL.map(share));
        line
    };
    let lines: Vec<_> = summary.tool_mix.iter().map(line).collect();
    let head: Vec<String> =
        ["tools of", "uses"].map(str::to_owned).into_iter().chain(ToolClass::ALL.map(|it| it.to_string())).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    (!lines.is_empty()).then(|| panel("Tool mix", "wide", &plain_table(&head, &lines)))
}

fn small_tables(summary: &Summary) -> String {
    let mut parts = Vec::new();
    if !summary.faults.is_empty() {
        let line = |fault: &crate::summary::FaultCount| {
            vec![fault.boundary.to_string(), fault.retried.to_string(), fault.ended.to_string()]
        };
        let lines: Vec<_> = summary.faults.iter().map(line).collect();
        parts.push(panel("Faults", "", &plain_table(&["boundary", "attempts retried", "trials lost"], &lines)));
    }
    if !summary.labels.is_empty() {
        let line = |label: &crate::summary::LabelCount| {
            vec![label.kind.to_string(), label.trials.to_string(), label.unsolved.to_string()]
        };
        let lines: Vec<_> = summary.labels.iter().map(line).collect();
        parts.push(panel("Failure labels", "", &plain_table(&["label", "trials", "unsolved"], &lines)));
    }
    if !summary.opinions.is_empty() {
        let line = |count: &crate::summary::OpinionCount| {
            vec![count.kind.to_string(), count.model.clone(), count.trials.to_string()]
        };
        let lines: Vec<_> = summary.opinions.iter().map(line).collect();
        parts.push(panel("Labels given by models", "", &plain_table(&["label", "model", "trials"], &lines)));
    }
    if let Some(failures) = &summary.failures {
        parts.push(panel("Why trials failed", "", &plain_table(&FAILURES_HEAD, &failures.lines())));
    }
    if !summary.repeats.is_empty() {
        let line = |repeats: &crate::summary::Repeats| {
            let (any, all) = (percent(Some(repeats.any)), percent(Some(repeats.all)));
            vec![repeats.agent.clone(), repeats.k.to_string(), repeats.n.to_string(), any, all]
        };
        let lines: Vec<_> = summary.repeats.iter().map(line).collect();
        parts.push(panel("Repeats", "", &plain_table(&["agent", "k", "instances", "pass@k", "pass^k"], &lines)));
    }
    if let Some(doubled) = summary.doubled {
        parts.push(panel("Repeated seeds", "", &format!("<p>{}</p>", doubled.words())));
    }
    format!("<div class=\"smalls\">{}</div>", parts.concat())
}

pub(super) fn panel(title: &str, class: &str, content: &str) -> String {
    format!(
        "<section class=\"panel {class}\"><h3>{}</h3><div class=\"scroll\">{content}</div></section>",
        escape(title)
    )
}

pub(super) fn plain_table(head: &[&str], lines: &[Vec<String>]) -> String {
    let line = |cells: &Vec<String>| format!("<tr>{}</tr>", each("td", cells));
    let lines: String = lines.iter().map(line).collect();
    format!("<table><thead><tr>{}</tr></thead><tbody>{lines}</tbody></table>", each("th", head))
}
