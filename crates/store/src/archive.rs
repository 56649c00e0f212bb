//! Runs in an object store: a directory, or anything that speaks S3.
//!
//! The archive is the record of truth of runs on a fleet. Everything in it is written once and never changed: each
//! object is created with "only if it is not there yet", so two writers cannot both write one, and one that dies halfway
//! leaves nothing or something whole. Only run names, pack names and sequence numbers make up paths:
//!
//! ```text
//! archive.json                               what tells this archive from all others
//! runs/<run>/run.json                        what the run says of itself; written last, so a run is there whole or not
//! runs/<run>/plan/<slice:05>.jsonl           its trials, 4096 in a slice
//! runs/<run>/tasks.json                      its tasks, without the files of their references
//! runs/<run>/references/<suite>/<task>.json  those files, one object for each task
//! runs/<run>/terms.json                      on which terms it is played, as its caller says it
//! runs/<run>/standing.json                   how it stands on the server: direction and budget
//! runs/<run>/packs/<pack>.pack, .json        records: lines of segments, pictures, files; and the manifest of each
//! runs/<run>/files/<session>-<hash>          large files that agents left
//! runs/<run>/inputs/<hash>, references/<suite>/<task>/<hash>  large files of tasks
//! runs/<run>/outcomes/<first seq:012>.parquet  outcomes, in segments
//! ```
//!
//! # What others call
//!
//! Methods are `async` and need tokio unless marked *sync*. Errors are [`StoreError`].
//!
//! | call | what it does |
//! |---|---|
//! | [`Archive::open`]`(url)` *sync* | a path, `file://…`, or `s3://bucket/prefix` with `AWS_*` of the environment |
//! | [`Archive::make`]`(url)` *sync* | the same; a directory is made where there is none, for whoever begins a fleet |
//! | [`Archive::identity`]`() -> Option<String>`, [`identify`](Archive::identify)`(fresh) -> String` | what tells it from all others |
//! | [`Archive::open_with`]`(url, settings)` *sync* | the same with settings in place of the environment's |
//! | [`Archive::create_run`]`(&header, &plan, &tasks) -> ArchivedRun` | may be repeated after a crash; another run of that name is an error |
//! | [`Archive::run`]`(name) -> Result<ArchivedRun>` *sync* | looks at nothing yet; only a bad name is an error |
//! | [`Archive::runs`]`() -> Vec<String>` | the runs that are there |
//! | [`Archive::check`]`()` | can it be reached, written to, and does it refuse to overwrite; for whoever starts a steward or hands in a run |
//! | [`Archive::can_sign`]`()` *sync* | whether addresses can be signed |
//! | [`ArchivedRun::header`]`()`, [`n_slices`](ArchivedRun::n_slices)`()`, [`slice`](ArchivedRun::slice)`(n)`, [`plan`](ArchivedRun::plan)`()`, [`tasks`](ArchivedRun::tasks)`()` | what was planned; [`slice_of`]`(idx) -> (slice, place in it)` |
//! | [`ArchivedRun::reference`]`(&TaskId) -> FileSet` | then [`reference_for`]`(&instance, &task, files) -> core::Reference` |
//! | [`ArchivedRun::put_terms`]`(&[u8])`, [`terms`](ArchivedRun::terms)`() -> Option<Bytes>` | may be replaced |
//! | [`ArchivedRun::put_standing`]`(&[u8])`, [`standing`](ArchivedRun::standing)`() -> Option<Bytes>` | may be replaced, by the leading steward |
//! | [`ArchivedRun::put_pack`]`(name, bytes, &manifest)` | pack, then manifest; may be repeated with the same bytes |
//! | [`ArchivedRun::put_large`]`(path, &file)`, [`fetch_large`](ArchivedRun::fetch_large)`(path, LargeFile { digest, len }, &blobs)` | files that are objects of their own, in parts |
//! | [`ArchivedRun::manifests`]`(after: Option<&str>, max) -> Vec<(String, Manifest)>` | in order of name, page by page |
//! | [`ArchivedRun::manifest`]`(name)`, [`pack`](ArchivedRun::pack)`(name)` | one of them |
//! | [`ArchivedRun::put_outcomes`]`(&[OutcomeRow]) -> Wrote` | one segment; `Wrote::AlreadyThere` when another compactor was first |
//! | [`OutcomeRow::new`]`(seq, idx, trial, attempt, finished, place)` *sync* | a row; [`worker_of`]`(place)` is filled in |
//! | [`ArchivedRun::compacted`]`() -> Compacted { n_segments, next_seq }` | where a compactor goes on |
//! | [`ArchivedRun::outcome_segments`]`() -> Vec<u64>`, [`outcome_segment`](ArchivedRun::outcome_segment)`(first) -> Vec<OutcomeRow>` | one by one |
//! | [`ArchivedRun::outcomes`]`() -> Vec<OutcomeRow>` | all, one for each unit: the lowest sequence number counts |
//! | [`ArchivedRun::recovered`]`(&BTreeSet<u32>) -> Vec<OutcomeRow>` | outcomes of units not in the set, rebuilt from manifests, with `seq` 0 |
//! | [`ArchivedRun::pull`]`(to, &mut progress) -> Pulled` | a run directory again, without `engine.sqlite` |
//! | [`ArchivedRun::sign_read`]`(path, for)`, [`sign_write`](ArchivedRun::sign_write)`(path, for) -> String` | addresses; `path` is one of [`paths`] |
//! | [`paths`]`::{HEADER, TASKS, slice(n), reference(&task), pack(name), manifest(name), large(session, digest), input(digest), reference_file(&task, digest)}` *sync* | paths within a run |
//! | [`Address`]`::{read(url), write(url, bytes), write_file(url, &file), fetch(url, file, &blobs)}` | uses such an address, without credentials |
//! | [`PackWriter`]`::{new, lines(&place, bytes), frame(digest, png), blob(digest, bytes), large(digest, len), book(place, lines), attempt(…), n_bytes, n_attempts, is_empty, finish}` *sync* | makes a pack and its manifest |
//! | [`public_tasks`]`(&[Task]) -> Vec<u8>`, [`read_tasks`]`(&[u8]) -> Vec<Task>`, [`read_reference`]`(&[u8]) -> FileSet`, [`read_slice`]`(&[u8])`, [`read_header`]`(&[u8])` *sync* | for those who read through addresses |

mod address;
mod bound;
mod columns;
mod error;
mod identity;
mod large;
mod manifest;
mod objects;
mod open;
mod outcomes;
mod pack;
mod packs;
pub mod paths;
mod pull;
mod pull_target;
mod run;
mod tasks;
mod ticket;

use std::sync::Arc;

use bytes::Bytes;
use quintain_core::Task;

use crate::error::StoreError;
use crate::run::{PlannedTrial, RunHeader};

pub use address::{Address, MAX_AT_ONCE};
pub use error::ArchiveError;
pub use large::LARGE;
pub use manifest::{
    BookPlace, LargeFile, MANIFEST_VERSION, PackManifest, PackedBook, PackedFile, PackedLines, ShippedAttempt,
};
pub use objects::WriteResult;
pub use outcomes::{CompactedUpTo, OutcomeRow, worker_of};
pub use pack::PackWriter;
pub use pull::{PullProgress, PulledRun};
pub use run::{ArchivedRun, read_header, read_slice};
pub use tasks::{fetched_apart, public_tasks, read_reference, read_tasks, reference_for};
pub use ticket::ticket;

use objects::StoredObjects;

/// So many trials stand in a slice of a plan.
pub const SLICE: usize = 4096;

/// The slice in which a unit's trial stands, and its place there.
pub fn slice_of(idx: u32) -> (u32, usize) {
    let slice = SLICE as u32;
    (idx / slice, (idx % slice) as usize)
}

/// Does what blocks on a thread of its own.
async fn aside<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(job).await;
    done.map_err(|error| ArchiveError::unreadable("a pack")(error))?
}

/// An archive of runs. Copies share one connection.
#[derive(Clone, Debug)]
pub struct Archive {
    objects: Arc<StoredObjects>,
}

impl Archive {
    /// Opens an archive: a directory by its path or `file://` address, or `s3://bucket/prefix`, where the environment
    /// says how it is reached (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`). A
    /// directory has to exist. Nothing is asked of a server yet.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let settings = std::env::vars().filter(|(name, _)| name.starts_with("AWS_"));
        Self::open_with(url, settings)
    }

    /// Opens an archive, and makes its directory where there is none.
    pub fn make(url: &str) -> Result<Self, StoreError> {
        open::make(url)?;
        Self::open(url)
    }

    /// Opens an archive with settings of one's own, named as in the environment, in place of the environment's.
    pub fn open_with<K, V>(url: &str, settings: impl IntoIterator<Item = (K, V)>) -> Result<Self, StoreError>
    where
        K: AsRef<str>,
        V: Into<String>,
    {
        let settings = settings.into_iter().map(|(name, value)| (name.as_ref().to_owned(), value.into())).collect();
        let objects = open::open(url, settings)?;
        Ok(Self { objects: Arc::new(objects) })
    }

    /// Its address, as it was opened.
    pub fn url(&self) -> &str {
        self.objects.url()
    }

    /// Whether it can sign addresses for others: a directory cannot.
    pub fn can_sign(&self) -> bool {
        self.objects.can_sign()
    }

    /// Finds out whether the archive can be written to, and refuses to write over what is there. A server that knows
    /// nothing of such conditions would ignore them silently.
    pub async fn check(&self) -> Result<(), StoreError> {
        let probe = paths::probe(); // One's own: whoever else looks takes its own away.
        self.objects.create(&probe, Bytes::from_static(b"the first stays\n")).await?;
        let second = self.objects.create(&probe, Bytes::from_static(b"the second does not\n")).await;
        self.objects.remove(&probe).await;
        match second? {
            WriteResult::AlreadyThere => Ok(()),
            WriteResult::New => Err(ArchiveError::Overwrites { url: self.url().to_owned() }.into()),
        }
    }

    /// Puts a new run into the archive. Whoever dies halfway may begin again: the run is there once its header is.
    pub async fn create_run(
        &self,
        header: &RunHeader,
        plan: &[PlannedTrial],
        tasks: &[Task],
    ) -> Result<ArchivedRun, StoreError> {
        let run = self.run(&header.name)?;
        run.create(header, plan, tasks).await?;
        Ok(run)
    }

    /// The run of that name, which nobody has looked for yet.
    pub fn run(&self, name: &str) -> Result<ArchivedRun, StoreError> {
        ArchivedRun::named(Arc::clone(&self.objects), name)
    }

    /// The names of all runs, in order. Those that were only begun to be made are among them.
    pub async fn runs(&self) -> Result<Vec<String>, StoreError> {
        self.objects.folders(paths::RUNS).await
    }
}
