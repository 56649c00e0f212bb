//! What passes between an outside agent and its model, word for word.

use crate::event::RecordError;
use crate::trial::TrialId;

/// One call of a model that passed through our hands.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// Its name in the books of the run.
    pub call: &'a str,
    /// For which trial.
    pub trial: &'a TrialId,
    /// In which attempt.
    pub attempt: u32,
    /// The path it was sent to, without its query.
    pub path: &'a str,
    /// The status of the answer; nothing where none came.
    pub status: Option<u16>,
    /// What was sent. Holds no key.
    pub request: &'a [u8],
    /// What came back, as far as it did.
    pub response: &'a [u8],
}

/// Keeps what was said, beside the trial.
pub trait Exchanges: Send + Sync {
    /// Keeps one call.
    fn keep(&self, exchange: &Exchange<'_>) -> Result<(), RecordError>;
}
