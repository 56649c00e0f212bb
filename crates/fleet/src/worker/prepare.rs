//! Preparing to play a run: what it says of itself, its tasks, who takes part, and whether this host may play it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::{Backoff, Event, Task};
use quintain_runner::engine::Lease;
use quintain_runner::{Cast, Job};
use quintain_store::{ClassUsed, RunDir, RunHeader};

use super::ArchiveTrouble;
use super::context::{WorkerContext, WorkerCounts};
use super::crew;
use super::fit::{misfit, misfits};
use super::joining;
use super::large_files::{FetchWay, FileCache};
use super::leasing::PASSED_ON;
use super::references::fetched_from;
use super::refusals::is_of;
use super::retry::WORKER_BACKOFF;
use super::run_queue::RunQueue;
use super::source::{RunSource, TaskFolder};

/// How long a run is not taken that this host cannot play.
const MISFIT_RESTS: Backoff = Backoff { first: Duration::from_hours(1), longest: Duration::from_hours(1) };

/// How long one is not taken that is not in this host's archive, or not as it should be.
const ABSENCE_RESTS: Backoff = Backoff { first: Duration::from_mins(1), longest: Duration::from_mins(15) };

/// How long one is not taken that could not be prepared for reasons that may pass.
pub(super) const TROUBLE_RESTS: Backoff = Backoff { first: Duration::from_mins(1), longest: Duration::from_mins(1) };

/// How long the archive is waited for before a trial of a run was begun here. Others may have it at hand.
const READ_WITHIN: Duration = Duration::from_secs(20);

/// Everything that a run needs to be played here.
pub(super) struct PreparedRun {
    pub(super) run: RunDir,
    pub(super) source: RunSource,
    pub(super) session: String,
    /// Whether trials can be gone on with from half of a record.
    pub(super) keeps: bool,
    /// The classes whose trials are not played here, and why.
    misfits: Vec<(ClassUsed, String)>,
    tasks: Vec<Task>,
    cast: Cast,
}

/// Why a run is not played here.
struct RunRefusal {
    why: String,
    rests: Backoff,
}

impl RunRefusal {
    fn passing(why: &impl ToString) -> Self {
        Self { why: why.to_string(), rests: TROUBLE_RESTS }
    }

    fn misfit(why: String) -> Self {
        Self { why, rests: MISFIT_RESTS }
    }
}

impl From<ArchiveTrouble> for RunRefusal {
    fn from(trouble: ArchiveTrouble) -> Self {
        let rests = if trouble.worth_waiting().is_zero() { ABSENCE_RESTS } else { TROUBLE_RESTS };
        Self { why: trouble.to_string(), rests }
    }
}

impl PreparedRun {
    /// Refuses the class of a unit where this host must not play it.
    pub(super) fn refuse_misfit(&self, context: &WorkerContext<'_>, lease: &Lease) {
        let misfit = self.misfits.iter().find(|(used, _)| is_of(&lease.unit, &used.tasks));
        if let Some((used, why)) = misfit.filter(|_| !context.is_refused(lease)) {
            context.refuse_class(&lease.run, used, why, MISFIT_RESTS);
        }
    }

    /// The job of those who play it.
    pub(super) fn job<'a>(
        &'a self,
        context: &'a WorkerContext<'a>,
        room: &'a RunQueue,
        emit: &'a (dyn Fn(Event) + Sync),
    ) -> Job<'a> {
        let (run, tasks, cast) = (&self.run, &self.tasks[..], &self.cast);
        Job { run, tasks, cast, options: &context.options.run, stop: &room.stop, emit }
    }
}

/// The life of a room: it is prepared, the run is played in it, and what is left on disk is cleared away.
pub(super) fn live_in(context: &WorkerContext<'_>, room: &Arc<RunQueue>) {
    let scratch = scratch_of(context, room);
    let done = prepare(context, room, &scratch).and_then(|prepared| {
        let played = prepared.map_or(Ok(()), |prepared| crew::play(context, room, &prepared));
        played.map_err(|error| RunRefusal::passing(&error))
    });
    if let Err(RunRefusal { why, rests }) = done {
        context.refuse(&room.run, &why, rests);
    }
    context.rooms.close(room);
    let left = room.take_waiting(Duration::ZERO);
    if !context.is_draining() {
        WorkerCounts::count(&context.tally.refused, left.len());
    }
    context.put_back(Some(room), &left, if context.is_draining() { Duration::ZERO } else { PASSED_ON });
    // What cannot be removed now is removed when a worker of this name starts again.
    for folder in [scratch.clone(), beside(&scratch, "inputs"), beside(&scratch, "references")] {
        drop(fs::remove_dir_all(folder));
    }
    context.rooms.leave(room);
}

fn scratch_of(context: &WorkerContext<'_>, room: &RunQueue) -> PathBuf {
    context.options.scratch.join(&context.session).join(format!("{:04}", room.number))
}

/// Prepares a run; nothing if there is no lease of it any more.
fn prepare(context: &WorkerContext<'_>, room: &RunQueue, scratch: &Path) -> Result<Option<PreparedRun>, RunRefusal> {
    let Some(held) = room.peek() else { return Ok(None) };
    if let Some(trouble) = joining::archive_trouble(context) {
        return Err(trouble.into());
    }
    let source = RunSource::of(&room.run, &context.access, &context.asking)?;
    let fetched = context.block_on(fetch(context, &source, &held.lease))?;
    let Some((header, tasks)) = fetched else { return Ok(None) };
    let tasks = with_inputs(context, &held.lease, &source, scratch, tasks);
    let worlds: BTreeSet<&str> = tasks.iter().map(|task| task.spec.world.kind.as_str()).collect();
    if let Some(why) = misfit(&header, &context.options.fingerprint) {
        return Err(RunRefusal::misfit(why));
    }
    let misfits = misfits(&header, &context.options.classes, &context.options.fingerprint);
    let session = format!("{}x{}", context.session, room.number);
    let run = RunDir::create_as(&session, scratch, &header).map_err(|error| RunRefusal::passing(&error))?;
    let cast = (context.casting)(&run, context.shares.clone()).map_err(RunRefusal::misfit)?;
    context.refusals.forgive(&room.run);
    let runtime = context.runtime.handle().clone();
    let references = fetched_from(source.clone(), Arc::clone(&context.engine), runtime, beside(scratch, "references"));
    let cast = Cast { references, ..cast };
    let keeps = worlds.iter().any(|kind| cast.worlds.get(*kind).is_some_and(|world| world.is_deterministic()));
    Ok(Some(PreparedRun { run, source, session, keeps, misfits, tasks, cast }))
}

/// The tasks, whose large inputs are fetched when the first world takes them.
fn with_inputs(
    context: &WorkerContext<'_>,
    lease: &Lease,
    source: &RunSource,
    scratch: &Path,
    tasks: Vec<Task>,
) -> Vec<Task> {
    let way = FetchWay {
        source: source.clone(),
        claim: context.engine.claim(lease),
        runtime: context.runtime.handle().clone(),
        cache: FileCache::new(beside(scratch, "inputs")),
    };
    let fetched = |task: Task| Task { input: way.apart(&task.id, TaskFolder::Input, &task.input), ..task };
    tasks.into_iter().map(fetched).collect()
}

/// A folder beside that of a room, for files that are no part of the record.
fn beside(scratch: &Path, what: &str) -> PathBuf {
    scratch.with_extension(what)
}

/// Fetches header and tasks, waiting for a network that is away; nothing if the worker is to drain meanwhile.
async fn fetch(
    context: &WorkerContext<'_>,
    source: &RunSource,
    lease: &Lease,
) -> Result<Option<(RunHeader, Vec<Task>)>, ArchiveTrouble> {
    let (began, mut waits) = (Instant::now(), WORKER_BACKOFF.begin());
    while !context.is_draining() {
        let claim = context.engine.claim(lease);
        let fetched = async { Ok((source.header(claim.clone()).await?, source.tasks(claim.clone()).await?)) };
        match fetched.await {
            Ok(fetched) => return Ok(Some(fetched)),
            Err(trouble) => {
                let trouble: ArchiveTrouble = trouble;
                if began.elapsed() >= trouble.worth_waiting().min(READ_WITHIN) {
                    return Err(trouble);
                }
                context.log(&format!("cannot read run `{}` yet: {trouble}", lease.run));
            }
        }
        tokio::time::sleep(waits.next_wait()).await;
    }
    Ok(None)
}

/// Takes a place on disk for this session and removes what earlier ones of a worker of this name left. Whoever holds the
/// file that is returned lives: another worker of the same name on the same host leaves its place alone.
pub(super) fn claim_scratch(context: &WorkerContext<'_>) -> io::Result<File> {
    let scratch = &context.options.scratch;
    fs::create_dir_all(scratch)?;
    let own = File::create(mark_of(&scratch.join(&context.session)))?;
    own.lock()?;
    clear_scratch(context)?;
    Ok(own)
}

/// The file that is locked for as long as the session of a folder lives.
pub(super) fn mark_of(folder: &Path) -> PathBuf {
    folder.with_extension("lives")
}

fn clear_scratch(context: &WorkerContext<'_>) -> io::Result<()> {
    let prefix = format!("{}-", context.options.name);
    for entry in fs::read_dir(&context.options.scratch)?.flatten() {
        let folder = entry.path().with_extension("");
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_session = name.strip_prefix(&prefix).is_some_and(|rest| !rest.contains('-'));
        let lives = File::open(mark_of(&folder)).is_ok_and(|mark| mark.try_lock().is_err());
        if is_session && name != context.session && !lives {
            drop(fs::remove_dir_all(&folder));
            drop(fs::remove_file(mark_of(&folder)));
        }
    }
    Ok(())
}

/// Gives the place on disk back.
pub(super) fn leave_scratch(context: &WorkerContext<'_>, own: File) {
    let folder = context.options.scratch.join(&context.session);
    drop(fs::remove_dir_all(&folder));
    drop(fs::remove_file(mark_of(&folder)));
    drop(own);
}
