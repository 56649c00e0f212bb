//! Environments that are read: pages as text, which are gone through by calls. Many of them at once, stepped by a pool of
//! threads while Python does something else; one alone is a vector of one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quintain_core::lock::LockAlways as _;
use quintain_core::world::OracleStyle;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::env_slot::{EnvSlot, StepOutcome};
use crate::episode_source::{EpisodeSource, EpisodeSurface, EpisodeWish};
use crate::error::{because, raised};
use crate::session::parameters_of;
use crate::settings::SourceFolders;
use crate::value::document;
use crate::vector::{EnvReport, OpenedSlots, ResetSeeds, ends, infos};

/// Texts, rewards, terminated, truncated, infos.
type TextStep<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyDict>,
);

/// Environments of one task that are read as text.
#[pyclass(module = "quintain._quintain", frozen)]
pub(crate) struct TextLanes {
    course: Arc<EpisodeSource>,
    environments: Mutex<Vec<EnvSlot>>,
    n_environments: usize,
    pool: ThreadPool,
}

#[pymethods]
impl TextLanes {
    #[new]
    #[pyo3(signature = (task, n, threads, preset, seed, parameters, max_steps, sources))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords become arguments here")]
    fn new(
        py: Python<'_>,
        task: String,
        n: usize,
        threads: Option<usize>,
        preset: Option<String>,
        seed: Option<u64>,
        parameters: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        max_steps: Option<u32>,
        sources: SourceFolders,
    ) -> PyResult<Self> {
        let surface = EpisodeSurface::Text;
        let wish = EpisodeWish { task, preset, parameters: parameters_of(parameters)?, surface, max_steps };
        let OpenedSlots { course, lanes, pool } = py.detach(|| OpenedSlots::open(wish, n, threads, seed, sources))?;
        Ok(Self { course, environments: Mutex::new(lanes), n_environments: n, pool })
    }

    /// Threads in the pool.
    #[getter]
    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Begins an episode in every environment: of seeds that count up from one, of these seeds, or of those that are next.
    #[pyo3(signature = (seeds))]
    fn reset<'py>(&self, py: Python<'py>, seeds: Option<ResetSeeds>) -> PyResult<(Vec<String>, Bound<'py, PyDict>)> {
        let n = self.n_environments;
        ResetSeeds::check(seeds.as_ref(), n)?;
        let (texts, told) = self.each(py, |i, lane| lane.reset(ResetSeeds::of(seeds.as_ref(), i, lane, n)))?;
        Ok((texts, infos(py, &told)?))
    }

    /// Carries out an action in every environment. Where an episode is over, its next one begins instead, with the next
    /// seed that no other environment comes to.
    fn step<'py>(&self, py: Python<'py>, actions: Vec<String>) -> PyResult<TextStep<'py>> {
        let n = self.n_environments;
        if actions.len() != n {
            return Err(because(format!("{} actions were given for {n} environments", actions.len())));
        }
        let (texts, told) = self.each(py, |i, lane| lane.step_or_reset(&actions[i], n as u64))?;
        let (rewards, terminated, truncated) = ends(py, &told);
        Ok((texts, rewards, terminated, truncated, infos(py, &told)?))
    }

    /// What an agent is told before the first turn, in every environment; nothing between two episodes.
    fn instructions(&self, py: Python<'_>) -> Vec<Option<String>> {
        let told = |lane: &EnvSlot| lane.briefing().map(|briefing| briefing.instruction);
        py.detach(|| self.environments.lock().always().iter().map(told).collect())
    }

    /// The actions, as a list of JSON documents.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let briefing = py.detach(|| self.environments.lock().always().iter().find_map(EnvSlot::briefing));
        document(py, &briefing.ok_or_else(|| because("the episodes are over: call reset() first"))?.surface.calls)
    }

    /// A solution of the episode of an environment, from its start: the texts of the actions, the closing one included.
    fn solve(&self, py: Python<'_>, environment: usize) -> PyResult<Vec<String>> {
        py.detach(|| {
            let seed = self.environments.lock().always().get(environment).map(EnvSlot::seed);
            let seed = seed.ok_or_else(|| because(format!("there is no environment {environment}")))?;
            self.course.solve(seed, &OracleStyle::default()).map_err(raised)
        })
    }
}

impl TextLanes {
    /// Does something in every environment, with Python's lock released. One that fails is put down and shows nothing; the
    /// others do it all the same.
    fn each(
        &self,
        py: Python<'_>,
        play: impl Fn(usize, &mut EnvSlot) -> anyhow::Result<StepOutcome> + Sync + Send,
    ) -> PyResult<(Vec<String>, Vec<EnvReport>)> {
        py.detach(|| {
            let mut lanes = self.environments.lock().always();
            let turn = |(i, lane): (usize, &mut EnvSlot)| {
                let played = play(i, lane);
                if played.is_err() {
                    lane.put_down();
                }
                Ok((lane.text().to_owned(), EnvReport { seed: lane.seed(), outcome: played? }))
            };
            let lanes: &mut [EnvSlot] = &mut lanes;
            let told: Vec<anyhow::Result<(String, EnvReport)>> =
                self.pool.install(|| lanes.par_iter_mut().enumerate().map(turn).collect());
            told.into_iter().collect::<anyhow::Result<(Vec<String>, Vec<EnvReport>)>>()
        })
        .map_err(raised)
    }
}
