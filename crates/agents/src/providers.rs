//! Clients of model providers: four wire formats behind one trait.

pub mod anthropic;
pub mod codec;
pub mod provider;

pub use provider::{ModelSpec, NotAModel, Provider};
