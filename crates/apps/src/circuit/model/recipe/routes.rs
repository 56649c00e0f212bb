//! Straight wires between the pins of a net that touch no other pin on their way.

use crate::circuit::model::document::GridPoint;

/// What wires have to look out for.
#[derive(Clone, Debug, Default)]
pub(super) struct WireObstacles {
    /// Every pin.
    pub(super) pins: Vec<GridPoint>,
    /// Areas that wires had better not cross: left, top, right, bottom.
    pub(super) areas: Vec<[i32; 4]>,
}

/// What crossing a part costs, in grid units of wire.
const CROSSING: f64 = 24.0;

/// The cheapest wires that join all pins; nothing where every way leads over another pin.
pub(super) fn tree(pins: &[GridPoint], field: &WireObstacles) -> Option<Vec<(GridPoint, GridPoint)>> {
    let mut ways: Vec<(f64, usize, usize)> = Vec::new();
    for (one, from) in pins.iter().enumerate() {
        for (other, to) in pins.iter().enumerate().skip(one + 1) {
            if let Some(cost) = cost(*from, *to, field) {
                ways.push((cost, one, other));
            }
        }
    }
    ways.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut group: Vec<usize> = (0..pins.len()).collect();
    let mut wires = Vec::new();
    for (_, one, other) in ways {
        let (old, new) = (group[one], group[other]);
        if old != new {
            group.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
            wires.push((pins[one], pins[other]));
        }
    }
    (wires.len() + 1 == pins.len().max(1)).then_some(wires)
}

/// What a wire costs; nothing where it must not be.
fn cost(from: GridPoint, to: GridPoint, field: &WireObstacles) -> Option<f64> {
    let meets_pin = field.pins.iter().any(|pin| *pin != from && *pin != to && lies_between(*pin, from, to));
    if from == to || meets_pin {
        return None;
    }
    let [dx, dy] = [f64::from(to[0] - from[0]), f64::from(to[1] - from[1])];
    let n_crossed = field.areas.iter().filter(|area| crosses(from, to, **area)).count();
    Some(dx.hypot(dy) + CROSSING * n_crossed as f64)
}

/// Whether a point lies on the straight line between two others, or so near that it could be taken for it.
fn lies_between([x, y]: GridPoint, [x1, y1]: GridPoint, [x2, y2]: GridPoint) -> bool {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let along = (x - x1) * dx + (y - y1) * dy;
    let length_squared = dx * dx + dy * dy;
    let across = (x - x1) * dy - (y - y1) * dx;
    // A third of a grid unit: what an app that snaps would still take for the line.
    along > 0 && along < length_squared && 9 * across * across < length_squared
}

/// Whether a straight line passes through the inside of a rectangle; touching its edge does not count.
fn crosses([x1, y1]: GridPoint, [x2, y2]: GridPoint, [left, top, right, bottom]: [i32; 4]) -> bool {
    let within = 0.5;
    let (x1, y1, dx, dy) = (f64::from(x1), f64::from(y1), f64::from(x2 - x1), f64::from(y2 - y1));
    let sides = [
        (-dx, x1 - f64::from(left) - within),
        (dx, f64::from(right) - within - x1),
        (-dy, y1 - f64::from(top) - within),
        (dy, f64::from(bottom) - within - y1),
    ];
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (slope, room) in sides {
        if slope == 0.0 {
            if room < 0.0 {
                return false;
            }
        } else if slope < 0.0 {
            enters = enters.max(room / slope);
        } else {
            leaves = leaves.min(room / slope);
        }
    }
    enters < leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_avoid_pins_and_areas() {
        let field = WireObstacles { pins: vec![[0, 0], [8, 0], [4, 0], [4, 6]], areas: vec![[1, 1, 3, 5]] };
        assert_eq!(tree(&[[0, 0], [8, 0]], &field), None, "a pin lies between");
        assert_eq!(tree(&[[0, 0], [4, 6]], &field).map(|wires| wires.len()), Some(1), "dear, but the only way");
        let wires = tree(&[[0, 0], [8, 0], [4, 6]], &WireObstacles { pins: Vec::new(), ..field });
        assert_eq!(wires, Some(vec![([8, 0], [4, 6]), ([0, 0], [8, 0])]), "the way across the area is the dearest");
    }

    #[test]
    fn touching_an_edge_is_not_crossing() {
        assert!(crosses([0, 0], [10, 0], [2, -1, 6, 1]));
        assert!(!crosses([0, 1], [10, 1], [2, -1, 6, 1]));
        assert!(!crosses([0, 0], [2, 0], [2, -1, 6, 1]));
        assert!(!crosses([6, 0], [9, 5], [2, -1, 6, 1]));
        assert!(crosses([2, 0], [9, 0], [2, -1, 6, 1]));
    }
}
