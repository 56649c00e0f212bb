//! Other expressions: the same one spelled otherwise, and others that look nearly like it.

use super::parser::parse;
use super::tree::{Access, Operator, Sign, Style, Tree};

/// Other texts of the same expression, and what is other about each. Nothing where the text is no expression.
pub(crate) fn respelled(text: &str) -> Vec<(&'static str, String)> {
    let Some(tree) = parse(text) else { return Vec::new() };
    let style = |style: Style| tree.written(style);
    let spellings = [
        ("without spaces", style(Style { gap: "", ..Style::PLAIN })),
        ("with more spaces", style(Style { gap: "  ", ..Style::PLAIN })),
        ("in single quotes", style(Style { quote: '\'', ..Style::PLAIN })),
        ("in double quotes", style(Style::PLAIN)),
        ("with parentheses around everything", format!("({})", style(Style { wraps: true, ..Style::PLAIN }))),
        ("with comparisons the other way round", mirrored(tree.clone()).text()),
    ];
    spellings.into_iter().filter(|(_, spelled)| spelled != text).collect()
}

/// The tree with the sides of every comparison exchanged, which says the same.
fn mirrored(tree: Tree) -> Tree {
    tree.changed(&mut |part| match part {
        Tree::Binary { by, left, right } => match by.mirrored() {
            Some(other) => Tree::Binary { by: other, left: right, right: left },
            None => Tree::Binary { by, left, right },
        },
        part => part,
    })
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

fn mistaken_part(part: Tree) -> (Option<&'static str>, Tree) {
    match part {
        Tree::Name(name) if name == "true" => (Some("false for true"), Tree::Name("false".to_owned())),
        Tree::Name(name) if name == "false" => (Some("true for false"), Tree::Name("true".to_owned())),
        Tree::Name(name) => (Some("another name"), Tree::Name(format!("{name}_"))),
        Tree::Text(text) => (Some("another text"), Tree::Text(format!("{text}x"))),
        Tree::Number(number) => (Some("another number"), Tree::Number(another_number(number))),
        Tree::Access { of, link, what: Access::Member(name) } => {
            (Some("another field"), Tree::Access { of, link, what: Access::Member(format!("{name}s")) })
        }
        Tree::Binary { by, left, right } => {
            (Some("another operator"), Tree::Binary { by: mistaken_operator(by), left, right })
        }
        Tree::Unary { sign: Sign::Not, of } => (Some("not denied"), *of),
        other => (None, other),
    }
}

/// One more, or half of what is too great for that to make a difference.
fn another_number(number: f64) -> f64 {
    if number + 1.0 > number { number + 1.0 } else { number / 2.0 }
}

/// An operator that is easily taken for another and never means the same.
fn mistaken_operator(by: Operator) -> Operator {
    match by {
        Operator::Coalesce | Operator::And => Operator::Or,
        Operator::Or => Operator::And,
        Operator::LooseEqual => Operator::LooseUnequal,
        Operator::LooseUnequal => Operator::LooseEqual,
        Operator::Equal => Operator::Unequal,
        Operator::Unequal => Operator::Equal,
        Operator::Less => Operator::LessEqual,
        Operator::LessEqual => Operator::Less,
        Operator::Greater => Operator::GreaterEqual,
        Operator::GreaterEqual => Operator::Greater,
        Operator::Add => Operator::Subtract,
        Operator::Subtract => Operator::Add,
        Operator::Multiply | Operator::Remainder => Operator::Divide,
        Operator::Divide => Operator::Multiply,
    }
}

impl Tree {
    /// The tree with every part changed, inner parts before outer ones.
    pub(super) fn changed(self, change: &mut impl FnMut(Self) -> Self) -> Self {
        let inner = match self {
            leaf @ (Self::Name(_) | Self::Text(_) | Self::Number(_)) => leaf,
            Self::List(items) => Self::List(items.into_iter().map(|item| item.changed(change)).collect()),
            Self::Group(inner) => Self::Group(Box::new(inner.changed(change))),
            Self::Access { of, link, what } => {
                let of = of.changed(change);
                let what = match what {
                    Access::Member(name) => Access::Member(name),
                    Access::Index(by) => Access::Index(Box::new(by.changed(change))),
                    Access::Call(with) => Access::Call(with.into_iter().map(|with| with.changed(change)).collect()),
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
