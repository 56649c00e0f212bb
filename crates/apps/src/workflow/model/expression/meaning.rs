//! Whether one expression does what another does, found out by trying both on items.

use std::ops::ControlFlow;

use super::OutcomeReading;
use super::evaluate::{ExpressionOutcome, ItemValue, NoValue, evaluate};
use super::sample::SampleItems;
use super::tree::{ExpressionTree, MemberAccess};

/// Whether an expression that was found does what the expected one does, on all sample items.
///
/// An item for which the expected condition cannot be computed is one for which it does not hold: a condition that
/// asks first whether there is something to look at (`item.a?.b`) may say no there. What cannot be computed where the
/// expected expression can is something else. Expressions whose outcome never changes on the items, though they look at
/// some field, are not compared in this way: the items would say nothing about them.
pub(super) fn means_same(expected: &ExpressionTree, found: &ExpressionTree, reading: OutcomeReading) -> bool {
    let Some(samples) = SampleItems::of(expected, found) else { return false };
    let mut seen = SeenOutcomes::default();
    let deciding = deciding(expected);
    let profile = |item: &ItemValue| {
        let holds = |part: &ExpressionTree| evaluate(part, item).ok().map(|value| value.is_true());
        deciding.iter().map(holds).collect::<Vec<Option<bool>>>()
    };
    let visited = samples.visit(profile, |item| {
        let wanted = evaluate(expected, item);
        if !agrees(&wanted, &evaluate(found, item), reading) {
            return ControlFlow::Break(());
        }
        seen.add(wanted, reading);
        ControlFlow::Continue(())
    });
    visited.is_continue() && (seen.differ || (samples.is_constant() && seen.first.is_some()))
}

/// Whether an expression can be compared on items.
pub(super) fn is_comparable(tree: &ExpressionTree, reading: OutcomeReading) -> bool {
    means_same(tree, tree, reading)
}

/// The parts of an expression that decide something: comparisons and calls, and the whole.
fn deciding(tree: &ExpressionTree) -> Vec<ExpressionTree> {
    let mut parts = vec![tree.clone()];
    tree.clone().changed(&mut |part| {
        let decides = match &part {
            ExpressionTree::Binary { by, .. } => by.mirrored().is_some(),
            ExpressionTree::Access { what, .. } => matches!(what, MemberAccess::Call(_)),
            _ => false,
        };
        if decides {
            parts.push(part.clone());
        }
        part
    });
    parts
}

fn agrees(expected: &ExpressionOutcome, found: &ExpressionOutcome, reading: OutcomeReading) -> bool {
    match (reading, expected, found) {
        (_, Err(NoValue::Problem), Err(NoValue::Problem)) => true,
        (OutcomeReading::Truth, Err(NoValue::Problem), Ok(found)) => !found.is_true(),
        (OutcomeReading::Truth, Ok(expected), Ok(found)) => expected.is_true() == found.is_true(),
        (OutcomeReading::Value, Ok(expected), Ok(found)) => expected.is_alike(found),
        // What is not modelled agrees with nothing.
        _ => false,
    }
}

/// Whether the expected expression came out in more than one way.
#[derive(Default)]
struct SeenOutcomes {
    first: Option<ItemValue>,
    differ: bool,
}

impl SeenOutcomes {
    fn add(&mut self, outcome: ExpressionOutcome, reading: OutcomeReading) {
        let Ok(value) = outcome else { return };
        let value = if reading == OutcomeReading::Truth { ItemValue::Truth(value.is_true()) } else { value };
        match &self.first {
            Some(first) => self.differ |= !first.is_alike(&value),
            None => self.first = Some(value),
        }
    }
}

#[cfg(test)]
mod tests;
