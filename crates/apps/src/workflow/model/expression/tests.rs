use proptest::prelude::*;

use super::normal::normal;
use super::parser::{is_optional, parse};
use super::tree::{AccessMark, BinaryOperator, ExpressionTree, MemberAccess, Sign, WritingStyle};
use super::*;

fn normal_forms(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| format!("{text}  =>  {}", normalised(text, OutcomeReading::Truth)))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_form_that_equal_expressions_share() {
    let texts = [
        "item.value>10",
        "(10 < (item.value))",
        "item.email.includes('.org')",
        "item[\"status\"] == 'completed'",
        "!(item.country === 'UK')",
        "item.b === 2 && (item.a === 1 && !!item.c)",
        "item.a && item.a.b > 1",
        "2*item.value*(3)",
        "(item.counter || 0) + 1",
        "item.address?.city === \"Gwenborough\"",
        "(item.a?.b).c",
        "-(-1.50) + +2",
        "a ? .5 : b ?? (c || d)",
        "a - -b - (c - d)",
        "  item.value >  => 3  ",
    ];
    insta::assert_snapshot!(normal_forms(&texts), @r#"
    item.value>10  =>  10 < item.value
    (10 < (item.value))  =>  10 < item.value
    item.email.includes('.org')  =>  item.email.includes(".org")
    item["status"] == 'completed'  =>  "completed" === item.status
    !(item.country === 'UK')  =>  "UK" !== item.country
    item.b === 2 && (item.a === 1 && !!item.c)  =>  1 === item.a && 2 === item.b && item.c
    item.a && item.a.b > 1  =>  item.a && 1 < item.a.b
    2*item.value*(3)  =>  2 * 3 * item.value
    (item.counter || 0) + 1  =>  (item.counter || 0) + 1
    item.address?.city === "Gwenborough"  =>  "Gwenborough" === item.address?.city
    (item.a?.b).c  =>  (item.a?.b).c
    -(-1.50) + +2  =>  1.5 + 2
    a ? .5 : b ?? (c || d)  =>  a ? 0.5 : b ?? (c || d)
    a - -b - (c - d)  =>  a - -b - (c - d)
      item.value >  => 3    =>  item.value > => 3
    "#);
}

#[test]
fn what_means_the_same_and_what_does_not() {
    let alike = |reading| move |a: &str, b: &str| normalised(a, reading) == normalised(b, reading);
    let truth = alike(OutcomeReading::Truth);
    let value = alike(OutcomeReading::Value);
    for (a, b) in [
        ("item.x == \"UK\"", "'UK' === item.x"),
        ("a || b", "b||a"),
        ("item.s.includes('a') && item.s.includes('b')", "item.s.includes('b') && item.s.includes('a')"),
        ("!!item.a", "item.a"),
        ("a != b", "!(b == a)"),
        ("'it\\'s'", "\"it's\""),
        ("1e3", "1000.0"),
        ("((a ?? b) ?? c)", "a ?? (b ?? c)"),
        ("a ?? b || c", "(a ?? b) || c"),
        ("a--b", "a - (-b)"),
        ("010", "10"),
    ] {
        assert!(truth(a, b), "{a} and {b}");
    }
    for (a, b) in [
        ("item.n == \"3\"", "item.n === \"3\""),
        ("item.n == \"\"", "item.n === \"\""),
        ("item.a == true", "item.a === true"),
        ("item.a === true", "item.a"),
        ("!(a > b)", "a <= b"),
        ("a?.b", "a.b"),
        ("(a?.b).c", "a?.b.c"),
        ("item.a && item.a.b", "item.a.b && item.a"),
        ("item.a?.c && item.a.b", "item.a.b && item.a?.c"),
        ("a + b", "b + a"),
        ("a - b", "b - a"),
        ("a ?? b", "b ?? a"),
        ("a ?? b", "a || b"),
        ("item.Value", "item.value"),
        ("'a b'", "'a  b'"),
        ("item.value", "'item.value'"),
        ("0b11", "3"),
    ] {
        assert!(!truth(a, b), "{a} and {b}");
    }
    assert!(!value("item.n || 0", "0 || item.n") && !value("!!item.a", "item.a"));
    assert!(value("a > 1 || b > 1", "b > 1 || a > 1"));
    assert!(value("1 + a * 2", "2 * a + 1"));
}

#[test]
fn what_is_no_expression_is_compared_as_text() {
    let same = |a: &str, b: &str| normalised(a, OutcomeReading::Value) == normalised(b, OutcomeReading::Value);
    for text in ["item.a >", "a = 1", "`a`", "'open", "1.2.3", "0x1f", "(", "x => x", "", "a;", "a // b", "a?.[b]", "ä"]
    {
        assert!(parse(text).is_none(), "{text}");
    }
    assert!(same("x  =>\n x + 1", "x => x + 1"));
    assert!(!same("x => x + 1", "x => 1 + x"));
}

#[test]
fn what_is_long_or_deep_is_no_danger() {
    for text in ["(".repeat(50_000), "!".repeat(50_000), "a?".repeat(50_000), "a.".repeat(50_000)] {
        assert!(parse(&text).is_none());
        assert!(parse(&format!("{text}a")).is_none());
    }
    let long = vec!["a"; 200].join(" - ");
    assert_eq!(normalised(&long, OutcomeReading::Value), long);
}

#[test]
fn other_spellings_and_mistakes() {
    let list =
        |pairs: Vec<(&str, String)>| pairs.iter().map(|(h, t)| format!("{h}: {t}")).collect::<Vec<_>>().join("\n");
    let text = "item.score >= 50 && item.name !== 'x'";
    insta::assert_snapshot!(list(respelled(text)), @r#"
    without spaces: item.score>=50&&item.name!=="x"
    with more spaces: item.score  >=  50  &&  item.name  !==  "x"
    in double quotes: item.score >= 50 && item.name !== "x"
    with parentheses around everything: (((item.score) >= (50)) && ((item.name) !== ("x")))
    with comparisons the other way round: 50 <= item.score && "x" !== item.name
    "#);
    insta::assert_snapshot!(list(mistaken(text)), @r#"
    another name: item_.score >= 50 && item.name !== "x"
    another field: item.scores >= 50 && item.name !== "x"
    another number: item.score >= 51 && item.name !== "x"
    another operator: item.score > 50 && item.name !== "x"
    another name: item.score >= 50 && item_.name !== "x"
    another field: item.score >= 50 && item.names !== "x"
    another text: item.score >= 50 && item.name !== "xx"
    another operator: item.score >= 50 && item.name === "x"
    another operator: item.score >= 50 || item.name !== "x"
    "#);
}

fn any_tree() -> impl Strategy<Value = ExpressionTree> {
    let leaf = prop_oneof![
        "item|a|b|true|Math".prop_map(ExpressionTree::Name),
        "[a-c '\"\\\\\n]{0,3}|[0-9]".prop_map(ExpressionTree::Text),
        prop_oneof![(0u32..30).prop_map(f64::from), Just(0.5), Just(1e22)].prop_map(ExpressionTree::Number),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let plain = |what| (AccessMark::Plain, what);
        let name = || "a|b|includes|default".prop_map(MemberAccess::Member);
        let what = prop_oneof![
            name().prop_map(plain),
            name().prop_map(|name| (AccessMark::Optional, name)),
            inner.clone().prop_map(move |by| plain(MemberAccess::Index(Box::new(by)))),
            proptest::collection::vec(inner.clone(), 0..3).prop_map(move |with| plain(MemberAccess::Call(with))),
        ];
        let operator = (0..BinaryOperator::ALL.len()).prop_map(|idx| BinaryOperator::ALL[idx].0);
        let sign = (0..3_usize).prop_map(|idx| Sign::ALL[idx]);
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..3).prop_map(ExpressionTree::List),
            3 => (inner.clone(), any::<bool>(), what).prop_map(|(of, grouped, (link, what))| {
                let grouped = grouped && is_optional(&of);
                ExpressionTree::access(if grouped { ExpressionTree::Group(Box::new(of)) } else { of }, link, what)
            }),
            1 => (sign, inner.clone()).prop_map(|(sign, of)| ExpressionTree::unary(sign, of)),
            4 => (operator, inner.clone(), inner.clone()).prop_map(|(by, left, right)| ExpressionTree::binary(by, left, right)),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(test, yes, no)| ExpressionTree::Choice {
                test: Box::new(test),
                yes: Box::new(yes),
                no: Box::new(no),
            }),
        ]
    })
}

fn any_reading() -> impl Strategy<Value = OutcomeReading> {
    prop_oneof![Just(OutcomeReading::Value), Just(OutcomeReading::Truth)]
}

/// The tree with the sides of operators exchanged wherever that is free whatever the sides are.
fn commuted(tree: ExpressionTree, mut flips: u32) -> ExpressionTree {
    tree.changed(&mut |part| {
        flips = flips.rotate_left(1);
        match part {
            ExpressionTree::Binary { by, left, right } if flips & 1 == 1 => match by {
                BinaryOperator::Multiply => ExpressionTree::Binary { by, left: right, right: left },
                _ => match by.mirrored() {
                    Some(other) => ExpressionTree::Binary { by: other, left: right, right: left },
                    None => ExpressionTree::Binary { by, left, right },
                },
            },
            part => part,
        }
    })
}

proptest! {
    #[test]
    fn printing_and_parsing_agree(tree in any_tree(), wraps: bool, tight: bool, single: bool) {
        let style = WritingStyle {
            gap: if tight { "" } else { " " },
            quote: if single { '\'' } else { '"' },
            wraps,
        };
        let text = tree.written(style);
        prop_assert_eq!(parse(&text), Some(tree), "{}", text);
    }

    #[test]
    fn normalising_twice_is_normalising_once(tree in any_tree(), reading in any_reading()) {
        let once = normal(tree, reading);
        prop_assert_eq!(normal(once.clone(), reading), once.clone(), "{}", once.text());
        prop_assert_eq!(normalised(&once.text(), reading), once.text());
    }

    #[test]
    fn exchanged_sides_are_equal(tree in any_tree(), flips: u32, reading in any_reading()) {
        let (text, other) = (tree.text(), commuted(tree, flips).text());
        prop_assert_eq!(normalised(&text, reading), normalised(&other, reading), "{} and {}", text, other);
    }

    #[test]
    fn other_spellings_are_equal(tree in any_tree(), reading in any_reading()) {
        let text = tree.text();
        for (how, other) in respelled(&text) {
            prop_assert_eq!(normalised(&text, reading), normalised(&other, reading), "{}: {} and {}", how, text, other);
        }
    }

    #[test]
    fn one_changed_thing_is_not_equal(tree in any_tree(), reading in any_reading()) {
        let text = tree.text();
        for (how, other) in mistaken(&text) {
            prop_assert_ne!(normalised(&text, reading), normalised(&other, reading), "{}: {} and {}", how, text, other);
        }
    }

    #[test]
    fn any_text_can_be_normalised(text in "[ -~]{0,40}|[(!?a.1\"'&|=<>+*-]{0,40}", reading in any_reading()) {
        let once = normalised(&text, reading);
        prop_assert_eq!(normalised(&once, reading), once.clone());
    }
}
