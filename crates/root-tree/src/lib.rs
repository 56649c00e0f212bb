//! Whole systems in folders, for sandboxes to be opened on: what one is made of, how it is built and kept, and what was
//! changed of it.
//!
//! A [`TreeRecipe`] is what a Dockerfile says, as far as it can be done here.

mod changes;
mod recipe;

pub use changes::{ChangesCount, ChangesFault, ChangesLimits, put_changes, write_changes};
pub use recipe::{CopyStep, RecipeAction, RecipeProblem, RecipeProblems, RecipeStep, TreeRecipe};
