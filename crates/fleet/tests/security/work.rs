//! Work under a worker's key: all of it is possible, and a forged outcome never counts.

use std::time::Duration;

use quintain_fleet::Hosts;
use quintain_fleet::ask::{MessageSource, StewardAnswer, StewardRequest, UnitClaim};
use quintain_fleet::hosts::Host;
use quintain_runner::engine::conformance::outcome;
use quintain_runner::engine::steered::RunTerms;
use quintain_runner::engine::{AttemptEnd, Committed, Engine, Hold, LeaseOrder, Release, RunDirection, RunProgress};
use quintain_testkit::PATIENCE;
use serde_json::json;

use crate::castle::{Castle, hand_in, units};

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_plays_with_nothing_but_its_key() {
    let castle = Castle::build();
    let folder = tempfile::tempdir().unwrap();
    let (steward, _serving) = castle.steward(castle.directory(folder.path())).await;
    let units = castle.archived_run("r", RunTerms::default()).await;
    hand_in(&steward, &units).await;
    let desk = castle.engine("desk").await;
    let leases = desk.lease(&order("puzzles", 2)).await.unwrap();
    assert_eq!(leases.len(), 2);
    assert_eq!(desk.beat(&leases).await.unwrap(), [Hold::Still, Hold::Still]);
    desk.keep(&leases[0], b"a turn".to_vec()).await.unwrap();
    assert_eq!(desk.half(&leases[0]).await.unwrap(), [b"a turn".to_vec()]);
    let won = desk.commit(&[(leases[0].clone(), outcome("here"))]).await.unwrap();
    assert_eq!(won, [Committed::Won]);
    let release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
    assert_eq!(desk.release(&leases[1], &release).await.unwrap(), Hold::Still);
    let again = desk.lease(&order("puzzles", 2)).await.unwrap();
    assert_eq!((again.len(), again[0].attempt), (1, 2));
    says_that_it_is_there(&castle).await;
    let recorded = steward.outcomes("r", 0, 10).await.unwrap();
    assert_eq!(recorded.iter().map(|one| one.outcome.place.as_str()).collect::<Vec<_>>(), ["here"]);
}

async fn says_that_it_is_there(castle: &Castle) {
    let (desk, names) = (castle.link("desk").connect().await.unwrap(), castle.names.clone());
    let hosts = Hosts::open(desk, names.clone()).await;
    hosts.put(&Host { name: "desk".to_owned(), ..Host::default() }).await.unwrap();
    assert!(!hosts.should_drain("desk").await.unwrap());
    let steward = Hosts::open(castle.link("steward").connect().await.unwrap(), names).await;
    assert_eq!(steward.list().await.unwrap().len(), 1);
    steward.ask_to_drain("desk").await.unwrap();
    assert!(hosts.should_drain("desk").await.unwrap());
    hosts.withdraw("desk").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_not_given_a_unit_can_neither_settle_it_nor_ask_about_it() {
    let castle = Castle::build();
    let folder = tempfile::tempdir().unwrap();
    let (steward, _serving) = castle.steward(castle.directory(folder.path())).await;
    let units = castle.archived_run("r", RunTerms::default()).await;
    hand_in(&steward, &units).await;
    let desk = castle.engine("desk").await;
    let lease = desk.lease(&order("puzzles", 1)).await.unwrap().remove(0);
    let given = desk.claim(&lease);
    let lab = castle.link("lab").connect().await.unwrap();
    let forged = json!({"unit": lease.unit, "attempt": 1, "nonce": "x", "outcome": outcome("forged")});
    let forged_subject = castle.names.outcome("r", given.idx, "0123456789abcdef");
    lab.request(forged_subject, forged.to_string().into()).await.unwrap();
    assert!(steward.outcomes("r", 0, 10).await.unwrap().is_empty());
    assert_eq!(steward.progress("r").await.unwrap().n_done, 0);
    let guessed = UnitClaim { ticket: "0123456789abcdef".to_owned(), ..given.clone() };
    for ask in [
        StewardRequest::Last { of: guessed.clone(), kind: MessageSource::Outcome },
        StewardRequest::Last { of: guessed.clone(), kind: MessageSource::Attempts },
        StewardRequest::Half { of: guessed },
    ] {
        let answer = castle.ask("lab", &ask).await;
        assert!(matches!(answer, StewardAnswer::Refused { .. }), "{ask:?}: {answer:?}");
    }
    let won = desk.commit(&[(lease, outcome("true"))]).await.unwrap();
    assert_eq!(won, [Committed::Won]);
    assert_eq!(steward.outcomes("r", 0, 10).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_that_was_not_given_is_out_of_reach() {
    let castle = Castle::build();
    let folder = tempfile::tempdir().unwrap();
    let (steward, _serving) = castle.steward(castle.directory(folder.path())).await;
    let units = castle.archived_run("r", RunTerms::default()).await;
    hand_in(&steward, &units).await;
    let lab = castle.engine("lab").await;
    let order = LeaseOrder { wait: Duration::from_millis(300), ..order("puzzles", 1) };
    let taken = tokio::time::timeout(PATIENCE, lab.lease(&order)).await.unwrap();
    assert!(taken.is_err() || taken.unwrap().is_empty());
    let own = lab.lease(&self::order("browser", 1)).await.unwrap();
    assert_eq!(own.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submitter_hands_in_follows_and_stops() {
    let castle = Castle::build();
    let folder = tempfile::tempdir().unwrap();
    let (_steward, _serving) = castle.steward(castle.directory(folder.path())).await;
    let submitter = castle.engine("submitter").await;
    hand_in(&submitter, &units("r", "puzzles", 4)).await;
    let desk = castle.engine("desk").await;
    let lease = desk.lease(&order("puzzles", 1)).await.unwrap().remove(0);
    desk.commit(&[(lease, outcome("here"))]).await.unwrap();
    assert_eq!(submitter.outcomes("r", 0, 10).await.unwrap().len(), 1);
    let RunProgress { n_units, n_done, .. } = submitter.progress("r").await.unwrap();
    assert_eq!((n_units, n_done), (4, 1));
    submitter.direct("r", RunDirection::Cancel).await.unwrap();
    let left = submitter.progress("r").await.unwrap();
    assert_eq!(left.n_waiting, 0, "{left:?}");
}

fn order(class: &str, max: usize) -> LeaseOrder {
    LeaseOrder { classes: vec![class.to_owned()], max, wait: PATIENCE }
}
