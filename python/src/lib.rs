//! The module in the wheel. What it does is in `crates/python`; this says which worlds and suites are in it.

use pyo3::prelude::*;
use quintain_workshop::ProgramParts;

/// The Rust side of the package `quintain`.
#[pymodule]
fn _quintain(module: &Bound<'_, PyModule>) -> PyResult<()> {
    quintain_python::fill(module, ProgramParts::default())
}
