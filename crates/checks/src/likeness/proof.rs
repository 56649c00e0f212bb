//! What every likeness promises, for tests: what is near fails, what is alike passes, and nothing panics.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Likeness;

/// What is near fails, what is alike passes, and so does the plain right answer. Gives the number of both.
pub(super) fn hold_both_ways(likeness: &dyn Likeness, expected: &Value) -> (usize, usize) {
    likeness.fits(expected).unwrap_or_else(|why| panic!("{expected} does not fit: {why}"));
    let right = likeness.right(expected);
    let judged = |how: &str, value: &Value| {
        let result = likeness.compare(expected, value);
        (result.score.is_full(), format!("{expected}: {how}: {value}: {}", result.because))
    };
    let (full, why) = judged("the right answer", &right);
    assert!(full, "{why}");
    let (near, like) = (likeness.near(expected, &right), likeness.like(expected, &right));
    for (how, value) in &near {
        let (full, why) = judged(how, value);
        assert!(!full, "a near miss passes: {why}");
    }
    for (how, value) in &like {
        let (full, why) = judged(how, value);
        assert!(full, "a variation fails: {why}");
    }
    (near.len(), like.len())
}

/// Whatever is expected and whatever is there, nothing panics; and whatever fits holds both ways.
pub(super) fn survive(likeness: &dyn Likeness, expected: &Value, actual: &Value) {
    if likeness.fits(expected).is_ok() {
        hold_both_ways(likeness, expected);
        likeness.near(expected, actual);
        likeness.like(expected, actual);
    }
    likeness.compare(expected, actual);
}

/// Any JSON, with much in it that looks like an answer.
pub(super) fn odd_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-100..100_i32).prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        "[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}".prop_map(Value::from),
        "[-+]?[0-9]{1,4}[.,' ]?[0-9]{0,3} ?(km|%|t|pp|KYM|million|M)?".prop_map(Value::from),
        prop::sample::select(vec!["km", "2024-12-31", "2024-02", "Ada", "date", "entity", "KYM", "percent", "points"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let key = prop::sample::select(vec![
            "value",
            "unit",
            "digits",
            "tolerance",
            "amount",
            "currency",
            "names",
            "symbol",
            "bare",
            "name",
            "aliases",
            "not",
            "columns",
            "key",
            "rows",
            "of",
            "type",
            "a",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..5).prop_map(|fields| json!(fields)),
        ]
    })
}
