//! The conformance suite on SQLite, and what only SQLite promises.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::conformance_suite;
use crate::engine::AttemptEnd;
use crate::engine::conformance::Ground;

/// A clock that goes on only when told.
#[derive(Default)]
struct HandClock(AtomicI64);

impl WallClock for HandClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

struct Folder {
    folder: tempfile::TempDir,
    clock: Arc<HandClock>,
}

impl Folder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: Arc::default() }
    }

    fn engine(&self) -> SqliteEngine {
        let clock = Arc::<HandClock>::clone(&self.clock);
        SqliteEngine::open_with(&self.folder.path().join("engine.sqlite"), self.lease_for(), clock).unwrap()
    }
}

impl Ground for Folder {
    type Engine = SqliteEngine;

    async fn open(&self) -> SqliteEngine {
        self.engine()
    }

    async fn pass(&self, time: Duration) {
        self.clock.0.fetch_add(time.as_millis() as i64, Ordering::SeqCst);
    }

    fn lease_for(&self) -> Duration {
        Duration::from_mins(1)
    }
}

conformance_suite!(Folder::new());

fn unit(id: &str) -> Unit {
    Unit { run: "run".to_owned(), id: id.to_owned(), class: "puzzles".to_owned(), n_before: 0 }
}

fn order(wait: Duration) -> LeaseOrder {
    LeaseOrder { classes: vec!["puzzles".to_owned()], max: 1, wait }
}

#[tokio::test]
async fn leases_of_a_dead_process_come_back_at_once() {
    let folder = Folder::new();
    let engine = folder.engine();
    engine.enqueue(&[unit("a"), unit("b")]).await.unwrap();
    engine.lease(&order(Duration::ZERO)).await.unwrap();
    drop(engine);
    assert_eq!(folder.engine().progress("run").await.unwrap().n_leased, 1, "this process lives");
    let file = Connection::open(folder.folder.path().join("engine.sqlite")).unwrap();
    file.execute("UPDATE owner SET started = started - 1", []).unwrap();
    drop(file);
    let engine = folder.engine();
    assert_eq!(engine.progress("run").await.unwrap().n_leased, 0);
    let lease = engine.lease(&order(Duration::ZERO)).await.unwrap().remove(0);
    assert_eq!((&*lease.unit, lease.attempt, lease.n_lost), ("a", 2, 1));
}

#[tokio::test]
async fn a_waiting_worker_hears_of_new_work_and_does_not_wait_for_ever() {
    let folder = Folder::new();
    let engine = Arc::new(folder.engine());
    assert_eq!(engine.lease(&order(Duration::from_millis(20))).await.unwrap(), []);
    let waiting = tokio::spawn({
        let engine = Arc::clone(&engine);
        async move { engine.lease(&order(Duration::from_secs(20))).await }
    });
    tokio::task::yield_now().await;
    engine.enqueue(&[unit("a")]).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().len(), 1);
}

#[test]
fn a_file_of_a_newer_version_is_refused() {
    let folder = Folder::new();
    drop(folder.engine());
    let path = folder.folder.path().join("engine.sqlite");
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let error = SqliteEngine::open(&path).err().unwrap();
    assert_eq!(error.to_string(), "the engine's file has version 2, this program knows up to 1");
}

#[tokio::test]
async fn two_openings_share_the_work() {
    let folder = Folder::new();
    let (one, two) = (folder.engine(), folder.engine());
    one.enqueue(&[unit("a"), unit("b")]).await.unwrap();
    let a = one.lease(&order(Duration::ZERO)).await.unwrap();
    let b = two.lease(&order(Duration::ZERO)).await.unwrap();
    assert_eq!((&*a[0].unit, &*b[0].unit), ("a", "b"));
}

#[tokio::test]
async fn what_another_engine_knows_is_taken_over() {
    let (there, here) = (Folder::new(), Folder::new());
    let (there, here) = (there.engine(), here.engine());
    let units = [unit("a"), unit("b")];
    there.enqueue(&units).await.unwrap();
    for _ in 0..2 {
        let lease = there.lease(&order(Duration::ZERO)).await.unwrap().remove(0);
        let put_down = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
        there.release(&lease, &put_down).await.unwrap();
    }
    let lease = there.lease(&order(Duration::ZERO)).await.unwrap().remove(0);
    there.commit(&[(lease, crate::engine::conformance::outcome("here"))]).await.unwrap();
    let (outcomes, attempts) = (there.outcomes("run", 0, 9).await.unwrap(), there.attempts("run").await.unwrap());
    for _twice in 0..2 {
        here.import(&units, &outcomes, &attempts).unwrap();
        assert_eq!(here.outcomes("run", 0, 9).await.unwrap(), outcomes);
        assert_eq!(here.attempts("run").await.unwrap(), attempts);
        assert_eq!(here.progress("run").await.unwrap().n_waiting, 1);
    }
}
