//! What a server did not do, as the engine's error.

use std::fmt::Display;

use quintain_runner::engine::EngineError;

/// Names what could not be done, for `map_err`.
pub(crate) fn failed<E: Display>(doing: &'static str) -> impl Fn(E) -> EngineError {
    move |error| EngineError::Server { doing, why: error.to_string() }
}
