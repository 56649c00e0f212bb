//! Why a sandbox cannot do what it was asked.

use std::fmt;

/// Why a sandbox cannot do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SandboxFault {
    /// None can be made on this host, whoever asks.
    Unavailable(String),
    /// This one could not be made or broke, and nobody inside is to blame.
    Broken(String),
    /// Whoever is inside used up what there was.
    UsedUp(String),
    /// What has to run was ended from inside. Whoever can run commands there can do that.
    Ended(String),
    /// What was asked cannot be done, and the sandbox is as it was.
    Refused(String),
}

impl fmt::Display for SandboxFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(out, "no sandbox can be made on this host: {why}"),
            Self::Broken(why) => write!(out, "the sandbox broke: {why}"),
            Self::UsedUp(what) => write!(out, "what the sandbox may use is used up: {what}"),
            Self::Ended(how) => write!(out, "the sandbox was ended: {how}"),
            Self::Refused(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for SandboxFault {}

impl SandboxFault {
    pub(super) fn broken(why: impl fmt::Display) -> Self {
        Self::Broken(why.to_string())
    }

    pub(super) fn refused(why: impl fmt::Display) -> Self {
        Self::Refused(why.to_string())
    }
}
