//! Whatever is killed, and whenever: no trial is lost, none is counted twice, every attempt is accounted for.
//!
//! Each test starts real servers and starts itself again as stewards and workers, kills some of them without warning while
//! trials are being played, and looks at what came of the run: in the engine, in the archive, and in what those who played
//! wrote down by themselves. `QUINTAIN_FULL=1` plays 20,000 trials in each.
#![expect(clippy::print_stdout, reason = "the proof tells what it found, and actors write to files of theirs")]
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

mod actors;
mod found;
mod ordeal;

use std::time::Duration;

use quintain_testkit::servers::{Network, Weed};

use crate::actors::is_actor;
use crate::ordeal::{Ordeal, Setup, is_full, let_pass};

#[test]
fn workers_may_die() {
    if is_actor() {
        return;
    }
    let ordeal = Ordeal::new(Setup::default());
    let steward = ordeal.start_steward("s");
    let mut workers: Vec<_> = (0..4).map(|n| Some(ordeal.start_worker(&format!("w{n}")))).collect();
    for kill in 1..=6 {
        ordeal.wait_until_done(kill, 8);
        for worker in workers.iter_mut().skip(kill as usize % 2).step_by(2) {
            let name = worker.take().unwrap().kill();
            *worker = Some(ordeal.start_worker(&name));
        }
    }
    ordeal.wait_until_over();
    drop((steward, workers));
    ordeal.nothing_is_lost_or_counted_twice("12 kills of workers, every second one each time");
}

#[test]
fn the_leaders_of_streams_may_die() {
    if is_actor() {
        return;
    }
    let mut ordeal = Ordeal::new(Setup { n_nodes: 3, ..Setup::default() });
    let steward = ordeal.start_steward("s");
    let workers: Vec<_> = (0..3).map(|n| ordeal.start_worker(&format!("w{n}"))).collect();
    for (kill, stream) in (1..).zip(["work", "out", "plan"]) {
        ordeal.wait_until_done(kill, 5);
        ordeal.kill_leader_for(stream, Duration::from_secs(3));
    }
    ordeal.wait_until_over();
    drop((steward, workers));
    ordeal.nothing_is_lost_or_counted_twice("the leaders of `work`, `out` and `plan` killed, back after 3 s each");
}

#[test]
fn all_three_servers_may_die_at_once() {
    if is_actor() {
        return;
    }
    let mut ordeal = Ordeal::new(Setup { n_nodes: 3, ..Setup::default() });
    let steward = ordeal.start_steward("s");
    let workers: Vec<_> = (0..3).map(|n| ordeal.start_worker(&format!("w{n}"))).collect();
    ordeal.wait_until_done(1, 3);
    ordeal.kill_all_nodes_for(Duration::from_secs(2));
    ordeal.wait_until_over();
    drop((steward, workers));
    ordeal.nothing_is_lost_or_counted_twice("all three nodes killed at once, back after 2 s");
}

#[test]
fn stewards_may_die() {
    if is_actor() {
        return;
    }
    let ordeal = Ordeal::new(Setup::default());
    let mut stewards = vec![ordeal.start_steward("s0"), ordeal.start_steward("s1")];
    let workers: Vec<_> = (0..3).map(|n| ordeal.start_worker(&format!("w{n}"))).collect();
    for kill in 1..=4 {
        ordeal.wait_until_done(kill, 6);
        let leader = ordeal.leading_steward();
        let idx = stewards.iter().position(|steward| leader.starts_with(steward.name())).unwrap();
        let name = stewards.remove(idx).kill();
        stewards.push(ordeal.start_steward(&name));
    }
    ordeal.wait_until_over();
    ordeal.wait_until_compacted();
    drop((stewards, workers));
    ordeal.nothing_is_lost_or_counted_twice("the leading steward (reconciler, compactor, allocator) killed 4 times");
}

#[test]
fn the_allocator_may_die_while_trials_ask_for_their_shares() {
    if is_actor() {
        return;
    }
    let ordeal = Ordeal::new(Setup { rationed: true, ..Setup::default() });
    let mut steward = Some(ordeal.start_steward("s"));
    let workers: Vec<_> = (0..3).map(|n| ordeal.start_worker(&format!("w{n}"))).collect();
    for kill in 1..=3 {
        ordeal.wait_until_done(kill, 5);
        let name = steward.take().unwrap().kill();
        steward = Some(ordeal.start_steward(&name));
    }
    ordeal.wait_until_over();
    drop((steward, workers));
    ordeal.nothing_is_lost_or_counted_twice("the allocator killed 3 times under trials that ask for shares");
}

#[test]
fn the_object_store_may_die() {
    if is_actor() {
        return;
    }
    let mut weed = Weed::start();
    let ordeal = Ordeal::new(Setup { s3: Some(weed.environment()), ..Setup::default() });
    let steward = ordeal.start_steward("s");
    let workers: Vec<_> = (0..3).map(|n| ordeal.start_worker(&format!("w{n}"))).collect();
    for kill in 1..=2 {
        ordeal.wait_until_done(kill, 4);
        weed.kill();
        let_pass(Duration::from_secs(3));
        weed.restart();
    }
    ordeal.wait_until_over();
    ordeal.wait_until_compacted();
    drop((steward, workers));
    ordeal.nothing_is_lost_or_counted_twice("the object store killed twice, back after 3 s each");
}

#[test]
fn a_worker_may_lose_its_network() {
    if is_actor() {
        return;
    }
    let network = Network::with_cables(1);
    let ordeal = Ordeal::new(Setup { host: network.host(), ..Setup::default() });
    let steward = ordeal.start_steward("s");
    let near = ordeal.start_worker("near");
    let far = ordeal.start_worker_in(&network, "far");
    ordeal.wait_until_done(1, 4);
    // Longer than a lease lasts: others take over what the worker holds, and it comes back with what it has finished.
    let how_long = if is_full() { Duration::from_secs(30) } else { Duration::from_secs(8) };
    network.cut(0);
    let_pass(how_long);
    network.mend(0);
    ordeal.wait_until_over();
    ordeal.wait_until_played_by("far");
    drop((steward, near, far));
    ordeal.nothing_is_lost_or_counted_twice(&format!("the network of a worker cut for {} s", how_long.as_secs()));
}
