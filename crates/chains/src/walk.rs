//! Going over the sites without a browser: looking up, following links, filling in forms, as somebody does who sees the
//! pages. Whatever is done here can be done with mouse and keyboard.

mod walker;

pub(crate) use walker::is_said;
pub use walker::{Entry, Trust, Walker};
