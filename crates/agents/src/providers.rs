//! Clients of model providers: four wire formats behind one trait.

pub mod codec;
