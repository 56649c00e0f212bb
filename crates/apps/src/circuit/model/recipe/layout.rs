//! Draws a recipe on the grid: columns by the way signals take, straight wires from pin to pin.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::Rng;
use serde_json::Value;

use super::routes::{self, WireObstacles};
use super::{CircuitRecipe, Ingredient};
use crate::circuit::model::catalogue::PartKind;
use crate::circuit::model::document::{Circuit, CircuitPart, CircuitWire, GridPoint};

/// How many times the drawing is tried with parts shifted a little, first by rule and then by chance.
const TRIES: usize = 2400;
const TRIES_BY_RULE: usize = 400;
/// The room between two columns.
const BETWEEN_COLUMNS: i32 = 6;
/// The least room between two parts of a column, for what is written above and below them.
const BETWEEN_PARTS: i32 = 3;
/// The tallest column.
const TALLEST: i32 = 28;
/// Where the drawing begins.
const CORNER: GridPoint = [2, 2];

/// The circuit of a recipe, drawn: no pin lies on another, no wire runs over a pin that is not its end.
pub fn lay_out(recipe: &CircuitRecipe) -> Result<Circuit, String> {
    let ingredients = recipe.ingredients()?;
    let columns = in_columns(&ingredients);
    let tried = (0..TRIES).find_map(|attempt| drawn(&ingredients, &columns, attempt));
    tried.ok_or_else(|| "the circuit cannot be drawn without a wire over a pin".to_owned())
}

fn drawn(ingredients: &[Ingredient], columns: &[Vec<usize>], attempt: usize) -> Option<Circuit> {
    let parts = placed(ingredients, columns, attempt);
    let mut nets: BTreeMap<&str, Vec<GridPoint>> = BTreeMap::new();
    for (ingredient, part) in ingredients.iter().zip(&parts) {
        for (pin, net) in &ingredient.pins {
            nets.entry(net).or_default().push(part.pin_place(pin)?);
        }
    }
    let field = WireObstacles {
        pins: parts.iter().flat_map(|part| part.pins().iter().map(|pin| part.place(pin.at))).collect(),
        areas: parts.iter().map(area).collect(),
    };
    let mut wires = Vec::new();
    for pins in nets.values() {
        wires.extend(routes::tree(pins, &field)?);
    }
    let wires =
        wires.into_iter().enumerate().map(|(idx, (from, to))| CircuitWire { id: format!("w{}", idx + 1), from, to });
    Some(Circuit { parts, wires: wires.collect(), scopes: Vec::new(), speed: 0.1 })
}

/// The rectangle that a part covers on the grid: left, top, right, bottom.
pub(super) fn area(part: &CircuitPart) -> [i32; 4] {
    let [left, top, right, bottom] = own_area(part.kind, &part.choice("inputs"));
    let ([x1, y1], [x2, y2]) = (part.place([left, top]), part.place([right, bottom]));
    [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)]
}

fn own_area(kind: PartKind, inputs: &str) -> [i32; 4] {
    let spec = kind.spec();
    spec.area_by.get(inputs).copied().unwrap_or(spec.area)
}

/// The parts in their places. An attempt after the first shifts them against each other.
fn placed(ingredients: &[Ingredient], columns: &[Vec<usize>], attempt: usize) -> Vec<CircuitPart> {
    let gap = BETWEEN_PARTS + (attempt.min(TRIES_BY_RULE - 1) / 100) as i32;
    let mut rng = (attempt >= TRIES_BY_RULE).then(|| Rng::for_purpose(attempt as u64, "drawing a circuit"));
    let mut places = vec![CORNER; ingredients.len()];
    let areas: Vec<[i32; 4]> = ingredients.iter().map(|one| own_area(one.kind, inputs_of(one))).collect();
    let height = |column: &[usize]| column.iter().map(|idx| areas[*idx][3] - areas[*idx][1] + gap).sum::<i32>();
    let tallest = columns.iter().map(|column| height(column)).max().unwrap_or_default();
    let mut x = CORNER[0];
    for (column_idx, column) in columns.iter().enumerate() {
        let left = column.iter().map(|idx| -areas[*idx][0]).max().unwrap_or_default();
        let right = column.iter().map(|idx| areas[*idx][2]).max().unwrap_or_default();
        let mut y = CORNER[1] + (tallest - height(column)) / 2;
        for idx in column {
            let by_rule = (idx * 7 + column_idx * 3) * attempt % (gap as usize);
            let nudge = rng.as_mut().map_or(by_rule, |rng| rng.below(gap as usize));
            places[*idx] = [x + left, y - areas[*idx][1] + nudge as i32];
            y += areas[*idx][3] - areas[*idx][1] + gap;
        }
        x += left + right + BETWEEN_COLUMNS + (attempt * column_idx % 3) as i32;
    }
    let parts = ingredients.iter().zip(places).enumerate();
    parts.map(|(idx, (ingredient, at))| part(ingredient, idx, at)).collect()
}

fn inputs_of(ingredient: &Ingredient) -> &str {
    ingredient.settings.get("inputs").and_then(Value::as_str).unwrap_or_default()
}

fn part(ingredient: &Ingredient, idx: usize, at: GridPoint) -> CircuitPart {
    let part = CircuitPart::new(&format!("p{}", idx + 1), ingredient.kind, at).with("label", ingredient.label.as_str());
    ingredient.settings.iter().fold(part, |part, (key, value)| part.with(key, value.clone()))
}

/// The parts by column, in order from top to bottom.
fn in_columns(ingredients: &[Ingredient]) -> Vec<Vec<usize>> {
    let levels = levels(ingredients);
    let n_levels = levels.iter().max().map_or(0, |most| most + 1);
    let mut columns = Vec::new();
    for level in 0..n_levels {
        let mut column: Vec<usize> = (0..ingredients.len()).filter(|idx| levels[*idx] == level).collect();
        column.sort_by_key(|idx| rank(ingredients[*idx].kind));
        columns.extend(split(ingredients, column));
    }
    order(ingredients, &mut columns);
    columns
}

/// Rails stand above, grounds below everything else.
fn rank(kind: PartKind) -> usize {
    match kind {
        PartKind::DcRail => 0,
        PartKind::Ground => 2,
        _ => 1,
    }
}

/// A column that is too tall becomes several.
fn split(ingredients: &[Ingredient], column: Vec<usize>) -> Vec<Vec<usize>> {
    let mut columns = vec![Vec::new()];
    let mut height = 0;
    for idx in column {
        let [_, top, _, bottom] = own_area(ingredients[idx].kind, inputs_of(&ingredients[idx]));
        height += bottom - top + BETWEEN_PARTS;
        if height > TALLEST {
            columns.push(Vec::new());
            height = bottom - top + BETWEEN_PARTS;
        }
        columns.last_mut().expect("there is at least one column").push(idx);
    }
    columns.retain(|column| !column.is_empty());
    columns
}

/// Puts each part near the parts it is joined to in the column before.
fn order(ingredients: &[Ingredient], columns: &mut [Vec<usize>]) {
    for column_idx in 1..columns.len() {
        let (before, after) = columns.split_at_mut(column_idx);
        let before = &before[column_idx - 1];
        let joined = |one: usize, other: usize| {
            let nets: BTreeSet<&String> = ingredients[one].pins.values().collect();
            ingredients[other].pins.values().any(|net| nets.contains(net))
        };
        let place = |idx: usize| {
            let places: Vec<usize> = (0..before.len()).filter(|place| joined(idx, before[*place])).collect();
            if places.is_empty() { usize::MAX } else { places.iter().sum::<usize>() * 100 / places.len() }
        };
        after[0].sort_by_key(|idx| (rank(ingredients[*idx].kind), place(*idx)));
    }
}

/// How far each part is from where signals come from.
fn levels(ingredients: &[Ingredient]) -> Vec<usize> {
    let all_logic = ingredients.iter().all(|one| one.kind.is_logic() || rank(one.kind) != 1);
    if all_logic { along_gates(ingredients) } else { by_distance(ingredients) }
}

/// Gates come after what drives them, outputs after everything.
fn along_gates(ingredients: &[Ingredient]) -> Vec<usize> {
    let mut levels = vec![0; ingredients.len()];
    let drives = |one: &Ingredient, net: &String| one.pins.get("out") == Some(net);
    for _ in 0..ingredients.len() {
        for (idx, one) in ingredients.iter().enumerate().filter(|(_, one)| one.kind.is_gate()) {
            let inputs = one.pins.iter().filter(|(pin, _)| *pin != "out").map(|(_, net)| net);
            let before = inputs.flat_map(|net| (0..ingredients.len()).filter(|at| drives(&ingredients[*at], net)));
            levels[idx] = before.map(|at| levels[at] + 1).max().unwrap_or(1).min(ingredients.len());
        }
    }
    let last = levels.iter().max().copied().unwrap_or_default() + 1;
    for (idx, one) in ingredients.iter().enumerate() {
        match one.kind {
            PartKind::LogicOutput => levels[idx] = last,
            PartKind::Ground | PartKind::DcRail => levels[idx] = last - 1,
            _ => {}
        }
    }
    levels
}

/// Steps from part to part, beginning at the sources. Supplies are no way from one part to another.
fn by_distance(ingredients: &[Ingredient]) -> Vec<usize> {
    let starts = starts(ingredients);
    let is_supply = |one: &Ingredient| matches!(one.kind, PartKind::Ground | PartKind::DcRail | PartKind::LogicInput);
    let supplies = ingredients.iter().enumerate().filter(|(idx, one)| is_supply(one) && !starts.contains(idx));
    let quiet: BTreeSet<&String> = supplies.clone().flat_map(|(_, one)| one.pins.values()).collect();
    let quiet_parts: BTreeSet<usize> = supplies.map(|(idx, _)| idx).collect();
    let mut levels: Vec<Option<usize>> = vec![None; ingredients.len()];
    for start in starts {
        levels[start] = Some(0);
    }
    for crosses_supplies in [false, true] {
        let open = |net: &&String| crosses_supplies || !quiet.contains(*net);
        for _ in 0..ingredients.len() {
            let known = levels.clone();
            for (idx, one) in ingredients.iter().enumerate().filter(|(idx, _)| !quiet_parts.contains(idx)) {
                let nets: Vec<&String> = one.pins.values().filter(open).collect();
                let beside = |other: &Ingredient| other.pins.values().any(|net| nets.contains(&net));
                let near = (0..ingredients.len()).filter(|at| beside(&ingredients[*at])).filter_map(|at| known[at]);
                levels[idx] = known[idx].or_else(|| near.min().map(|level| level + 1));
            }
        }
    }
    let middle = levels.iter().flatten().max().copied().unwrap_or_default() / 2;
    levels.into_iter().map(|level| level.unwrap_or(middle)).collect()
}

/// The parts where signals come from: what oscillates, else what supplies, else the first part.
fn starts(ingredients: &[Ingredient]) -> Vec<usize> {
    let of = |kinds: &[PartKind]| -> Vec<usize> {
        (0..ingredients.len()).filter(|idx| kinds.contains(&ingredients[*idx].kind)).collect()
    };
    let ways = [
        of(&[PartKind::Clock, PartKind::AcRail, PartKind::AcSource]),
        of(&[PartKind::DcSource]),
        of(&[PartKind::DcRail]),
    ];
    ways.into_iter().find(|found| !found.is_empty()).unwrap_or_else(|| vec![0])
}
