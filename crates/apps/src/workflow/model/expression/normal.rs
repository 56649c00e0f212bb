//! The one form that expressions of the same meaning share.

use std::collections::BTreeSet;

use super::OutcomeReading;
use super::tree::{AccessMark, BinaryOperator, ExpressionTree, MemberAccess, Sign, by_name};

/// The normal form of a tree. Normalising it again changes nothing.
pub(super) fn normal(tree: ExpressionTree, reading: OutcomeReading) -> ExpressionTree {
    match tree {
        ExpressionTree::Name(_) | ExpressionTree::Text(_) | ExpressionTree::Number(_) => tree,
        ExpressionTree::List(items) => ExpressionTree::List(values(items)),
        ExpressionTree::Group(inner) => ExpressionTree::Group(Box::new(value(*inner))),
        ExpressionTree::Access { of, link, what } => ExpressionTree::access(value(*of), link, normal_access(what)),
        ExpressionTree::Unary { sign: Sign::Not, of } => denied(normal(*of, OutcomeReading::Truth), reading),
        ExpressionTree::Unary { sign, of } => signed(sign, value(*of)),
        ExpressionTree::Binary { by, left, right } => normal_binary(by, *left, *right, reading),
        ExpressionTree::Choice { test, yes, no } => ExpressionTree::Choice {
            test: Box::new(normal(*test, OutcomeReading::Truth)),
            yes: Box::new(normal(*yes, reading)),
            no: Box::new(normal(*no, reading)),
        },
    }
}

fn value(tree: ExpressionTree) -> ExpressionTree {
    normal(tree, OutcomeReading::Value)
}

fn values(trees: Vec<ExpressionTree>) -> Vec<ExpressionTree> {
    trees.into_iter().map(value).collect()
}

fn normal_access(what: MemberAccess) -> MemberAccess {
    match what {
        MemberAccess::Member(name) => MemberAccess::Member(name),
        MemberAccess::Call(with) => MemberAccess::Call(values(with)),
        MemberAccess::Index(by) => match value(*by) {
            ExpressionTree::Text(name) => by_name(name),
            by => MemberAccess::Index(Box::new(by)),
        },
    }
}

fn denied(of: ExpressionTree, reading: OutcomeReading) -> ExpressionTree {
    match of {
        ExpressionTree::Binary { by, left, right } if by.denied().is_some() => {
            ExpressionTree::binary(by.denied().expect("just asked"), *left, *right)
        }
        ExpressionTree::Unary { sign: Sign::Not, of: inner }
            if reading == OutcomeReading::Truth || is_truth(&inner) =>
        {
            *inner
        }
        of => ExpressionTree::unary(Sign::Not, of),
    }
}

fn signed(sign: Sign, of: ExpressionTree) -> ExpressionTree {
    match (sign, of) {
        (Sign::Minus, ExpressionTree::Unary { sign: Sign::Minus, of: inner })
            if matches!(*inner, ExpressionTree::Number(_)) =>
        {
            *inner
        }
        (Sign::Plus, of) if is_numeric(&of) => of,
        (sign, of) => ExpressionTree::unary(sign, of),
    }
}

fn normal_binary(
    by: BinaryOperator,
    left: ExpressionTree,
    right: ExpressionTree,
    reading: OutcomeReading,
) -> ExpressionTree {
    match by {
        BinaryOperator::And | BinaryOperator::Or => logical(by, normal(left, reading), normal(right, reading), reading),
        BinaryOperator::Greater => ExpressionTree::binary(BinaryOperator::Less, value(right), value(left)),
        BinaryOperator::GreaterEqual => ExpressionTree::binary(BinaryOperator::LessEqual, value(right), value(left)),
        BinaryOperator::Equal | BinaryOperator::Unequal | BinaryOperator::LooseEqual | BinaryOperator::LooseUnequal => {
            equality(by, value(left), value(right))
        }
        BinaryOperator::Coalesce => chained(by, operands(by, value(left), value(right))),
        BinaryOperator::Multiply => sorted(by, value(left), value(right)),
        BinaryOperator::Add => {
            let (left, right) = (value(left), value(right));
            if is_numeric(&left) && is_numeric(&right) {
                sorted(by, left, right)
            } else {
                ExpressionTree::binary(by, left, right)
            }
        }
        _ => ExpressionTree::binary(by, value(left), value(right)),
    }
}

/// The tree with `===` for `==` wherever that is the same, and nothing else changed.
pub(super) fn with_strict_equality(tree: ExpressionTree) -> ExpressionTree {
    tree.changed(&mut |part| match part {
        ExpressionTree::Binary { by, left, right } => {
            ExpressionTree::Binary { by: strict(by, &left, &right), left, right }
        }
        part => part,
    })
}

/// `===` for `==` where one side is a text that no number equals.
fn strict(by: BinaryOperator, left: &ExpressionTree, right: &ExpressionTree) -> BinaryOperator {
    let is_word = |side: &ExpressionTree| matches!(side, ExpressionTree::Text(text) if !reads_as_number(text));
    match by {
        BinaryOperator::LooseEqual if is_word(left) || is_word(right) => BinaryOperator::Equal,
        BinaryOperator::LooseUnequal if is_word(left) || is_word(right) => BinaryOperator::Unequal,
        by => by,
    }
}

fn equality(by: BinaryOperator, left: ExpressionTree, right: ExpressionTree) -> ExpressionTree {
    let by = strict(by, &left, &right);
    let (first, last) = if left.text() <= right.text() { (left, right) } else { (right, left) };
    ExpressionTree::binary(by, first, last)
}

/// Whether a text may equal a number in a loose comparison. Rather too many than too few.
fn reads_as_number(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) || text == "Infinity"
}

/// `&&` and `||` give one of their sides, so their order is free only where no more than the truth of the outcome
/// counts, or where each side is true or false; and only where no side guards another.
fn logical(by: BinaryOperator, left: ExpressionTree, right: ExpressionTree, reading: OutcomeReading) -> ExpressionTree {
    let mut sides = operands(by, left, right);
    if (reading == OutcomeReading::Truth || sides.iter().all(is_truth)) && !guarded(&sides) {
        sides.sort_by_cached_key(ExpressionTree::text);
    }
    chained(by, sides)
}

fn sorted(by: BinaryOperator, left: ExpressionTree, right: ExpressionTree) -> ExpressionTree {
    let mut sides = operands(by, left, right);
    sides.sort_by_cached_key(ExpressionTree::text);
    chained(by, sides)
}

/// The operands of a chain of one operator.
fn operands(by: BinaryOperator, left: ExpressionTree, right: ExpressionTree) -> Vec<ExpressionTree> {
    let mut all = Vec::new();
    for side in [left, right] {
        match side {
            ExpressionTree::Binary { by: inner, left, right } if inner == by => all.extend(operands(by, *left, *right)),
            side => all.push(side),
        }
    }
    all
}

fn chained(by: BinaryOperator, operands: Vec<ExpressionTree>) -> ExpressionTree {
    let mut operands = operands.into_iter();
    let first = operands.next().expect("a chain has two operands or more");
    operands.fold(first, |chain, next| ExpressionTree::binary(by, chain, next))
}

/// Whether the outcome is `true` or `false`. Items are plain data, so the methods named here are the language's own.
fn is_truth(tree: &ExpressionTree) -> bool {
    const METHODS: [&str; 6] = ["includes", "startsWith", "endsWith", "some", "every", "test"];
    match tree {
        ExpressionTree::Name(name) => name == "true" || name == "false",
        ExpressionTree::Unary { sign, .. } => *sign == Sign::Not,
        ExpressionTree::Binary { by: BinaryOperator::And | BinaryOperator::Or, left, right } => {
            is_truth(left) && is_truth(right)
        }
        ExpressionTree::Binary { by, .. } => by.mirrored().is_some(),
        ExpressionTree::Choice { yes, no, .. } => is_truth(yes) && is_truth(no),
        ExpressionTree::Access { of, what: MemberAccess::Call(_), .. } => match &**of {
            ExpressionTree::Access { what: MemberAccess::Member(name), .. } => {
                METHODS.contains(&name.as_str()) && !super::parser::is_optional(tree)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the outcome is a number for certain.
pub(super) fn is_numeric(tree: &ExpressionTree) -> bool {
    match tree {
        ExpressionTree::Number(_) => true,
        ExpressionTree::Unary { sign, .. } => *sign != Sign::Not,
        ExpressionTree::Binary { by: BinaryOperator::Add, left, right } => is_numeric(left) && is_numeric(right),
        ExpressionTree::Binary { by, .. } => by.level() >= BinaryOperator::Subtract.level(),
        ExpressionTree::Choice { yes, no, .. } => is_numeric(yes) && is_numeric(no),
        ExpressionTree::Access { of, link: AccessMark::Plain, what: MemberAccess::Call(_) } => match &**of {
            ExpressionTree::Name(name) => ["Number", "parseInt", "parseFloat"].contains(&name.as_str()),
            ExpressionTree::Access { of, link: AccessMark::Plain, what: MemberAccess::Member(_) } => {
                **of == ExpressionTree::Name("Math".to_owned())
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether one side looks at what another takes for granted, as in `item.a && item.a.b > 1`: then their order matters.
fn guarded(sides: &[ExpressionTree]) -> bool {
    let uses: Vec<ValueUses> = sides.iter().map(ValueUses::of).collect();
    uses.iter().enumerate().any(|(idx, needing)| {
        let others = uses.iter().enumerate().filter(|(other, _)| *other != idx);
        others.into_iter().any(|(_, looking)| !needing.needed.is_disjoint(&looking.looked_at))
    })
}

/// What an expression does with the values it gets: those it gets something from without asking, which fails where
/// there is nothing to get it from, and those it merely looks at.
#[derive(Default)]
struct ValueUses {
    needed: BTreeSet<String>,
    looked_at: BTreeSet<String>,
}

impl ValueUses {
    fn of(tree: &ExpressionTree) -> Self {
        let mut uses = Self::default();
        uses.look(tree);
        uses
    }

    fn look(&mut self, tree: &ExpressionTree) {
        match tree {
            ExpressionTree::Access { .. } => {
                self.looked_at.insert(tree.text());
                self.within(tree);
            }
            ExpressionTree::Name(_) | ExpressionTree::Text(_) | ExpressionTree::Number(_) => {}
            ExpressionTree::List(items) => items.iter().for_each(|item| self.look(item)),
            ExpressionTree::Group(of) | ExpressionTree::Unary { of, .. } => self.look(of),
            ExpressionTree::Binary { left, right, .. } => [left, right].into_iter().for_each(|side| self.look(side)),
            ExpressionTree::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(|part| self.look(part)),
        }
    }

    fn within(&mut self, access: &ExpressionTree) {
        let ExpressionTree::Access { of, link, what } = access else { return self.look(access) };
        match what {
            MemberAccess::Member(_) => {}
            MemberAccess::Index(by) => self.look(by),
            MemberAccess::Call(with) => with.iter().for_each(|with| self.look(with)),
        }
        if matches!(**of, ExpressionTree::Access { .. }) {
            let seen = if *link == AccessMark::Optional { &mut self.looked_at } else { &mut self.needed };
            seen.insert(of.text());
        }
        self.within(of);
    }
}
