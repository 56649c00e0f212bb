//! What the app gives for expressions, and that it is what is given here.

use serde_json::json;

use super::super::parser::parse;
use super::*;

/// Expressions and what the app's own `evaluate` gives for them, of the item below. A text that is no expression is a
/// problem, too.
const CASES: &str = include_str!("cases.txt");

fn item() -> ItemValue {
    let text = |text: &str| ItemValue::text(text);
    let address = [("city".to_owned(), text("Gwenborough"))].into();
    let fields = [
        ("value", ItemValue::Number(12.0)),
        ("zero", ItemValue::Number(0.0)),
        ("email", text("ada@mail.example.org")),
        ("padded", text(" x y\n")),
        ("active", ItemValue::Truth(true)),
        ("address", ItemValue::record(address)),
        ("tags", ItemValue::list(vec![text("a"), text("b")])),
        ("nothing", ItemValue::Null),
    ];
    ItemValue::record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn told(outcome: &ExpressionOutcome) -> String {
    match outcome {
        Err(NoValue::Problem) => "problem".to_owned(),
        Err(NoValue::NotModelled) => "not modelled".to_owned(),
        Ok(ItemValue::Text(text)) => json!(&**text).to_string(),
        Ok(ItemValue::List(items)) => {
            let items: Vec<String> = items.iter().map(|item| told(&Ok(item.clone()))).collect();
            format!("[{}]", items.join(","))
        }
        Ok(value) => value.to_text(),
    }
}

#[test]
fn expressions_give_what_they_give_in_the_app() {
    let item = item();
    for line in CASES.lines() {
        let (text, wanted) = line.rsplit_once(" => ").expect("every line has two sides");
        let outcome = parse(text).ok_or(NoValue::Problem).and_then(|tree| evaluate(&tree, &item));
        assert_eq!(told(&outcome), wanted, "{text}");
    }
}

#[test]
fn what_is_not_modelled_says_so() {
    for text in ["item.value.toFixed(1)", "item.email.split('@')", "item.email.replace('a', '$1')"] {
        let tree = parse(text).expect("it is an expression");
        assert_eq!(told(&evaluate(&tree, &item())), "not modelled", "{text}");
    }
}
