//! Whole systems in folders, for sandboxes to be opened on: what one is made of, how it is built and kept, and what was
//! changed of it.
//!
//! A [`TreeRecipe`] is what a Dockerfile says, as far as it can be done here.

mod changes;

pub use changes::{ChangesCount, ChangesFault, ChangesLimits, put_changes, write_changes};
