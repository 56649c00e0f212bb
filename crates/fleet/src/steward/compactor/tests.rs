use std::sync::Arc;

use quintain_runner::engine::Engine;
use quintain_runner::engine::memory::MemoryEngine;

use super::*;
use crate::steward::trials::{commit, floor, lease, units};
use crate::steward::{Overseer, OverseerOptions};

/// Plays so many units of a run, in an engine in which there are more.
async fn play(engine: &Arc<MemoryEngine>, run: &str, places: std::ops::Range<u32>) {
    engine.enqueue(&units(run, places.clone())).await.unwrap();
    let mut overseer = Overseer::new(Arc::clone(engine), OverseerOptions::default());
    let slots = BTreeMap::from([("puzzles".to_owned(), 1_000)]);
    while overseer.round(0, &slots).await.unwrap().n_offered > 0 {}
    let leases = lease(&**engine, places.len()).await;
    assert_eq!(leases.len(), places.len());
    commit(&**engine, leases).await;
}

/// The units of a run that are in the archive, in order, and in how many segments.
async fn archived(archive: &Archive, run: &str) -> (Vec<u32>, usize) {
    let run = archive.run(run).unwrap();
    let mut written: Vec<u32> = Vec::new();
    for segment in run.outcome_segments().await.unwrap() {
        written.extend(run.outcome_segment(segment).await.unwrap().iter().map(|row| row.idx));
    }
    written.sort_unstable();
    (written, run.outcome_segments().await.unwrap().len())
}

#[tokio::test]
async fn every_outcome_is_written_once_whoever_dies() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().to_str().unwrap()).unwrap();
    let (engine, _) = floor();
    let resume = |mark: Option<CompactionMark>| Compactor::resume(archive.clone(), &*engine, mark);

    play(&engine, "a", 0..30).await;
    play(&engine, "b", 0..5).await;
    let mut first = resume(None).await.unwrap();
    assert_eq!(first.catch_up(&*engine, 0).await.unwrap(), 35);
    let mark = first.mark().clone();
    first.close(&BTreeMap::from([("a".to_owned(), 30), ("b".to_owned(), 6)]));
    assert_eq!(first.mark().over, BTreeMap::from([("a".to_owned(), 30)]));

    // It wrote more, and died before it could say so.
    play(&engine, "a", 30..40).await;
    assert_eq!(first.catch_up(&*engine, mark.from).await.unwrap(), 10);
    play(&engine, "a", 40..50).await;
    let mut second = resume(Some(mark.clone())).await.unwrap();
    assert_eq!(second.mark(), &mark);
    assert_eq!(second.catch_up(&*engine, mark.from).await.unwrap(), 10);
    assert_eq!(archived(&archive, "a").await, ((0..50).collect(), 3));

    // The mark was lost: everything is read again, nothing is written again.
    let mut third = resume(None).await.unwrap();
    assert_eq!(third.catch_up(&*engine, 0).await.unwrap(), 0);
    assert_eq!(archived(&archive, "b").await, ((0..5).collect(), 1));
}

#[tokio::test]
async fn a_server_that_counts_anew_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().to_str().unwrap()).unwrap();
    let (engine, _) = floor();
    play(&engine, "a", 0..10).await;
    let mut compactor = Compactor::resume(archive.clone(), &*engine, None).await.unwrap();
    compactor.catch_up(&*engine, 0).await.unwrap();
    let mark = compactor.mark().clone();

    let (fresh, _) = floor();
    play(&fresh, "b", 0..1).await;
    play(&fresh, "a", 0..20).await;
    let mut compactor = Compactor::resume(archive.clone(), &*fresh, Some(mark)).await.unwrap();
    assert_eq!(compactor.mark().from, 0, "the mark speaks of another server");
    compactor.catch_up(&*fresh, 0).await.unwrap();
    assert_eq!(archived(&archive, "a").await, ((0..20).collect(), 2));
}

#[tokio::test]
async fn two_that_write_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().to_str().unwrap()).unwrap();
    let (engine, _) = floor();
    let mut old = Compactor::resume(archive.clone(), &*engine, None).await.unwrap();
    let mut new = Compactor::resume(archive.clone(), &*engine, None).await.unwrap();
    old.written("a").await.unwrap();
    new.written("a").await.unwrap();
    play(&engine, "a", 0..10).await;
    old.catch_up(&*engine, 0).await.unwrap();
    play(&engine, "a", 10..20).await;
    new.catch_up(&*engine, 0).await.unwrap();
    assert_eq!(archived(&archive, "a").await, ((0..20).collect(), 2));
}
