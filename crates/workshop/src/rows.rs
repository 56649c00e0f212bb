//! From a run on disk to what a report knows of its trials.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::Context;
use quintain_core::action::Action;
use quintain_core::ending::Ending;
use quintain_core::instance::InstanceId;
use quintain_core::world::WorldKind;
use quintain_core::{AgentIsolation, Digest, Step, Task, TrialId};
use quintain_report::{
    ElementCount, PointerTrail, TaskSubject, TrailMatch, TrialRow, UnplayedTrial, labels, tools_used,
};
use quintain_runner::ledger::{Ledger, TrialEntry};
use quintain_store::{AttemptRecord, PlannedTrial, RunDir, SuiteError, Suites};

use crate::opinions::{self, OpinionLine};
use crate::workshop::Workshop;
use crate::{oracle_lengths, oracle_trails};

impl Workshop {
    /// The rows of a run, with what only the tasks know: difficulty, capabilities, the shortest solution. Where the tasks
    /// are gone, the rows tell what the run itself knows, and that is said.
    pub fn rows(&self, run: &RunDir, say: &dyn Fn(&str)) -> anyhow::Result<Vec<TrialRow>> {
        self.rows_against(run, &[], say)
    }

    /// The same, with pointers held against the oracles of other runs too.
    pub fn rows_against(&self, run: &RunDir, oracles: &[RunDir], say: &dyn Fn(&str)) -> anyhow::Result<Vec<TrialRow>> {
        let mut rows = recorded_rows(run, oracles)?;
        let tasks = self.tasks_of(run).unwrap_or_else(|error| {
            let unknown = "difficulty, capabilities and efficiency are unknown, for the tasks cannot be read";
            say(&format!("{unknown}: {error}"));
            Vec::new()
        });
        let tasks: BTreeMap<String, Task> = tasks.into_iter().map(|task| (task.id.to_string(), task)).collect();
        let offerings = self.offerings()?;
        let mut shortest: BTreeMap<InstanceId, Option<u32>> = BTreeMap::new();
        for row in &mut rows {
            let Some(task) = tasks.get(row.task()) else { continue };
            let pick = &row.trial.instance.pick;
            row.difficulty = Some(task.difficulty(pick));
            row.capabilities.clone_from(&task.spec.task.capabilities);
            row.subject = TaskSubject::of(task);
            if row.verdict.digests.task == task.digest {
                row.elements = ElementCount::of(&row.verdict, &task.spec.milestones);
            }
            if row.verdict.solved && row.verdict.digests.task == task.digest {
                let world = offerings.world_of(task)?;
                row.optimal_steps = *shortest
                    .entry(row.trial.instance.clone())
                    .or_insert_with(|| shortest_of(world.as_ref(), task, &row.trial));
            }
        }
        oracle_lengths::fill(run, &mut rows, oracles)?;
        Ok(rows)
    }

    /// The trials of a run that were planned and are in none of its rows. Where the tasks are gone, no more is known of them.
    pub fn unplayed(&self, run: &RunDir, rows: &[TrialRow]) -> anyhow::Result<Vec<UnplayedTrial>> {
        let played: HashSet<&TrialId> = rows.iter().map(|row| &row.trial).collect();
        let left: Vec<PlannedTrial> =
            run.plan()?.into_iter().filter(|planned| !played.contains(&planned.trial)).collect();
        if left.is_empty() {
            return Ok(Vec::new());
        }
        let tasks = self.tasks_of(run).unwrap_or_default();
        let tasks: BTreeMap<&str, &Task> = tasks.iter().map(|task| (task.id.as_str(), task)).collect();
        let told = |PlannedTrial { trial, instance, identity, .. }: PlannedTrial| {
            let task = tasks.get(trial.instance.task.as_str());
            UnplayedTrial {
                identity: identity.or(Some(instance)),
                difficulty: task.map(|task| task.difficulty(&trial.instance.pick)),
                isolation: isolation_of(run, &trial),
                capabilities: task.map_or_else(Vec::new, |task| task.spec.task.capabilities.clone()),
                subject: task.and_then(|task| TaskSubject::of(task)),
                trial,
            }
        };
        Ok(left.into_iter().map(told).collect())
    }

    /// The tasks a run was planned with, as they are now: from the folder that is named, else from where the run had them.
    pub fn tasks_of(&self, run: &RunDir) -> anyhow::Result<Vec<Task>> {
        if self.setup().suites.is_some() {
            return Ok(selected(run, self.suites()?)?);
        }
        for suite in &run.header().suites {
            let Ok(suites) = Suites::from_dir(&suite.from) else { continue };
            match selected(run, &suites) {
                Err(SuiteError::Unknown { .. }) => {}
                found => return Ok(found?),
            }
        }
        Ok(selected(run, self.suites()?)?)
    }

    /// The tasks of a run that is gone on with, or why they are not there.
    pub fn tasks_for(&self, run: &RunDir) -> anyhow::Result<Vec<Task>> {
        self.tasks_of(run).with_context(|| format!("the tasks of run `{}` cannot be read", run.header().name))
    }
}

fn isolation_of(run: &RunDir, trial: &TrialId) -> Option<AgentIsolation> {
    run.header().agent(&trial.agent)?.isolation
}

fn shortest_of(world: &dyn WorldKind, task: &Task, trial: &TrialId) -> Option<u32> {
    world.shortest(&world.instantiate(task, &trial.instance.pick).ok()?)
}

/// The rows of a run, from its own files alone.
pub fn rows_of(run: &RunDir) -> anyhow::Result<Vec<TrialRow>> {
    recorded_rows(run, &[])
}

fn recorded_rows(run: &RunDir, oracles: &[RunDir]) -> anyhow::Result<Vec<TrialRow>> {
    let ledger = Ledger::of(run)?;
    let played = ledger.entries.iter().map(|entry| row(run, entry)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut rows = oracle_trails::compared(run, played, oracles)?;
    for OpinionLine { trial, model, heard, .. } in opinions::kept(run)? {
        if let Some(row) = rows.iter_mut().find(|row| row.trial == trial) {
            row.opinions.insert(model, heard.opinions);
        }
    }
    let planned = run.plan()?.into_iter();
    let identities: HashMap<TrialId, Digest> = planned.filter_map(|one| Some((one.trial, one.identity?))).collect();
    for row in &mut rows {
        row.identity = identities.get(&row.trial).copied();
    }
    rows.sort_by(|a, b| a.trial.cmp(&b.trial));
    Ok(rows)
}

/// A trial's row, and where the pointer was put in it.
fn row(run: &RunDir, entry: &TrialEntry) -> anyhow::Result<(TrialRow, PointerTrail)> {
    let record = run.salvaged(&entry.place)?;
    let steps = record.as_ref().map(AttemptRecord::steps).unwrap_or_default();
    let used: Vec<_> = steps.iter().filter_map(|step| step.reply.usage).collect();
    let spent = entry.finished.spent;
    let asked_in_vain = spent.tokens > 0 || spent.n_unknown > 0 || spent.cost_usd > 0.0;
    let row = TrialRow {
        trial: entry.trial.clone(),
        isolation: isolation_of(run, &entry.trial),
        identity: None,
        difficulty: None,
        capabilities: Vec::new(),
        subject: None,
        spent,
        wasted: entry.wasted,
        cost_known: spent.n_unknown == 0 && used.iter().all(|usage| usage.cost_usd.is_some()),
        input_tokens: used.iter().map(|usage| usage.input_tokens).sum(),
        cached_tokens: used.iter().map(|usage| usage.cached_tokens).sum(),
        had_model: !used.is_empty() || asked_in_vain,
        attempts: entry.faulted.len() as u32 + 1,
        faulted_attempts: entry.faulted.clone(),
        optimal_steps: None,
        elements: None,
        handed_in: handed_in(&entry.finished.verdict.ending, record.as_ref(), &steps),
        plays: oracle_trails::played_by(run.header(), &entry.trial),
        labels: record
            .as_ref()
            .and_then(AttemptRecord::briefing)
            .map_or_else(Vec::new, |briefing| labels(&steps, &entry.finished.verdict, briefing)),
        opinions: BTreeMap::new(),
        tools: tools_used(&steps),
        trail: TrailMatch::default(),
        verdict: entry.finished.verdict.clone(),
    };
    Ok((row, PointerTrail::of(&steps)))
}

/// Whether an agent handed its work in: it ended the trial itself without giving up and, where an answer is asked for, said
/// one or noted something of it.
fn handed_in(ending: &Ending, record: Option<&AttemptRecord>, steps: &[Step]) -> bool {
    let is_asked = record.and_then(AttemptRecord::briefing).is_some_and(|briefing| briefing.answer.is_some());
    let mut actions = steps.iter().filter_map(|step| step.action.as_ref()).flat_map(Action::in_order);
    match ending {
        Ending::Answered => true,
        Ending::Done => !is_asked || actions.any(|action| matches!(action, Action::Note { .. })),
        _ => false,
    }
}

/// The record of a trial's attempt that counts, joined over interruptions.
pub fn record_of(run: &RunDir, trial: &TrialId) -> anyhow::Result<AttemptRecord> {
    let ledger = Ledger::of(run)?;
    let entry = ledger.entry(trial).with_context(|| {
        format!("run `{}` has no outcome of trial `{trial}`\nhint: `quintain show {0}` lists them", run.header().name)
    })?;
    run.salvaged(&entry.place)?
        .with_context(|| format!("nothing of trial `{trial}` can be read but its verdict\nhint: `quintain doctor RUN`"))
}

fn selected(run: &RunDir, suites: &Suites) -> Result<Vec<Task>, SuiteError> {
    let mut tasks: BTreeMap<String, Task> = BTreeMap::new();
    for selector in &run.header().selectors {
        tasks.extend(suites.tasks(selector)?.into_iter().map(|task| (task.id.to_string(), task)));
    }
    Ok(tasks.into_values().collect())
}
