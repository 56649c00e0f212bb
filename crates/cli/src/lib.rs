//! The `quintain` command as a library: arguments, then settings, then one function that does it and prints.
//!
//! The binary is [`main`] and nothing else. The Python package uses the same composition of worlds, judges and agents.

mod args;
mod audience;
mod budget;
mod cast;
mod commands;
mod diagnosis;
mod dispatch;
mod exit;
mod files;
mod fingerprint;
mod fleet;
mod guest;
mod interrupt;
mod live;
mod log;
mod models;
mod outside;
mod playable;
mod player;
mod printer;
mod rows;
mod workshop;

pub use dispatch::main;
pub use workshop::{Handed, Watch, Workshop};
