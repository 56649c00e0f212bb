//! What an expression gives for an item, as the app's trial run computes it (`preview/expression/evaluate.ts`).

mod call;
mod value;

pub(super) use value::{ItemValue, number_text};

use std::cmp::Ordering;

use super::parser::is_optional;
use super::tree::{AccessMark, BinaryOperator, ExpressionTree, MemberAccess, Sign};

/// Why an expression gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    /// The app says that it cannot be computed: something is got from nothing, or a name is not known.
    Problem,
    /// It could be computed, but not here: it calls a method that is not modelled.
    NotModelled,
}

/// What came of an expression.
pub(super) type ExpressionOutcome = Result<ItemValue, NoValue>;

/// What an expression gives for an item.
pub(super) fn evaluate(tree: &ExpressionTree, item: &ItemValue) -> ExpressionOutcome {
    match tree {
        ExpressionTree::Name(name) => named(name, item),
        ExpressionTree::Text(text) => Ok(ItemValue::text(text)),
        ExpressionTree::Number(number) => Ok(ItemValue::Number(*number)),
        ExpressionTree::List(items) => Ok(ItemValue::list(all(items, item)?)),
        ExpressionTree::Group(inner) => evaluate(inner, item),
        ExpressionTree::Access { of, what, .. } => match what {
            MemberAccess::Call(with) => call::call(of, with, item),
            what => member(&evaluate(of, item)?, &key(what, item)?, link_of(tree)),
        },
        ExpressionTree::Unary { sign, of } => Ok(signed(*sign, &evaluate(of, item)?)),
        ExpressionTree::Binary { by, left, right } => binary(*by, left, right, item),
        ExpressionTree::Choice { test, yes, no } => {
            let is_yes = evaluate(test, item)?.is_true();
            evaluate(if is_yes { yes } else { no }, item)
        }
    }
}

fn all(trees: &[ExpressionTree], item: &ItemValue) -> Result<Vec<ItemValue>, NoValue> {
    trees.iter().map(|tree| evaluate(tree, item)).collect()
}

fn named(name: &str, item: &ItemValue) -> ExpressionOutcome {
    match name {
        "item" => Ok(item.clone()),
        "true" => Ok(ItemValue::Truth(true)),
        "false" => Ok(ItemValue::Truth(false)),
        "null" => Ok(ItemValue::Null),
        "undefined" => Ok(ItemValue::Undefined),
        _ => Err(NoValue::Problem),
    }
}

/// What a member is got by. A call is got by none.
fn key(what: &MemberAccess, item: &ItemValue) -> ExpressionOutcome {
    match what {
        MemberAccess::Member(name) => Ok(ItemValue::text(name)),
        MemberAccess::Index(by) => evaluate(by, item),
        MemberAccess::Call(_) => Err(NoValue::Problem),
    }
}

/// How a member is got. Behind `?.` nothing gives nothing, all the way to the end of the chain.
fn link_of(tree: &ExpressionTree) -> AccessMark {
    if is_optional(tree) { AccessMark::Optional } else { AccessMark::Plain }
}

fn member(of: &ItemValue, key: &ItemValue, link: AccessMark) -> ExpressionOutcome {
    let is_length = matches!(key, ItemValue::Text(name) if &**name == "length");
    let found = match of {
        ItemValue::Undefined | ItemValue::Null if link == AccessMark::Optional => None,
        ItemValue::Undefined | ItemValue::Null => return Err(NoValue::Problem),
        ItemValue::Text(text) if is_length => Some(ItemValue::Number(text.chars().count() as f64)),
        ItemValue::List(items) if is_length => Some(ItemValue::Number(items.len() as f64)),
        ItemValue::Text(text) => letter(text, key),
        ItemValue::List(items) => {
            let at = key.to_text();
            (0..items.len()).find(|idx| idx.to_string() == at).map(|idx| items[idx].clone())
        }
        ItemValue::Record(fields) => fields.get(&key.to_text()).cloned(),
        ItemValue::Truth(_) | ItemValue::Number(_) => None,
    };
    Ok(found.unwrap_or(ItemValue::Undefined))
}

/// A letter of a text, by a whole number.
fn letter(text: &str, key: &ItemValue) -> Option<ItemValue> {
    let ItemValue::Number(at) = *key else { return None };
    let place = (at >= 0.0 && at.fract() == 0.0 && at < 1e9).then_some(at as usize)?;
    text.chars().nth(place).map(|c| ItemValue::text(&c.to_string()))
}

fn signed(sign: Sign, value: &ItemValue) -> ItemValue {
    match sign {
        Sign::Not => ItemValue::Truth(!value.is_true()),
        Sign::Minus => ItemValue::Number(-value.to_number()),
        Sign::Plus => ItemValue::Number(value.to_number()),
    }
}

fn binary(by: BinaryOperator, left: &ExpressionTree, right: &ExpressionTree, item: &ItemValue) -> ExpressionOutcome {
    let left = evaluate(left, item)?;
    let is_settled = match by {
        BinaryOperator::And => !left.is_true(),
        BinaryOperator::Or => left.is_true(),
        BinaryOperator::Coalesce => !matches!(left, ItemValue::Undefined | ItemValue::Null),
        _ => false,
    };
    if is_settled {
        return Ok(left);
    }
    Ok(operated(by, &left, evaluate(right, item)?))
}

fn operated(by: BinaryOperator, left: &ItemValue, right: ItemValue) -> ItemValue {
    let number = |operate: fn(f64, f64) -> f64| ItemValue::Number(operate(left.to_number(), right.to_number()));
    match by {
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Coalesce => right,
        BinaryOperator::Equal => ItemValue::Truth(left.is_same(&right)),
        BinaryOperator::Unequal => ItemValue::Truth(!left.is_same(&right)),
        BinaryOperator::LooseEqual => ItemValue::Truth(left.is_loosely(&right)),
        BinaryOperator::LooseUnequal => ItemValue::Truth(!left.is_loosely(&right)),
        BinaryOperator::Less => ItemValue::Truth(left.order(&right).is_some_and(Ordering::is_lt)),
        BinaryOperator::LessEqual => ItemValue::Truth(left.order(&right).is_some_and(Ordering::is_le)),
        BinaryOperator::Greater => ItemValue::Truth(left.order(&right).is_some_and(Ordering::is_gt)),
        BinaryOperator::GreaterEqual => ItemValue::Truth(left.order(&right).is_some_and(Ordering::is_ge)),
        BinaryOperator::Add => left.plus(&right),
        BinaryOperator::Subtract => number(|a, b| a - b),
        BinaryOperator::Multiply => number(|a, b| a * b),
        BinaryOperator::Divide => number(|a, b| a / b),
        BinaryOperator::Remainder => number(|a, b| a % b),
    }
}

#[cfg(test)]
mod tests;
