//! What `quintain show` tells of a task's certificate.

use quintain_core::{CertificateKey, Task};
use quintain_workshop::{KeptState, Workshop};
use serde_json::{Value, json};

use crate::kept_words::{in_words, state_name};

/// What a certificate of a task would hold for here, and what is kept.
pub(super) struct TaskCertificate {
    /// Nothing where the task's world is not known here.
    key: Option<CertificateKey>,
    state: KeptState,
}

impl TaskCertificate {
    /// Of a task here. A task whose world cannot be had is shown all the same.
    pub(super) fn of(task: &Task, workshop: &Workshop) -> Self {
        let state = workshop.kept_files(task).and_then(|files| workshop.kept(task, &files));
        let state = state.unwrap_or_else(|why| KeptState::Unreadable(why.to_string()));
        Self { key: workshop.certificate_key(task).ok(), state }
    }

    /// A line of words, with what to do about it.
    pub(super) fn line(&self, task: &Task) -> String {
        let key = self.key.map_or_else(|| "certificate".to_owned(), |key| format!("certificate {}", key.short()));
        let mend = match self.state {
            KeptState::Misfits { .. } | KeptState::Unreadable(_) => {
                format!(": run `quintain check {} --keep DIR`", task.id)
            }
            KeptState::Missing | KeptState::Fits(_) => String::new(),
        };
        format!("{key}, {}{mend}", in_words(&self.state))
    }

    pub(super) fn json(&self) -> Value {
        let kept = match &self.state {
            KeptState::Fits(kept) | KeptState::Misfits { kept, .. } => Some(kept),
            KeptState::Missing | KeptState::Unreadable(_) => None,
        };
        let words = in_words(&self.state);
        json!({ "key": self.key, "state": state_name(&self.state), "words": words, "kept": kept })
    }
}
