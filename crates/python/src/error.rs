//! Errors, as Python raises them.

use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};

create_exception!(_quintain, QuintainError, PyException, "What was asked for cannot be done; the message says why.");

/// Any error of ours with its causes, as one exception.
pub(crate) fn raised(error: impl Into<anyhow::Error>) -> PyErr {
    QuintainError::new_err(format!("{:#}", error.into()))
}

/// An exception that only says why.
pub(crate) fn because(why: impl Into<String>) -> PyErr {
    QuintainError::new_err(why.into())
}
