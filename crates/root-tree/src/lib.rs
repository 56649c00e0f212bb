//! Whole systems in folders, for sandboxes to be opened on: what one is made of, how it is built and kept, and what was
//! changed of it.
//!
//! A [`TreeRecipe`] is what a Dockerfile says, as far as it can be done here. A [`TreeStore`] builds it over a base that all
//! trees share, and keeps it. What somebody changed of a tree is written and put back by [`write_changes`] and [`put_changes`].

mod base_maker;
mod build_host;
mod build_place;
mod changes;
mod context_files;
mod fault;
mod finished_root;
mod recipe;
mod tree_build;
mod tree_record;
mod tree_store;
mod watched_run;

pub use base_maker::{BaseMaker, Mmdebstrap};
pub use build_host::examine_host;
pub use changes::{ChangesCount, ChangesFault, ChangesLimits, put_changes, write_changes};
pub use fault::TreeFault;
pub use recipe::{CopyStep, RecipeAction, RecipeProblem, RecipeProblems, RecipeStep, TreeRecipe};
pub use tree_record::TreeRecord;
pub use tree_store::{RootTree, TreeOrder, TreeStore};
pub use watched_run::{BuildListener, BuildProgress};
