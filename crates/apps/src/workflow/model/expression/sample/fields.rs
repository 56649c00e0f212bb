//! Which fields of an item expressions look at, and which values they speak of.

use std::collections::{BTreeMap, BTreeSet};

use super::super::evaluate::{ItemValue, evaluate, number_text};
use super::super::normal::is_numeric;
use super::super::tree::{BinaryOperator, ExpressionTree, MemberAccess};

/// How many numbers, and how many texts, expressions may speak of; with more, they are not compared on items.
const MAX_SPOKEN: usize = 10;

/// The member and the methods by which it matters how long something is, or where in it something stands.
const LENGTH: &str = "length";
const PLACING: [&str; 3] = ["indexOf", "slice", "padStart"];

/// The way from an item to one of its fields: names, one inside the other.
pub(super) type FieldPath = Vec<String>;

/// The fields and values of some expressions.
#[derive(Default)]
pub(super) struct FieldUses {
    /// The fields, with all that they are inside of.
    pub(super) paths: BTreeSet<FieldPath>,
    pub(super) numbers: Vec<f64>,
    pub(super) texts: BTreeSet<String>,
    /// The values that fields are asked to be equal to.
    pub(super) equals: BTreeMap<FieldPath, Vec<ItemValue>>,
    /// Whether it matters how long something is, or where in it something stands.
    pub(super) minds_length: bool,
    /// Whether a field is looked at whose name is computed.
    is_open: bool,
}

impl FieldUses {
    /// What expressions look at; nothing where a name is computed, so that it cannot be told.
    pub(super) fn of(trees: &[&ExpressionTree]) -> Option<Self> {
        let mut uses = Self::default();
        for tree in trees {
            uses.look(tree);
            uses.compute(tree);
            uses.equate(tree);
        }
        // The app counts letters as JavaScript does; beyond this plane that is not what Rust counts.
        let is_plain = uses.texts.iter().flat_map(|text| text.chars()).all(|c| u32::from(c) <= 0xffff);
        let as_numbers: Vec<f64> = uses.texts.iter().map(|text| ItemValue::text(text).to_number()).collect();
        for number in as_numbers {
            uses.add_number(number);
        }
        let is_short = uses.numbers.len() <= MAX_SPOKEN && uses.texts.len() <= MAX_SPOKEN;
        (!uses.is_open && is_plain && is_short).then_some(uses)
    }

    /// Speaks of what parts come to that look at no item: `item.n < 5 * 5` speaks of 25.
    fn compute(&mut self, tree: &ExpressionTree) {
        let nothing = ItemValue::Undefined;
        tree.clone().changed(&mut |part| {
            let is_sum = matches!(part, ExpressionTree::Binary { .. } | ExpressionTree::Unary { .. });
            match evaluate(&part, &nothing) {
                Ok(ItemValue::Number(number)) if is_sum => self.add_number(number),
                Ok(ItemValue::Text(text)) if is_sum => drop(self.texts.insert(text.to_string())),
                _ => {}
            }
            part
        });
    }

    /// Takes note of what fields are asked to be equal to, or not to be.
    fn equate(&mut self, tree: &ExpressionTree) {
        tree.clone().changed(&mut |part| {
            let sides = equation(&part).map(|(left, right)| [(left, right), (right, left)]);
            for (field, other) in sides.into_iter().flatten() {
                let value = evaluate(other, &ItemValue::Undefined).ok();
                if let Some((path, value)) = path_of(field).zip(value) {
                    self.equals.entry(path).or_default().push(value);
                }
            }
            part
        });
    }

    fn look(&mut self, tree: &ExpressionTree) {
        match tree {
            ExpressionTree::Name(_) => {}
            ExpressionTree::Text(text) => drop(self.texts.insert(text.clone())),
            ExpressionTree::Number(number) => self.add_number(*number),
            ExpressionTree::List(items) => items.iter().for_each(|item| self.look(item)),
            ExpressionTree::Group(of) | ExpressionTree::Unary { of, .. } => self.look(of),
            ExpressionTree::Binary { left, right, .. } => [left, right].into_iter().for_each(|side| self.look(side)),
            ExpressionTree::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(|part| self.look(part)),
            ExpressionTree::Access { of, what, .. } => match path_of(tree) {
                Some(path) => self.add_path(path),
                None => self.look_into(of, what),
            },
        }
    }

    fn look_into(&mut self, of: &ExpressionTree, what: &MemberAccess) {
        match what {
            MemberAccess::Member(name) => {
                self.minds_length |= name == LENGTH;
                self.look(of);
            }
            MemberAccess::Index(by) => {
                self.is_open |= constant_name(by).is_none();
                self.look(of);
            }
            MemberAccess::Call(with) => {
                for with in with {
                    self.look(with);
                }
                self.look_at_callee(of);
            }
        }
    }

    /// A method is looked for in what it is called of; its name is no field.
    fn look_at_callee(&mut self, callee: &ExpressionTree) {
        match callee {
            ExpressionTree::Group(inner) => self.look_at_callee(inner),
            ExpressionTree::Access { of, what, .. } => {
                let name = if let MemberAccess::Member(name) = what { Some(name.as_str()) } else { None };
                self.is_open |= name.is_none();
                self.minds_length |= name.is_some_and(|name| PLACING.contains(&name));
                self.look(of);
            }
            other => self.look(other),
        }
    }

    fn add_number(&mut self, number: f64) {
        if number.is_finite() && !self.numbers.contains(&number) {
            self.numbers.push(number);
        }
    }

    fn add_path(&mut self, mut path: FieldPath) {
        if path.last().is_some_and(|last| last == LENGTH) {
            self.minds_length = true;
            path.pop();
        }
        while !path.is_empty() {
            self.paths.insert(path.clone());
            path.pop();
        }
    }
}

/// The way that an expression goes, if it does nothing but get a field of the item.
fn path_of(tree: &ExpressionTree) -> Option<FieldPath> {
    let (of, name) = match tree {
        ExpressionTree::Name(name) => return (name == "item").then(Vec::new),
        ExpressionTree::Group(inner) => return path_of(inner),
        ExpressionTree::Access { of, what: MemberAccess::Member(name), .. } => (of, name.clone()),
        ExpressionTree::Access { of, what: MemberAccess::Index(by), .. } => (of, constant_name(by)?),
        _ => return None,
    };
    let mut path = path_of(of)?;
    path.push(name);
    Some(path)
}

/// The name that a member is got by, where it is the same for every item.
fn constant_name(by: &ExpressionTree) -> Option<String> {
    match evaluate(by, &ItemValue::Undefined).ok()? {
        ItemValue::Text(name) => Some(name.to_string()),
        ItemValue::Number(number) => Some(number_text(number)),
        _ => None,
    }
}

/// The fields that an expression compares with something by `==`, `===`, `!=` or `!==`.
pub(super) fn equated(tree: &ExpressionTree) -> BTreeSet<FieldPath> {
    let mut fields = BTreeSet::new();
    tree.clone().changed(&mut |part| {
        if let Some((left, right)) = equation(&part) {
            fields.extend([left, right].into_iter().filter_map(path_of));
        }
        part
    });
    fields
}

/// The two sides of an equation.
fn equation(tree: &ExpressionTree) -> Option<(&ExpressionTree, &ExpressionTree)> {
    use BinaryOperator::{Equal, LooseEqual, LooseUnequal, Unequal};
    match tree {
        ExpressionTree::Binary { by: Equal | Unequal | LooseEqual | LooseUnequal, left, right } => Some((left, right)),
        _ => None,
    }
}

/// The fields to which an expression adds a number, as `(item.n || 0) + 1` does: they are meant to hold numbers.
pub(super) fn summed(tree: &ExpressionTree) -> BTreeSet<FieldPath> {
    let mut fields = BTreeSet::new();
    tree.clone().changed(&mut |part| {
        if let ExpressionTree::Binary { by: BinaryOperator::Add, left, right } = &part {
            let sides = [(left, right), (right, left)];
            fields
                .extend(sides.into_iter().filter(|(_, other)| is_numeric(other)).filter_map(|(side, _)| summand(side)));
        }
        part
    });
    fields
}

/// The field that a summand is, or is where there is one.
fn summand(tree: &ExpressionTree) -> Option<FieldPath> {
    match tree {
        ExpressionTree::Group(inner) => summand(inner),
        ExpressionTree::Binary { by: BinaryOperator::Or | BinaryOperator::Coalesce, left, right } => {
            is_numeric(right).then(|| summand(left)).flatten()
        }
        tree => path_of(tree),
    }
}
