//! Runs that stay open for guests: their trials begin when somebody comes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use insta::assert_snapshot;
use quintain_bridge::{Guest, GuestEnd, TrialStarter};
use quintain_core::{Event, InstanceId, Reply, Task};
use quintain_runner::{Cast, GuestDoor, GuestSeats, Job, RunOptions, RunSummary, door, host, run_here};
use quintain_store::{AgentUsed, RunDir, RunHeader};
use quintain_testkit::{Counter, TargetJudge, counter_task};

use crate::fixture::{block_on, line};

const STOP: &str = "('stop', 'stop')";
const LONG: Duration = Duration::from_mins(1);

/// An empty run in the world that counts, open for guests.
struct House {
    folder: tempfile::TempDir,
    tasks: Vec<Task>,
    cast: Cast,
    seats: GuestSeats,
    stop: AtomicBool,
    events: Mutex<Vec<Event>>,
}

impl House {
    fn new(idle: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let agent = AgentUsed { label: "guest".to_owned(), spec: "guest".to_owned(), ..AgentUsed::default() };
        let header = RunHeader { agents: vec![agent], ..RunHeader::new("test", "2026-01-01T00:00:00Z") };
        RunDir::create(&folder.path().join("run"), &header, &[]).unwrap();
        let seats = GuestSeats::new("guest", idle);
        let guests = seats.clone();
        let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default()))).with_world(Arc::new(Counter::default()));
        let cast = cast.with_agent("guest", move |context| guests.agent(context));
        let tasks = vec![counter_task("count", 2, 2)];
        Self { folder, tasks, cast, seats, stop: AtomicBool::new(false), events: Mutex::default() }
    }

    fn dir(&self) -> RunDir {
        RunDir::open(&self.folder.path().join("run")).unwrap()
    }

    fn with_job<T>(&self, work: impl FnOnce(&Job<'_>) -> T) -> T {
        let (run, options) = (self.dir(), RunOptions::default());
        let emit = |event| self.events.lock().unwrap().push(event);
        work(&Job { run: &run, tasks: &self.tasks, cast: &self.cast, options: &options, stop: &self.stop, emit: &emit })
    }

    /// Hosts guests until they have let go of the door.
    fn host(&self, guests: impl FnOnce(GuestDoor) + Send) -> RunSummary {
        let (door, entrance) = door();
        thread::scope(|scope| {
            scope.spawn(|| guests(door));
            self.with_job(|job| host(job, &self.seats, entrance)).unwrap()
        })
    }

    fn events_text(&self) -> String {
        let events = std::mem::take(&mut *self.events.lock().unwrap());
        events.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn instance() -> InstanceId {
    "test/count#7".parse().unwrap()
}

/// Says these things, one a turn, and returns how the trial ended, if it did.
fn play(guest: &mut Guest, replies: &[&str]) -> Option<GuestEnd> {
    block_on(async {
        for reply in replies {
            match guest.turn().await {
                Ok(_) => guest.reply(Reply::text(*reply)),
                Err(over) => return Some(over),
            }
        }
        guest.turn().await.err()
    })
}

fn score(over: Option<GuestEnd>) -> f64 {
    match over {
        Some(GuestEnd::Judged(finished)) => finished.verdict.score.value(),
        other => panic!("no verdict: {other:?}"),
    }
}

#[test]
fn guests_play_like_anybody_and_are_told_how_it_ended() {
    let house = House::new(LONG);
    let summary = house.host(|door| {
        for (replies, wanted) in [(vec!["('add', 1)", "('add', 1)", STOP], 1.0), (vec!["nonsense", STOP], 0.0)] {
            let (_, mut guest) = door.begin(&instance()).unwrap();
            assert!((score(play(&mut guest, &replies)) - wanted).abs() < 1e-9);
        }
    });
    assert_eq!((summary.n_done, summary.n_left), (2, 0));
    assert_snapshot!(house.events_text(), @"
    run began: 0 of 0 done
    test/count#7~guest~0 began, attempt 1, 0 turns recovered
    test/count#7~guest~0 turn 0: add(1)
    test/count#7~guest~0 turn 1: add(1)
    test/count#7~guest~0 turn 2: done
    test/count#7~guest~0 ended in attempt 1: done, score 1, 3 steps
    test/count#7~guest~1 began, attempt 1, 0 turns recovered
    test/count#7~guest~1 turn 0: unread
    test/count#7~guest~1 turn 1: done
    test/count#7~guest~1 ended in attempt 1: done, score 0, 2 steps
    run ended: 2 done, 0 left
    ");
    let plan: Vec<String> = house.dir().plan().unwrap().iter().map(|planned| planned.trial.to_string()).collect();
    assert_eq!(plan, ["test/count#7~guest~0", "test/count#7~guest~1"]);
}

#[test]
fn guests_who_leave_or_fall_silent_are_out_of_time_and_what_they_did_is_judged() {
    let house = House::new(Duration::from_millis(30));
    house.host(|door| {
        let (_, mut leaves) = door.begin(&instance()).unwrap();
        assert_eq!(play(&mut leaves, &["('add', 1)"]), None);
        drop(leaves);
        let (_, mut silent) = door.begin(&instance()).unwrap();
        assert_eq!(play(&mut silent, &["('add', 1)", "('add', 1)"]), None, "a third turn was shown");
        assert!((score(block_on(silent.turn()).err()) - 1.0).abs() < 1e-9);
    });
    let ended: Vec<String> =
        house.events_text().lines().filter(|line| line.contains("ended in")).map(str::to_owned).collect();
    assert_eq!(ended.len(), 2, "{ended:?}");
    assert!(ended.iter().all(|line| line.contains("out of time")), "{ended:?}");
}

#[test]
fn what_is_half_done_when_the_host_closes_is_ended_by_going_on() {
    let house = House::new(LONG);
    let summary = house.host(|door| {
        let (_, mut guest) = door.begin(&instance()).unwrap();
        assert_eq!(play(&mut guest, &["('add', 1)"]), None);
        house.stop.store(true, Ordering::SeqCst);
        assert_eq!(block_on(guest.turn()).unwrap_err(), GuestEnd::PutDown);
        assert!(door.begin(&instance()).is_err(), "the host is closed");
    });
    assert_eq!((summary.n_done, summary.n_left), (0, 1));
    house.stop.store(false, Ordering::SeqCst);
    house.events_text();
    let gone = Cast { agents: [("guest".to_owned(), quintain_runner::host::gone())].into(), ..house.cast.clone() };
    let summary = house.with_job(|job| run_here(&Job { cast: &gone, ..*job })).unwrap();
    assert_eq!((summary.n_done, summary.n_left, summary.n_turns_recovered), (1, 0, 1));
    assert_snapshot!(house.events_text(), @"
    run began: 0 of 1 done
    test/count#7~guest~0 began, attempt 2, 1 turns recovered
    test/count#7~guest~0 ended in attempt 2: out of time, score 0, 1 steps
    run ended: 1 done, 0 left
    ");
}

#[test]
fn what_cannot_be_played_is_refused_and_harms_nobody() {
    let house = House::new(LONG);
    let summary = house.host(|door| {
        let refused = door.begin(&"test/other#7".parse().unwrap()).unwrap_err();
        assert_snapshot!(refused, @"`test/other#7` cannot be played: there is no such task here");
        let (_, mut guest) = door.begin(&instance()).unwrap();
        assert!(play(&mut guest, &[STOP]).is_some());
    });
    assert_eq!((summary.n_done, summary.n_left), (1, 0));
    assert_eq!(house.dir().plan().unwrap().len(), 1);
}

#[test]
fn many_guests_play_at_once() {
    const N: usize = 300;
    let house = House::new(LONG);
    let summary = house.host(|door| {
        let begun: Vec<_> = thread::scope(|scope| {
            let begin = |_| scope.spawn(|| door.begin(&instance()).unwrap());
            let threads: Vec<_> = (0..N).map(begin).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (_, mut guest) in begun {
            assert!(play(&mut guest, &["('add', 1)", STOP]).is_some());
        }
    });
    assert_eq!((summary.n_done, summary.n_left), (N as u64, 0));
}
