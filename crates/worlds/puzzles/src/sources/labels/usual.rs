//! How generated pictures of things are where a puzzle's parameters do not say.

/// How large things are.
pub(crate) fn size() -> f64 {
    1.0
}

/// Pixels across.
pub(crate) fn width() -> u32 {
    576
}

/// Pixels down.
pub(crate) fn height() -> u32 {
    432
}
