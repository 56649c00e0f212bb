//! A run that stays open for guests: its trials begin when somebody comes, and the plan grows with them.
//!
//! Everything else is as in any run: the same engine and leases, recording, limits and judge. What a guest leaves
//! half-done when the host closes is gone on with by [`crate::run_here`], with somebody in its seat who is late at once.

mod guest_seats;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope};
use std::time::Duration;

use quintain_bridge::{Guest, NotBegun, TrialStarter, seat};
use quintain_core::lock::LockAlways as _;
use quintain_core::{Event, InstanceId, TrialId};
use quintain_store::{PlannedTrial, SegmentWriter};

use crate::committer::{Committer, DESK, FinishQueue};
use crate::engine::{Engine, SqliteEngine, Unit};
use crate::lease_pool::{LeasePool, keep_alive};
use crate::panics::caught;
use crate::parallel::map_parallel;
use crate::plan::template;
use crate::run::{CAUGHT, Job, RunError, RunOptions, RunSummary, RunThreads, or_stop, runtime};
use crate::trial_player::TrialPlayer;
use crate::worker::WorkerThread;

pub use guest_seats::GuestSeats;

/// How long to wait for a guest before looking whether the host is told to close.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How many guests are let in together: their trials are planned with one write.
const TOGETHER: usize = 256;

/// Lets guests in. The host closes when the last door is gone.
#[derive(Clone)]
pub struct GuestDoor {
    knocks: Sender<BeginRequest>,
}

/// The inside of a [`GuestDoor`].
pub struct DoorKeeper {
    knocks: Receiver<BeginRequest>,
}

/// A guest who wants to play.
struct BeginRequest {
    instance: InstanceId,
    answer: SyncSender<Result<(TrialId, Guest), NotBegun>>,
}

/// A door and its inside.
pub fn door() -> (GuestDoor, DoorKeeper) {
    let (outside, inside) = mpsc::channel();
    (GuestDoor { knocks: outside }, DoorKeeper { knocks: inside })
}

impl TrialStarter for GuestDoor {
    fn begin(&self, instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun> {
        let (answer, answered) = mpsc::sync_channel(1);
        let request = BeginRequest { instance: instance.clone(), answer };
        self.knocks.send(request).map_err(|_closed| NotBegun::Closed)?;
        answered.recv().map_err(|_closed| NotBegun::Closed)?
    }
}

/// Plays the trials of guests as they come, until the door is gone or the run is told to stop. The seats's agent must be
/// in the cast. A trial has one attempt: nobody plays twice because something broke here, but a fault is a fault.
pub fn host(job: &Job<'_>, seats: &GuestSeats, entrance: DoorKeeper) -> Result<RunSummary, RunError> {
    let engine = SqliteEngine::open(&job.run.engine_path())?;
    let options = RunOptions { n_workers: 1, max_attempts: 1, ..job.options.clone() };
    let emit = |event: Event| {
        let heard = event.clone();
        (job.emit)(event);
        seats.on(heard);
    };
    let job = Job { options: &options, emit: &emit, ..*job };
    let runtime = runtime()?;
    let name = job.run.header().name.clone();
    let (site, desk) = (TrialPlayer::open(job)?, FinishQueue::new(DESK));
    let classes = job.cast.worlds.keys().cloned().collect();
    let pool = LeasePool::new(&runtime, &engine, &name, classes, &job);
    let hall = RunThreads { runtime: &runtime, engine: &engine, site: &site, desk: &desk, pool: &pool };
    (job.emit)(Event::RunBegan { run: name.clone(), n_trials: 0, n_done: 0 });
    let house = GuestRun { job: &job, hall: &hall, seats, idle_writers: Mutex::default(), broken: Mutex::default() };
    let played = site.tally.allowance.during(job.run, options.beat_every, job.stop, || house.open(entrance));
    seats.empty();
    let after = runtime.block_on(engine.progress(&name))?;
    let (n_done, n_left) = (after.n_done, after.n_units - after.n_done);
    (job.emit)(Event::RunEnded { n_done, n_left });
    played??;
    Ok(site.tally.summary(n_done, n_left))
}

/// A run that is open for guests.
struct GuestRun<'a, E> {
    job: &'a Job<'a>,
    hall: &'a RunThreads<'a, E>,
    seats: &'a GuestSeats,
    /// Writers whose trial is over: the next trial goes on with one of them.
    idle_writers: Mutex<Vec<SegmentWriter>>,
    /// The first thing that broke and that no trial is to blame for.
    broken: Mutex<Option<RunError>>,
}

impl<E: Engine> GuestRun<'_, E> {
    /// Lets guests in until the door is gone or the run is told to stop, and waits for their trials.
    fn open(&self, entrance: DoorKeeper) -> Result<(), RunError> {
        let (job, hall) = (self.job, self.hall);
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let committer =
                scope.spawn(|| or_stop(job, || Committer { job, hall }.serve()).inspect_err(|_| hall.desk.close()));
            let keeper = scope.spawn(|| keep_alive(hall.pool, job.options.beat_every, &over));
            let mut result = thread::scope(|trials| or_stop(job, || self.welcome(trials, entrance)));
            hall.desk.close();
            result = result.and(self.broken.lock().always().take().map_or(Ok(()), Err));
            result = result.and(committer.join().expect(CAUGHT));
            over.store(true, Ordering::SeqCst);
            keeper.thread().unpark();
            keeper.join().expect("keeping leases alive does not panic");
            result.and(hall.pool.put_down_rest())
        })
    }

    /// Lets guests in, each to a thread of its own. Calls their trials off when the run is told to stop.
    fn welcome<'scope>(&'scope self, trials: &'scope Scope<'scope, '_>, entrance: DoorKeeper) -> Result<(), RunError> {
        let mut repeats = HashMap::new();
        while !self.job.stop.load(Ordering::SeqCst) {
            match entrance.knocks.recv_timeout(LOOK_UP) {
                Ok(first) => {
                    let knocks = std::iter::once(first).chain(entrance.knocks.try_iter().take(TOGETHER - 1)).collect();
                    self.let_in(trials, knocks, &mut repeats).inspect_err(|_| self.seats.call_off())?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if self.seats.is_empty() => return Ok(()),
                // Nobody can come any more, but some still play.
                Err(RecvTimeoutError::Disconnected) => thread::park_timeout(LOOK_UP),
            }
        }
        drop(entrance); // Whoever knocks now is told that the host is closed.
        self.seats.call_off();
        Ok(())
    }

    /// Plans trials for guests, hands the trials to the engine and the guests their seats.
    fn let_in<'scope>(
        &'scope self,
        trials: &'scope Scope<'scope, '_>,
        knocks: Vec<BeginRequest>,
        repeats: &mut HashMap<InstanceId, u32>,
    ) -> Result<(), RunError> {
        let templates = map_parallel(&knocks.iter().map(|request| &request.instance).collect::<Vec<_>>(), |instance| {
            self.template(instance)
        });
        let (mut planned, mut answers) = (Vec::new(), Vec::new());
        for (BeginRequest { instance, answer }, template) in knocks.into_iter().zip(templates) {
            match template {
                Ok(template) => {
                    planned.push(self.numbered(template, repeats.entry(instance).or_default()));
                    answers.push(answer);
                }
                // A guest who has left meanwhile needs no answer.
                Err(refused) => drop(answer.send(Err(refused))),
            }
        }
        self.enlist(&planned)?;
        for (planned, answer) in planned.into_iter().zip(answers) {
            let (seat, guest, control) = seat(self.seats.idle());
            self.seats.expect(planned.trial.clone(), seat, control);
            let spawned = thread::Builder::new().spawn_scoped(trials, || self.play_one_or_stop());
            spawned.map_err(RunError::Runtime)?;
            drop(answer.send(Ok((planned.trial, guest))));
        }
        Ok(())
    }

    fn template(&self, instance: &InstanceId) -> Result<PlannedTrial, NotBegun> {
        let refused = |why: String| NotBegun::Instance { instance: instance.clone(), why };
        let task = self.job.tasks.iter().find(|task| task.id == instance.task);
        let task = task.ok_or_else(|| refused("there is no such task here".to_owned()))?;
        let made = caught(|| template(task, &instance.pick, self.job.cast)).map_err(refused)?;
        made.map_err(|error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            refused(cause.unwrap_or_else(|| error.to_string()))
        })
    }

    /// Each guest's trial of an instance is another repeat.
    fn numbered(&self, mut template: PlannedTrial, repeat: &mut u32) -> PlannedTrial {
        self.seats.label().clone_into(&mut template.trial.agent);
        template.trial.repeat = *repeat;
        *repeat += 1;
        template
    }

    /// Puts trials into the plan, on disk first, and hands them to the engine.
    fn enlist(&self, planned: &[PlannedTrial]) -> Result<(), RunError> {
        if planned.is_empty() {
            return Ok(());
        }
        self.job.run.extend_plan(planned)?;
        self.hall.site.learn(planned.to_vec())?;
        let run = &self.job.run.header().name;
        let unit = |planned: &PlannedTrial| {
            let id = planned.trial.to_string();
            let class = self.hall.site.program.class_of(&id).unwrap_or_default();
            Unit { run: run.clone(), id, class, n_before: 0 }
        };
        let units: Vec<Unit> = planned.iter().map(unit).collect();
        self.hall.runtime.block_on(self.hall.engine.enqueue(&units))?;
        Ok(())
    }

    fn play_one_or_stop(&self) {
        if let Err(error) = or_stop(self.job, || self.play_one()) {
            self.broken.lock().always().get_or_insert(error);
        }
    }

    /// Plays one of the trials that wait, whosever it is: there are as many threads as trials.
    fn play_one(&self) -> Result<(), RunError> {
        let Some(held) = self.hall.pool.next()? else { return Ok(()) };
        let idle = self.idle_writers.lock().always().pop();
        let mut writer = match idle {
            Some(writer) => writer,
            None => self.job.run.patient_writer()?,
        };
        WorkerThread { job: self.job, hall: self.hall }.play_out(&held, &mut writer)?;
        self.idle_writers.lock().always().push(writer);
        Ok(())
    }
}

/// The agent's maker of a run that was open for guests, when it is gone on with: the guests are gone.
pub fn gone() -> crate::AgentMaker {
    Arc::new(|_context| Ok(Box::new(quintain_bridge::AbsentGuest)))
}
