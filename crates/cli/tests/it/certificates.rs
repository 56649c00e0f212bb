//! What `check` proves, and what it keeps.

use std::fs;

use serde_json::Value;

use crate::command::Place;

const KEPT: &str = "certificates/puzzles/maze-2d.json";

fn instances(certificate: &Value) -> Vec<&str> {
    let picks = certificate["picks"].as_array().expect("a list of proofs");
    picks.iter().filter_map(|pick| pick["instance"].as_str()).collect()
}

fn kept(place: &Place) -> Value {
    let text = fs::read_to_string(place.path().join(KEPT)).expect("a certificate is kept");
    serde_json::from_str::<Value>(&text).expect("it is JSON")["certificate"].take()
}

#[test]
fn only_what_was_asked_for_is_proven_and_a_fuller_certificate_stays() {
    let place = Place::new();
    let one = place.json("check puzzles/maze-2d@easy#7 --quick --seeds 2");
    assert_eq!(instances(&one[0]), ["puzzles/maze-2d@easy#7"]);
    assert_eq!(instances(&kept(&place)), ["puzzles/maze-2d@easy#7"]);

    place.json("check puzzles/maze-2d@easy --quick --seeds 6..8");
    let both = ["puzzles/maze-2d@easy#6", "puzzles/maze-2d@easy#7"];
    assert_eq!(instances(&kept(&place)), both);
    let again = place.quintain("check puzzles/maze-2d@easy#6 --quick --again");
    assert_eq!(again.code, 0, "{}", again.text());
    assert!(again.stderr.contains("proves more and stays"), "{}", again.text());
    assert_eq!(instances(&kept(&place)), both);
}

#[test]
fn a_certificate_that_cannot_be_read_counts_no_more() {
    let place = Place::new();
    place.json("check puzzles/maze-2d@easy#7 --quick");
    fs::write(place.path().join(KEPT), "{ torn").unwrap();
    let checked = place.quintain("check puzzles/maze-2d@easy#7 --quick");
    assert_eq!(checked.code, 0, "{}", checked.text());
    assert!(checked.stderr.contains("counts no more"), "{}", checked.text());
    assert_eq!(instances(&kept(&place)), ["puzzles/maze-2d@easy#7"]);
}
