//! Why a tree cannot be built or found.

use std::io;
use std::path::{Path, PathBuf};

use crate::recipe::RecipeProblems;

/// Why a tree cannot be built or found.
#[derive(Debug, thiserror::Error)]
pub enum TreeFault {
    /// What is needed is not there.
    #[error("trees cannot be built here: {why}")]
    NotHere {
        /// What is missing.
        why: String,
        /// What helps.
        mend: String,
    },
    /// The recipe cannot be built.
    #[error("the recipe cannot be built here:\n{0}")]
    Recipe(#[from] RecipeProblems),
    /// A name that cannot be one.
    #[error("`{0}` is no name of a tree: small letters, digits, `.`, `_` and `-`, and not `base`")]
    Name(String),
    /// There is no such tree.
    #[error("there is no tree `{0}`")]
    Unknown(String),
    /// Others stand on it.
    #[error("`{name}` is needed by {needed_by}")]
    Needed {
        /// The tree.
        name: String,
        /// Those who need it.
        needed_by: String,
    },
    /// A step did not come to a good end.
    #[error("line {line}: {what}{}", tail(.last_words))]
    Step {
        /// The line of the recipe.
        line: usize,
        /// What failed.
        what: String,
        /// The last lines that it printed.
        last_words: Vec<String>,
    },
    /// The base could not be made.
    #[error("the base could not be made: {what}{}", tail(.last_words))]
    Base {
        /// What failed.
        what: String,
        /// The last lines that were printed.
        last_words: Vec<String>,
    },
    /// Something that is copied cannot be.
    #[error("line {line}: {what}")]
    Context {
        /// The line of the recipe.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl TreeFault {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// What helps, where that is known.
    pub fn mend(&self) -> Option<&str> {
        if let Self::NotHere { mend, .. } = self { Some(mend) } else { None }
    }
}

fn tail(words: &[String]) -> String {
    words.iter().map(|line| format!("\n  {line}")).collect::<Vec<_>>().concat()
}
