//! Recorded runs: as columns for data frames, and trial by trial with their pictures.

use std::num::NonZeroU32;
use std::path::PathBuf;

use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use quintain_core::{Digest, ObservationPart, Step, TrialId};
use quintain_runner::Ledger;
use quintain_runner::ledger::TrialEntry;
use quintain_store::{AttemptRecord, RunDir};

use crate::env_slot::word;
use crate::error::{because, raised};
use crate::frame;
use crate::value::document;

/// A recorded run.
#[pyclass(module = "quintain._quintain", name = "Recorded", frozen)]
pub(crate) struct RecordedRun {
    run: RunDir,
}

impl From<RunDir> for RecordedRun {
    fn from(run: RunDir) -> Self {
        Self { run }
    }
}

#[pymethods]
impl RecordedRun {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Self { run: py.detach(|| RunDir::open(&path)).map_err(raised)? })
    }

    /// The name of the run.
    #[getter]
    fn name(&self) -> &str {
        &self.run.header().name
    }

    /// The folder of the run.
    #[getter]
    fn path(&self) -> PathBuf {
        self.run.path().to_owned()
    }

    /// What the run says of itself: agents, settings, seeds, fingerprint.
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, self.run.header())
    }

    /// How many trials were planned.
    fn n_planned(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(py.detach(|| Ledger::of(&self.run)).map_err(raised)?.n_planned)
    }

    /// What came of each trial, as columns.
    fn trials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = self.entries(py)?;
        let table = FrameColumns { py, rows: &entries, columns: PyDict::new(py) };
        table.ids(|entry| &entry.trial)?;
        table.column("score", |entry| entry.finished.verdict.score.value())?;
        table.column("solved", |entry| entry.finished.verdict.solved)?;
        table.column("ending", |entry| entry.finished.verdict.ending.to_string())?;
        table.column("steps", |entry| entry.finished.spent.steps)?;
        table.column("elapsed_ms", |entry| entry.finished.spent.elapsed_ms)?;
        table.column("tokens", |entry| entry.finished.spent.tokens)?;
        table.column("cost_usd", |entry| entry.finished.spent.cost_usd)?;
        table.column("attempts", |entry| entry.faulted.len() + 1)?;
        table.column("fault", |entry| entry.finished.verdict.fault.clone())?;
        table.column("source", |entry| entry.finished.verdict.source.as_ref().map(|source| source.name.clone()))?;
        table.column("measures", |entry| entry.finished.verdict.measures())?;
        Ok(table.columns)
    }

    /// What was said and came of it in each step of each trial, as columns.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = py.detach(|| self.all_steps()).map_err(raised)?;
        let table = FrameColumns { py, rows: &rows, columns: PyDict::new(py) };
        table.ids(|(trial, _, _)| trial)?;
        table.column("step", |(_, step_idx, _)| *step_idx)?;
        table.column("reply", |(_, _, step)| step.reply.raw.clone())?;
        table.column("thought", |(_, _, step)| step.reply.thought.clone())?;
        table.column("action", |(_, _, step)| step.action.as_ref().map(ToString::to_string))?;
        table.column("effect", |(_, _, step)| step.feedback.as_ref().map(|feedback| word(feedback.effect)))?;
        table.column("feedback", |(_, _, step)| step.feedback.as_ref().map(|feedback| feedback.text.clone()))?;
        table.column("screen", |(_, _, step)| {
            step.shown.pictures.get(&ObservationPart::Screen).map(ToString::to_string)
        })?;
        table.column("elapsed_ms", |(_, _, step)| step.spent.elapsed_ms)?;
        table.column("tokens", |(_, _, step)| step.spent.tokens)?;
        Ok(table.columns)
    }

    /// One trial, step by step, with its pictures.
    fn trajectory(slf: &Bound<'_, Self>, trial: &str) -> PyResult<RecordedTrajectory> {
        let trial: TrialId = trial.parse().map_err(raised)?;
        let run = &slf.get().run;
        let record = slf.py().detach(|| -> anyhow::Result<Option<AttemptRecord>> {
            let ledger = Ledger::of(run)?;
            Ok(ledger.entry(&trial).map(|entry| run.salvaged(&entry.place)).transpose()?.flatten())
        });
        let record = record.map_err(raised)?.ok_or_else(|| {
            because(format!("run `{}` has no outcome of trial `{trial}`; `trials()` lists them", run.header().name))
        })?;
        Ok(RecordedTrajectory { run: slf.clone().unbind(), steps: record.steps(), record })
    }
}

impl RecordedRun {
    fn entries(&self, py: Python<'_>) -> PyResult<Vec<TrialEntry>> {
        let mut entries = py.detach(|| Ledger::of(&self.run)).map_err(raised)?.entries;
        entries.sort_by(|a, b| a.trial.cmp(&b.trial));
        Ok(entries)
    }

    fn all_steps(&self) -> anyhow::Result<Vec<(TrialId, u32, Step)>> {
        let mut entries = Ledger::of(&self.run)?.entries;
        entries.sort_by(|a, b| a.trial.cmp(&b.trial));
        let mut rows = Vec::new();
        for entry in entries {
            let Some(record) = self.run.salvaged(&entry.place)? else { continue };
            let steps = record.steps();
            rows.extend((0..).zip(steps).map(|(step_idx, step)| (entry.trial.clone(), step_idx, step)));
        }
        Ok(rows)
    }
}

/// Columns of a data frame, made one after the other.
struct FrameColumns<'a, 'py, T> {
    py: Python<'py>,
    rows: &'a [T],
    columns: Bound<'py, PyDict>,
}

impl<'py, T> FrameColumns<'_, 'py, T> {
    fn column<V: IntoPyObject<'py>>(&self, name: &str, value: impl Fn(&T) -> V) -> PyResult<()> {
        let values: Vec<V> = self.rows.iter().map(value).collect();
        self.columns.set_item(name, PyList::new(self.py, values)?)
    }

    /// The name of the trial, whole and in its parts.
    fn ids(&self, trial: impl Fn(&T) -> &TrialId) -> PyResult<()> {
        self.column("trial", |row| trial(row).to_string())?;
        self.column("task", |row| trial(row).instance.task.to_string())?;
        self.column("preset", |row| trial(row).instance.pick.preset.clone())?;
        self.column("seed", |row| trial(row).instance.pick.seed)?;
        self.column("after", |row| trial(row).instance.pick.after.map(NonZeroU32::get))?;
        self.column("until", |row| trial(row).instance.pick.until.map(NonZeroU32::get))?;
        self.column("agent", |row| trial(row).agent.clone())?;
        self.column("repeat", |row| trial(row).repeat)
    }
}

/// One recorded trial.
#[pyclass(module = "quintain._quintain", name = "Trajectory", frozen)]
pub(crate) struct RecordedTrajectory {
    run: Py<RecordedRun>,
    record: AttemptRecord,
    steps: Vec<Step>,
}

#[pymethods]
impl RecordedTrajectory {
    /// The name of the trial.
    #[getter]
    fn trial(&self) -> String {
        self.record.trial.to_string()
    }

    /// What the agent was told to do.
    #[getter]
    fn instruction(&self) -> Option<&str> {
        self.record.briefing().map(|briefing| briefing.instruction.as_str())
    }

    /// What was shown, said and came of it, step by step, as it is recorded.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.steps)
    }

    /// The verdict, as it is recorded.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.record.verdict())
    }

    fn __len__(&self) -> usize {
        self.steps.len()
    }

    /// The screen that the agent was shown in a step; nothing where it was shown none.
    fn frame<'py>(&self, py: Python<'py>, step: usize) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        let n = self.steps.len();
        let shown = self.steps.get(step).ok_or_else(|| because(format!("step {step} is not one of {n}")))?;
        shown.shown.pictures.get(&ObservationPart::Screen).map(|digest| self.stored(py, *digest)).transpose()
    }

    /// The last screen, after the agent had stopped.
    fn last_frame<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        let last = self.record.evidence().and_then(|evidence| evidence.screen);
        last.map(|digest| self.stored(py, digest)).transpose()
    }
}

impl RecordedTrajectory {
    fn stored<'py>(&self, py: Python<'py>, digest: Digest) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let frames = self.run.get().run.frames();
        let picture = py.detach(|| frames.get(digest)).map_err(raised)?;
        let picture = picture.ok_or_else(|| because(format!("picture {digest} is not stored")))?;
        frame::array(py, &quintain_core::Screen::Raw(picture.into()))
    }
}
