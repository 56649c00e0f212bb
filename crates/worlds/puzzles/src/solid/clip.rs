//! Cutting off what lies behind the eye.

use super::camera::{CameraView, NEAREST};
use super::triangle::{Corner, Triangle};
use super::vector::between;

/// A corner with all that belongs to it.
#[derive(Clone, Copy)]
struct Full {
    corner: Corner,
    place: [f32; 2],
    color: [u8; 3],
}

/// The parts of a triangle before the eye: none, one or two triangles.
pub(super) fn clipped(triangle: &Triangle, view: &CameraView) -> Vec<Triangle> {
    let full =
        [0, 1, 2].map(|i| Full { corner: triangle.corners[i], place: triangle.places[i], color: triangle.colors[i] });
    let mut kept = Vec::with_capacity(4);
    for i in 0..3 {
        let (here, next) = (full[i], full[(i + 1) % 3]);
        if here.corner.is_before {
            kept.push(here);
        }
        if here.corner.is_before != next.corner.is_before {
            // From the same end for both triangles that share the edge.
            kept.push(if here.corner.is_before { cut(here, next, view) } else { cut(next, here, view) });
        }
    }
    let part = |three: [Full; 3]| Triangle {
        corners: three.map(|full| full.corner),
        places: three.map(|full| full.place),
        colors: three.map(|full| full.color),
    };
    (2..kept.len()).map(|i| part([kept[0], kept[i - 1], kept[i]])).collect()
}

/// The point where the way from a corner before the eye to one behind it leaves the seen space.
fn cut(before: Full, behind: Full, view: &CameraView) -> Full {
    let (near, far) = (-before.corner.at[2], -behind.corner.at[2]);
    let share = (near - NEAREST) / (near - far);
    let mut at = between(before.corner.at, behind.corner.at, share);
    at[2] = -NEAREST;
    let cosine = before.corner.cosine + (behind.corner.cosine - before.corner.cosine) * share;
    let along = |a: f32, b: f32| a + (b - a) * share;
    let channel = |i: usize| along(f32::from(before.color[i]), f32::from(behind.color[i])) as u8;
    Full {
        corner: Corner::new(at, cosine, view),
        place: [0, 1].map(|i| along(before.place[i], behind.place[i])),
        color: [channel(0), channel(1), channel(2)],
    }
}
