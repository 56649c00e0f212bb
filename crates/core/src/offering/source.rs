//! What the instances of a world are made of: things of the user's, or generated ones.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// What instances are made of.
#[derive(Clone, Debug)]
pub struct WorldSource {
    /// What it gives: `photographs`.
    pub name: &'static str,
    /// What kind of source it is, for a fingerprint: `generated scenes`, `a folder`. It names nobody's paths.
    pub from: &'static str,
    /// What is known of it, or why it cannot be used.
    pub opened: Result<String, BrokenSource>,
    /// How to name one that can be used.
    pub mend: &'static str,
}

/// A source that the user named and that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot use the {name} in {place}")]
pub struct BrokenSource {
    /// What it should give.
    pub name: &'static str,
    /// Where.
    pub place: String,
    /// Why not.
    #[source]
    pub why: Arc<dyn Error + Send + Sync>,
}

/// The sources of a world that cannot be opened, since one of them is broken.
#[derive(Clone, Debug)]
pub struct BrokenSources {
    /// The first that is broken: that is what it tells.
    pub first: BrokenSource,
    /// All of them, broken or not, for whoever looks after this machine.
    pub sources: Vec<WorldSource>,
}

impl fmt::Display for BrokenSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)
    }
}

impl Error for BrokenSources {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.first.source()
    }
}

impl BrokenSources {
    /// All sources if each can be used, else what is broken.
    pub fn check(sources: Vec<WorldSource>) -> Result<Vec<WorldSource>, Self> {
        let broken = sources.iter().find_map(|source| source.opened.as_ref().err().cloned());
        match broken {
            None => Ok(sources),
            Some(first) => Err(Self { first, sources }),
        }
    }
}
