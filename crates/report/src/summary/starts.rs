//! SR@k: how often an agent succeeds where the first k milestones are given (ADR 0020).

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::instance::{InstanceId, Pick, Stretch};
use serde::Serialize;

use super::RateEstimate;
use super::build::{rate, split};
use crate::row::{ProblemKey, TrialRow};
use crate::stats::{Clustered, Clusters, Range};
use crate::text::{interval, percent, signed};

/// So many lines are told at most; the JSON has them all.
const MOST_LINES: usize = 40;

/// The head of the table.
pub(crate) const STARTS_HEAD: [&str; 7] = ["SR@k of", "start", "trials", "success", "95 % Wilson", "gain", "95 %"];

/// What an agent came to from one start: over the instances that were played from several, and no others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartRate {
    /// The agent.
    pub agent: String,
    /// How many milestones were given.
    pub after: u32,
    /// The milestone it ended with, where it ended before its task did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
    /// Over how many instances, whatever their start.
    pub n_instances: usize,
    /// The share solved of the trials; one that ended in a fault is not.
    pub success: RateEstimate,
    /// What the last milestone given is worth; nothing where no instance was played from an earlier start too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<HopGain>,
}

/// What being given one more milestone is worth: the success from this start less that from the one before, over the
/// instances that were played from both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HopGain {
    /// How many milestones were given at the start before.
    pub over: u32,
    /// Over how many instances.
    pub n_instances: usize,
    /// The mean difference.
    pub value: f64,
    /// Its interval over instances; nothing for fewer than two.
    pub by_instance: Option<Clustered>,
}

/// The rates of every agent from every start, where a run has instances that begin or end after a milestone.
pub(super) fn start_rates(rows: &[&TrialRow]) -> Vec<StartRate> {
    let divided: BTreeSet<InstanceId> =
        rows.iter().filter(|row| !row.stretch().is_whole()).map(|row| whole(&row.trial.instance)).collect();
    let meant: Vec<&TrialRow> =
        rows.iter().copied().filter(|row| divided.contains(&whole(&row.trial.instance))).collect();
    let by_agent = split(&meant, |row| [row.trial.agent.clone()]);
    by_agent.into_iter().flat_map(|(agent, rows)| rates_of(&agent, &rows)).collect()
}

fn rates_of(agent: &str, rows: &[&TrialRow]) -> Vec<StartRate> {
    let mut rates = Vec::new();
    let mut before: Option<(u32, Vec<&TrialRow>)> = None;
    for (stretch, rows) in split(rows, |row| [row.stretch()]) {
        let after = stretch.n_given() as u32;
        let gain =
            before.as_ref().filter(|_| stretch.until.is_none()).and_then(|(over, from)| hop_gain(*over, from, &rows));
        let n_instances = rows.iter().map(|row| &row.trial.instance).collect::<BTreeSet<_>>().len();
        let until = stretch.until.map(std::num::NonZeroU32::get);
        rates.push(StartRate { agent: agent.to_owned(), after, until, n_instances, success: rate(&rows), gain });
        if stretch.until.is_none() {
            before = Some((after, rows));
        }
    }
    rates
}

/// The same instances from two starts.
fn hop_gain(over: u32, from: &[&TrialRow], to: &[&TrialRow]) -> Option<HopGain> {
    let problems: BTreeMap<InstanceId, ProblemKey> =
        to.iter().map(|row| (whole(&row.trial.instance), row.place().problem())).collect();
    let (from, to) = (by_instance(from), by_instance(to));
    let pairs: Vec<(&ProblemKey, f64)> = to
        .iter()
        .filter_map(|(instance, share)| Some((problems.get(instance)?, share - from.get(instance)?)))
        .collect();
    let n_instances = pairs.len();
    let clusters = Clusters::gather(pairs);
    Some(HopGain { over, n_instances, value: clusters.mean()?, by_instance: clusters.interval(Range::Difference) })
}

/// The share solved of each instance, whatever its start.
fn by_instance(rows: &[&TrialRow]) -> BTreeMap<InstanceId, f64> {
    let by = split(rows, |row| [whole(&row.trial.instance)]);
    by.into_iter()
        .map(|(instance, rows)| {
            let n_solved = rows.iter().filter(|row| row.verdict.solved).count();
            (instance, n_solved as f64 / rows.len() as f64)
        })
        .collect()
}

/// The instance, whole.
fn whole(instance: &InstanceId) -> InstanceId {
    let pick: Pick = instance.pick.clone().over(Stretch::WHOLE);
    InstanceId { task: instance.task.clone(), pick }
}

/// The lines of the table, and how many more there are.
pub(crate) fn start_lines(rates: &[StartRate]) -> (Vec<Vec<String>>, usize) {
    let told = rates.iter().take(MOST_LINES).map(start_line).collect();
    (told, rates.len().saturating_sub(MOST_LINES))
}

fn start_line(rate: &StartRate) -> Vec<String> {
    let StartRate { agent, after, until, success, gain, .. } = rate;
    let start = until.map_or_else(|| format!("k = {after}"), |until| format!("{after}..{until}"));
    let worth =
        gain.map_or_else(|| "-".to_owned(), |gain| format!("{} over k = {}", signed(Some(gain.value)), gain.over));
    let range = interval(gain.and_then(|gain| gain.by_instance).map(|found| found.interval));
    vec![agent.clone(), start, success.n.to_string(), percent(success.value), interval(success.wilson), worth, range]
}
