//! Those who play one run here: slots that play, one who ships, one who hands in, one who keeps half-done records.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::Event;
use quintain_core::lock::LockAlways as _;
use quintain_models::ration::Refused;
use quintain_runner::engine::{Lease, Release};
use quintain_runner::{RunError, TrialPlayer};
use quintain_store::archive::slice_of;
use quintain_store::{RunDir, SegmentWriter, StoreError};

use super::ArchiveTrouble;
use super::context::{WorkerContext, WorkerCounts};
use super::hand_in_queue::{DESK, FinishedTrial, HandInQueue};
use super::handover::{hand_in, with_more};
use super::holdings::TrackedLease;
use super::leasing::PASSED_ON;
use super::prepare::{PreparedRun, TROUBLE_RESTS};
use super::retry::while_worth_waiting;
use super::run_queue::RunQueue;
use super::shipper::Shipper;
use super::source::RunSource;
use super::unfinished;

/// So many flushes may be on their way from the archive to the engine.
const ON_THE_WAY: usize = 4;

/// How often one looks whether a room may be closed.
const LOOK: Duration = Duration::from_millis(100);

/// How often half-done records are kept.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// A room that has learned so many slices of the plan, begun so many trials, or shipped so many bytes is replaced by
/// another, so that what it remembers and what it keeps on disk stay bounded.
const MAX_SLICES: usize = 64;
const MAX_TRIALS: usize = 200_000;
const MAX_BYTES: u64 = 4 << 30;

/// How long a turn waits to be told that there is something left of the run's budget.
const STEP_WITHIN: Duration = Duration::from_secs(10);

/// What a trial rests that could not be played for reasons that have nothing to do with it.
const REST: Duration = Duration::from_secs(30);

/// Those who play one run here.
struct RunCrew<'a> {
    context: &'a WorkerContext<'a>,
    room: &'a Arc<RunQueue>,
    prepared: &'a PreparedRun,
    run: &'a RunDir,
    source: &'a RunSource,
    site: TrialPlayer<'a>,
    shipper: Shipper<'a>,
    desk: HandInQueue,
    /// Whether trials can be gone on with from half of a record.
    keeps: bool,
    learning: Mutex<usize>,
    n_begun: AtomicUsize,
    n_slots: AtomicUsize,
}

/// Plays a run here until its room is closed.
pub(super) fn play<'a>(
    context: &'a WorkerContext<'a>,
    room: &'a Arc<RunQueue>,
    prepared: &'a PreparedRun,
) -> Result<(), RunError> {
    let PreparedRun { run, source, session, keeps, .. } = prepared;
    let are_steps_limited = run.header().budget.steps.is_some();
    let emit = |event| {
        if are_steps_limited && matches!(event, Event::TurnTaken { .. }) {
            take_step(context, room);
        }
        context.emit(&room.run, event);
    };
    let crew = RunCrew {
        context,
        room,
        prepared,
        run,
        source,
        site: TrialPlayer::open(prepared.job(context, room, &emit))?,
        shipper: Shipper::new(context, run, source, session),
        desk: HandInQueue::new(DESK),
        keeps: *keeps,
        learning: Mutex::new(0),
        n_begun: AtomicUsize::new(0),
        n_slots: AtomicUsize::new(context.slots.n_all()),
    };
    crew.work();
    Ok(())
}

/// Takes a step of the run's budget. When nothing is left of it, the run's trials are put down.
fn take_step(context: &WorkerContext<'_>, room: &RunQueue) {
    if let Err(Refused::Spent(_)) = context.shares.step(&room.run, STEP_WITHIN) {
        room.stop.store(true, Ordering::SeqCst);
    }
}

impl RunCrew<'_> {
    fn work(&self) {
        let (sender, shipped) = sync_channel(ON_THE_WAY);
        thread::scope(|scope| {
            for _ in 0..self.context.slots.n_all() {
                scope.spawn(|| self.slot());
            }
            let keeper = self.keeps.then(|| scope.spawn(|| self.keep()));
            scope.spawn(move || self.ship(&sender));
            self.hand_in(&shipped);
            if let Some(keeper) = keeper {
                keeper.thread().unpark();
            }
        });
    }

    /// One slot's work. The last to go closes the desk.
    fn slot(&self) {
        let mut writer = None;
        while self.room.wait() {
            let slot = self.context.slots.take();
            let Some(held) = self.room.pop() else { continue };
            let began = Instant::now();
            self.begin(&held, &mut writer);
            self.room.took(began.elapsed());
            drop(slot);
            if self.room.n_waiting() == 0 {
                self.context.ring();
            }
        }
        if self.n_slots.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.desk.close();
        }
    }

    /// Plays a lease, unless it is not to be played any more.
    fn begin(&self, held: &Arc<TrackedLease>, writer: &mut Option<SegmentWriter>) {
        self.prepared.refuse_misfit(self.context, &held.lease);
        if self.context.is_draining() || held.is_lost() || self.context.is_refused(&held.lease) {
            let delay = if self.context.is_draining() { Duration::ZERO } else { PASSED_ON };
            return self.context.put_back(Some(self.room), std::slice::from_ref(held), delay);
        }
        if self.n_begun.fetch_add(1, Ordering::Relaxed) >= MAX_TRIALS {
            self.room.retire();
        }
        let played = catch_unwind(AssertUnwindSafe(|| self.play(held, writer)));
        *held.under_way.lock().always() = None;
        match played {
            Ok(Ok(Some(brought))) => {
                self.context.holdings.finish(held);
                let n_bytes = brought.n_bytes();
                self.desk.leave(brought, n_bytes);
            }
            Ok(Ok(None)) => self.cannot_play(held, "the trial is not in its plan"),
            Ok(Err(error)) => self.cannot_play(held, &error.to_string()),
            Err(_panic) => self.cannot_play(held, "the program broke"),
        }
    }

    fn play(
        &self,
        held: &Arc<TrackedLease>,
        writer: &mut Option<SegmentWriter>,
    ) -> Result<Option<FinishedTrial>, RunError> {
        let writer = match writer {
            Some(writer) => writer,
            None => writer.insert(self.run.segment_writer()?),
        };
        self.shipper.plays(held);
        self.learn(&held.lease)?;
        let recalled = self.keeps && unfinished::recall(self.context, &self.site, &held.lease);
        *held.under_way.lock().always() = Some(unfinished::begins(writer.position()));
        let put_back = |lease: &Lease, release: &Release| {
            self.context.block_on(self.context.release(lease, release));
            Ok(())
        };
        let Some(finish) = self.site.play(&held.lease, &held.lost, writer, &put_back)? else {
            return Ok(None);
        };
        let mut brought = FinishedTrial { held: Arc::clone(held), finish, recalled: Vec::new() };
        if recalled {
            brought.recalled = unfinished::gone_on_from(self.run, brought.place());
        }
        if self.keeps
            && let Some(place) = brought.put_back_at()
        {
            unfinished::keep_rest(self.context, held, &place);
        }
        Ok(Some(brought))
    }

    /// Makes sure that a trial's slice of the plan is known.
    fn learn(&self, lease: &Lease) -> Result<(), RunError> {
        if self.site.knows(&lease.unit) {
            return Ok(());
        }
        let mut n_slices = self.learning.lock().always();
        if self.site.knows(&lease.unit) {
            return Ok(());
        }
        let (slice, _) = slice_of(u32::try_from(lease.key).unwrap_or(u32::MAX));
        let planned = self.context.block_on(self.fetch_slice(lease, slice))?;
        self.site.learn(planned)?;
        *n_slices += 1;
        if *n_slices >= MAX_SLICES {
            self.room.retire();
        }
        Ok(())
    }

    async fn fetch_slice(&self, lease: &Lease, slice: u32) -> Result<Vec<quintain_store::PlannedTrial>, StoreError> {
        let read = || self.source.slice(self.context.engine.claim(lease), slice);
        let worth = |trouble: &ArchiveTrouble| {
            if self.context.is_draining() { Duration::ZERO } else { trouble.worth_waiting() }
        };
        let planned = while_worth_waiting(read, worth).await;
        planned.map_err(|trouble| trouble.into_store_error(&format!("slice {slice} of the plan")))
    }

    /// Puts back what cannot be played here. Whatever it is, it would strike the next trial of this run as well.
    fn cannot_play(&self, held: &Arc<TrackedLease>, why: &str) {
        self.context.refuse(&self.room.run, &format!("`{}`: {why}", held.lease.unit), TROUBLE_RESTS);
        self.room.retire();
        WorkerCounts::count(&self.context.tally.refused, 1);
        self.context.put_back(Some(self.room), std::slice::from_ref(held), REST);
    }

    /// Ships what is brought until the desk is closed.
    fn ship(&self, shipped: &SyncSender<Vec<FinishedTrial>>) {
        loop {
            let mut brought = self.desk.take();
            if brought.is_empty() {
                return self.ship_rest();
            }
            let recorded: Vec<&FinishedTrial> = brought.iter().filter(|brought| brought.place().is_some()).collect();
            if let Err(error) = self.shipper.ship(&recorded) {
                self.cannot_ship(std::mem::take(&mut brought), &error);
            }
            if self.shipper.n_bytes() >= MAX_BYTES {
                self.room.retire();
            }
            // The one who hands in goes only after this one has.
            drop(shipped.send(brought));
        }
    }

    /// Ships what the books say beyond the last record. Everybody has stopped playing.
    fn ship_rest(&self) {
        if let Err(error) = self.shipper.ship_rest() {
            self.context.log(&format!("the last lines of the books of run `{}` are lost: {error}", self.room.run));
        }
    }

    /// The disk does not give back what was recorded: it has to be played again, here or elsewhere.
    fn cannot_ship(&self, brought: Vec<FinishedTrial>, error: &StoreError) {
        self.context.refuse(&self.room.run, &error.to_string(), TROUBLE_RESTS);
        self.room.retire();
        let all: Vec<Arc<TrackedLease>> = brought.into_iter().map(|brought| brought.held).collect();
        WorkerCounts::count(&self.context.tally.refused, all.len());
        self.context.put_back(Some(self.room), &all, REST);
    }

    /// Hands in what was shipped, and closes the room once it is not needed any more.
    fn hand_in(&self, shipped: &Receiver<Vec<FinishedTrial>>) {
        loop {
            match shipped.recv_timeout(LOOK) {
                Ok(brought) => hand_in(self.context, self.room, with_more(brought, shipped)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.room.stop.load(Ordering::SeqCst) && !self.context.is_draining() {
                self.stopped_itself();
            }
            if self.context.is_draining() {
                self.room.retire();
            }
            self.context.rooms.close_if_done(self.room);
        }
    }

    /// The run's trials put themselves down: something is used up, or someone has to be waited for.
    fn stopped_itself(&self) {
        let waiting = self.room.take_waiting(Duration::ZERO);
        self.context.put_back(Some(self.room), &waiting, REST);
        self.context.refuse(
            &self.room.run,
            "its trials put themselves down: its budget is used up, or nobody has set it on the server",
            TROUBLE_RESTS,
        );
        self.room.retire();
    }

    /// Keeps what is recorded of trials that take long, until the slots are left.
    fn keep(&self) {
        while self.n_slots.load(Ordering::SeqCst) > 0 {
            let of_this_run =
                |held: &Arc<TrackedLease>| held.lease.run == self.room.run && held.under_way.lock().always().is_some();
            for held in self.context.holdings.all().into_iter().filter(of_this_run) {
                if self.is_recorded_here(&held) {
                    unfinished::keep(self.context, &self.shipper, &held);
                }
            }
            thread::park_timeout(KEEP_EVERY);
        }
    }

    /// Two rooms of a run may be open for a while.
    fn is_recorded_here(&self, held: &TrackedLease) -> bool {
        held.under_way.lock().always().as_ref().is_some_and(|under_way| under_way.file.starts_with(self.run.path()))
    }
}
