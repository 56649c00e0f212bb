//! Compositions: the examples of the documentation, and what holds of all of them.

use proptest::prelude::*;
use quintain_checks::compose;
use quintain_core::check::Finding;
use quintain_core::score::Score;
use quintain_core::task::{CheckSpec, ComposeHow};

const ALL: [ComposeHow; 5] =
    [ComposeHow::All, ComposeHow::GateAndScore, ComposeHow::Weighted, ComposeHow::Checklist, ComposeHow::PairwiseFiles];

fn spec(weight: f64, gate: bool, file: &str) -> CheckSpec {
    toml::from_str(&format!(
        "name = 'c'\nkind = 'exact'\nweight = {weight:?}\ngate = {gate}\noptions = {{ file = '{file}' }}"
    ))
    .expect("the example is sound")
}

fn finding(score: f64) -> Finding {
    Finding { score: Score::clamped(score), ..Finding::of("c", true, "") }
}

fn composed(how: ComposeHow, checks: &[(CheckSpec, f64)]) -> f64 {
    let specs: Vec<CheckSpec> = checks.iter().map(|(spec, _)| spec.clone()).collect();
    let findings: Vec<Finding> = checks.iter().map(|(_, score)| finding(*score)).collect();
    compose(how, &specs, &findings).value()
}

#[test]
fn each_composition_by_example() {
    let checks = [
        (spec(1.0, true, "a"), 1.0),
        (spec(3.0, false, "a"), 0.5),
        (spec(1.0, false, "b"), 1.0),
        (spec(0.0, false, "b"), 0.0),
    ];
    let table: Vec<String> = ALL.iter().map(|how| format!("{how:?}: {}", composed(*how, &checks))).collect();
    insta::assert_snapshot!(table.join("\n"), @"
    All: 0
    GateAndScore: 0.625
    Weighted: 0.7
    Checklist: 0.4
    PairwiseFiles: 0.75
    ");
}

#[test]
fn a_check_of_hardly_any_weight_still_keeps_the_score_from_being_full() {
    for how in ALL {
        let score = composed(how, &[(spec(1e300, false, "a"), 1.0), (spec(1e-300, false, "b"), 0.999)]);
        assert!(score < 1.0, "{how:?}");
    }
}

#[test]
fn nothing_asked_is_nothing_shown() {
    for how in ALL {
        assert_eq!(composed(how, &[(spec(0.0, false, "a"), 1.0)]).to_bits(), 0.0_f64.to_bits(), "{how:?}");
        assert_eq!(compose(how, &[], &[]), Score::ZERO);
        assert_eq!(compose(how, &[spec(1.0, false, "a"), spec(1.0, false, "a")], &[finding(1.0)]), Score::ZERO);
    }
}

fn any_check() -> impl Strategy<Value = (CheckSpec, f64)> {
    let weight = prop_oneof![Just(0.0), 0.0..10.0, Just(1e-200), Just(f64::MAX)];
    let score = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    (weight, prop::bool::weighted(0.3), "[ab]", score)
        .prop_map(|(weight, gate, file, score)| (spec(weight, gate, &file), score))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_holds_of_every_composition(checks in prop::collection::vec(any_check(), 1..6), better: prop::sample::Index, by in 0.0..=1.0) {
        for how in ALL {
            let score = composed(how, &checks);
            prop_assert!((0.0..=1.0).contains(&score));
            let counted: Vec<_> = checks.iter().filter(|(spec, _)| spec.gate || spec.weight > 0.0).collect();
            let full = !counted.is_empty() && counted.iter().all(|(_, score)| *score >= 1.0);
            prop_assert_eq!(score >= 1.0, full, "{:?}", how);
            if counted.iter().any(|(spec, score)| spec.gate && *score < 1.0) {
                prop_assert!(score == 0.0, "{how:?}: a gate failed");
            }
            let mut improved = checks.clone();
            let at = better.index(improved.len());
            improved[at].1 = f64::max(improved[at].1, by);
            prop_assert!(composed(how, &improved) >= score - 1e-12, "{how:?}: better and yet worse");
            let mut uncounted = checks.clone();
            uncounted.push((spec(0.0, false, "c"), by));
            prop_assert!(composed(how, &uncounted).to_bits() == score.to_bits(), "{how:?}: weight 0 counts");
        }
    }
}
