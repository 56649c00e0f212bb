//! What there is to play.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use quintain_core::Task;
use quintain_store::Suites;

use crate::error::raised;
use crate::settings::{SourceFolders, parts, workshop};
use crate::value::document;

/// Every task: its name, title, version, presets, open parameters and the parts it can show.
#[pyfunction]
pub(crate) fn tasks(py: Python<'_>, sources: SourceFolders) -> PyResult<Bound<'_, PyList>> {
    listed(py, workshop(sources, None)?.suites().map_err(raised)?)
}

/// Every task that is built in, whatever folder the user's environment names.
#[pyfunction]
pub(crate) fn built_in_tasks(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    listed(py, &parts().suites())
}

fn listed<'py>(py: Python<'py>, suites: &Suites) -> PyResult<Bound<'py, PyList>> {
    let listed = PyList::empty(py);
    for suite in suites.names().map_err(raised)? {
        for task in suites.tasks(&suite).map_err(raised)? {
            listed.append(described(py, &task)?)?;
        }
    }
    Ok(listed)
}

fn described<'py>(py: Python<'py>, task: &Task) -> PyResult<Bound<'py, PyDict>> {
    let spec = &task.spec;
    let about = PyDict::new(py);
    about.set_item("id", task.id.as_str())?;
    about.set_item("title", &spec.task.title)?;
    about.set_item("version", spec.task.version)?;
    about.set_item("world", &spec.world.kind)?;
    about.set_item("capabilities", &spec.task.capabilities)?;
    about.set_item("presets", spec.presets.keys().collect::<Vec<_>>())?;
    about.set_item("parameters", document(py, &spec.parameters)?)?;
    about.set_item("observe", spec.world.observe.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(about)
}
