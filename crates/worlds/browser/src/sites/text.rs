//! The same sites without a browser: pages as text, and five calls to go through them.

mod calls;
mod view;
mod world;

pub(crate) use world::TextWorld;

/// Counts up whenever sites as text behave differently: what is shown of a page, what a call does.
pub(crate) const TEXT_VERSION: u32 = 1;

#[cfg(test)]
mod tests;
