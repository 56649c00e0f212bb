//! The small form of the simulation, as it is checked with every change.

use super::scenario::{Mishaps, Scenario};
use super::simulate;

#[test]
fn whatever_goes_wrong_nothing_is_lost_or_counted_twice() {
    let report = simulate(&Scenario::small(1));
    assert!(report.problems.is_empty(), "{report}");
    assert_eq!((report.n_lost, report.n_twice, report.n_unaccounted), (0, 0, 0), "{report}");
    assert!(report.n_done > 18_000, "{report}");
    assert!(report.utilisation > 0.85, "{report}");
}

#[test]
fn the_same_seed_goes_the_same_way() {
    let mut scenario = Scenario::small(7);
    scenario.runs.truncate(3);
    for run in &mut scenario.runs {
        run.n_trials.iter_mut().for_each(|(_, n)| *n /= 10);
    }
    let one = simulate(&scenario).outcome();
    assert_eq!(one, simulate(&scenario).outcome());
    assert_ne!(one, simulate(&Scenario { seed: 8, ..scenario }).outcome());
}

#[test]
fn when_nothing_goes_wrong_nothing_is_played_again() {
    let mut scenario = Scenario::small(3);
    scenario.mishaps = Mishaps::none();
    scenario.runs.truncate(2);
    let report = simulate(&scenario);
    assert!(report.problems.is_empty(), "{report}");
    let told = report.outcome();
    let none = "slot time in which work was played again: puzzles 0.00 %, browser 0.00 %, desktop 0.00 %";
    assert!(told.contains(none), "{told}");
    assert!(told.contains("units leased while another held them: 0"), "{told}");
}
