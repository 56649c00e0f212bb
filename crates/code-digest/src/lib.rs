//! For build scripts: the hashes of the code that judges, oracles and generators rest on.
//!
//! A certificate says that a judge was strict when it was made. It is keyed by these hashes, so that a judge that was
//! changed since is not taken at its old word: see `docs/adr/0018-kept-certificates.md`. Comments count, tests do not.

mod code_tree;
mod registered;

pub use code_tree::{CodeApp, CodeTree};
pub use registered::{listed, registered};
