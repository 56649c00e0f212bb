//! A summary as text for the terminal.

use quintain_core::words::count;

use super::starts::{STARTS_HEAD, start_lines};
use super::{AgentSubjects, Cost, Summary, TrialGroup};
use crate::failure_class::FAILURES_HEAD;
use crate::isolation::{isolation_warning, meaning, noted};
use crate::text::{clustered, dollars, duration, headline_row as row, interval, least_dollars, number, percent, table};
use crate::tool_mix::ToolClass;

/// Of so many agents the fields of work are told in a terminal; the page and the JSON have all.
const MOST_AGENTS: usize = 3;

impl Summary {
    /// The summary as plain text, at most 100 characters wide.
    pub fn text(&self) -> String {
        let mut parts = self.rates_text();
        parts.push(self.endings_text());
        let more = [
            self.trails_text(),
            self.costs_text(),
            self.faults_text(),
            self.labels_text(),
            self.opinions_text(),
            self.failures_text(),
            self.tool_mix_text(),
            self.repeats_text(),
            self.chains.as_ref().map(super::ChainSummary::text),
            self.subjects_text(),
            self.starts_text(),
            self.doubled.map(|doubled| format!("{}\n", doubled.words())),
        ];
        parts.extend(more.into_iter().flatten());
        parts.join("\n")
    }

    /// What was solved: of one agent by everything there is, of several by agent and by task and agent, since a mean over
    /// agents would tell of none of them.
    fn rates_text(&self) -> Vec<String> {
        if let Some(matrix) = &self.matrix {
            let counted = counted(&self.total);
            let agents = count(self.by_agent.len(), "agent");
            let head = row("trials", format!("{counted}, {agents}"));
            return vec![head, groups("agent", &self.noted_agents()), matrix.text()];
        }
        let mut parts = vec![headline(&self.total) + &self.isolation_text(), groups("task", &self.by_task)];
        let more = [("difficulty", &self.by_difficulty), ("capability", &self.by_capability)];
        parts.extend(more.into_iter().filter(|(_, list)| list.len() > 1).map(|(what, list)| groups(what, list)));
        parts
    }

    /// The agents, each with the note that belongs beside its name.
    pub(crate) fn noted_agents(&self) -> Vec<TrialGroup> {
        let named = |group: &TrialGroup| noted(&group.name, self.isolation.get(&group.name).copied());
        self.by_agent.iter().map(|group| TrialGroup { name: named(group), ..group.clone() }).collect()
    }

    /// What must be known of agents whose own programs ran without isolation; nothing where there are none.
    pub fn isolation_warning(&self) -> Option<String> {
        isolation_warning(self.isolation.iter().map(|(agent, isolation)| (agent.as_str(), Some(*isolation))))
    }

    /// A line where there is one agent; the table of several has it beside their names.
    fn isolation_text(&self) -> String {
        let [one] = self.by_agent.as_slice() else { return String::new() };
        row("isolation", meaning(self.isolation.get(&one.name).copied()))
    }

    /// By field of work, agent by agent.
    fn subjects_text(&self) -> Option<String> {
        let named = |subjects: &AgentSubjects| match self.subjects.len() {
            1 => subjects.text(),
            _ => format!("{}\n{}", subjects.agent, subjects.text()),
        };
        let most = self.subjects.iter().take(MOST_AGENTS).map(named).collect::<Vec<_>>();
        (!most.is_empty()).then(|| most.join("\n"))
    }

    fn endings_text(&self) -> String {
        let line =
            |count: &super::EndingCount| vec![count.ending.clone(), count.n.to_string(), count.solved.to_string()];
        table(&["ending", "trials", "solved"], &self.endings.iter().map(line).collect::<Vec<_>>())
    }

    fn faults_text(&self) -> Option<String> {
        let line = |count: &super::FaultCount| {
            vec![format!("{} fault", count.boundary), count.retried.to_string(), count.ended.to_string()]
        };
        let lines: Vec<_> = self.faults.iter().map(line).collect();
        (!lines.is_empty()).then(|| table(&["faults", "attempts retried", "trials lost"], &lines))
    }

    fn labels_text(&self) -> Option<String> {
        let line = |count: &super::LabelCount| {
            vec![count.kind.to_string(), count.trials.to_string(), count.unsolved.to_string()]
        };
        let lines: Vec<_> = self.labels.iter().map(line).collect();
        (!lines.is_empty()).then(|| table(&["label", "trials", "unsolved"], &lines))
    }

    fn opinions_text(&self) -> Option<String> {
        let line =
            |count: &super::OpinionCount| vec![format!("{} by {}", count.kind, count.model), count.trials.to_string()];
        let lines: Vec<_> = self.opinions.iter().map(line).collect();
        (!lines.is_empty()).then(|| table(&["label given by a model", "trials"], &lines))
    }

    fn failures_text(&self) -> Option<String> {
        self.failures.as_ref().map(|failures| table(&FAILURES_HEAD, &failures.lines()))
    }

    fn tool_mix_text(&self) -> Option<String> {
        let line = |mix: &super::ToolMix| {
            let share = |class: ToolClass| percent(Some(mix.shares.get(&class).copied().unwrap_or(0.0)));
            let mut line = vec![mix.agent.clone(), mix.n.to_string()];
            line.extend(ToolClass::ALL.map(share));
            line
        };
        let lines: Vec<_> = self.tool_mix.iter().map(line).collect();
        let head = ["tools of", "uses", "shell", "file", "GUI", "web", "planning", "other"];
        (!lines.is_empty()).then(|| table(&head, &lines))
    }

    /// What must be known of pointers that went where the oracle's goes, and the first such trials.
    fn trails_text(&self) -> Option<String> {
        let same = self.trails.same_words().map(|words| row("pointer", words));
        let names = self.trails.same.iter().take(MOST_TRAILS);
        let names = names.map(|trial| row("", trial));
        let more = self.trails.n_same.saturating_sub(MOST_TRAILS);
        let more = (more > 0).then(|| row("", format!("and {more} more")));
        let uncompared = self.trails.uncompared_words().map(|words| row("pointer", words));
        let lines: String = same.into_iter().chain(names).chain(more).chain(uncompared).collect();
        (!lines.is_empty()).then_some(lines)
    }

    /// A line for each agent that asked a model.
    fn costs_text(&self) -> Option<String> {
        let lines: Vec<_> = self.by_agent.iter().filter(|group| asked(group)).map(costs_line).collect();
        (!lines.is_empty()).then(|| table(&COSTS_HEAD, &lines))
    }

    fn repeats_text(&self) -> Option<String> {
        let line = |repeats: &super::Repeats| {
            let (any, all) = (percent(Some(repeats.any)), percent(Some(repeats.all)));
            let whose = if self.matrix.is_some() { format!("{}, ", repeats.agent) } else { String::new() };
            vec![format!("{whose}k = {}", repeats.k), repeats.n.to_string(), any, all]
        };
        let lines: Vec<_> = self.repeats.iter().map(line).collect();
        (!lines.is_empty()).then(|| table(&["repeats", "instances", "pass@k", "pass^k"], &lines))
    }

    fn starts_text(&self) -> Option<String> {
        let (lines, n_more) = start_lines(&self.starts);
        let rest = if n_more == 0 { String::new() } else { format!("and {n_more} more starts\n") };
        (!lines.is_empty()).then(|| table(&STARTS_HEAD, &lines) + &rest)
    }
}

/// How many trials are named whose pointer went where the oracle's goes.
const MOST_TRAILS: usize = 5;

/// The head of the table of costs.
pub(crate) const COSTS_HEAD: [&str; 6] =
    ["cost of", "mean tokens", "cached", "known cost", "lost to faults", "unknown calls"];

/// Whether a model was asked in any of the trials.
pub(crate) fn asked(group: &TrialGroup) -> bool {
    group.cost.n_without_model < group.n
}

/// A line of the table of costs.
pub(crate) fn costs_line(group: &TrialGroup) -> Vec<String> {
    let Cost { total_usd, n_unknown, n_unknown_calls, lost_usd, .. } = group.cost;
    let known = total_usd.map_or("unknown".to_owned(), |usd| least_dollars(usd, n_unknown));
    let lost = dollars(Some(lost_usd));
    vec![group.name.clone(), number(group.tokens.mean), percent(group.cached), known, lost, n_unknown_calls.to_string()]
}

/// What the share of judged trials leaves out, in words: nothing where that is nothing.
pub(crate) fn left_out(group: &TrialGroup) -> Option<String> {
    let faults = (group.n_faulted > 0).then(|| count(group.n_faulted, "fault"));
    let unplayed = (group.n_unplayed > 0).then(|| format!("{} not played", group.n_unplayed));
    let parts: Vec<String> = faults.into_iter().chain(unplayed).collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// How many trials there are, of how many tasks, and how many broke.
fn counted(total: &TrialGroup) -> String {
    format!("{} over {}, {}", total.n, count(total.n_tasks, "task"), count(total.n_faulted, "fault"))
}

fn headline(total: &TrialGroup) -> String {
    let (success, judged) = (&total.success, &total.judged);
    let mut text = row("trials", counted(total));
    text += &row("success", format!("{}  {} of {}", percent(success.value), success.hits, success.n));
    text += &row("", format!("95 % Wilson {}", interval(success.wilson)));
    text += &row("", format!("95 % by task {}", clustered(success.by_task)));
    if let Some(left_out) = left_out(total) {
        let share = format!("{}  {} of {}", percent(judged.value), judged.hits, judged.n);
        text += &row("", format!("{share} without {left_out}, Wilson {}", interval(judged.wilson)));
    }
    text += &row("score", format!("{}  {}", percent(total.score.value), clustered(total.score.by_task)));
    text += &row("completion", format!("{}  {}", percent(total.completion.value), clustered(total.completion.by_task)));
    if let Some(mean) = total.efficiency.mean {
        let n = count(total.efficiency.n, "solved trial");
        text += &row("efficiency", format!("{} of the shortest known way, over {n}", percent(Some(mean))));
    }
    let both = |usual: &super::Usual, show: &dyn Fn(Option<f64>) -> String| {
        format!("mean {}, median {}", show(usual.mean), show(usual.median))
    };
    text += &row("steps", both(&total.steps, &number));
    if total.tokens.n > 0 {
        text += &row("tokens", both(&total.tokens, &number));
    }
    text += &row("cost", cost(&total.cost));
    text + &row("time", both(&total.elapsed_ms, &duration))
}

/// What is known of the cost, in words.
pub(crate) fn cost(cost: &Cost) -> String {
    let unknown = (cost.n_unknown > 0).then(|| format!("not all known for {}", count(cost.n_unknown, "trial")));
    let known = cost.total_usd.map(|total| {
        let usual = cost
            .known
            .mean
            .map(|mean| format!(", mean {}, median {}", dollars(Some(mean)), dollars(cost.known.median)));
        format!("{} in all{}", dollars(Some(total)), usual.unwrap_or_default())
    });
    match (known, unknown) {
        (Some(known), Some(unknown)) => format!("at least {known}; {unknown}"),
        (Some(known), None) => known,
        (None, Some(_)) => format!("unknown for {}", count(cost.n_unknown, "trial")),
        (None, None) => "no model was asked".to_owned(),
    }
}

fn groups(what: &str, groups: &[TrialGroup]) -> String {
    let line = |group: &TrialGroup| {
        vec![
            group.name.clone(),
            group.n.to_string(),
            group.n_faulted.to_string(),
            percent(group.success.value),
            interval(group.success.wilson),
            percent(group.score.value),
            percent(group.efficiency.mean),
            number(group.steps.median),
            duration(group.elapsed_ms.median),
        ]
    };
    let head = [what, "trials", "faults", "success", "95 % Wilson", "score", "effic.", "steps", "time"];
    table(&head, &groups.iter().map(line).collect::<Vec<_>>())
}
