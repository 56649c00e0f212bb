//! A run in an archive: what was planned.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_core::{FileSet, Task, TaskId};

use super::error::ArchiveError;
use super::objects::{StoredObjects, WriteResult};
use super::tasks::{large_among, public_tasks, read_reference, read_tasks, reference_bytes};
use super::{SLICE, paths};
use crate::error::StoreError;
use crate::run::{PlannedTrial, RUN_FORMAT, RunHeader, plan_line};

/// So many objects are on their way at once.
pub(super) const AT_ONCE: usize = 8;

/// What to do about a run that is there already.
const ANOTHER: &str = "another run has this name: choose a new one";

/// A run in an archive. Copies share one connection.
#[derive(Clone, Debug)]
pub struct ArchivedRun {
    pub(super) objects: Arc<StoredObjects>,
    name: String,
}

impl ArchivedRun {
    pub(super) fn named(objects: Arc<StoredObjects>, name: &str) -> Result<Self, StoreError> {
        let name = paths::sound("a run", name)?.to_owned();
        Ok(Self { objects, name })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where one of its objects stands in the archive.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}/{}/{path}", paths::RUNS, self.name)
    }

    /// Writes everything there is to a new run, the header last. What is there from an earlier try is left, if it is the
    /// same.
    pub(super) async fn create(
        &self,
        header: &RunHeader,
        plan: &[PlannedTrial],
        tasks: &[Task],
    ) -> Result<(), StoreError> {
        self.put_large_of(tasks).await?;
        self.create_same(paths::TASKS, public_tasks(tasks)?).await?;
        let bytes = tasks.iter().map(|task| Ok((paths::reference(&task.id), reference_bytes(task)?)));
        let bytes: Vec<(String, Vec<u8>)> = bytes.collect::<Result<_, ArchiveError>>()?;
        all_of(bytes.into_iter().map(|(path, bytes)| self.create_same_at(path, bytes)).collect()).await?;
        let slices = plan.chunks(SLICE).enumerate();
        let slices = slices.map(|(slice, trials)| self.create_same_at(paths::slice(slice as u32), slice_bytes(trials)));
        all_of(slices.collect()).await?;
        let mut bytes = serde_json::to_vec_pretty(header).map_err(ArchiveError::unreadable(paths::HEADER))?;
        bytes.push(b'\n');
        self.create_same(paths::HEADER, bytes).await
    }

    /// Puts in the large files of tasks, one after another.
    async fn put_large_of(&self, tasks: &[Task]) -> Result<(), StoreError> {
        for task in tasks {
            for (_, file) in large_among(&task.input) {
                self.put_large(&paths::input(file.digest()), file).await?;
            }
            for (_, file) in large_among(&task.reference) {
                self.put_large(&paths::reference_file(&task.id, file.digest()), file).await?;
            }
        }
        Ok(())
    }

    async fn create_same_at(&self, path: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.create_same(&path, bytes).await
    }

    async fn create_same(&self, path: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.objects.create_same(&self.at(path), Bytes::from(bytes), ANOTHER).await.map(|_wrote: WriteResult| ())
    }

    pub(super) async fn get(&self, path: &str) -> Result<Bytes, StoreError> {
        self.objects.get(&self.at(path)).await
    }

    /// Whether it is there, as a whole.
    pub async fn exists(&self) -> Result<bool, StoreError> {
        Ok(self.objects.find(&self.at(paths::HEADER)).await?.is_some())
    }

    /// What it says of itself.
    pub async fn header(&self) -> Result<RunHeader, StoreError> {
        Ok(read_header(&self.get(paths::HEADER).await?)?)
    }

    /// How many slices its plan has.
    pub async fn n_slices(&self) -> Result<u32, StoreError> {
        Ok(self.objects.files(&self.at(paths::PLAN), None).await?.len() as u32)
    }

    /// A slice of its plan, from 0; [`super::slice_of`] says which one a unit is in.
    pub async fn slice(&self, slice: u32) -> Result<Vec<PlannedTrial>, StoreError> {
        Ok(read_slice(&self.get(&paths::slice(slice)).await?)?)
    }

    /// Its whole plan.
    pub async fn plan(&self) -> Result<Vec<PlannedTrial>, StoreError> {
        let slices = stream::iter(0..self.n_slices().await?).map(|slice| self.slice(slice));
        let slices: Vec<Vec<PlannedTrial>> = slices.buffered(AT_ONCE).try_collect().await?;
        Ok(slices.concat())
    }

    /// Its tasks, without the files of their references.
    pub async fn tasks(&self) -> Result<Vec<Task>, StoreError> {
        Ok(read_tasks(&self.get(paths::TASKS).await?)?)
    }

    /// The files of a task's reference: for the judge only, after the agent has stopped.
    pub async fn reference(&self, task: &TaskId) -> Result<FileSet, StoreError> {
        Ok(read_reference(&self.get(&paths::reference(task)).await?)?)
    }

    /// Notes on which terms it is played, over what was noted before.
    pub async fn put_terms(&self, terms: &[u8]) -> Result<(), StoreError> {
        self.objects.replace(&self.at(paths::TERMS), Bytes::copy_from_slice(terms)).await
    }

    /// On which terms it is played, if that was noted.
    pub async fn terms(&self) -> Result<Option<Bytes>, StoreError> {
        self.objects.find(&self.at(paths::TERMS)).await
    }

    /// Notes how it stands on the server, over what was noted before.
    pub async fn put_standing(&self, standing: &[u8]) -> Result<(), StoreError> {
        self.objects.replace(&self.at(paths::STANDING), Bytes::copy_from_slice(standing)).await
    }

    /// How it stood on the server, if that was noted.
    pub async fn standing(&self) -> Result<Option<Bytes>, StoreError> {
        self.objects.find(&self.at(paths::STANDING)).await
    }

    /// Says that what was noted of how it stands makes no sense.
    pub fn unreadable_standing(&self, why: &dyn std::fmt::Display) -> StoreError {
        ArchiveError::unreadable(&self.at(paths::STANDING))(why).into()
    }

    /// Keeps what the tickets of its units are made with. What was kept before stays.
    pub async fn put_key(&self, key: &str) -> Result<(), StoreError> {
        self.objects.create(&self.at(paths::KEY), Bytes::copy_from_slice(key.as_bytes())).await.map(|_created| ())
    }

    /// What the tickets of its units are made with, if that was kept.
    pub async fn key(&self) -> Result<Option<String>, StoreError> {
        let found = self.objects.find(&self.at(paths::KEY)).await?;
        Ok(found.map(|key| String::from_utf8_lossy(&key).into_owned()))
    }

    /// An address at which an object of this run can be read without credentials, for a while. The path is one of
    /// [`super::paths`].
    pub async fn sign_read(&self, path: &str, for_: Duration) -> Result<String, StoreError> {
        self.objects.sign_read(&self.at(sound_path(path)?), for_).await
    }

    /// An address at which an object of this run can be created without credentials, once and for a while. Whoever uses
    /// it says `If-None-Match: *`, as [`super::Address`] does.
    pub async fn sign_write(&self, path: &str, for_: Duration) -> Result<String, StoreError> {
        self.objects.sign_write(&self.at(sound_path(path)?), for_).await
    }
}

/// A path that stays within its run.
fn sound_path(path: &str) -> Result<&str, ArchiveError> {
    path.split('/').try_for_each(|part| paths::sound("an object", part).map(|_sound| ()))?;
    Ok(path)
}

/// Carries out all, a few at once.
async fn all_of(jobs: Vec<impl Future<Output = Result<(), StoreError>>>) -> Result<(), StoreError> {
    stream::iter(jobs).buffer_unordered(AT_ONCE).try_collect().await
}

/// Reads what a run says of itself, as it is archived.
pub fn read_header(bytes: &[u8]) -> Result<RunHeader, ArchiveError> {
    #[derive(serde::Deserialize)]
    struct ArchiveFormat {
        format: u32,
    }
    let ArchiveFormat { format } = serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(paths::HEADER))?;
    if format > RUN_FORMAT {
        let why = format!("it is of version {format}, and this program reads up to {RUN_FORMAT}");
        return Err(ArchiveError::unreadable(paths::HEADER)(why));
    }
    serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(paths::HEADER))
}

/// Reads a slice of a plan, as it is archived.
pub fn read_slice(bytes: &[u8]) -> Result<Vec<PlannedTrial>, ArchiveError> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read: Result<Vec<PlannedTrial>, _> = lines.map(serde_json::from_slice).collect();
    read.map_err(ArchiveError::unreadable("a slice of the plan"))
}

fn slice_bytes(trials: &[PlannedTrial]) -> Vec<u8> {
    trials.iter().flat_map(plan_line).collect()
}
