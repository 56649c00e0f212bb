//! Every kind of check: what it accepts, what it refuses, and that its near misses fail and its variations pass.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quintain_checks::Palette;
use quintain_core::check::Case;
use quintain_core::digest::Digest;
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::task::CheckSpec;
use serde_json::{Value, json};

fn spec(text: &str) -> CheckSpec {
    toml::from_str(&format!("name = 'c'\n{text}")).expect("the example is sound")
}

fn answering(value: Value) -> Evidence {
    Evidence { answer: Some(value), ..Evidence::default() }
}

fn reference() -> Reference {
    let parameters: BTreeMap<String, Value> =
        [("total".to_owned(), json!(42)), ("who".to_owned(), json!("Ada"))].into();
    let files = [("out.csv".to_owned(), b"a,b\n1,2\n".to_vec().into())].into();
    Reference { parameters, files, ..Reference::default() }
}

fn judge(declared: &str, evidence: &Evidence) -> String {
    let reference = reference();
    match Palette::standard().make(&spec(declared)) {
        Err(problem) => problem,
        Ok(check) => match check.judge(Case { evidence, reference: &reference }) {
            Ok(finding) => format!("{} {}", finding.score.value(), finding.because),
            Err(broken) => broken.to_string(),
        },
    }
}

fn judged(declared: &str, answers: &[Value]) -> String {
    answers.iter().map(|answer| judge(declared, &answering(answer.clone()))).collect::<Vec<_>>().join("\n")
}

/// All near misses of a right answer fail and all variations pass; gives their number and names.
fn twists(declared: &str, evidence: &Evidence) -> String {
    let reference = reference();
    let case = Case { evidence, reference: &reference };
    let check = Palette::standard().make(&spec(declared)).expect("the example is sound");
    assert!(check.judge(case).expect("the example is sound").score.is_full(), "{:?}", check.judge(case));
    let (near, like) = (check.near_misses(case), check.variations(case));
    for altered in &near {
        let finding = check.judge(Case { evidence: &altered.evidence, ..case }).expect("the example is sound");
        assert!(!finding.score.is_full(), "near miss passes: {}: {:?}", altered.how, altered.evidence);
    }
    for altered in &like {
        let finding = check.judge(Case { evidence: &altered.evidence, ..case }).expect("the example is sound");
        assert!(finding.score.is_full(), "variation fails: {}: {}", altered.how, finding.because);
        assert_ne!(altered.evidence, *evidence, "{} varies nothing", altered.how);
    }
    let names =
        |list: &[quintain_core::check::AlteredState]| list.iter().map(|a| a.how.clone()).collect::<Vec<_>>().join("; ");
    format!("{} near: {}\n{} like: {}", near.len(), names(&near), like.len(), names(&like))
}

#[test]
fn exact_takes_numbers_by_value_and_all_else_to_the_letter() {
    let declared = "kind = 'exact'\nselector = 'answer/n'\nexpect = '{{ total }}'";
    insta::assert_snapshot!(judged(declared, &[json!({"n": 42}), json!({"n": 42.0}), json!({"n": 41}), json!({"n": "42"}), json!({}), json!(null)]), @r#"
    1 answer/n: it is 42
    1 answer/n: it is 42.0
    0 answer/n: it is 41, not 42
    0 answer/n: it is "42", not 42
    0 there is nothing at `answer/n`
    0 there is nothing at `answer/n`
    "#);
    insta::assert_snapshot!(twists(declared, &answering(json!({"n": 42}))), @"
    8 near: answer/n: as text; answer/n: one more; answer/n: one less; answer/n: the other sign; answer/n: ten times as much; answer/n: nothing; answer/n: in a list of its own; answer/n: not there
    2 like: answer/n: numbers written the other way; something else beside it
    ");
}

#[test]
fn set_ignores_order_and_repetition() {
    let declared = "kind = 'set'\nselector = 'answer'\nexpect = ['a', 2, '{{ who }}']";
    insta::assert_snapshot!(judged(declared, &[json!(["Ada", 2.0, "a", "a"]), json!(["a", "Ada"]), json!(["a", 2, "Ada", "b"]), json!("a")]), @r#"
    1 answer: all 3 are there
    0 answer: 1 missing: 2
    0 answer: 1 too many: "b"
    0 answer: it is "a", not a list
    "#);
    insta::assert_snapshot!(twists(declared, &answering(json!(["a", "Ada", 2]))), @"
    13 near: answer: nothing; answer: an empty list; answer: one too many; answer: in a list of its own; answer: the last one missing; answer: the last one: as text; answer: the last one: one more; answer: the last one: one less; answer: the last one: the other sign; answer: the last one: ten times as much; answer: the last one: nothing; answer: the last one: in a list of its own; answer: not there
    5 like: answer: the other way round; answer: the first one last; answer: numbers written the other way; answer: the last one twice; something else beside it
    ");
    let counted =
        "kind = 'set'\nselector = 'answer'\nexpect = ['a', 'a']\noptions = { counted = true, partial = true }";
    insta::assert_snapshot!(judged(counted, &[json!(["a", "a"]), json!(["a"]), json!(["a", "b"]), json!([])]), @r#"
    1 answer: all 2 are there
    0.5 answer: 1 missing: "a"
    0.3333333333333333 answer: 1 missing: "a"; 1 too many: "b"
    0 answer: 2 missing: "a", "a"
    "#);
}

#[test]
fn numeric_has_tolerance_and_range() {
    let declared = "kind = 'numeric'\nselector = 'answer'\nexpect = '{{ total }}'\ntolerance = 0.5";
    insta::assert_snapshot!(judged(declared, &[json!(42), json!(42.5), json!(42.51), json!(-42), json!("42"), json!(1e308), json!([42])]), @r#"
    1 answer: it is 42
    1 answer: it is 42.5
    0 answer: it is 42.51, not 42 give or take 0.5
    0 answer: it is -42, not 42 give or take 0.5
    0 answer: it is "42", not a number
    0 answer: it is 1e+308, not 42 give or take 0.5
    0 answer: it is [42], not a number
    "#);
    insta::assert_snapshot!(twists(declared, &answering(json!(42.2))), @"
    15 near: answer: nothing; answer: true for a number; answer: in a list of its own; answer: no number, as text; answer: infinity, as text; answer: as text; answer: just too much; answer: just too little; answer: one more than tolerated; answer: the other sign; answer: nothing of it; answer: ten times as much; answer: a tenth of it; answer: a percentage; answer: not there
    4 like: answer: written the other way; answer: half the tolerance over; answer: nearly all of it under; something else beside it
    ");
    let range = "kind = 'numeric'\nselector = 'answer'\noptions = { min = 0, max = 1.5 }";
    insta::assert_snapshot!(judged(range, &[json!(0), json!(1.5), json!(1.500_001), json!(-1), json!(null)]), @"
    1 answer: it is 0
    1 answer: it is 1.5
    0 answer: it is 1.500001, not from 0 to 1.5
    0 answer: it is -1, not from 0 to 1.5
    0 answer: it is null, not a number
    ");
    insta::assert_snapshot!(twists(range, &answering(json!(1))), @"
    12 near: answer: nothing; answer: true for a number; answer: in a list of its own; answer: no number, as text; answer: infinity, as text; answer: as text; answer: just below the least; answer: just above the greatest; answer: far below the least; answer: far above the greatest; answer: the other sign; answer: not there
    4 like: answer: the least; answer: the greatest; answer: written the other way; something else beside it
    ");
    let text = "kind = 'numeric'\nselector = 'answer'\nexpect = 1000\noptions = { from_text = true, relative = 0.01 }";
    insta::assert_snapshot!(judged(text, &[json!(" 1e3 "), json!("1010"), json!("1011"), json!("NaN"), json!("inf"), json!("1000 m")]), @r#"
    1 answer: it is 1000.0
    1 answer: it is 1010
    0 answer: it is 1011, not 1000 give or take 10
    0 answer: it is "NaN", not a number
    0 answer: it is "inf", not a number
    0 answer: it is "1000 m", not a number
    "#);
    twists(text, &answering(json!("1000")));
}

#[test]
fn text_ignores_what_it_is_told_to() {
    let declared = "kind = 'text'\nselector = 'answer'\nexpect = ['Côte d’Ivoire', 'Ivory Coast']";
    insta::assert_snapshot!(judged(declared, &[json!(" ivory  COAST\n"), json!("Ivory-Coast"), json!(7)]), @r#"
    1 answer: it is " ivory  COAST\n"
    0 answer: it is "Ivory-Coast", not ["Côte d’Ivoire","Ivory Coast"]
    0 answer: it is 7, not ["Côte d’Ivoire","Ivory Coast"]
    "#);
    insta::assert_snapshot!(twists(declared, &answering(json!("Ivory Coast"))), @"
    13 near: answer: nothing; answer: in a list of its own; answer: no text; answer: one letter too many; answer: one word too many; answer: denied; answer: said twice; answer: another letter; answer: a letter missing; answer: the last word missing; answer: the words in another order; answer: in one word; answer: not there
    5 like: answer: as accepted; answer: in capitals; answer: in small letters; answer: more space; something else beside it
    ");
    assert!(judge(declared, &answering(json!("Co\u{302}te d’Ivoire"))).starts_with('1'), "composed or decomposed");
    twists(
        "kind = 'text'\nselector = 'answer'\nexpect = 'a b!'\noptions = { ignore = ['punctuation'] }",
        &answering(json!("a b")),
    );
}

#[test]
fn fields_are_compared_by_type_and_others_do_not_matter() {
    let declared = "kind = 'json-fields'\nselector = 'answer'\ntolerance = 0.01\n\
        expect = { total = '{{ total }}', who = '{{ who }}', tags = ['x', 'y'], 'deep/er' = true }\n\
        options = { tolerances = { total = 1 }, unordered = ['tags'], ignore = ['case'] }";
    let right = json!({"total": 43, "who": "ADA", "tags": ["y", "x"], "deep": {"er": true}, "more": 1});
    let wrong = json!({"total": 44, "who": "ADA", "tags": ["y", "x"], "deep": {}});
    insta::assert_snapshot!(judged(declared, &[right.clone(), wrong, json!([])]), @"
    1 answer: all 4 fields hold
    0.5 answer/deep/er: it is missing
    0 answer/deep/er: it is missing
    ");
    insta::assert_snapshot!(twists(declared, &answering(right)), @"
    48 near: answer/deep/er: the opposite; answer/deep/er: as text; answer/deep/er: nothing; answer/deep/er: in a list of its own; answer/tags: nothing; answer/tags: an empty list; answer/tags: one too many; answer/tags: in a list of its own; answer/tags: the last one missing; answer/tags: the last one: no text; answer/tags: the last one: one letter too many; answer/tags: the last one: a space before it; answer/tags: the last one: denied; answer/tags: the last one: the last letter missing; answer/tags: the last one: another last letter; answer/tags: the last one: nothing; answer/tags: the last one: in a list of its own; answer/total: nothing; answer/total: true for a number; answer/total: in a list of its own; answer/total: no number, as text; answer/total: infinity, as text; answer/total: as text; answer/total: just too much; answer/total: just too little; answer/total: one more than tolerated; answer/total: the other sign; answer/total: nothing of it; answer/total: ten times as much; answer/total: a tenth of it; answer/total: a percentage; answer/who: nothing; answer/who: in a list of its own; answer/who: no text; answer/who: one letter too many; answer/who: one word too many; answer/who: denied; answer/who: said twice; answer/who: another letter; answer/who: a letter missing; answer/deep/er: missing; answer/tags: missing; answer/total: missing; answer/who: missing; answer/deep/er and tags exchanged; answer/tags and total exchanged; answer/total and who exchanged; answer: not there
    10 like: answer/tags: the other way round; answer/tags: the first one last; answer/tags: the last one twice; answer/total: written the other way; answer/total: half the tolerance over; answer/total: nearly all of it under; answer/who: as accepted; answer/who: in small letters; answer/one field too many; something else beside it
    ");
    let closed = "kind = 'json-fields'\nselector = 'answer'\nexpect = { a = 1, b = 2 }\noptions = { extra = 'refuse' }";
    insta::assert_snapshot!(judged(closed, &[json!({"a": 1, "b": 2}), json!({"a": 1, "b": 2, "c": 3}), json!({"a": 2, "b": 1})]), @"
    1 answer: all 2 fields hold
    0.6666666666666666 answer: `c` was not asked for
    0 answer/a: it is 2, not 1
    ");
    twists(closed, &answering(json!({"a": 1, "b": 2.0})));
}

#[test]
fn a_file_is_the_references_byte_by_byte() {
    let declared = "kind = 'file'\noptions = { file = 'out.csv', left_as = 'result/out.csv' }";
    let left = |bytes: &[u8]| Evidence {
        files: [("result/out.csv".to_owned(), Digest::of(bytes))].into(),
        ..Evidence::default()
    };
    let right = left(b"a,b\n1,2\n");
    insta::assert_snapshot!([&right, &left(b"a,b\n"), &Evidence::default()].map(|e| judge(declared, e)).join("\n"), @"
    1 result/out.csv is as it should be
    0 result/out.csv differs from reference/out.csv
    0 result/out.csv was not left
    ");
    insta::assert_snapshot!(twists(declared, &right), @"
    4 near: result/out.csv: not left; result/out.csv: an empty file; result/out.csv: one byte too many; result/out.csv: one byte short
    2 like: another file beside it; something else beside it
    ");
}

#[test]
fn what_a_verifier_could_not_read_is_said_as_it_says_it() {
    let derived = |value: Value| Evidence { derived: [("tables".to_owned(), value)].into(), ..Evidence::default() };
    let rows = |selector: &str| {
        format!(
            "kind = 'typed'\nselector = '{selector}'\nexpect = {{ fields = {{ a = 1, b = 2 }} }}\noptions = {{ type = 'record' }}"
        )
    };
    let missing = json!({"problem": "output/totals.csv is missing"});
    let all = [
        (derived(json!({ "totals": missing })), rows("derived/tables/totals")),
        (derived(missing.clone()), rows("derived/tables/totals")),
        (
            derived(json!({ "totals": { "a": 1, "problem": "output/b.wav: it is\nno sound" } })),
            rows("derived/tables/totals"),
        ),
        (derived(json!({ "totals": { "a": 1, "b": 2, "problem": "?" } })), rows("derived/tables/totals")),
        (derived(json!({ "others": missing })), rows("derived/tables/totals")),
        (derived(json!({ "totals": { "problem": 3 } })), rows("derived/tables/totals")),
        (answering(missing), rows("answer")),
    ];
    insta::assert_snapshot!(all.map(|(evidence, declared)| judge(&declared, &evidence)).join("\n"), @"
    0 output/totals.csv is missing
    0 output/totals.csv is missing
    0.5 output/b.wav: it is no sound; derived/tables/totals: 1 of 2 fields hold; b is missing
    1 derived/tables/totals: all 2 fields hold
    0 there is nothing at `derived/tables/totals`
    0 derived/tables/totals: 0 of 2 fields hold; a is missing
    0 answer: 0 of 2 fields hold; a is missing
    ");
    let long = derived(json!({ "totals": { "problem": "long ".repeat(1000) } }));
    assert_eq!(judge(&rows("derived/tables/totals"), &long).chars().count(), 302);
}

#[test]
fn wrong_declarations_are_refused_with_a_hint() {
    let wrong = [
        "kind = 'exct'",
        "kind = 'exact'\nexpect = 1",
        "kind = 'exact'\nselector = 'answr'\nexpect = 1",
        "kind = 'exact'\nselector = 'documents'\nexpect = 1",
        "kind = 'exact'\nselector = 'answer'",
        "kind = 'exact'\nselector = 'answer'\nexpect = 1\ntolerance = 0.1",
        "kind = 'set'\nselector = 'answer'\nexpect = 'a'",
        "kind = 'set'\nselector = 'answer'\nexpect = []\noptions = { count = true }",
        "kind = 'numeric'\nselector = 'answer'\nexpect = 'seven'",
        "kind = 'numeric'\nselector = 'answer'\nexpect = 7\ntolerance = nan",
        "kind = 'numeric'\nselector = 'answer'\nexpect = 7\ntolerance = -1.0",
        "kind = 'numeric'\nselector = 'answer'\noptions = { min = inf }",
        "kind = 'numeric'\nselector = 'answer'\noptions = { min = 2, max = 1 }",
        "kind = 'numeric'\nselector = 'answer'\nexpect = 1\noptions = { max = 1 }",
        "kind = 'text'\nselector = 'answer'\nexpect = '!'\noptions = { ignore = ['punctuation'] }",
        "kind = 'json-fields'\nselector = 'answer'\nexpect = {}",
        "kind = 'json-fields'\nselector = 'answer'\nexpect = { total = 1 }\noptions = { tolerances = { totel = 1 } }",
        "kind = 'file'",
        "kind = 'exact'\nselector = 'answer'\nexpect = '{{ nobody }}'",
        "kind = 'numeric'\nselector = 'answer'\nexpect = '{{ who }}'",
    ];
    insta::assert_snapshot!(wrong.map(|declared| judge(declared, &answering(json!(1)))).join("\n"), @r#"
    check `c`: there is no kind of check called `exct`; did you mean `exact`?
    check `c`: `selector` is missing; for example `answer/total` or `documents/puzzle`
    check `c`: `answr` is no place in the evidence; did you mean `answer`?
    check `c`: `documents` names no document; for example `answer/total` or `documents/puzzle`
    check `c`: `expect` is missing
    check `c`: a check of kind `exact` takes no tolerance
    check `c`: a list is expected, not "a"
    check `c`: a check of kind `set` has no option `count`; did you mean `counted`?
    check `c`: a number is expected, not "seven"
    check `c`: `tolerance` must be a finite number of 0 or more, not NaN
    check `c`: `tolerance` must be a finite number of 0 or more, not -1
    check `c`: `min` must be a finite number, not null
    check `c`: `min` is greater than `max`
    check `c`: `min` and `max` stand alone: take out `expect`, `tolerance` and `relative`
    check `c`: an expected text is empty, or nothing is left of it once `ignore` has its way
    check `c`: `expect` names no field: nothing could ever fail
    check `c`: `totel` is no field of `expect`; did you mean `total`?
    check `c`: `options.file` is missing: which file of the reference?
    check `c` cannot judge: `{{ nobody }}`: there is no `nobody`; there is `total`, `who`
    check `c` cannot judge: a number is expected, not "Ada"
    "#);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numeric_near_misses_fail_and_variations_pass(
        expect in prop_oneof![any::<i32>().prop_map(f64::from), -1e12..1e12, prop::num::f64::NORMAL],
        tolerance in prop_oneof![Just(0.0), 0.0..10.0, 1e-9..1e-3],
    ) {
        let mut declared = spec("kind = 'numeric'\nselector = 'answer'");
        declared.expect = Some(json!(expect));
        declared.tolerance = Some(tolerance);
        let check = Palette::standard().make(&declared).unwrap();
        let (evidence, reference) = (answering(json!(expect)), Reference::default());
        let case = Case { evidence: &evidence, reference: &reference };
        prop_assert!(check.judge(case).unwrap().score.is_full());
        let near = check.near_misses(case);
        prop_assert!(near.len() >= 6);
        for altered in near {
            let finding = check.judge(Case { evidence: &altered.evidence, ..case }).unwrap();
            prop_assert!(!finding.score.is_full(), "{}: {:?}", altered.how, altered.evidence.answer);
        }
        for altered in check.variations(case) {
            let finding = check.judge(Case { evidence: &altered.evidence, ..case }).unwrap();
            prop_assert!(finding.score.is_full(), "{}: {:?}", altered.how, altered.evidence.answer);
        }
    }

    #[test]
    fn text_near_misses_fail_and_variations_pass(text in "\\PC{0,12}", ignore in prop::sample::subsequence(vec!["case", "space", "punctuation"], 0..=3)) {
        let mut declared = spec("kind = 'text'\nselector = 'answer'");
        declared.expect = Some(json!(text));
        declared.options.insert("ignore".to_owned(), json!(ignore));
        let Ok(check) = Palette::standard().make(&declared) else { return Ok(()) };
        let (evidence, reference) = (answering(json!(text)), Reference::default());
        let case = Case { evidence: &evidence, reference: &reference };
        prop_assume!(check.judge(case).is_ok()); // The text may look like a placeholder.
        for altered in check.near_misses(case) {
            let finding = check.judge(Case { evidence: &altered.evidence, ..case }).unwrap();
            prop_assert!(!finding.score.is_full(), "{}: {:?}", altered.how, altered.evidence.answer);
        }
        for altered in check.variations(case) {
            let finding = check.judge(Case { evidence: &altered.evidence, ..case }).unwrap();
            prop_assert!(finding.score.is_full(), "{}: {:?}", altered.how, altered.evidence.answer);
        }
    }

    #[test]
    fn odd_declarations_never_panic(
        kind in prop::sample::select(vec!["exact", "set", "numeric", "text", "json-fields", "file"]),
        expect in prop::option::of(odd_value()),
        tolerance in prop::option::of(any::<f64>()),
        selector in prop::option::of("(answer|documents|derived|)(/[a-z~0/]{0,3}){0,2}"),
        name in prop::sample::select(vec!["ignore", "min", "max", "relative", "counted", "tolerances", "unordered", "extra", "file", "x"]),
        option in odd_value(),
        answer in odd_value(),
    ) {
        let mut declared = spec("kind = 'x'");
        declared.kind = kind.to_owned();
        declared.expect = expect;
        declared.tolerance = tolerance;
        declared.selector = selector;
        declared.options.insert(name.to_owned(), option);
        if let Ok(check) = Palette::standard().make(&declared) {
            let (evidence, reference) = (answering(answer), reference());
            let case = Case { evidence: &evidence, reference: &reference };
            drop(check.judge(case));
            drop((check.near_misses(case), check.variations(case)));
        }
    }
}

fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        any::<f64>().prop_map(|number| json!(number)),
        any::<u64>().prop_map(|number| json!(number)),
        any::<bool>().prop_map(|flag| json!(flag)),
        "\\PC{0,6}".prop_map(|text| json!(text)),
        Just(json!("{{ total }}")),
        prop::collection::vec("[a-z]{0,3}", 0..3).prop_map(|words| json!(words)),
        Just(json!(["case", "space"])),
        Just(json!({"total": 42, "who": "{{ who }}"})),
        Just(json!({"total": 1.5})),
    ]
}
