//! Chains as text, through the binary.

use serde_json::Value;

use crate::command::Place;
use crate::models::taught;

/// Chains of all families, short ones.
pub(crate) const FOUR: &str = "chains/science-lineage-sole@easy chains/finance-restated-growth-board@easy \
                    chains/finance-rates-race-limited@easy chains/policy-emissions-and-growth-slow@easy";

#[test]
fn chains_are_solved_and_replayed_as_text() {
    let place = Place::new();
    let done = place.quintain(&format!("run {FOUR} --seeds 1..2 --agent oracle --surface text --name a"));
    assert_eq!(done.code, 0, "{}", done.text());
    assert!(done.stdout.contains("4 solved") || done.stderr.contains("4 solved"), "{}", done.text());
    let replayed = place.quintain("replay a");
    assert_eq!(replayed.code, 0, "{}", replayed.text());
}

#[test]
fn what_is_typed_is_read() {
    let place = Place::new();
    let typed = "search('university')\nopen('99')\nsubmit(1, {'no': 'field'})\nquit\n";
    let args = ["play", "chains/science-lineage-sole@easy#1", "--surface", "text", "-o", "p"];
    let told = place.quintain_with(&args, typed).text();
    for words in [
        "Hand in these fields",
        "https://find.web/search?q=university",
        "There is no link 99: this page has 1 to",
        "The form has no field `no`, but q.",
    ] {
        assert!(told.contains(words), "`{words}` is missing in {told}");
    }
}

/// Whether so many hits of so many are what a probability allows: three standard deviations and a hit.
fn is_likely(hits: f64, n: f64, probability: f64) -> bool {
    (hits - n * probability).abs() <= 3.0 * (n * probability * (1.0 - probability)).sqrt() + 1.0
}

#[test]
fn a_mind_that_errs_at_a_rate_gives_the_curve_that_arithmetic_predicts() {
    const RATE: f64 = 0.25;
    const N_STEPS: i32 = 6;
    let tasks =
        "chains/science-lineage-sole@easy chains/policy-emissions-and-growth-slow@easy --seeds 1..5 --after all";
    let (place, _provider) = taught(&format!("{tasks} --surface text"), "--slips errs=0.25 --seed 5");
    let done = place.quintain(&format!("run {tasks} --surface text --agent turns:chat/sim --name erring"));
    assert_eq!(done.code, 0, "{}", done.text());
    let summary = &place.json("report erring --no-html")["summary"];
    let counts = |rate: &Value| (rate["hits"].as_f64().expect("hits"), rate["n"].as_f64().expect("a number"));
    for start in summary["starts"].as_array().expect("starts") {
        let n_to_go = N_STEPS - start["after"].as_i64().expect("a number") as i32;
        let (solved, n) = counts(&start["success"]);
        assert!(n > 7.5 && is_likely(solved, n, (1.0 - RATE).powi(n_to_go)), "{start}");
    }
    let hops = summary["chains"]["breaks"][0]["hops"].as_array().expect("hops");
    let (broke, came) = hops.iter().fold((0.0, 0.0), |sum, hop| {
        let (broke, came) = counts(&hop["broke_of_came"]);
        (sum.0 + broke, sum.1 + came)
    });
    assert!(came > 80.0 && is_likely(broke, came, RATE), "{broke} of {came}");
}
