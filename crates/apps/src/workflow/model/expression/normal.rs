//! The one form that expressions of the same meaning share.

use std::collections::BTreeSet;

use super::Reading;
use super::tree::{Access, Link, Operator, Sign, Tree, by_name};

/// The normal form of a tree. Normalising it again changes nothing.
pub(super) fn normal(tree: Tree, reading: Reading) -> Tree {
    match tree {
        Tree::Name(_) | Tree::Text(_) | Tree::Number(_) => tree,
        Tree::List(items) => Tree::List(values(items)),
        Tree::Group(inner) => Tree::Group(Box::new(value(*inner))),
        Tree::Access { of, link, what } => Tree::access(value(*of), link, normal_access(what)),
        Tree::Unary { sign: Sign::Not, of } => denied(normal(*of, Reading::Truth), reading),
        Tree::Unary { sign, of } => signed(sign, value(*of)),
        Tree::Binary { by, left, right } => normal_binary(by, *left, *right, reading),
        Tree::Choice { test, yes, no } => Tree::Choice {
            test: Box::new(normal(*test, Reading::Truth)),
            yes: Box::new(normal(*yes, reading)),
            no: Box::new(normal(*no, reading)),
        },
    }
}

fn value(tree: Tree) -> Tree {
    normal(tree, Reading::Value)
}

fn values(trees: Vec<Tree>) -> Vec<Tree> {
    trees.into_iter().map(value).collect()
}

fn normal_access(what: Access) -> Access {
    match what {
        Access::Member(name) => Access::Member(name),
        Access::Call(with) => Access::Call(values(with)),
        Access::Index(by) => match value(*by) {
            Tree::Text(name) => by_name(name),
            by => Access::Index(Box::new(by)),
        },
    }
}

fn denied(of: Tree, reading: Reading) -> Tree {
    match of {
        Tree::Binary { by, left, right } if by.denied().is_some() => {
            Tree::binary(by.denied().expect("just asked"), *left, *right)
        }
        Tree::Unary { sign: Sign::Not, of: inner } if reading == Reading::Truth || is_truth(&inner) => *inner,
        of => Tree::unary(Sign::Not, of),
    }
}

fn signed(sign: Sign, of: Tree) -> Tree {
    match (sign, of) {
        (Sign::Minus, Tree::Unary { sign: Sign::Minus, of: inner }) if matches!(*inner, Tree::Number(_)) => *inner,
        (Sign::Plus, of) if is_numeric(&of) => of,
        (sign, of) => Tree::unary(sign, of),
    }
}

fn normal_binary(by: Operator, left: Tree, right: Tree, reading: Reading) -> Tree {
    match by {
        Operator::And | Operator::Or => logical(by, normal(left, reading), normal(right, reading), reading),
        Operator::Greater => Tree::binary(Operator::Less, value(right), value(left)),
        Operator::GreaterEqual => Tree::binary(Operator::LessEqual, value(right), value(left)),
        Operator::Equal | Operator::Unequal | Operator::LooseEqual | Operator::LooseUnequal => {
            equality(by, value(left), value(right))
        }
        Operator::Coalesce => chained(by, operands(by, value(left), value(right))),
        Operator::Multiply => sorted(by, value(left), value(right)),
        Operator::Add => {
            let (left, right) = (value(left), value(right));
            if is_numeric(&left) && is_numeric(&right) {
                sorted(by, left, right)
            } else {
                Tree::binary(by, left, right)
            }
        }
        _ => Tree::binary(by, value(left), value(right)),
    }
}

fn equality(by: Operator, left: Tree, right: Tree) -> Tree {
    let is_word = |side: &Tree| matches!(side, Tree::Text(text) if !reads_as_number(text));
    let by = match by {
        Operator::LooseEqual if is_word(&left) || is_word(&right) => Operator::Equal,
        Operator::LooseUnequal if is_word(&left) || is_word(&right) => Operator::Unequal,
        by => by,
    };
    let (first, last) = if left.text() <= right.text() { (left, right) } else { (right, left) };
    Tree::binary(by, first, last)
}

/// Whether a text may equal a number in a loose comparison. Rather too many than too few.
fn reads_as_number(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) || text == "Infinity"
}

/// `&&` and `||` give one of their sides, so their order is free only where no more than the truth of the outcome
/// counts, or where each side is true or false; and only where no side guards another.
fn logical(by: Operator, left: Tree, right: Tree, reading: Reading) -> Tree {
    let mut sides = operands(by, left, right);
    if (reading == Reading::Truth || sides.iter().all(is_truth)) && !guarded(&sides) {
        sides.sort_by_cached_key(Tree::text);
    }
    chained(by, sides)
}

fn sorted(by: Operator, left: Tree, right: Tree) -> Tree {
    let mut sides = operands(by, left, right);
    sides.sort_by_cached_key(Tree::text);
    chained(by, sides)
}

/// The operands of a chain of one operator.
fn operands(by: Operator, left: Tree, right: Tree) -> Vec<Tree> {
    let mut all = Vec::new();
    for side in [left, right] {
        match side {
            Tree::Binary { by: inner, left, right } if inner == by => all.extend(operands(by, *left, *right)),
            side => all.push(side),
        }
    }
    all
}

fn chained(by: Operator, operands: Vec<Tree>) -> Tree {
    let mut operands = operands.into_iter();
    let first = operands.next().expect("a chain has two operands or more");
    operands.fold(first, |chain, next| Tree::binary(by, chain, next))
}

/// Whether the outcome is `true` or `false`. Items are plain data, so the methods named here are the language's own.
fn is_truth(tree: &Tree) -> bool {
    const METHODS: [&str; 6] = ["includes", "startsWith", "endsWith", "some", "every", "test"];
    match tree {
        Tree::Name(name) => name == "true" || name == "false",
        Tree::Unary { sign, .. } => *sign == Sign::Not,
        Tree::Binary { by: Operator::And | Operator::Or, left, right } => is_truth(left) && is_truth(right),
        Tree::Binary { by, .. } => by.mirrored().is_some(),
        Tree::Choice { yes, no, .. } => is_truth(yes) && is_truth(no),
        Tree::Access { of, what: Access::Call(_), .. } => match &**of {
            Tree::Access { what: Access::Member(name), .. } => {
                METHODS.contains(&name.as_str()) && !super::parser::is_optional(tree)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the outcome is a number for certain.
fn is_numeric(tree: &Tree) -> bool {
    match tree {
        Tree::Number(_) => true,
        Tree::Unary { sign, .. } => *sign != Sign::Not,
        Tree::Binary { by: Operator::Add, left, right } => is_numeric(left) && is_numeric(right),
        Tree::Binary { by, .. } => by.level() >= Operator::Subtract.level(),
        Tree::Choice { yes, no, .. } => is_numeric(yes) && is_numeric(no),
        Tree::Access { of, link: Link::Plain, what: Access::Call(_) } => match &**of {
            Tree::Name(name) => ["Number", "parseInt", "parseFloat"].contains(&name.as_str()),
            Tree::Access { of, link: Link::Plain, what: Access::Member(_) } => **of == Tree::Name("Math".to_owned()),
            _ => false,
        },
        _ => false,
    }
}

/// Whether one side looks at what another takes for granted, as in `item.a && item.a.b > 1`: then their order matters.
fn guarded(sides: &[Tree]) -> bool {
    let uses: Vec<Uses> = sides.iter().map(Uses::of).collect();
    uses.iter().enumerate().any(|(idx, needing)| {
        let others = uses.iter().enumerate().filter(|(other, _)| *other != idx);
        others.into_iter().any(|(_, looking)| !needing.needed.is_disjoint(&looking.looked_at))
    })
}

/// What an expression does with the values it gets: those it gets something from without asking, which fails where
/// there is nothing to get it from, and those it merely looks at.
#[derive(Default)]
struct Uses {
    needed: BTreeSet<String>,
    looked_at: BTreeSet<String>,
}

impl Uses {
    fn of(tree: &Tree) -> Self {
        let mut uses = Self::default();
        uses.look(tree);
        uses
    }

    fn look(&mut self, tree: &Tree) {
        match tree {
            Tree::Access { .. } => {
                self.looked_at.insert(tree.text());
                self.within(tree);
            }
            Tree::Name(_) | Tree::Text(_) | Tree::Number(_) => {}
            Tree::List(items) => items.iter().for_each(|item| self.look(item)),
            Tree::Group(of) | Tree::Unary { of, .. } => self.look(of),
            Tree::Binary { left, right, .. } => [left, right].into_iter().for_each(|side| self.look(side)),
            Tree::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(|part| self.look(part)),
        }
    }

    fn within(&mut self, access: &Tree) {
        let Tree::Access { of, link, what } = access else { return self.look(access) };
        match what {
            Access::Member(_) => {}
            Access::Index(by) => self.look(by),
            Access::Call(with) => with.iter().for_each(|with| self.look(with)),
        }
        if matches!(**of, Tree::Access { .. }) {
            let seen = if *link == Link::Optional { &mut self.looked_at } else { &mut self.needed };
            seen.insert(of.text());
        }
        self.within(of);
    }
}
