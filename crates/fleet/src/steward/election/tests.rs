use quintain_testkit::PATIENCE;
use quintain_testkit::servers::Nats;

use super::*;
use crate::{FleetLink, Hosts};

/// Short enough to wait for its end. A third of it is all the time that one answer of the server may take, so it is not
/// shorter than a busy machine needs.
const LIVES: Duration = Duration::from_secs(6);

async fn seats<const N: usize>(nats: &Nats, names: [&str; N]) -> [LeaderSeat; N] {
    let link = FleetLink::to(nats.urls(), "test");
    let client = link.connect().await.unwrap();
    Hosts::create(client.clone(), link.names(), 1).await.unwrap();
    names.map(|name| LeaderSeat::new(client.clone(), &link.names(), name, LIVES))
}

/// Tries until the seat is taken, as a steward does, and says how long that took. A server that has just come back may
/// not answer the first time.
async fn taken(seat: &LeaderSeat) -> (Tenure, Duration) {
    let began = Instant::now();
    loop {
        let tried = seat.take().await;
        if let Ok(Some(tenure)) = tried {
            return (tenure, began.elapsed());
        }
        assert!(began.elapsed() < PATIENCE, "the seat was never free: {tried:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn one_leads_and_the_next_follows_at_once_or_after_a_while() {
    let nats = Nats::start(1);
    let [a, b] = seats(&nats, ["a", "b"]).await;
    let first = a.take().await.unwrap().expect("nobody had it");
    assert!(b.take().await.unwrap().is_none());
    assert!(a.renew(&first).await.unwrap() && first.holds());

    a.leave(&first).await.unwrap();
    let second = b.take().await.unwrap().expect("it was given up");
    assert!(!a.renew(&first).await.unwrap(), "the old revision is worth nothing");

    // The second one falls silent: it stops acting before anybody else can lead.
    assert!(second.holds());
    let (third, after) = taken(&a).await;
    assert!(third.holds() && !second.holds());
    assert!(after >= LIVES / 2, "the seat was free after {after:?} already");
    assert!(!b.renew(&second).await.unwrap(), "who was silent cannot come back");
    assert!(a.renew(&third).await.unwrap());
}

#[tokio::test]
async fn of_many_candidates_one_wins() {
    let nats = Nats::start(1);
    let candidates = seats(&nats, ["a", "b", "same", "same", "same"]).await;
    for _ in 0..5 {
        let tries = candidates.iter().map(|seat| async move { (seat, seat.take().await.unwrap()) });
        let taken = futures_util::future::join_all(tries).await;
        let winners: Vec<_> = taken.iter().filter_map(|(seat, tenure)| tenure.as_ref().map(|t| (seat, t))).collect();
        assert_eq!(winners.len(), 1);
        winners[0].0.leave(winners[0].1).await.unwrap();
    }
}

#[tokio::test]
async fn a_leader_outlives_a_restart_of_the_server_or_steps_down() {
    let mut nats = Nats::start(1);
    let [seat] = seats(&nats, ["a"]).await;
    let tenure = seat.take().await.unwrap().expect("nobody had it");
    nats.kill(0);
    let ended = tokio::time::timeout(PATIENCE, seat.keep(&tenure)).await;
    assert!(ended.is_ok() && !tenure.holds());
    nats.restart(0);
    let (again, _) = taken(&seat).await;
    assert!(again.holds());
}
