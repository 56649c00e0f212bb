//! What agents came to by field of work and by tier, where tasks name these: instances into tasks, tasks into subfields,
//! subfields into clusters, each mean over what is below it, so that no field counts more for having more tasks.

use std::collections::BTreeMap;

use serde::Serialize;

use super::build::PlannedSet;
use crate::row::TaskSubject;
use crate::text::{percent, table};

/// The clusters of fields, by the number before the point: those of Agents' Last Exam.
const CLUSTERS: [&str; 14] = [
    "Engineering & Architecture",
    "Physical Sciences",
    "Life Sciences",
    "Health & Medicine",
    "Psychology & Neuroscience",
    "Business & Finance",
    "Legal",
    "Visual & Media Arts",
    "Computing, Data & Mathematical Sciences",
    "Transportation & Safety Operations",
    "Education & Information Services",
    "Agriculture & Environment",
    "Social Sciences",
    "Other",
];

/// What one agent came to, field by field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentSubjects {
    /// The agent.
    pub agent: String,
    /// By tier: means over tasks.
    pub tiers: Vec<SubjectFigures>,
    /// By cluster: means over subfields.
    pub clusters: Vec<SubjectFigures>,
    /// By subfield: means over tasks.
    pub subfields: Vec<SubjectFigures>,
}

/// The figures of one field or tier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubjectFigures {
    /// Its name.
    pub name: String,
    /// How many tasks there are in it.
    pub n_tasks: usize,
    /// How many trials were planned.
    pub n: usize,
    /// The share with full credit.
    pub full_pass: f64,
    /// The mean score.
    pub score: f64,
}

/// What agents came to in the tasks that name a field; nothing where none does.
pub(super) fn subjects(trials: &PlannedSet<'_>) -> Vec<AgentSubjects> {
    let agents = trials.split(|place| place.subject.map(|_| place.trial.agent.clone()));
    agents.into_iter().map(|(agent, trials)| of_agent(agent, &trials)).collect()
}

fn of_agent(agent: String, trials: &PlannedSet<'_>) -> AgentSubjects {
    let keyed = trials.split(|place| place.subject.map(|subject| (subject.clone(), place.task().to_owned())));
    let tasks: Vec<(TaskSubject, SubjectFigures)> =
        keyed.into_iter().map(|((subject, task), trials)| (subject, of_task(task, &trials))).collect();
    let mut tiers: BTreeMap<u8, Vec<&SubjectFigures>> = BTreeMap::new();
    let mut subfields: BTreeMap<(u32, u32), (String, Vec<&SubjectFigures>)> = BTreeMap::new();
    for (subject, figures) in &tasks {
        if let Some(tier) = subject.tier {
            tiers.entry(tier).or_default().push(figures);
        }
        let (_, below) = subfields.entry(subject.number()).or_insert_with(|| (subject.field.clone(), Vec::new()));
        below.push(figures);
    }
    let subfields: Vec<((u32, u32), SubjectFigures)> =
        subfields.into_iter().map(|(number, (name, below))| (number, mean(name, &below))).collect();
    let mut clusters: BTreeMap<u32, Vec<&SubjectFigures>> = BTreeMap::new();
    for ((cluster, _), figures) in &subfields {
        clusters.entry(*cluster).or_default().push(figures);
    }
    AgentSubjects {
        agent,
        tiers: tiers.into_iter().map(|(tier, below)| mean(format!("tier {tier}"), &below)).collect(),
        clusters: clusters.into_iter().map(|(number, below)| mean(cluster_name(number), &below)).collect(),
        subfields: subfields.into_iter().map(|(_, figures)| figures).collect(),
    }
}

/// A trial that ended in a fault or was not played is not solved and scores nothing.
fn of_task(name: String, trials: &PlannedSet<'_>) -> SubjectFigures {
    let n = trials.rows.len() + trials.unplayed.len();
    let share = |sum: f64| sum / n.max(1) as f64;
    SubjectFigures {
        name,
        n_tasks: 1,
        n,
        full_pass: share(trials.rows.iter().filter(|row| row.verdict.solved).count() as f64),
        score: share(trials.rows.iter().map(|row| row.verdict.score.value()).sum()),
    }
}

fn mean(name: String, below: &[&SubjectFigures]) -> SubjectFigures {
    let mean =
        |of: fn(&SubjectFigures) -> f64| below.iter().map(|one| of(one)).sum::<f64>() / below.len().max(1) as f64;
    SubjectFigures {
        name,
        n_tasks: below.iter().map(|one| one.n_tasks).sum(),
        n: below.iter().map(|one| one.n).sum(),
        full_pass: mean(|one| one.full_pass),
        score: mean(|one| one.score),
    }
}

fn cluster_name(number: u32) -> String {
    let name = (number as usize).checked_sub(1).and_then(|idx| CLUSTERS.get(idx)).copied().unwrap_or("?");
    format!("{number} {name}")
}

impl AgentSubjects {
    /// Tiers and clusters in lines for a terminal; subfields are on the page and in the JSON.
    pub(super) fn text(&self) -> String {
        table(&HEAD, &self.tiers.iter().chain(&self.clusters).map(SubjectFigures::cells).collect::<Vec<_>>())
    }

    /// Everything in lines.
    pub(crate) fn lines(&self) -> Vec<Vec<String>> {
        self.tiers.iter().chain(&self.clusters).chain(&self.subfields).map(SubjectFigures::cells).collect()
    }
}

/// What the columns are.
pub(crate) const HEAD: [&str; 5] = ["field of work", "tasks", "trials", "full pass", "mean score"];

impl SubjectFigures {
    fn cells(&self) -> Vec<String> {
        let shares = [self.full_pass, self.score].map(|share| percent(Some(share)));
        [self.name.clone(), self.n_tasks.to_string(), self.n.to_string()].into_iter().chain(shares).collect()
    }
}
