//! Outcomes: written down once, rebuilt where they were lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;
use quintain_core::check::Finding;
use quintain_core::variables;
use quintain_store::archive::{CompactedUpTo, OutcomeRow, WriteResult};

use super::{Scratch, new_run, row, shelf};

#[tokio::test]
async fn segments_follow_each_other() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    assert_eq!(run.compacted().await.unwrap(), CompactedUpTo::default());
    assert_eq!(run.put_outcomes(&[]).await.unwrap(), WriteResult::AlreadyThere);
    assert_eq!(run.put_outcomes(&[row(5, 0, 1), row(9, 2, 1)]).await.unwrap(), WriteResult::New);
    assert_eq!(run.compacted().await.unwrap(), CompactedUpTo { n_segments: 1, next_seq: 10 });
    assert_eq!(run.put_outcomes(&[row(12, 1, 3)]).await.unwrap(), WriteResult::New);
    assert_eq!(run.outcome_segments().await.unwrap(), [5, 12]);
    assert_eq!(run.outcomes().await.unwrap(), [row(5, 0, 1), row(9, 2, 1), row(12, 1, 3)]);
    assert_eq!(run.outcomes().await.unwrap()[0].worker.as_deref(), Some("lab-7"));
    assert!(run.put_outcomes(&[row(21, 0, 1), row(20, 1, 1)]).await.is_err(), "out of order");
}

#[tokio::test]
async fn only_one_of_many_compactors_writes_a_segment() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    let segments: Vec<_> = (0..8).map(|n| vec![row(7, 0, 1), row(8 + n, 1, 1)]).collect();
    let wrote = join_all(segments.iter().map(|rows| run.put_outcomes(rows))).await;
    let winners: Vec<usize> = (0..8).filter(|n| *wrote[*n].as_ref().unwrap() == WriteResult::New).collect();
    assert_eq!(winners.len(), 1, "{wrote:?}");
    assert_eq!(run.outcomes().await.unwrap(), segments[winners[0]]);
    assert_eq!(
        run.put_outcomes(&segments[winners[0]]).await.unwrap(),
        WriteResult::New,
        "whose reply was lost may ask again"
    );
}

#[tokio::test]
async fn a_unit_counts_once_though_its_outcome_came_twice() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    run.put_outcomes(&[row(10, 0, 1)]).await.unwrap();
    run.put_outcomes(&[row(3, 0, 2), row(4, 1, 1)]).await.unwrap();
    assert_eq!(run.outcomes().await.unwrap(), [row(3, 0, 2), row(4, 1, 1)]);
}

#[tokio::test]
async fn lost_outcomes_are_rebuilt_from_manifests() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    let scratch = Scratch::played(shelf.folder.path(), "lab-7-s1");
    scratch.ship(&run, "lab-7-s1").await;
    let found = run.recovered(&BTreeSet::from([0])).await.unwrap();
    let told: Vec<_> = found.iter().map(|row| (row.seq, row.idx, row.attempt, row.finished.verdict.solved)).collect();
    assert_eq!(told, [(0, 1, 1, false), (0, 2, 1, true)]);
    assert_eq!(found[0].place, scratch.places[1].to_string());
    assert_eq!(found[0].worker.as_deref(), Some("lab-7"));
    let all = run.manifests(None, 2).await.unwrap();
    assert_eq!(all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["lab-7-s1-0", "lab-7-s1-1"]);
    assert_eq!(run.manifests(Some("lab-7-s1-1"), 9).await.unwrap().len(), 1);
    run.put_key("a key that made none of the tickets").await.unwrap();
    assert_eq!(run.recovered(&BTreeSet::new()).await.unwrap(), [], "nobody who was given no unit is believed");
}

/// The example's own words, where a python with duckdb, pandas and pyarrow is at hand.
#[tokio::test]
async fn duckdb_and_pandas_read_what_was_written_down() {
    let Some(python) = std::env::var_os(variables::DUCKDB_PYTHON) else { return };
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    run.put_outcomes(&[row(1, 0, 1), of_agent("other", failed(row(2, 1, 1)))]).await.unwrap();
    run.put_outcomes(&[of_agent("other", unknown(row(3, 2, 1))), failed(row(4, 3, 2))]).await.unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/outcomes.py");
    let ran = Command::new(python).arg(example).arg(shelf.file("")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    insta::assert_snapshot!(String::from_utf8(ran.stdout).unwrap().replace('\t', "  "), @"
    with_duckdb
    lines  2  1  0.5000  0.00  0
    other  2  1  0.5000  0.25  1
    with_pandas
    lines  2  1  0.5000  0.00  0
    other  2  1  0.5000  0.25  1
    failed checks
    test/dial  at the target  2
    ");
}

fn failed(mut row: OutcomeRow) -> OutcomeRow {
    row.finished.verdict = super::verdict(false);
    row.finished.verdict.findings.push(Finding::of("at the target", false, "looked"));
    row
}

fn unknown(mut row: OutcomeRow) -> OutcomeRow {
    (row.finished.spent.cost_usd, row.finished.spent.n_unknown) = (0.25, 1);
    row
}

fn of_agent(agent: &str, mut row: OutcomeRow) -> OutcomeRow {
    agent.clone_into(&mut row.trial.agent);
    row
}
