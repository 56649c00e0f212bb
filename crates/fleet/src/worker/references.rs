//! References: fetched for one trial at a time, after its agent has stopped.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use quintain_core::{Reference, Task, TaskId};
use quintain_runner::{ReferenceContext, ReferenceMaker};
use quintain_store::{ArchiveError, StoreError};
use tokio::runtime::Handle;

use super::ArchiveTrouble;
use super::large_files::{FetchWay, FileCache};
use super::retry::while_worth_waiting;
use super::source::{RunSource, TaskFolder};
use crate::jetstream::NatsEngine;

/// Fetches the references of one run.
struct Fetch {
    engine: Arc<NatsEngine>,
    source: RunSource,
    runtime: Handle,
    known: Mutex<HashMap<TaskId, Arc<Task>>>,
    /// Where large files lie for as long as a trial is judged, each time in a folder of its own.
    scratch: PathBuf,
    n_fetched: AtomicU64,
}

/// What fetches the references of a run.
pub(super) fn fetched_from(
    source: RunSource,
    engine: Arc<NatsEngine>,
    runtime: Handle,
    scratch: PathBuf,
) -> ReferenceMaker {
    let fetch = Fetch { engine, source, runtime, known: Mutex::default(), scratch, n_fetched: AtomicU64::new(0) };
    Arc::new(move |context| fetch.reference(context))
}

impl Fetch {
    fn reference(&self, context: &ReferenceContext<'_>) -> Result<Reference, String> {
        let known = self.known.lock().always().get(&context.task.id).cloned();
        let task = match known {
            Some(task) => task,
            None => self.runtime.block_on(self.fetch(context)).map_err(|trouble| trouble.to_string())?,
        };
        Ok(context.instance.reference(&task))
    }

    /// The whole task. A network that is away for a while is waited for: the trial has been played.
    async fn fetch(&self, context: &ReferenceContext<'_>) -> Result<Arc<Task>, ArchiveTrouble> {
        let read = || self.source.reference(self.engine.claim(context.lease), &context.task.id);
        let files = while_worth_waiting(read, worth_waiting).await?;
        let files = self.way(context).apart(&context.task.id, TaskFolder::Reference, &files);
        let task = Arc::new(Task { reference: files, ..context.task.clone() });
        if self.source.may_remember() {
            self.known.lock().always().insert(task.id.clone(), Arc::clone(&task));
        }
        Ok(task)
    }
}

impl Fetch {
    /// How the large files of a reference are fetched, which nobody else finds.
    fn way(&self, context: &ReferenceContext<'_>) -> FetchWay {
        let number = self.n_fetched.fetch_add(1, Ordering::Relaxed);
        FetchWay {
            source: self.source.clone(),
            claim: self.engine.claim(context.lease),
            runtime: self.runtime.clone(),
            cache: FileCache::new(self.scratch.join(number.to_string())),
        }
    }
}

/// How long it is worth to try again. A judge without a reference ends the trial in a fault that counts, so that whoever
/// may only be away is waited for longer than before a trial.
fn worth_waiting(trouble: &ArchiveTrouble) -> Duration {
    match trouble {
        ArchiveTrouble::Steward(_)
        | ArchiveTrouble::Archive(StoreError::Archive(ArchiveError::Store { .. } | ArchiveError::Address { .. })) => {
            Duration::from_hours(1)
        }
        other => other.worth_waiting(),
    }
}
