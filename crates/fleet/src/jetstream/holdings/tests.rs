use super::*;

const LEASE_FOR: Duration = Duration::from_mins(1);

fn lease(idx: u64, attempt: u32, n_units: usize) -> Lease {
    let handle = LeaseHandle { ack: format!("ack-{attempt}"), ticket: "t".to_owned(), nonce: "n".to_owned(), n_units };
    Lease {
        run: "run".to_owned(),
        unit: format!("unit-{idx}"),
        key: idx,
        attempt,
        n_faults: 0,
        n_lost: 0,
        deadline_ms: 60_000,
        handle: handle.to_string(),
    }
}

fn received(n: u64, attempt: u32, heard: ClockMoment) -> (QueueHoldings, Vec<Lease>) {
    let leases: Vec<Lease> = (0..n).map(|idx| lease(idx, attempt, n as usize)).collect();
    let mut holdings = QueueHoldings::default();
    let units: Vec<_> = leases.iter().map(|lease| (lease.clone(), UnitHistory::default())).collect();
    holdings.receive(&format!("ack-{attempt}"), &units, heard, LEASE_FOR);
    (holdings, leases)
}

fn start() -> ClockMoment {
    ClockMoment { at: Instant::now(), wall_ms: 0 }
}

fn later(moment: ClockMoment, monotonic_s: u64, wall_s: i64) -> ClockMoment {
    ClockMoment { at: moment.at + Duration::from_secs(monotonic_s), wall_ms: moment.wall_ms + wall_s * 1000 }
}

#[test]
fn a_lease_is_held_until_either_clock_says_that_it_may_be_anothers() {
    let start = start();
    let (mut holdings, leases) = received(1, 1, start);
    let hold =
        |holdings: &QueueHoldings, monotonic, wall| holdings.hold(&leases[0], later(start, monotonic, wall), LEASE_FOR);
    assert_eq!(hold(&holdings, 57, 57), Hold::Still);
    assert_eq!(hold(&holdings, 59, 0), Hold::Lost);
    assert_eq!(hold(&holdings, 0, 59), Hold::Lost);
    holdings.heard("ack-1", later(start, 30, 30));
    assert_eq!(hold(&holdings, 59, 59), Hold::Still);
    assert_eq!(hold(&holdings, 90, 90), Hold::Lost);
}

#[test]
fn a_parcel_is_done_when_all_its_units_are_settled() {
    let (mut holdings, leases) = received(3, 1, start());
    assert_eq!(holdings.settle(&leases[1]), []);
    assert_eq!(holdings.settle(&leases[1]), []);
    assert_eq!(holdings.settle(&leases[0]), []);
    assert_eq!(holdings.settle(&leases[2]), [ParcelClose::Done("ack-1".to_owned())]);
    assert_eq!(holdings.settle(&leases[2]), []);
    assert_eq!(holdings.hold(&leases[2], start(), LEASE_FOR), Hold::Lost);
}

#[test]
fn a_parcel_of_which_units_were_put_back_comes_again_when_they_have_rested() {
    let (mut holdings, leases) = received(3, 1, start());
    let soon = Instant::now();
    assert_eq!(holdings.put_back(&leases[0], soon + Duration::from_secs(50)), None);
    assert_eq!(holdings.put_back(&leases[1], soon + Duration::from_secs(20)), None);
    let closed = holdings.settle(&leases[2]);
    let [ParcelClose::Again(_, rest)] = &closed[..] else { panic!("{closed:?}") };
    assert!((Duration::from_secs(40)..=Duration::from_secs(50)).contains(rest), "{rest:?}");
}

#[test]
fn a_newer_lease_of_the_same_unit_takes_over_and_an_outcome_ends_both() {
    let start = start();
    let (mut holdings, slow) = received(1, 1, start);
    let fast = lease(0, 2, 1);
    holdings.receive("ack-2", &[(fast.clone(), UnitHistory::default())], start, LEASE_FOR);
    assert_eq!(holdings.hold(&slow[0], start, LEASE_FOR), Hold::Lost);
    assert_eq!(holdings.hold(&fast, start, LEASE_FOR), Hold::Still);
    assert_eq!(holdings.held("run", start, LEASE_FOR), BTreeMap::from([(0, 2)]));
    let done = ["ack-1", "ack-2"].map(|ack| ParcelClose::Done(ack.to_owned()));
    assert_eq!(holdings.settle(&slow[0]), done);
    assert_eq!(holdings.held("run", start, LEASE_FOR), BTreeMap::new());
}

#[test]
fn leases_of_another_process_are_held_until_their_deadline() {
    let holdings = QueueHoldings::default();
    assert_eq!(holdings.hold(&lease(0, 1, 1), later(start(), 0, 59), LEASE_FOR), Hold::Still);
    assert_eq!(holdings.hold(&lease(0, 1, 1), later(start(), 0, 60), LEASE_FOR), Hold::Lost);
}

#[test]
fn parcels_of_another_process_are_closed_if_they_had_one_unit() {
    let mut holdings = QueueHoldings::default();
    assert_eq!(holdings.settle(&lease(0, 1, 1)), [ParcelClose::Done("ack-1".to_owned())]);
    assert_eq!(holdings.settle(&lease(0, 1, 2)), []);
}

#[test]
fn what_was_kept_for_later_is_opened_by_class_in_order() {
    let start = start();
    let (mut holdings, leases) = received(4, 1, start);
    holdings.keep_unopened("puzzles", leases.clone());
    assert_eq!(holdings.open(&["browser".to_owned()], 9, start, LEASE_FOR), []);
    assert_eq!(holdings.open(&["puzzles".to_owned()], 1, start, LEASE_FOR), leases[..1]);
    assert_eq!(holdings.take_unopened(Some("another run")), []);
    assert_eq!(holdings.take_unopened(None), leases[1..]);
    assert_eq!(holdings.take_unopened(None), []);
}

#[test]
fn a_run_that_is_over_holds_nothing() {
    let start = start();
    let (mut holdings, leases) = received(2, 1, start);
    holdings.keep_unopened("puzzles", leases[1..].to_vec());
    holdings.end_run("run");
    assert_eq!(holdings.hold(&leases[0], start, LEASE_FOR), Hold::Lost);
    assert_eq!(holdings.take_unopened(None), []);
    assert_eq!(holdings.numbers("run"), BTreeMap::from([(0, 1), (1, 1)]));
}
