//! A compactor that is killed, again and again, while others take its place.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quintain_core::variables;
use quintain_store::Archive;
use quintain_store::archive::ArchivedRun;

use super::{new_run, row, shelf};

/// Where the child of this test finds the archive.
const WHERE: &str = variables::TEST_COMPACT;
/// So many outcomes there are, in segments of so many.
const N_ROWS: u64 = 3000;
const SEGMENT: u64 = 7;

/// Writes down outcomes from where the last segment ends, as a compactor does.
async fn compact(run: &ArchivedRun) {
    loop {
        let next = run.compacted().await.unwrap().next_seq;
        if next >= N_ROWS {
            return;
        }
        let rows: Vec<_> = (next..N_ROWS.min(next + SEGMENT)).map(|seq| row(seq, seq as u32, 1)).collect();
        run.put_outcomes(&rows).await.unwrap();
    }
}

/// Does nothing unless it is the child of the test below.
#[tokio::test]
async fn the_compactor_that_is_killed() {
    let Ok(path) = std::env::var(WHERE) else { return };
    compact(&Archive::open(&path).unwrap().run("tuesday").unwrap()).await;
}

struct Compactor(Child);

impl Compactor {
    fn start(archive: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "archive::killed::the_compactor_that_is_killed"]).env(WHERE, archive);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Compactor {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[tokio::test]
async fn killed_compactors_lose_nothing_and_write_nothing_twice() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    let archive = shelf.folder.path().join("archive");
    let mut n_killed = 0;
    while n_killed < 6 {
        let before = run.outcome_segments().await.unwrap().len();
        let (one, other) = (Compactor::start(&archive), Compactor::start(&archive));
        let started = Instant::now();
        while run.outcome_segments().await.unwrap().len() < before + 5 {
            assert!(started.elapsed() < Duration::from_mins(1), "the compactors do nothing");
            tokio::task::yield_now().await;
        }
        drop((one, other));
        n_killed += 2;
    }
    let half_done = run.compacted().await.unwrap().next_seq;
    assert!(half_done > 0 && half_done < N_ROWS, "killed in the middle: {half_done}");
    compact(&run).await;
    let mut rows = Vec::new();
    for first in run.outcome_segments().await.unwrap() {
        rows.extend(run.outcome_segment(first).await.unwrap());
    }
    assert!(rows.iter().map(|row| row.seq).eq(0..N_ROWS), "each once and in order, in {} rows", rows.len());
}
