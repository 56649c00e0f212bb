//! Painting an arrangement, and noting who owns which pixel.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::PictureRecipe;
use super::arrange::{Item, arrange};
use super::ground;
use super::kinds::ThingSetting;
use super::shape::{Dab, ThingLook};
use crate::sources::labels::{Mask, Thing};
use crate::sources::photos::scenes::sheet::PaintSheet;

/// Light comes from the upper left.
const LIGHT: (f32, f32) = (-0.64, -0.77);
/// Nobody's pixel.
const GROUND: u8 = u8::MAX;

/// A finished picture.
pub(super) struct Painted {
    pub(super) picture: Picture,
    pub(super) things: Vec<Thing>,
    /// The share of the thing that is hidden most which is still in sight.
    pub(super) least_visible: f64,
}

/// Paints a recipe.
pub(super) fn paint(recipe: &PictureRecipe, width: u32, height: u32) -> Painted {
    let mut rng = Rng::new(recipe.seed);
    let mut sheet = PaintSheet::new(width as usize, height as usize);
    ground::paint(recipe.kind.setting, &mut sheet, &mut rng);
    let items = arrange(recipe, (width as f32, height as f32), &mut rng);
    let mut owners = vec![GROUND; (width * height) as usize];
    let mut painted = Vec::with_capacity(items.len());
    for (id, item) in items.iter().enumerate() {
        shadow(&mut sheet, item);
        painted.push(lay(&mut sheet, &mut owners, id as u8, item));
    }
    let things = things(&items, &owners, width);
    let visible = things.iter().zip(painted).map(|(thing, area)| thing.mask.area() as f64 / f64::from(area.max(1)));
    Painted { least_visible: visible.fold(1.0, f64::min), picture: sheet.develop(&mut rng), things }
}

/// The shadow of a thing on what it lies on. Nothing that flies has one.
fn shadow(sheet: &mut PaintSheet, item: &Item) {
    let Item { x, y, radius, .. } = *item;
    match item.kind.setting {
        ThingSetting::Table | ThingSetting::Meadow => {
            for (wide, dark) in [(0.98, 0.2), (0.84, 0.26)] {
                let middle = (x + radius * 0.16, y + radius * 0.2);
                sheet.ellipse(middle, (radius * wide, radius * wide * 0.94), [16.0, 14.0, 10.0], dark);
            }
        }
        ThingSetting::Lake => {
            let middle = (x + radius * 0.1, y + radius * 0.74);
            sheet.ellipse(middle, (radius * 0.96, radius * 0.2), [16.0, 44.0, 64.0], 0.5);
        }
        ThingSetting::Sky => {}
    }
}

/// Paints one thing; gives the number of its pixels.
fn lay(sheet: &mut PaintSheet, owners: &mut [u8], id: u8, item: &Item) -> u32 {
    let (sin, cos) = item.turn;
    let into = |x: f32, y: f32| (x * cos + y * sin, y * cos - x * sin);
    let look = ThingLook { color: item.tint, light: into(LIGHT.0, LIGHT.1) };
    let (width, per_radius) = (sheet.width, 1.0 / item.radius);
    let side = |at: f32, limit: usize| {
        let (from, to) = (at - item.radius - 1.0, at + item.radius + 2.0);
        (from.max(0.0) as usize)..(to.max(0.0) as usize).min(limit)
    };
    let (columns, rows) = (side(item.x, sheet.width), side(item.y, sheet.height));
    let mut n_pixels = 0;
    for y in rows {
        for x in columns.clone() {
            let point = into((x as f32 - item.x) * per_radius, (y as f32 - item.y) * per_radius);
            if point.0 * point.0 + point.1 * point.1 > 1.1 {
                continue;
            }
            let mut dab = Dab::new(item.radius);
            (item.kind.paint)(&mut dab, point, &look);
            if dab.cover > 0.0 {
                sheet.set(x, y, dab.over(sheet.get(x, y)));
            }
            if dab.cover >= 0.5 {
                owners[y * width + x] = id;
                n_pixels += 1;
            }
        }
    }
    n_pixels
}

/// Every thing with the pixels that it owns.
fn things(items: &[Item], owners: &[u8], width: u32) -> Vec<Thing> {
    let mut masks = vec![Mask::default(); items.len()];
    for (y, row) in owners.chunks_exact(width as usize).enumerate() {
        let mut from = 0;
        for stretch in row.chunk_by(|a, b| a == b) {
            let to = from + stretch.len() as u32;
            if let Some(mask) = masks.get_mut(stretch[0] as usize) {
                mask.push([y as u32, from, to]);
            }
            from = to;
        }
    }
    let thing = |(item, mask): (&Item, Mask)| Thing {
        kind: item.kind.name.to_owned(),
        color: item.color.map(str::to_owned),
        mask,
    };
    items.iter().zip(masks).map(thing).collect()
}
