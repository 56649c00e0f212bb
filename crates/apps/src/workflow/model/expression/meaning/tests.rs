//! Expressions that do the same and expressions that do not.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quintain_core::Rng;

use super::super::known::KnownExpressions;
use super::super::parser::parse;
use super::super::respell::{misjudged, mistaken, respelled, rewritten};
use super::*;

/// Whether an expression that was found counts as the expected one.
fn counts(expected: &str, found: &str, reading: OutcomeReading) -> bool {
    let mut known = KnownExpressions::default();
    known.expect(expected, reading) == known.key(found, reading)
}

#[test]
fn conditions_in_other_words_are_the_same() {
    for (expected, found) in [
        ("item.value > 10", "item.value > 10 && true"),
        ("item.value > 10", "item.value > 10 ? true : false"),
        ("item.value > 10", "!(item.value > 10) === false"),
        ("item.value > 10", "(item.value > 10) === true"),
        ("item.value > 10", "item.value - 10 > 0"),
        ("item.value > 10", "+item.value > 10"),
        ("item.value >= 25", "item.value > 25 || item.value == 25"),
        ("item.value % 2 === 0", "item.value % 2 == 0"),
        ("item.value % 2 === 0", "(item.value % 2) + 0 === 0"),
        ("item.value !== 9", "!(item.value === 9)"),
        ("item.value > 4 && item.value < 16", "4 < item.value && !(item.value >= 16)"),
        ("item.value > 4 && item.value < 16", "item.value < 16 ? item.value > 4 : false"),
        ("item.value * 2 <= 30", "2 * item.value <= 30 && true"),
        ("item.value * 2 <= 30", "item.value <= 15"),
        ("item.status === 'completed'", "item.status === \"completed\" || false"),
        ("item.status === 'completed'", "item['status'] === 'comp' + 'leted'"),
        ("item.status === 'completed'", "['completed'].includes(item.status)"),
        ("item.email.includes(\".org\")", "item.email.indexOf('.org') !== -1"),
        ("item.email.includes(\".org\")", "item.email.indexOf('.org') >= 0"),
        ("item.email.includes(\".org\")", "item.email && item.email.includes('.org')"),
        ("item.email.includes(\".org\")", "item.email?.includes('.org')"),
        ("item.address.city === \"Lyon\"", "item.address && item.address.city === \"Lyon\""),
        ("item.address.city === \"Lyon\"", "item.address?.city === \"Lyon\""),
        ("item.address?.city === \"Lyon\"", "item.address && item.address.city === 'Lyon'"),
        ("item.address?.city === \"Lyon\"", "!!item.address && item.address.city === 'Lyon'"),
        ("item.degree?.year >= 2015", "item.degree && item.degree.year >= 2015"),
        ("item.items.length > 1", "item.items.length >= 1 && item.items.length != 1"),
        ("item.items.length > 1", "item.items?.length > 1"),
        ("item.cancelled === false", "item.cancelled === !true"),
        ("item.country == \"UK\"", "item.country === \"UK\" && true"),
        ("item.country == \"UK\"", "item.country == (\"U\" + \"K\")"),
        ("item.country == \"UK\"", "String(item.country) === \"UK\""),
        ("item.country == \"UK\"", "item.country >= \"UK\" && item.country <= \"UK\""),
        ("item.country == \"UK\"", "item.country == (true ? \"UK\" : \"FR\")"),
        ("item.status === 'completed'", "item.status == \"completed\" && item.status.toLowerCase() === \"completed\""),
        ("item.status === 'completed'", "item.status === [\"completed\"].join(\"\")"),
        ("item.status === 'completed'", "item.status === \"com-pleted\".replace(\"-\", \"\")"),
        ("item.value > 10", "item[\"val\" + \"ue\"] > 10"),
        ("item.email.includes(\".org\")", "item.email.includes(\".org\", 0)"),
    ] {
        assert!(counts(expected, found, OutcomeReading::Truth), "{expected} and {found}");
    }
}

#[test]
fn formulas_in_other_words_are_the_same() {
    for (expected, found) in [
        ("(item.counter || 0) + 1", "1 + (item.counter || 0)"),
        ("(item.counter || 0) + 1", "item.counter ? item.counter + 1 : 1"),
        ("(item.counter || 0) + 1", "(item.counter || 0) - -1"),
        ("(item.counter || 0) + 1", "true ? (item.counter || 0) + 1 : 0"),
        ("(item.counter || 0) + 1", "[(item.counter || 0) + 1][0]"),
        ("(item.left || 10) - 1", "-1 + +(item.left || 10)"),
        ("(item.value + 1) / 3", "(1 + item.value) / 3"),
        ("item.value * 2", "item.value / 0.5"),
        ("item.value - 40", "-40 + +item.value"),
        ("'other'", "'oth' + 'er'"),
        ("72", "8 * 9"),
    ] {
        assert!(counts(expected, found, OutcomeReading::Value), "{expected} and {found}");
    }
}

#[test]
fn conditions_that_only_look_the_same_are_not() {
    for (expected, found) in [
        ("item.value > 10", "Math.abs(item.value) > 10"),
        ("item.value > 10", "item.value > 10 && item.value * item.value !== 1369"),
        ("item.value > 10", "item.value > 10 && !(item.name === \"Ada\" && item.city === \"Leeds\" && item.id === 7)"),
        ("item.value > 10", "Math.max(item.value, -item.value) > 10"),
        ("item.value > 10", "item.value >= 10.001"),
        ("item.value > 10", "item.value >= 10.000001"),
        ("item.score >= 50", "item.score > 49.99"),
        ("item.score >= 80", "item.score / 100 > 0.7999"),
        ("item.counter < 3", "item.counter <= 2.999"),
        ("item.email.includes(\".org\")", "String(item.email).includes(\".org\")"),
        ("item.email.includes(\".org\")", "(item.email + \"\").includes(\".org\")"),
        ("item.email.includes(\".org\")", "item.email.includes(\".org\") && item.email.length <= 64"),
        ("item.email.includes(\".org\")", "item.email.includes(\".org\") && item.email.length < 1000"),
        ("item.email.includes(\".org\")", "item.email.indexOf(\".org\") >= 0 && item.email.indexOf(\".org\") < 30"),
        ("item.value > 10", "item.value >= 10"),
        ("item.value > 10", "item.value > 10 && item.value < 1000"),
        ("item.value > 10", "item.value > 10 || item.value === 0"),
        ("item.value > 10", "item.value > 10 || item.other"),
        ("item.value > 10", "item.value > 10 && item.value !== 5 * 5 * 5"),
        ("item.value > 10", "item.value > 10 && item.name !== 'a' + 'b' + 'c'"),
        ("item.value > 10", "!(item.value <= 10)"),
        ("item.value > 10", "item.value >= 11"),
        ("item.value > 10", "item.value > '10'"),
        ("item.value > 10", "item.value.length > 10"),
        ("item.value > 10", "item.value > 0b1010"),
        ("item.value > 10", "item.value > 10 // more than ten"),
        ("item.value > 10", "item.value > 10;"),
        ("item.value > 10", "item?.[\"value\"] > 10"),
        ("item.value % 2 === 0", "!(item.value % 2)"),
        ("item.value % 2 === 0", "item.value % 4 === 0"),
        ("item.value !== 9", "item.value != 9"),
        ("item.value !== 9", "item.value < 9 || item.value > 9"),
        ("item.value * 2 <= 30", "item.value * 2 < 30"),
        ("item.value * 2 <= 30", "item.value < 15"),
        ("item.value > 4 && item.value < 16", "item.value >= 5 && item.value <= 15"),
        ("item.value > 4 && item.value < 16", "item.value > 4 || item.value < 16"),
        ("item.status === 'completed'", "item.status"),
        ("item.status === 'completed'", "item.status.includes('completed')"),
        ("item.status === 'completed'", "item.status.toLowerCase() === 'completed'"),
        ("item.status === 'completed'", "item.status === 'complete'"),
        ("item.status === 'completed'", "item.status.trim() === 'completed'"),
        ("item.email.includes(\".org\")", "item.email.endsWith('.org')"),
        ("item.email.includes(\".org\")", "item.email.indexOf('.org') > 0"),
        ("item.name.startsWith(\"A\")", "item.name.includes(\"A\")"),
        ("item.name.startsWith(\"A\")", "item.name >= 'A' && item.name < 'B' || item.name === 'B'"),
        ("item.address?.city === \"Lyon\"", "item.address.city === \"Lyon\""),
        ("item.address?.city === \"Lyon\"", "item.city === \"Lyon\""),
        ("item.degree?.year >= 2015", "item.degree?.year > 2014"),
        ("item.items.length > 1", "item.items.length"),
        ("item.items.length > 1", "item.items.length > 2"),
        ("item.active === true", "item.active"),
        ("item.active === true", "item.active == true"),
        ("item.cancelled === false", "!item.cancelled"),
        ("item.n == \"3\"", "item.n === \"3\""),
        ("foo > 1", "bar > 2"),
        ("item.email.includes(\".org\")", "false"),
        ("true", "!false"),
    ] {
        let is_constant = expected == "true";
        assert_eq!(counts(expected, found, OutcomeReading::Truth), is_constant, "{expected} and {found}");
    }
}

#[test]
fn formulas_that_only_look_the_same_are_not() {
    for (expected, found) in [
        ("(item.counter || 0) + 1", "item.counter + 1"),
        ("(item.counter || 0) + 1", "(item.counter ?? 0) + 1"),
        ("(item.counter || 0) + 1", "(item.counter || 1) + 1"),
        ("(item.counter || 0) + 1", "(item.counter || 0) + 2"),
        ("(item.counter || 0) + 1", "item.counter || 0 + 1"),
        ("(item.page || 1) + 1", "(item.page ?? 1) + 1"),
        ("item.value * 2", "item.value + item.value"),
        ("item.value * 2", "item.value * 2.001"),
        ("item.value * item.value", "item.value * 2"),
        ("item.a + item.b", "item.b + item.a"),
        ("(item.left || 10) - 1", "-1 + (item.left || 10)"),
        ("item.active", "!!item.active"),
        ("item.name + '!'", "'!' + item.name"),
        ("'other'", "'Other'"),
    ] {
        assert!(!counts(expected, found, OutcomeReading::Value), "{expected} and {found}");
    }
}

/// Comparisons of a field with a value, as tasks have them.
fn any_comparison() -> impl Strategy<Value = String> {
    let field = prop_oneof!["item\\.(a|b)", Just("item.c.d".to_owned()), Just("item.c?.d".to_owned())];
    let value = prop_oneof![
        (0_i32..30).prop_map(|number| number.to_string()),
        prop_oneof![Just("0.5"), Just("'UK'"), Just("'x'"), Just("''"), Just("'3'"), Just("true"), Just("null")]
            .prop_map(str::to_owned),
    ];
    let sign =
        prop_oneof![Just("<"), Just("<="), Just(">"), Just(">="), Just("==="), Just("!=="), Just("=="), Just("!=")];
    let sum = prop_oneof![3 => Just(""), 1 => Just(" * 2"), 1 => Just(" % 3"), 1 => Just(" - 4"), 1 => Just(".length")];
    let compared =
        (field.clone(), sum, sign, value).prop_map(|(field, sum, sign, value)| format!("{field}{sum} {sign} {value}"));
    let method = prop_oneof![Just("includes"), Just("startsWith"), Just("endsWith")];
    let called = (field, method, "UK|x").prop_map(|(field, method, text)| format!("{field}.{method}('{text}')"));
    prop_oneof![4 => compared, 1 => called]
}

fn any_condition() -> impl Strategy<Value = String> {
    any_comparison().prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) && ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) || ({b})")),
            inner.prop_map(|a| format!("!({a})")),
        ]
    })
}

/// So many conditions, the same ones every time.
fn conditions(n: usize) -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let strategy = any_condition();
    (0..n).map(|_| strategy.new_tree(&mut runner).expect("there are conditions").current()).collect()
}

/// An item that is drawn without knowing of any expression.
fn any_item(rng: &mut Rng) -> ItemValue {
    let mut fields = BTreeMap::new();
    for name in ["a", "b"] {
        fields.extend(any_value(rng).map(|value| (name.to_owned(), value)));
    }
    let inner = any_value(rng).map(|value| ItemValue::record([("d".to_owned(), value)].into()));
    let inner = if rng.chance(0.2) { any_value(rng) } else { inner };
    fields.extend(inner.map(|value| ("c".to_owned(), value)));
    ItemValue::record(fields)
}

fn any_value(rng: &mut Rng) -> Option<ItemValue> {
    let texts = ["", "UK", "UKx", "xUK", "x", "3", "u", "xx"];
    match rng.below(8) {
        0 => None,
        1 => Some(ItemValue::Null),
        2 => Some(ItemValue::Truth(rng.chance(0.5))),
        3 | 4 => Some(ItemValue::text(texts[rng.below(texts.len())])),
        _ => Some(ItemValue::Number(rng.between(-8, 80) as f64 / 2.0)),
    }
}

#[test]
fn a_changed_condition_that_differs_on_some_item_is_refused() {
    let mut rng = Rng::new(7);
    let items: Vec<ItemValue> = (0..1500).map(|_| any_item(&mut rng)).collect();
    let mut n_refused = 0;
    for text in conditions(120) {
        let expected = parse(&text).expect("it is an expression");
        for (how, other) in mistaken(&text).into_iter().chain(misjudged(&text)) {
            let found = parse(&other).expect("it is an expression");
            let tells =
                |item: &ItemValue| !agrees(&evaluate(&expected, item), &evaluate(&found, item), OutcomeReading::Truth);
            if items.iter().any(tells) {
                assert!(!counts(&text, &other, OutcomeReading::Truth), "{how}: {text} and {other}");
                n_refused += 1;
            }
        }
    }
    assert!(n_refused > 500, "only {n_refused} pairs differ");
}

#[test]
fn conditions_rewritten_neutrally_are_accepted() {
    let mut n_accepted = 0;
    let all = conditions(16);
    for (text, other) in all.iter().zip(all.iter().skip(1)) {
        let both = |text: String, rewritten: String| (text, rewritten);
        let mut pairs = vec![
            both(format!("({text}) && ({other})"), format!("({text}) ? ({other}) : false")),
            both(format!("({text}) || ({other})"), format!("({text}) ? true : ({other})")),
            both(format!("!(({text}) && ({other}))"), format!("!({text}) || !({other})")),
            both(format!("({text}) && ({other})"), format!("!(!({text}) || !({other}))")),
        ];
        let alone = respelled(text).into_iter().chain(rewritten(text, OutcomeReading::Truth));
        pairs.extend(alone.map(|(_, words)| both(text.clone(), words)));
        for (text, words) in pairs {
            let tree = parse(&text).expect("it is an expression");
            if is_comparable(&tree, OutcomeReading::Truth) {
                assert!(counts(&text, &words, OutcomeReading::Truth), "{text} and {words}");
                n_accepted += 1;
            }
        }
    }
    assert!(n_accepted > 100, "only {n_accepted} pairs could be compared");
}

#[test]
fn what_many_fields_and_many_expressions_take_is_bounded() {
    let many: Vec<String> = (0..13).map(|n| format!("item.f{n} > {n}")).collect();
    assert!(!counts(&many.join(" && "), &format!("({}) && true", many.join(" && ")), OutcomeReading::Truth));
    let mut known = KnownExpressions::default();
    let key = known.expect("item.a > 1", OutcomeReading::Truth);
    let keys: Vec<String> = (0..2000).map(|n| known.key(&format!("item.a > {n} + 0"), OutcomeReading::Truth)).collect();
    assert_eq!(keys.iter().filter(|other| **other == key).count(), 1);
}
