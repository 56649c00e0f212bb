//! An agent written in Python, as an agent of ours.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;
use quintain_core::agent::Turn as Shown;
use quintain_core::{Agent, AgentError, Breakdown, Briefing, Reply};
use quintain_workshop::HandedAgent;

use crate::turn::AgentTurn;

/// What a user hands in: a class, of which every attempt has an instance of its own; an object with `act`; or a function.
enum UserAgent {
    Class(Py<PyAny>),
    Object(Py<PyAny>),
    Function(Py<PyAny>),
}

/// The agent as a run wants it.
pub(crate) fn handed(agent: &Bound<'_, PyAny>, label: Option<String>) -> PyResult<HandedAgent> {
    let player = Arc::new(player(agent)?);
    let about = about(agent)?;
    let usual = || about.rsplit('.').next().unwrap_or_default().replace(['<', '>'], "");
    Ok(HandedAgent {
        label: label.unwrap_or_else(usual),
        about: format!("python {about}"),
        make: Arc::new(move |_context| {
            let player = Python::attach(|py| player.for_attempt(py)).map_err(|error| fault(&error))?;
            Ok(Box::new(InPython { player, briefing: None }))
        }),
    })
}

fn player(agent: &Bound<'_, PyAny>) -> PyResult<UserAgent> {
    if agent.is_instance_of::<PyType>() {
        return Ok(UserAgent::Class(agent.clone().unbind()));
    }
    if agent.hasattr("act")? {
        return Ok(UserAgent::Object(agent.clone().unbind()));
    }
    if agent.is_callable() {
        return Ok(UserAgent::Function(agent.clone().unbind()));
    }
    Err(PyTypeError::new_err(
        "an agent is a function of a turn, an object with `act(turn)`, or a class of such objects",
    ))
}

/// The module and the name of the agent, or of its class.
fn about(agent: &Bound<'_, PyAny>) -> PyResult<String> {
    let named = if agent.hasattr("__qualname__")? { agent.clone() } else { agent.get_type().into_any() };
    let (module, name) = (named.getattr("__module__")?, named.getattr("__qualname__")?);
    Ok(format!("{module}.{name}").replace("<locals>.", ""))
}

impl UserAgent {
    fn for_attempt(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(match self {
            Self::Class(class) => Self::Object(class.call0(py)?),
            Self::Object(object) => Self::Object(object.clone_ref(py)),
            Self::Function(function) => Self::Function(function.clone_ref(py)),
        })
    }
}

/// An agent written in Python, in one attempt.
struct InPython {
    player: UserAgent,
    briefing: Option<Arc<Briefing>>,
}

impl InPython {
    fn turn(&self, shown: &Shown<'_>) -> Result<AgentTurn, AgentError> {
        let briefing = self.briefing.clone().ok_or_else(|| AgentError::harness("the agent was never told its task"))?;
        Ok(AgentTurn {
            briefing,
            step_idx: shown.step_idx,
            remaining_steps: shown.remaining.steps,
            observation: shown.observation.clone(),
        })
    }

    /// Calls a method that an agent may have.
    fn tell(&self, py: Python<'_>, method: &str, told: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) -> PyResult<()> {
        match &self.player {
            UserAgent::Object(object) if object.bind(py).hasattr(method)? => told(&object.bind(py).getattr(method)?),
            _ => Ok(()),
        }
    }

    fn ask(&self, py: Python<'_>, turn: AgentTurn) -> PyResult<String> {
        let said = match &self.player {
            UserAgent::Object(object) | UserAgent::Class(object) => {
                object.call_method1(py, intern!(py, "act"), (turn,))?
            }
            UserAgent::Function(function) => function.call1(py, (turn,))?,
        };
        said.extract(py)
    }
}

impl Agent for InPython {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.briefing = Some(Arc::new(briefing.clone()));
        let told = Python::attach(|py| {
            self.tell(py, "begin", |method| method.call1((briefing.instruction.as_str(),)).map(drop))
        });
        told.map_err(|error| fault(&error))
    }

    fn act(&mut self, turn: &Shown<'_>, within: Duration) -> Result<Reply, AgentError> {
        let turn = self.turn(turn)?;
        let asked = Instant::now();
        let said = Python::attach(|py| self.ask(py, turn)).map_err(|error| fault(&error))?;
        if asked.elapsed() > within {
            return Err(AgentError::Late(within));
        }
        Ok(Reply::text(said))
    }

    fn recall(&mut self, turn: &Shown<'_>, reply: &Reply) {
        let Ok(turn) = self.turn(turn) else { return };
        let told =
            Python::attach(|py| self.tell(py, "recall", |method| method.call1((turn, reply.raw.as_str())).map(drop)));
        Python::attach(|py| told.unwrap_or_else(|error| error.write_unraisable(py, None)));
    }

    fn end(&mut self) {
        Python::attach(|py| {
            let told = self.tell(py, "end", |method| method.call0().map(drop));
            told.unwrap_or_else(|error| error.write_unraisable(py, None));
        });
    }
}

/// An exception is the agent's own doing. It is told with where it came from.
fn fault(error: &PyErr) -> AgentError {
    let told = Python::attach(|py| {
        let trace = error.traceback(py).and_then(|trace| trace.format().ok()).unwrap_or_default();
        format!("{trace}{error}")
    });
    AgentError::Broke { how: Breakdown::Exit, why: told }
}
