//! Judging again, from the record alone: no world is run and no agent asked.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::judge::EndedTrial;
use quintain_core::trial::pronounce;
use quintain_core::{FileSet, Limits, Settings, Task, TaskId, Trial, TrialId, Verdict, VerifierCase, VerifierRunner};
use quintain_store::{AttemptRecord, PlannedTrial, RunDir};
use serde::{Deserialize, Serialize};

use crate::cast::Cast;
use crate::ledger::{Ledger, TrialEntry};
use crate::parallel::map_parallel;
use crate::prepared_plan::PreparedTask;
use crate::run::RunError;

/// The version of the lines that [`save`] writes.
const VERSION: u32 = 1;

/// How long a verifier may take that was not run when the trial was judged first.
const WITHIN: Duration = Duration::from_mins(10);

/// A trial that was judged again.
#[derive(Clone, Debug, PartialEq)]
pub struct RescoredTrial {
    /// Which.
    pub trial: TrialId,
    /// The verdict that counted.
    pub old: Verdict,
    /// What the checks say now.
    pub new: Verdict,
}

impl RescoredTrial {
    /// Whether anything is different.
    pub fn changed(&self) -> bool {
        self.old != self.new
    }
}

/// Judges every outcome of a run again with the tasks as they are now, in the order the trials ended. The checks of a task
/// may have changed since, and verifiers that it did not have are run on what was recorded; its instances may not. A trial that left no evidence keeps its verdict.
pub fn rescore(run: &RunDir, tasks: &[Task], cast: &Cast) -> Result<Vec<RescoredTrial>, RunError> {
    let plan: HashMap<TrialId, PlannedTrial> =
        run.plan()?.into_iter().map(|planned| (planned.trial.clone(), planned)).collect();
    let entries = Ledger::of(run)?.entries;
    let bench = RescoreContext { run, parts: parts(&entries, &plan, tasks, cast)?, plan };
    map_parallel(&entries, |entry| bench.judge(entry)).into_iter().collect()
}

/// Keeps new verdicts beside the run, never over the old ones, and returns where: the file is named by its content.
pub fn save(run: &RunDir, rescored: &[RescoredTrial]) -> Result<PathBuf, RunError> {
    let mut lines = Vec::new();
    for RescoredTrial { trial, new, .. } in rescored {
        let line = VerdictLine { v: VERSION, trial: trial.clone(), verdict: new.clone() };
        serde_json::to_writer(&mut lines, &line).expect("a verdict is plain data");
        lines.push(b'\n');
    }
    Ok(run.keep_rescored(&lines)?)
}

/// One line of a file of new verdicts.
#[derive(Debug, Serialize, Deserialize)]
struct VerdictLine {
    v: u32,
    trial: TrialId,
    verdict: Verdict,
}

/// Where everything that judging needs lies ready.
struct RescoreContext<'a> {
    run: &'a RunDir,
    parts: BTreeMap<TaskId, PreparedTask>,
    plan: HashMap<TrialId, PlannedTrial>,
}

fn parts(
    entries: &[TrialEntry],
    plan: &HashMap<TrialId, PlannedTrial>,
    tasks: &[Task],
    cast: &Cast,
) -> Result<BTreeMap<TaskId, PreparedTask>, RunError> {
    let mut parts = BTreeMap::new();
    for entry in entries {
        let id = &entry.trial.instance.task;
        if parts.contains_key(id) {
            continue;
        }
        let task = tasks.iter().find(|task| task.id == *id).ok_or_else(|| RunError::NoTask(id.clone()))?;
        let kind = &task.spec.world.kind;
        let unknown = || RunError::NoWorld { task: id.clone(), kind: kind.clone() };
        let world = Arc::clone(cast.worlds.get(kind).ok_or_else(unknown)?);
        parts.insert(id.clone(), PreparedTask::prepared(task.clone(), world, planned(plan, entry).world, cast));
    }
    Ok(parts)
}

/// What was planned of a trial. Where its line of the plan is damaged, the verdict has the same hashes.
fn planned(plan: &HashMap<TrialId, PlannedTrial>, entry: &TrialEntry) -> PlannedTrial {
    plan.get(&entry.trial).cloned().unwrap_or_else(|| entry.planned())
}

impl RescoreContext<'_> {
    fn judge(&self, entry: &TrialEntry) -> Result<RescoredTrial, RunError> {
        let new = self.verdict(entry)?.unwrap_or_else(|| entry.finished.verdict.clone());
        Ok(RescoredTrial { trial: entry.trial.clone(), old: entry.finished.verdict.clone(), new })
    }

    /// What the checks say; nothing where too little was recorded, or is left, to judge by.
    fn verdict(&self, entry: &TrialEntry) -> Result<Option<Verdict>, RunError> {
        let record = match self.run.trajectory(&entry.place) {
            Ok(record) => record,
            Err(error) => {
                self.run.damage().note_error(error, "its trial keeps the verdict it has")?;
                return Ok(None);
            }
        };
        let files = match record.evidence() {
            Some(evidence) => self.run.whole_files_of(&evidence)?,
            None => Some(FileSet::new()),
        };
        let Some(files) = files else { return Ok(None) };
        let part = &self.parts[&entry.trial.instance.task];
        let settings = self.run.header().settings_of(&entry.trial.agent);
        part.judge_again(&planned(&self.plan, entry), settings, &record, &files)
    }
}

impl PreparedTask {
    /// The verdict on what was recorded; nothing where there is too little to judge.
    fn judge_again(
        &self,
        planned: &PlannedTrial,
        settings: &Settings,
        record: &AttemptRecord,
        files: &FileSet,
    ) -> Result<Option<Verdict>, RunError> {
        let (Some(mut evidence), Some(over)) = (record.evidence(), record.over()) else {
            return Ok(None);
        };
        let instance = self
            .instance(&planned.trial, planned.instance)
            .map_err(|source| RunError::InstanceChanged { trial: Box::new(planned.trial.clone()), source })?;
        let trial = Trial {
            id: &planned.trial,
            task: &self.task,
            instance: &instance,
            world: self.world_digest,
            settings,
            limits: &Limits::steps(0),
        };
        let reference = instance.reference(&self.task);
        if !self.task.spec.derive.iter().all(|verifier| evidence.derived.contains_key(&verifier.name)) {
            let case = VerifierCase { files, within: WITHIN, ..VerifierCase::of(&evidence, &reference) };
            let Ok(derived) = self.verifier.derive(case) else { return Ok(None) };
            // What was derived when the trial was judged first stays: only what is missing is new.
            let known = std::mem::take(&mut evidence.derived);
            evidence.derived = derived.into_iter().chain(known).collect();
        }
        let ended = EndedTrial {
            evidence: &evidence,
            snapshots: &record.snapshots(),
            stretch: planned.trial.instance.pick.stretch(),
        };
        Ok(Some(pronounce(&trial, &self.judge, ended, &reference, over)))
    }
}
