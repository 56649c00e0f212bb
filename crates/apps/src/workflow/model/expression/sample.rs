//! Items on which two expressions are compared: made of the fields they look at and the values they speak of.
//!
//! Where there is one field, it takes every value of its pool. Where there are several, items are drawn (the same ones
//! every time), those that the parts of the expected expression tell apart are varied field by field, and the most
//! telling values of every two fields meet.

mod fields;
mod pool;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use quintain_core::Rng;

use self::fields::{FieldPath, FieldUses, equated, summed};
use super::evaluate::ItemValue;
use super::tree::ExpressionTree;

/// How many items are drawn where there are several fields.
const N_DRAWN: usize = 300;
/// How many of those that are told apart are varied.
const N_VARIED: usize = 24;
/// How many values of a field meet those of another.
const N_MEETING: usize = 24;
/// How many fields there may be; with more, expressions are not compared on items.
const MAX_FIELDS: usize = 12;

/// All items on which two expressions are compared.
pub(super) struct SampleItems {
    slots: Vec<SampleSlot>,
}

/// A field of the items, and what it may hold.
struct SampleSlot {
    path: FieldPath,
    values: Vec<SlotValue>,
    /// How many of the values, from the first, are those that most likely make a difference.
    n_telling: usize,
    /// Which of them the field is asked to be equal to.
    equal: Vec<usize>,
    /// How many of them may be drawn; the rest is gone through where one field varies.
    n_drawn: usize,
}

/// What the expected expression takes for granted about the fields of an item.
struct HeldFields {
    /// Those that hold nothing that `+` would make a text of.
    numeric: BTreeSet<FieldPath>,
    /// Those that hold neither lists nor records.
    plain: BTreeSet<FieldPath>,
}

impl HeldFields {
    fn may_hold(&self, path: &FieldPath, value: &ItemValue) -> bool {
        let adds_up = !self.numeric.contains(path) || pool::adds_up(value);
        adds_up && (!self.plain.contains(path) || pool::is_plain(value))
    }
}

/// What a field may hold.
#[derive(Clone)]
enum SlotValue {
    /// The field is not there.
    Missing,
    /// A record with the fields below this one.
    Inner,
    /// A value from the pool.
    Plain(ItemValue),
}

impl SampleItems {
    /// The items for two expressions; nothing where it cannot be told which fields they look at.
    pub(super) fn of(expected: &ExpressionTree, found: &ExpressionTree) -> Option<Self> {
        let uses = FieldUses::of(&[expected, found])?;
        let held = HeldFields { numeric: summed(expected), plain: equated(expected) };
        let slots: Vec<SampleSlot> = uses.paths.iter().map(|path| SampleSlot::of(path, &uses, &held)).collect();
        (slots.len() <= MAX_FIELDS).then_some(Self { slots })
    }

    /// Whether the expressions look at no field at all.
    pub(super) fn is_constant(&self) -> bool {
        self.slots.is_empty()
    }

    /// Shows every item, until the visitor breaks off. The profile says what is to be told apart about an item.
    pub(super) fn visit(
        &self,
        profile: impl Fn(&ItemValue) -> Vec<Option<bool>>,
        mut visitor: impl FnMut(&ItemValue) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.slots.as_slice() {
            [] => return visitor(&self.item(&[])),
            [slot] => return (0..slot.values.len()).try_for_each(|value| visitor(&self.item(&[value]))),
            _ => {}
        }
        let mut bases = BTreeMap::new();
        let mut rng = Rng::for_purpose(0, "sample items");
        for _ in 0..N_DRAWN {
            let chosen: Vec<usize> = self.slots.iter().map(|slot| slot.draw(&mut rng)).collect();
            let item = self.item(&chosen);
            visitor(&item)?;
            bases.entry(profile(&item)).or_insert(chosen);
        }
        for base in bases.values().step_by(bases.len().div_ceil(N_VARIED)) {
            self.vary(base, &mut visitor)?;
        }
        bases.values().next_back().map_or(ControlFlow::Continue(()), |base| self.meet(base, &mut visitor))
    }

    /// Shows an item with one field after the other taking all its values.
    fn vary(&self, base: &[usize], visitor: &mut impl FnMut(&ItemValue) -> ControlFlow<()>) -> ControlFlow<()> {
        self.equate(base, visitor)?;
        for (at, slot) in self.slots.iter().enumerate() {
            let mut chosen = base.to_vec();
            for value in 0..slot.values.len() {
                chosen[at] = value;
                visitor(&self.item(&chosen))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Shows an item in which every field is what it is asked to be equal to: all first values at once, all second ones, ...
    fn equate(&self, base: &[usize], visitor: &mut impl FnMut(&ItemValue) -> ControlFlow<()>) -> ControlFlow<()> {
        let n_rounds = self.slots.iter().map(|slot| slot.equal.len()).max().unwrap_or_default();
        for round in 0..n_rounds {
            let held = |(slot, value): (&SampleSlot, &usize)| {
                slot.equal.get(round).or(slot.equal.last()).copied().unwrap_or(*value)
            };
            let chosen: Vec<usize> = self.slots.iter().zip(base).map(held).collect();
            visitor(&self.item(&chosen))?;
        }
        ControlFlow::Continue(())
    }

    /// Shows an item with the telling values of every two fields.
    fn meet(&self, base: &[usize], visitor: &mut impl FnMut(&ItemValue) -> ControlFlow<()>) -> ControlFlow<()> {
        let pairs = (0..self.slots.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        for (one, other) in pairs {
            let mut chosen = base.to_vec();
            for value in 0..self.slots[one].n_telling.min(N_MEETING) {
                for with in 0..self.slots[other].n_telling.min(N_MEETING) {
                    (chosen[one], chosen[other]) = (value, with);
                    visitor(&self.item(&chosen))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn item(&self, chosen: &[usize]) -> ItemValue {
        self.record(&[], chosen)
    }

    /// The record at the end of a path.
    fn record(&self, path: &[String], chosen: &[usize]) -> ItemValue {
        let mut fields = BTreeMap::new();
        for (slot, value) in self.slots.iter().zip(chosen) {
            let Some((name, within)) = slot.path.split_last() else { continue };
            if within != path {
                continue;
            }
            let value = match &slot.values[*value] {
                SlotValue::Missing => continue,
                SlotValue::Inner => self.record(&slot.path, chosen),
                SlotValue::Plain(value) => value.clone(),
            };
            fields.insert(name.clone(), value);
        }
        ItemValue::record(fields)
    }
}

impl SampleSlot {
    /// A field with all that it may hold.
    fn of(path: &FieldPath, uses: &FieldUses, held: &HeldFields) -> Self {
        let has_inner = uses.paths.iter().any(|other| other.len() > path.len() && other.starts_with(path));
        let (telling, others) = (pool::telling(uses), pool::others(uses));
        let fits = |value: &ItemValue| held.may_hold(path, value);
        let first = has_inner.then_some(SlotValue::Inner).into_iter().chain([SlotValue::Missing]);
        let mut values: Vec<SlotValue> = first.chain(telling.into_iter().filter(fits).map(SlotValue::Plain)).collect();
        let n_telling = values.len();
        values.extend(others.into_iter().filter(fits).map(SlotValue::Plain));
        let n_drawn = values.len();
        values.extend(pool::fine(uses).into_iter().filter(fits).map(SlotValue::Plain));
        let wanted = uses.equals.get(path).map(Vec::as_slice).unwrap_or_default();
        let is_at =
            |slot: &SlotValue, value: &ItemValue| matches!(slot, SlotValue::Plain(held) if held.is_alike(value));
        let place = |value: &ItemValue| values.iter().position(|slot| is_at(slot, value));
        let equal = wanted.iter().filter_map(place).collect();
        Self { path: path.clone(), values, n_telling, equal, n_drawn }
    }

    fn draw(&self, rng: &mut Rng) -> usize {
        let has_inner = matches!(self.values[0], SlotValue::Inner);
        if has_inner && rng.chance(0.75) {
            return 0;
        }
        let n_values = if rng.chance(0.6) { self.n_telling } else { self.n_drawn };
        rng.below(n_values)
    }
}
