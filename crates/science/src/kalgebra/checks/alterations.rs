//! An expression, changed a little, or written otherwise.

use crate::kalgebra::formula::{AlgebraTerm, NameRule, term_of};

/// A text, and what was done to it.
pub(super) type AlteredText = (String, String);

/// Expressions that look nearly like this one and mean something else.
pub(super) fn near(text: &str) -> Vec<AlteredText> {
    let say = |how: &str, text: String| (how.to_owned(), text);
    let mut near = vec![say("a parenthesis too many", format!("{text})")), say("nothing written", String::new())];
    let Ok(term) = term_of(text) else { return near };
    let n_numbers = term.clone().numbers_mut().len();
    for idx in 0..n_numbers {
        let mut other = term.clone();
        if let Some(number) = other.numbers_mut().into_iter().nth(idx) {
            *number += 1.0;
        }
        near.push(say(&format!("number {} one more", idx + 1), other.to_string()));
    }
    near.push(say("more by a thousandth", inside(&term, &|body| plus(body, 0.001)).to_string()));
    if !is_zero_equation(&term) {
        near.push(say("the other sign", inside(&term, &|body| AlgebraTerm::Negative(Box::new(body))).to_string()));
    }
    near
}

/// Whether something is said to be 0: then its sign means nothing.
fn is_zero_equation(term: &AlgebraTerm) -> bool {
    matches!(term, AlgebraTerm::Pair(_, "=", right) if matches!(**right, AlgebraTerm::Number(number) if number == 0.0))
}

/// The same expression, written otherwise.
pub(super) fn like(text: &str, rule: NameRule) -> Vec<AlteredText> {
    let Ok(term) = term_of(text) else { return Vec::new() };
    let mut like = vec![
        ("with all parentheses".to_owned(), term.to_string()),
        ("with spaces".to_owned(), format!("  {}  ", text.replace('+', " + ").replace(',', " , "))),
        ("more by nothing".to_owned(), inside(&term, &|body| plus(body, 0.0)).to_string()),
    ];
    let names = term.free_names();
    let is_bare = !matches!(term, AlgebraTerm::Lambda(..) | AlgebraTerm::Pair(_, "=", _));
    if rule == NameRule::OfCurve && is_bare && !names.contains("t") && !names.contains("q") {
        like.push(("as an equation".to_owned(), format!("y={text}")));
        like.push(("as a function".to_owned(), format!("x->{text}")));
    }
    if let (NameRule::OfFunction, AlgebraTerm::Lambda(arguments, _)) = (rule, &term) {
        like.push(("another argument".to_owned(), term.renamed(&arguments[0], "w").to_string()));
    }
    like
}

/// The expression with something done to what a function gives, to the left side of an equation, or to the first thing in
/// a collection.
fn inside(term: &AlgebraTerm, change: &dyn Fn(AlgebraTerm) -> AlgebraTerm) -> AlgebraTerm {
    match term {
        AlgebraTerm::Lambda(names, body) => AlgebraTerm::Lambda(names.clone(), Box::new(inside(body, change))),
        AlgebraTerm::Pair(left, "=", right) => AlgebraTerm::pair(change((**left).clone()), "=", (**right).clone()),
        AlgebraTerm::Collection(kind, items) => {
            let mut items = items.clone();
            if let Some(first) = items.first_mut() {
                *first = inside(first, change);
            }
            AlgebraTerm::Collection(kind.clone(), items)
        }
        other => change(other.clone()),
    }
}

fn plus(term: AlgebraTerm, more: f64) -> AlgebraTerm {
    AlgebraTerm::pair(term, "+", AlgebraTerm::Number(more))
}
