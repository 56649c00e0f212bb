//! Documents of ours as Python's own.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use serde_json::{Map, Number, Value};

use crate::error::because;

/// A JSON value as dictionaries, lists and plain values.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => number_to_python(py, number)?,
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, item) in entries {
                dict.set_item(key, to_python(py, item)?)?;
            }
            dict.into_any()
        }
    })
}

/// Anything that can be written as JSON, the same way.
pub(crate) fn document<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &serde_json::to_value(value).map_err(|error| because(error.to_string()))?)
}

fn number_to_python<'py>(py: Python<'py>, number: &Number) -> PyResult<Bound<'py, PyAny>> {
    if let Some(whole) = number.as_i64() {
        return Ok(whole.into_pyobject(py)?.into_any());
    }
    if let Some(whole) = number.as_u64() {
        return Ok(whole.into_pyobject(py)?.into_any());
    }
    Ok(PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any())
}

/// Plain Python values as JSON, or which of them is none.
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Value::from(value.extract::<i64>()?));
    }
    if value.is_instance_of::<PyFloat>() {
        let number: f64 = value.extract()?;
        return Number::from_f64(number).map(Value::Number).ok_or_else(|| because(format!("{number} is no parameter")));
    }
    // NumPy's whole numbers are none of Python's, but can stand for one.
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(Value::from(whole));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Value::String(text));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let entry = |(key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, from_python(&item)?));
        return dict.iter().map(entry).collect::<PyResult<Map<String, Value>>>().map(Value::Object);
    }
    let items =
        value.try_iter().map_err(|_cause| because(format!("{value} is no parameter: numbers, texts and lists are")))?;
    items.map(|item| from_python(&item?)).collect::<PyResult<Vec<Value>>>().map(Value::Array)
}
