//! One environment, as `gymnasium.Env` needs it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quintain_core::lock::LockAlways as _;
use quintain_core::world::OracleStyle;
use quintain_core::{Briefing, ObservationPart};

use crate::env_slot::{EnvSlot, SlotEnd, StepOutcome};
use crate::episode_source::{EpisodeSource, EpisodeSurface, EpisodeWish, training_seeds_from};
use crate::error::{because, raised};
use crate::frame;
use crate::settings::{SourceFolders, workshop};
use crate::value::{document, from_python};

/// A picture, and what is told beside it.
type ShownPicture<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyDict>);

/// What a step gives: picture, reward, terminated, truncated, info.
type SessionStep<'py> = (Bound<'py, PyArray3<u8>>, f64, bool, bool, Bound<'py, PyDict>);

/// One environment. Its locks are taken while Python's own lock is free, or held only to copy what is in them: nobody may
/// wait for Python's lock with one of them in hand.
#[pyclass(module = "quintain._quintain", name = "Session", frozen)]
pub(crate) struct EnvSession {
    course: Arc<EpisodeSource>,
    canvas: Option<(u32, u32)>,
    lane: Mutex<EnvSlot>,
    briefing: Mutex<Briefing>,
}

#[pymethods]
impl EnvSession {
    #[new]
    #[pyo3(signature = (task, preset, seed, parameters, observe, canvas, max_steps, sources))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords become arguments here")]
    fn new(
        py: Python<'_>,
        task: String,
        preset: Option<String>,
        seed: Option<u64>,
        parameters: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        observe: Option<Vec<String>>,
        canvas: Option<(u32, u32)>,
        max_steps: Option<u32>,
        sources: SourceFolders,
    ) -> PyResult<Self> {
        let surface = EpisodeSurface::Screen(observe);
        let wish = EpisodeWish { task, preset, parameters: parameters_of(parameters)?, surface, max_steps };
        let made = py.detach(|| {
            let course = Arc::new(EpisodeSource::new(&workshop(sources, None)?, wish).map_err(raised)?);
            let lane = EnvSlot::new(Arc::clone(&course), seed.unwrap_or_else(training_seeds_from)).map_err(raised)?;
            Ok::<_, PyErr>((course, lane))
        });
        let (course, lane) = made?;
        let briefing = lane.briefing().ok_or_else(|| because("the episode is over before it began"))?;
        Ok(Self { course, canvas, lane: Mutex::new(lane), briefing: Mutex::new(briefing) })
    }

    /// The task's name.
    #[getter]
    fn task(&self) -> &str {
        self.course.task().id.as_str()
    }

    /// The seed of the episode.
    #[getter]
    fn seed(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.lane.lock().always().seed())
    }

    /// Rows, columns and bytes a pixel of the picture.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<(u32, u32, u32)> {
        let own = || py.detach(|| self.lane.lock().always().size());
        let (height, width) = self.canvas.map_or_else(own, Ok).map_err(raised)?;
        Ok((height, width, 3))
    }

    /// Begins the episode of a seed; without one, of the seed after the last, the first time of the first.
    #[pyo3(signature = (seed))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<ShownPicture<'py>> {
        let outcome = py.detach(|| {
            let mut lane = self.lane.lock().always();
            let seed = seed.unwrap_or_else(|| lane.next_seed(1));
            let outcome = lane.reset(seed)?;
            *self.briefing.lock().always() = lane.briefing().unwrap_or_else(|| self.briefing.lock().always().clone());
            anyhow::Ok(outcome)
        });
        Ok((self.picture(py)?, self.info(py, &outcome.map_err(raised)?)?))
    }

    /// Carries out an action.
    fn step<'py>(&self, py: Python<'py>, action: &str) -> PyResult<SessionStep<'py>> {
        let outcome = py.detach(|| self.lane.lock().always().step(action)).map_err(raised)?;
        let truncated = outcome.end.as_ref().is_some_and(SlotEnd::is_truncated);
        let terminated = outcome.end.is_some() && !truncated;
        let reward = outcome.end.as_ref().map_or(0.0, |end| end.reward);
        Ok((self.picture(py)?, reward, terminated, truncated, self.info(py, &outcome)?))
    }

    /// The picture that is shown, as a new array.
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let drawn = py.detach(|| {
            let lane = self.lane.lock().always();
            let size = self.canvas.map_or_else(|| lane.size(), Ok)?;
            let mut rgb = vec![0; frame::n_bytes(size)];
            lane.write(size, &mut rgb)?;
            anyhow::Ok((rgb, size))
        });
        let (rgb, size) = drawn.map_err(raised)?;
        frame::as_array(py, rgb, size)
    }

    /// What an agent is told before the first turn.
    fn instructions(&self) -> String {
        self.briefing.lock().always().instruction.clone()
    }

    /// The actions, as a list of JSON documents.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let calls = self.briefing.lock().always().surface.calls.clone();
        document(py, &calls)
    }

    /// A solution of the episode, from its start: the texts of the actions, the closing one included.
    #[pyo3(signature = (strategy, length, seed))]
    fn solve(&self, py: Python<'_>, strategy: Option<String>, length: Option<u32>, seed: u64) -> PyResult<Vec<String>> {
        let episode = self.seed(py);
        let style = OracleStyle { strategy, length, seed };
        py.detach(|| self.course.solve(episode, &style)).map_err(raised)
    }

    /// The hash of the picture, as a run records it.
    fn digest(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.lane.lock().always().screen().map(|screen| screen.digest().to_string()))
    }
}

impl EnvSession {
    /// What is told beside the picture. Never the answer.
    fn info<'py>(&self, py: Python<'py>, outcome: &StepOutcome) -> PyResult<Bound<'py, PyDict>> {
        let (seed, shown) = py.detach(|| {
            let lane = self.lane.lock().always();
            (lane.seed(), lane.shown().clone())
        });
        let info = PyDict::new(py);
        info.set_item("seed", seed)?;
        info.set_item("feedback", outcome.words())?;
        info.set_item("effect", outcome.effect())?;
        info.set_item("remaining_steps", outcome.remaining_steps)?;
        for (part, text) in &shown.texts {
            if ![ObservationPart::Feedback, ObservationPart::Remaining].contains(part) {
                info.set_item(part.to_string(), text)?;
            }
        }
        for (part, screen) in &shown.pictures {
            if *part != ObservationPart::Screen {
                info.set_item(part.to_string(), frame::array(py, screen)?)?;
            }
        }
        if let Some(end) = &outcome.end {
            tell_end(&info, end)?;
        }
        Ok(info)
    }
}

/// What is told of an episode that is over.
fn tell_end(info: &Bound<'_, PyDict>, end: &SlotEnd) -> PyResult<()> {
    info.set_item("ending", end.ending.to_string())?;
    info.set_item("solved", end.solved)?;
    info.set_item("score", end.score)?;
    info.set_item("measures", end.measures.clone())?;
    end.fault.as_ref().map_or(Ok(()), |why| info.set_item("fault", why))
}

/// Open parameters, as the task has them.
pub(crate) fn parameters_of(
    given: Option<BTreeMap<String, Bound<'_, PyAny>>>,
) -> PyResult<BTreeMap<String, serde_json::Value>> {
    given.unwrap_or_default().into_iter().map(|(name, value)| Ok((name, from_python(&value)?))).collect()
}
