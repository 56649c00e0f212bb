//! What an agent written in Python is shown.

use std::sync::Arc;

use numpy::PyArray3;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quintain_core::{Briefing, Observation, ObservationPart, Screen};

use crate::frame;
use crate::value::document;

/// What an agent is shown in one turn of a trial. Never the trial's name: it has the seed, which gives the answer away.
#[pyclass(module = "quintain", name = "Turn", frozen)]
pub(crate) struct AgentTurn {
    pub(crate) briefing: Arc<Briefing>,
    pub(crate) step_idx: u32,
    pub(crate) remaining_steps: u32,
    pub(crate) observation: Observation,
}

#[pymethods]
impl AgentTurn {
    /// What to do.
    #[getter]
    fn instruction(&self) -> &str {
        &self.briefing.instruction
    }

    /// The number of the turn, from 0.
    #[getter]
    fn step(&self) -> u32 {
        self.step_idx
    }

    /// Actions left, this one included.
    #[getter]
    fn remaining_steps(&self) -> u32 {
        self.remaining_steps
    }

    /// A seed of this trial's own, for agents that draw lots.
    #[getter]
    fn seed(&self) -> u64 {
        self.briefing.seed
    }

    /// The screen, as rows, columns and three bytes a pixel; nothing where it is not shown.
    #[getter]
    fn screen<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        self.picture(py, ObservationPart::Screen)
    }

    /// The picture of the goal; nothing where it is not shown.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        self.picture(py, ObservationPart::Goal)
    }

    /// What came of the last action, in words; nothing where it is not shown.
    #[getter]
    fn feedback(&self) -> Option<&str> {
        self.observation.texts.get(&ObservationPart::Feedback).map(String::as_str)
    }

    /// Everything shown that is text, by the name of the part.
    #[getter]
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let texts = PyDict::new(py);
        for (part, text) in self.observation.texts.iter().filter(|(part, _)| part.is_for_agents()) {
            texts.set_item(part.to_string(), text)?;
        }
        Ok(texts)
    }

    /// The actions, as a list of JSON documents.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.briefing.surface.calls)
    }
}

impl AgentTurn {
    fn picture<'py>(&self, py: Python<'py>, part: ObservationPart) -> PyResult<Option<Bound<'py, PyArray3<u8>>>> {
        let screen: Option<&Screen> = self.observation.pictures.get(&part);
        screen.map(|screen| frame::array(py, screen)).transpose()
    }
}
