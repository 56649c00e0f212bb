//! A run that stays open for guests: its trials begin when somebody comes, and the plan grows with them.
//!
//! Everything else is as in any run: the same engine and leases, recording, limits and judge. What a guest leaves
//! half-done when the host closes is gone on with by [`crate::run_here`], with somebody in its seat who is late at once.

mod lobby;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope};
use std::time::Duration;

use quintain_bridge::{Guest, NotBegun, Reception, seat};
use quintain_core::lock::LockAlways as _;
use quintain_core::{Event, InstanceId, TrialId};
use quintain_store::{PlannedTrial, SegmentWriter};

use crate::clerk::{Clerk, DESK, Desk};
use crate::engine::{Engine, SqliteEngine, Unit};
use crate::panics::caught;
use crate::parallel::map_parallel;
use crate::plan::template;
use crate::pool::{Pool, keep_alive};
use crate::run::{CAUGHT, Hall, Job, RunError, RunOptions, RunSummary, or_stop, runtime};
use crate::site::Site;
use crate::worker::Worker;

pub use lobby::Lobby;

/// How long to wait for a guest before looking whether the host is told to close.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How many guests are let in together: their trials are planned with one write.
const TOGETHER: usize = 256;

/// Lets guests in. The host closes when the last door is gone.
#[derive(Clone)]
pub struct Door {
    knocks: Sender<Knock>,
}

/// The inside of a [`Door`].
pub struct Entrance {
    knocks: Receiver<Knock>,
}

/// A guest who wants to play.
struct Knock {
    instance: InstanceId,
    answer: SyncSender<Result<(TrialId, Guest), NotBegun>>,
}

/// A door and its inside.
pub fn door() -> (Door, Entrance) {
    let (outside, inside) = mpsc::channel();
    (Door { knocks: outside }, Entrance { knocks: inside })
}

impl Reception for Door {
    fn begin(&self, instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun> {
        let (answer, answered) = mpsc::sync_channel(1);
        let knock = Knock { instance: instance.clone(), answer };
        self.knocks.send(knock).map_err(|_closed| NotBegun::Closed)?;
        answered.recv().map_err(|_closed| NotBegun::Closed)?
    }
}

/// Plays the trials of guests as they come, until the door is gone or the run is told to stop. The lobby's agent must be
/// in the cast. A trial has one attempt: nobody plays twice because something broke here, but a fault is a fault.
pub fn host(job: &Job<'_>, lobby: &Lobby, entrance: Entrance) -> Result<RunSummary, RunError> {
    let engine = SqliteEngine::open(&job.run.engine_path())?;
    let options = RunOptions { n_workers: 1, max_attempts: 1, ..job.options.clone() };
    let emit = |event: Event| {
        let heard = event.clone();
        (job.emit)(event);
        lobby.on(heard);
    };
    let job = Job { options: &options, emit: &emit, ..*job };
    let runtime = runtime()?;
    let name = job.run.header().name.clone();
    let (site, desk) = (Site::open(job)?, Desk::new(DESK));
    let classes = job.cast.worlds.keys().cloned().collect();
    let pool = Pool::new(&runtime, &engine, &name, classes, &job);
    let hall = Hall { runtime: &runtime, engine: &engine, site: &site, desk: &desk, pool: &pool };
    (job.emit)(Event::RunBegan { run: name.clone(), n_trials: 0, n_done: 0 });
    let house = House { job: &job, hall: &hall, lobby, idle_writers: Mutex::default(), broken: Mutex::default() };
    let played = site.tally.allowance.during(job.run, options.beat_every, job.stop, || house.open(entrance));
    lobby.empty();
    let after = runtime.block_on(engine.progress(&name))?;
    let (n_done, n_left) = (after.n_done, after.n_units - after.n_done);
    (job.emit)(Event::RunEnded { n_done, n_left });
    played??;
    Ok(site.tally.summary(n_done, n_left))
}

/// A run that is open for guests.
struct House<'a, E> {
    job: &'a Job<'a>,
    hall: &'a Hall<'a, E>,
    lobby: &'a Lobby,
    /// Writers whose trial is over: the next trial goes on with one of them.
    idle_writers: Mutex<Vec<SegmentWriter>>,
    /// The first thing that broke and that no trial is to blame for.
    broken: Mutex<Option<RunError>>,
}

impl<E: Engine> House<'_, E> {
    /// Lets guests in until the door is gone or the run is told to stop, and waits for their trials.
    fn open(&self, entrance: Entrance) -> Result<(), RunError> {
        let (job, hall) = (self.job, self.hall);
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let clerk = scope.spawn(|| or_stop(job, || Clerk { job, hall }.serve()).inspect_err(|_| hall.desk.close()));
            let keeper = scope.spawn(|| keep_alive(hall.pool, job.options.beat_every, &over));
            let mut result = thread::scope(|trials| or_stop(job, || self.welcome(trials, entrance)));
            hall.desk.close();
            result = result.and(self.broken.lock().always().take().map_or(Ok(()), Err));
            result = result.and(clerk.join().expect(CAUGHT));
            over.store(true, Ordering::SeqCst);
            keeper.thread().unpark();
            keeper.join().expect("keeping leases alive does not panic");
            result.and(hall.pool.put_down_rest())
        })
    }

    /// Lets guests in, each to a thread of its own. Calls their trials off when the run is told to stop.
    fn welcome<'scope>(&'scope self, trials: &'scope Scope<'scope, '_>, entrance: Entrance) -> Result<(), RunError> {
        let mut repeats = HashMap::new();
        while !self.job.stop.load(Ordering::SeqCst) {
            match entrance.knocks.recv_timeout(LOOK_UP) {
                Ok(first) => {
                    let knocks = std::iter::once(first).chain(entrance.knocks.try_iter().take(TOGETHER - 1)).collect();
                    self.let_in(trials, knocks, &mut repeats).inspect_err(|_| self.lobby.call_off())?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if self.lobby.is_empty() => return Ok(()),
                // Nobody can come any more, but some still play.
                Err(RecvTimeoutError::Disconnected) => thread::park_timeout(LOOK_UP),
            }
        }
        drop(entrance); // Whoever knocks now is told that the host is closed.
        self.lobby.call_off();
        Ok(())
    }

    /// Plans trials for guests, hands the trials to the engine and the guests their seats.
    fn let_in<'scope>(
        &'scope self,
        trials: &'scope Scope<'scope, '_>,
        knocks: Vec<Knock>,
        repeats: &mut HashMap<InstanceId, u32>,
    ) -> Result<(), RunError> {
        let templates = map_parallel(&knocks.iter().map(|knock| &knock.instance).collect::<Vec<_>>(), |instance| {
            self.template(instance)
        });
        let (mut planned, mut answers) = (Vec::new(), Vec::new());
        for (Knock { instance, answer }, template) in knocks.into_iter().zip(templates) {
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
            let (seat, guest, usher) = seat(self.lobby.idle());
            self.lobby.expect(planned.trial.clone(), seat, usher);
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
        self.lobby.label().clone_into(&mut template.trial.agent);
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
        Worker { job: self.job, hall: self.hall }.play_out(&held, &mut writer)?;
        self.idle_writers.lock().always().push(writer);
        Ok(())
    }
}

/// The agent's maker of a run that was open for guests, when it is gone on with: the guests are gone.
pub fn gone() -> crate::AgentMaker {
    Arc::new(|_context| Ok(Box::new(quintain_bridge::Gone)))
}
