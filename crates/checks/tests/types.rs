//! Answer types in checks: what they accept, what they refuse, and that near misses fail and variations pass.

use proptest::prelude::*;
use quintain_checks::Palette;
use quintain_core::check::{Case, Check};
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::task::CheckSpec;
use serde_json::{Value, json};

const CHAIN: &str = r#"
    name = "chain"
    kind = "json-fields"
    selector = "answer"
    [expect]
    firm = { name = "{{ firm }}", aliases = ["Alba"], not = ["Alba Borea Ltd"] }
    founded = "1987-05-12"
    growth = "{{ growth }}"
    distance = { value = 3.2, unit = "km", digits = 1 }
    revenue = { amount = 12300000, currency = "KYM", names = ["Kybrian mark"] }
    n_papers = 1234
    firms = "{{ firms }}"
    plain = 7
    [options.types]
    firm = "entity"
    founded = "date"
    growth = { type = "percent", digits = 1 }
    distance = "quantity"
    revenue = "money"
    n_papers = "number"
    firms = { type = "table", key = ["firm"], columns = { firm = "entity", growth = { type = "percent", digits = 1 } } }
"#;

fn check(declared: &str) -> Result<Box<dyn Check>, String> {
    let spec: CheckSpec = toml::from_str(declared).expect("the example is sound");
    Palette::standard().make(&spec)
}

fn reference() -> Reference {
    let firms = json!([{"firm": "Alba", "growth": 12.34}, {"firm": "Borea", "growth": -1.5}]);
    let parameters = [("firm", json!("Alba Bank")), ("growth", json!(12.34)), ("firms", firms), ("odd", json!([1]))];
    Reference { parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(), ..Reference::default() }
}

fn answering(value: Value) -> Evidence {
    Evidence { answer: Some(value), ..Evidence::default() }
}

fn right() -> Value {
    json!({
        "firm": "ALBA",
        "founded": "May 12, 1987",
        "growth": "12.3 %",
        "distance": "3,200 m",
        "revenue": "12.3 million Kybrian marks",
        "n_papers": "1,234",
        "firms": [{"growth": -1.5, "firm": "borea"}, {"growth": "12.3%", "firm": "Alba"}],
        "plain": 7,
    })
}

fn judged(declared: &str, answer: Value) -> String {
    let (evidence, reference) = (answering(answer), reference());
    match check(declared) {
        Err(problem) => problem,
        Ok(check) => match check.judge(Case { evidence: &evidence, reference: &reference }) {
            Ok(finding) => format!("{:.3} {}", finding.score.value(), finding.because),
            Err(broken) => broken.to_string(),
        },
    }
}

#[test]
fn fields_are_compared_by_their_declared_types() {
    let with = |name: &str, value: Value| {
        let mut answer = right();
        answer[name] = value;
        answer
    };
    let all = [
        right(),
        with("firm", json!("Alba Borea Ltd")),
        with("founded", json!("1987")),
        with("growth", json!(0.123)),
        with("distance", json!(3.2)),
        with("revenue", json!("12,300,000 USD")),
        with("n_papers", json!("1.234")),
        with("firms", json!([{"growth": 12.3, "firm": "Alba"}])),
        with("plain", json!("7")),
        json!(7),
    ];
    insta::assert_snapshot!(all.map(|answer| judged(CHAIN, answer)).join("\n"), @r#"
        1.000 answer: all 8 fields hold
        0.875 answer/firm: it is "Alba Borea Ltd", which is another one than "Alba Bank"
        0.875 answer/founded: it is 1987, not 1987-05-12
        0.875 answer/growth: it is 0.123, not 12.3 %
        0.875 answer/distance: it is 3.2, which names no unit
        0.875 answer/revenue: it is "12,300,000 USD", where `USD` is not KYM
        0.875 answer/n_papers: it is "1.234", not 1234
        0.958 answer/firms: 2 rows are wanted and 1 are there; no row has "Borea"
        0.875 answer/plain: it is "7", not a number
        0.000 answer/distance: it is missing
        "#);
}

#[test]
fn near_misses_fail_and_variations_pass_and_every_field_is_a_clause() {
    let check = check(CHAIN).unwrap();
    let (evidence, reference) = (answering(right()), reference());
    let case = Case { evidence: &evidence, reference: &reference };
    let judge = |evidence| check.judge(Case { evidence, ..case }).unwrap();
    let (near, like) = (check.near_misses(case), check.variations(case));
    assert!(near.len() > 120 && like.len() > 80, "{} {}", near.len(), like.len());
    for altered in &near {
        assert!(!judge(&altered.evidence).score.is_full(), "{}: {:?}", altered.how, altered.evidence.answer);
    }
    for altered in &like {
        let finding = judge(&altered.evidence);
        assert!(finding.score.is_full(), "{}: {}", altered.how, finding.because);
    }
    let clauses: Vec<String> = check.clauses(case).into_iter().map(|clause| clause.name).collect();
    assert_eq!(clauses, ["distance", "firm", "firms", "founded", "growth", "n_papers", "plain", "revenue"]);
    for clause in &clauses {
        let passes = |evidence| check.judge_without(Case { evidence, ..case }, clause).unwrap().score.is_full();
        assert!(near.iter().any(|altered| passes(&altered.evidence)), "nothing needs `{clause}`");
    }
}

#[test]
fn a_table_counts_by_its_share_and_its_measures_are_told() {
    let mut answer = right();
    answer["firms"] = json!([{"growth": 12.3, "firm": "Alba"}]);
    let (evidence, reference) = (answering(answer), reference());
    let finding = check(CHAIN).unwrap().judge(Case { evidence: &evidence, reference: &reference }).unwrap();
    let told = |name: &str| finding.measures[&format!("firms.{name}")];
    assert_eq!(format!("{} {}", told("row_precision"), told("row_recall")), "1 0.5");
    let item_f1 = told("item_f1");
    assert!((item_f1 - 2.0 / 3.0).abs() < 1e-12);
    assert!((finding.score.value() - (7.0 + item_f1) / 8.0).abs() < 1e-12);
}

#[test]
fn a_single_value_has_a_type_too() {
    let typed = |expect: &str, kind: &str| {
        format!("name = 'c'\nkind = 'typed'\nselector = 'answer'\nexpect = {expect}\noptions = {{ type = {kind} }}")
    };
    let growth = typed("'{{ growth }}'", "{ type = 'percent', digits = 1 }");
    let all = [
        judged(&typed("'2024-12-31'", "'date'"), json!("31 Dec 2024")),
        judged(&growth, json!("12.3 percent")),
        judged(&growth, json!("12.3 percentage points")),
        judged(&typed("'soon'", "'date'"), json!("soon")),
        judged(&typed("'{{ odd }}'", "'date'"), json!("soon")),
        judged(&typed("1", "'dates'"), json!("soon")),
        judged("name = 'c'\nkind = 'typed'\nselector = 'answer'\nexpect = 1", json!(1)),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
        1.000 answer: it is 2024-12-31
        1.000 answer: it is "12.3 percent"
        0.000 answer: it is "12.3 percentage points", where `percentage points` is a unit of points, not of share
        check `c`: a date such as "2024-12-31", "2024-12" or "2024" is expected, not "soon"
        check `c` cannot judge: a date such as "2024-12-31", "2024-12" or "2024" is expected, not [1]
        check `c`: there is no type `dates`; did you mean `date`?
        check `c`: `options.type` is missing, for example "date"
        "#);
}

#[test]
fn wrong_declarations_are_refused_when_they_are_read() {
    let fields = |expect: &str, options: &str| {
        let head = "name = 'c'\nkind = 'json-fields'\nselector = 'answer'";
        judged(&format!("{head}\nexpect = {{ {expect} }}\noptions = {{ {options} }}"), json!({}))
    };
    let all = [
        fields("born = '1987'", "types = { born = 'dat' }"),
        fields("born = 'soon'", "types = { born = 'date' }"),
        fields("born = '{{ odd }}'", "types = { born = 'date' }"),
        fields("born = '1987'", "types = { bron = 'date' }"),
        fields("born = '1987'", "types = 'date'"),
        fields("n = 1", "types = { n = 'number' }, tolerances = { n = 1 }"),
        fields("way = { value = 3, unit = 'kmm' }", "types = { way = 'quantity' }"),
        fields("way = 3", "types = { way = { type = 'quantity', units = 'km' } }"),
        fields("who = { name = '{{ firm }}', nott = [] }", "types = { who = 'entity' }"),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
        check `c`: the type of `born`: there is no type `dat`; did you mean `date`?
        check `c`: `born`: a date such as "2024-12-31", "2024-12" or "2024" is expected, not "soon"
        check `c` cannot judge: `born`: a date such as "2024-12-31", "2024-12" or "2024" is expected, not [1]
        check `c`: `bron` is no field of `expect`; did you mean `born`?
        check `c`: `types` must be a table of types, not "date"
        check `c`: `n` has a type: take it out of `tolerances` and `unordered`
        check `c`: `way`: `kmm` is no unit that is known; did you mean `km`? things that are counted have `names`, which may be empty
        check `c`: the type of `way`: `units` means nothing here; did you mean `unit`?
        check `c` cannot judge: `who`: `nott` means nothing here; did you mean `not`?
        "#);
}

proptest! {
    // Each case makes and judges some hundred answers.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn odd_answers_never_panic(field in prop::sample::select(vec!["firm", "founded", "growth", "distance", "revenue", "n_papers", "firms"]), text in "\\PC{0,12}", number: f64) {
        let check = check(CHAIN).unwrap();
        let reference = reference();
        for value in [json!(text), json!(number), json!([text]), json!({"value": number, "unit": text}), json!([{"firm": text}])] {
            let mut answer = right();
            answer[field] = value;
            let evidence = answering(answer);
            let case = Case { evidence: &evidence, reference: &reference };
            prop_assert!(check.judge(case).is_ok());
            drop((check.near_misses(case), check.variations(case)));
        }
    }
}
