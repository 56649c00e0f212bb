//! Other expressions: the same one spelled otherwise, and others that look nearly like it.

use super::OutcomeReading;
use super::meaning::is_comparable;
use super::parser::parse;
use super::tree::{BinaryOperator, ExpressionTree, MemberAccess, Sign, WritingStyle};

/// Other texts of the same expression, and what is other about each. Nothing where the text is no expression.
pub(crate) fn respelled(text: &str) -> Vec<(&'static str, String)> {
    let Some(tree) = parse(text) else { return Vec::new() };
    let style = |style: WritingStyle| tree.written(style);
    let spellings = [
        ("without spaces", style(WritingStyle { gap: "", ..WritingStyle::PLAIN })),
        ("with more spaces", style(WritingStyle { gap: "  ", ..WritingStyle::PLAIN })),
        ("in single quotes", style(WritingStyle { quote: '\'', ..WritingStyle::PLAIN })),
        ("in double quotes", style(WritingStyle::PLAIN)),
        (
            "with parentheses around everything",
            format!("({})", style(WritingStyle { wraps: true, ..WritingStyle::PLAIN })),
        ),
        ("with comparisons the other way round", mirrored(tree.clone()).text()),
    ];
    spellings.into_iter().filter(|(_, spelled)| spelled != text).collect()
}

/// The tree with the sides of every comparison exchanged, which says the same.
fn mirrored(tree: ExpressionTree) -> ExpressionTree {
    tree.changed(&mut |part| match part {
        ExpressionTree::Binary { by, left, right } => match by.mirrored() {
            Some(other) => ExpressionTree::Binary { by: other, left: right, right: left },
            None => ExpressionTree::Binary { by, left, right },
        },
        part => part,
    })
}

/// Other expressions that do the same, and what is other about each. Nothing where the text is no expression, or one that
/// cannot be compared on items.
pub(crate) fn rewritten(text: &str, reading: OutcomeReading) -> Vec<(&'static str, String)> {
    let Some(tree) = parse(text).filter(|tree| is_comparable(tree, reading)) else { return Vec::new() };
    let text = tree.text();
    let anyhow = [("chosen where true is true", format!("true ? {text} : null"))];
    let truths = [
        ("and true", format!("({text}) && true")),
        ("or false", format!("false || ({text})")),
        ("chosen from true and false", format!("({text}) ? true : false")),
        ("denied twice", format!("!({text}) === false")),
    ];
    let truths = truths.into_iter().filter(|_| reading == OutcomeReading::Truth);
    anyhow.into_iter().chain(truths).collect()
}

/// Conditions that hold too often or too seldom, and what is wrong with each. Nothing where the text is no expression.
pub(crate) fn misjudged(text: &str) -> Vec<(&'static str, String)> {
    let Some(text) = parse(text).map(|tree| tree.text()) else { return Vec::new() };
    vec![
        ("never", format!("({text}) && false")),
        ("always", format!("({text}) || true")),
        ("denied", format!("!({text})")),
    ]
}

/// Expressions with one thing changed that do not mean the same. One for every thing there is to change.
pub(crate) fn mistaken(text: &str) -> Vec<(&'static str, String)> {
    let Some(tree) = parse(text) else { return Vec::new() };
    let mut n_parts = 0;
    tree.clone().changed(&mut |part| {
        n_parts += 1;
        part
    });
    let mistakes = (0..n_parts).filter_map(|wanted| {
        let (mut idx, mut how) = (0, None);
        let changed = tree.clone().changed(&mut |part| {
            let is_wanted = idx == wanted;
            idx += 1;
            if !is_wanted {
                return part;
            }
            let (what, part) = mistaken_part(part);
            how = what;
            part
        });
        how.map(|how| (how, changed.text()))
    });
    mistakes.collect()
}

fn mistaken_part(part: ExpressionTree) -> (Option<&'static str>, ExpressionTree) {
    match part {
        ExpressionTree::Name(name) if name == "true" => {
            (Some("false for true"), ExpressionTree::Name("false".to_owned()))
        }
        ExpressionTree::Name(name) if name == "false" => {
            (Some("true for false"), ExpressionTree::Name("true".to_owned()))
        }
        ExpressionTree::Name(name) => (Some("another name"), ExpressionTree::Name(format!("{name}_"))),
        ExpressionTree::Text(text) => (Some("another text"), ExpressionTree::Text(format!("{text}x"))),
        ExpressionTree::Number(number) => (Some("another number"), ExpressionTree::Number(another_number(number))),
        ExpressionTree::Access { of, link, what: MemberAccess::Member(name) } => {
            (Some("another field"), ExpressionTree::Access { of, link, what: MemberAccess::Member(format!("{name}s")) })
        }
        ExpressionTree::Binary { by, left, right } => {
            (Some("another operator"), ExpressionTree::Binary { by: mistaken_operator(by), left, right })
        }
        ExpressionTree::Unary { sign: Sign::Not, of } => (Some("not denied"), *of),
        other => (None, other),
    }
}

/// One more, or half of what is too great for that to make a difference.
fn another_number(number: f64) -> f64 {
    if number + 1.0 > number { number + 1.0 } else { number / 2.0 }
}

/// An operator that is easily taken for another and never means the same.
fn mistaken_operator(by: BinaryOperator) -> BinaryOperator {
    match by {
        BinaryOperator::Coalesce | BinaryOperator::And => BinaryOperator::Or,
        BinaryOperator::Or => BinaryOperator::And,
        BinaryOperator::LooseEqual => BinaryOperator::LooseUnequal,
        BinaryOperator::LooseUnequal => BinaryOperator::LooseEqual,
        BinaryOperator::Equal => BinaryOperator::Unequal,
        BinaryOperator::Unequal => BinaryOperator::Equal,
        BinaryOperator::Less => BinaryOperator::LessEqual,
        BinaryOperator::LessEqual => BinaryOperator::Less,
        BinaryOperator::Greater => BinaryOperator::GreaterEqual,
        BinaryOperator::GreaterEqual => BinaryOperator::Greater,
        BinaryOperator::Add => BinaryOperator::Subtract,
        BinaryOperator::Subtract => BinaryOperator::Add,
        BinaryOperator::Multiply | BinaryOperator::Remainder => BinaryOperator::Divide,
        BinaryOperator::Divide => BinaryOperator::Multiply,
    }
}

impl ExpressionTree {
    /// The tree with every part changed, inner parts before outer ones.
    pub(super) fn changed(self, change: &mut impl FnMut(Self) -> Self) -> Self {
        let inner = match self {
            leaf @ (Self::Name(_) | Self::Text(_) | Self::Number(_)) => leaf,
            Self::List(items) => Self::List(items.into_iter().map(|item| item.changed(change)).collect()),
            Self::Group(inner) => Self::Group(Box::new(inner.changed(change))),
            Self::Access { of, link, what } => {
                let of = of.changed(change);
                let what = match what {
                    MemberAccess::Member(name) => MemberAccess::Member(name),
                    MemberAccess::Index(by) => MemberAccess::Index(Box::new(by.changed(change))),
                    MemberAccess::Call(with) => {
                        MemberAccess::Call(with.into_iter().map(|with| with.changed(change)).collect())
                    }
                };
                Self::access(of, link, what)
            }
            Self::Unary { sign, of } => Self::unary(sign, of.changed(change)),
            Self::Binary { by, left, right } => Self::binary(by, left.changed(change), right.changed(change)),
            Self::Choice { test, yes, no } => Self::Choice {
                test: Box::new(test.changed(change)),
                yes: Box::new(yes.changed(change)),
                no: Box::new(no.changed(change)),
            },
        };
        change(inner)
    }
}
