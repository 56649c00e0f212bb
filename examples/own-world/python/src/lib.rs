//! The module of the Python package `quintain` with the shelf in it.

use pyo3::prelude::*;

/// The Rust side of the package.
#[pymodule]
fn own_world_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    quintain_python::fill(module, own_world::parts())
}
