//! The Rust side of the Python package `quintain`: environments, vectors of them, recorded runs, agents in Python.
//!
//! Worlds, judges and runs are those of the command line; this crate only turns them towards Python. The Python files
//! (`python/quintain`) hold no logic. The module itself is made in `python/src`, of what is built in; a program with worlds
//! of its own makes one of its own by [`fill`].

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what Python gives by value")]

mod agent;
mod env_slot;
mod episode_source;
mod error;
mod frame;
mod play;
mod recorded;
mod session;
mod settings;
mod tasks;
mod text_env;
mod turn;
mod value;
mod vector;

use std::ffi::OsString;

use pyo3::prelude::*;
use quintain_workshop::ProgramParts;

/// Does what a command line asks, the program's name left out, and gives its exit code.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| quintain_cli::main_with(std::iter::once(OsString::from("quintain")).chain(words), settings::parts()))
}

/// Puts everything into the module `quintain._quintain` of a program that has these worlds and suites in it.
pub fn fill(module: &Bound<'_, PyModule>, parts: ProgramParts) -> PyResult<()> {
    settings::made_of(parts);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("QuintainError", module.py().get_type::<error::QuintainError>())?;
    module.add("TRAINING_SEEDS_FROM", episode_source::training_seeds_from())?;
    module.add_class::<session::EnvSession>()?;
    module.add_class::<vector::Lanes>()?;
    module.add_class::<text_env::TextLanes>()?;
    module.add_class::<recorded::RecordedRun>()?;
    module.add_class::<recorded::RecordedTrajectory>()?;
    module.add_class::<turn::AgentTurn>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::tasks, module)?)?;
    module.add_function(wrap_pyfunction!(tasks::built_in_tasks, module)?)?;
    module.add_function(wrap_pyfunction!(play::run, module)?)?;
    module.add_function(wrap_pyfunction!(play::resume, module)?)?;
    Ok(())
}
