//! Where things go, so that every one of them can be seen.

use std::f64::consts::PI;

use quintain_core::rng::Rng;

use super::PictureRecipe;
use super::kinds::{KINDS, ThingKind};
use crate::sources::photos::scenes::sheet::{Rgb, near, within};

/// The usual radius of the largest things, as a share of the picture's height.
const LARGEST: f64 = 0.088;
/// How much of the picture the circles around all things cover at most.
const COVER: f64 = 0.3;
/// How much smaller and larger than the usual a thing may be.
const SPREAD: (f32, f32) = (0.72, 1.28);
/// How often a place is looked for before the thing is made smaller.
const TRIES: usize = 60;
/// How much smaller it then is.
const SHRINK: f32 = 0.94;
/// How far from the edge of the picture a thing stays, in shares of its radius.
const MARGIN: f32 = 1.06;

/// A thing in its place.
pub(super) struct Item {
    pub(super) kind: &'static ThingKind,
    pub(super) color: Option<&'static str>,
    pub(super) tint: Rgb,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) radius: f32,
    /// Sine and cosine of how far it is turned.
    pub(super) turn: (f32, f32),
}

/// The things of a recipe, from the back to the front.
pub(super) fn arrange(recipe: &PictureRecipe, (width, height): (f32, f32), rng: &mut Rng) -> Vec<Item> {
    let kinds = kinds(recipe, rng);
    let n_things = kinds.len().max(1) as f64;
    let room = (COVER * f64::from(width) * f64::from(height) / (PI * n_things)).sqrt();
    let usual = (room.min(f64::from(height) * LARGEST) * f64::from(recipe.size) / 100.0) as f32;
    let mut sized: Vec<(&ThingKind, f32)> =
        kinds.into_iter().map(|kind| (kind, usual * kind.size * within(rng, SPREAD.0, SPREAD.1))).collect();
    sized.sort_by(|a, b| b.1.total_cmp(&a.1));
    let apart = 1.0 - f32::from(recipe.overlap) / 100.0;
    let mut items: Vec<Item> = Vec::new();
    for (kind, radius) in sized {
        let item = item(kind, radius, &items, (width, height, apart), rng);
        items.push(item);
    }
    items.sort_by(|a, b| (a.y + a.radius).total_cmp(&(b.y + b.radius)));
    items
}

/// The kind of every thing: so many of the one in question, and others of the same setting.
fn kinds(recipe: &PictureRecipe, rng: &mut Rng) -> Vec<&'static ThingKind> {
    let others: Vec<&ThingKind> =
        KINDS.iter().filter(|kind| kind.setting == recipe.kind.setting && kind.name != recipe.kind.name).collect();
    let other = (0..recipe.n_others).map(|_| *rng.choose(&others));
    other.chain(std::iter::repeat_n(recipe.kind, recipe.n_things)).collect()
}

/// A thing of a kind at a place where there is room for it.
fn item(
    kind: &'static ThingKind,
    mut radius: f32,
    items: &[Item],
    (width, height, apart): (f32, f32, f32),
    rng: &mut Rng,
) -> Item {
    let (x, y) = 'found: loop {
        let edge = radius * MARGIN;
        for _ in 0..TRIES {
            let (x, y) = (within(rng, edge, width - edge), within(rng, edge, height - edge));
            let is_free = |other: &Item| {
                let (dx, dy, reach) = (other.x - x, other.y - y, (other.radius + radius) * apart);
                dx * dx + dy * dy >= reach * reach
            };
            if items.iter().all(is_free) {
                break 'found (x, y);
            }
        }
        radius *= SHRINK;
    };
    let (name, color) = *rng.choose(kind.colors);
    let angle = rng.uniform(-kind.turn, kind.turn) * PI;
    Item {
        kind,
        color: (kind.colors.len() > 1).then_some(name),
        tint: near(rng, color, 6.0),
        x,
        y,
        radius,
        turn: (libm::sin(angle) as f32, libm::cos(angle) as f32),
    }
}
