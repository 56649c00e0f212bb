//! Tiles of one size in a row, each place numbered from 1 above the tile.

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::picture::Picture;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use serde_json::Value;

use super::order::{reorder, swap};
use super::solve::Naming;
use super::table::TileTable;
use crate::canvas::{Area, Color, copy, text};

/// Tiles in a row, at least and at most.
pub(crate) const N_TILES: std::ops::RangeInclusive<usize> = 2..=8;
/// Pixels along a side of a tile, at least and at most.
pub(crate) const SIDE: std::ops::RangeInclusive<u32> = 64..=512;
/// Pixels between two tiles and around all of them.
const GAP: i32 = 4;
/// Pixels of the strip above the tiles that the numbers stand in.
const STRIP: i32 = 26;
/// The height of a number in pixels.
const NUMBER: f32 = 13.0;
const TABLE: Color = [250, 250, 247];
const INK: Color = [28, 30, 36];

/// What the tiles are called, and how their places are named: by their numbers, from 1.
pub(crate) struct TileRow {
    /// How many tiles lie in it.
    pub(crate) n_tiles: usize,
    /// What one tile is called.
    pub(crate) noun: &'static str,
}

impl Naming for TileRow {
    fn first_place(&self) -> usize {
        1
    }

    fn place(&self, place: usize) -> Value {
        (place + 1).into()
    }
}

impl TileRow {
    /// The two calls that put a row in order.
    pub(crate) fn calls(&self) -> Vec<CallSchema> {
        let noun = self.noun;
        let number = || ValueType::Integer { min: 1, max: self.n_tiles as i64 };
        let order = ValueType::List { of: Box::new(number()), len: self.n_tiles };
        vec![
            CallSchema::plain("swap", &format!("Exchanges the {noun}s at two places."))
                .arg("first", number(), "the number above one place", 1)
                .arg("second", number(), "the number above the other place", self.n_tiles),
            CallSchema::plain("reorder", &format!("Lays out all {noun}s anew, from left to right.")).arg(
                "order",
                order,
                &format!(
                    "for each place from left to right, which {noun} goes there; a {noun} is named by the number above \
                     the place where it lies now; every number once"
                ),
                (1..=self.n_tiles).collect::<Vec<_>>(),
            ),
        ]
    }

    /// Carries out one of the two calls.
    pub(crate) fn apply(&self, order: &mut Vec<usize>, call: &Call) -> Feedback {
        let nouns = format!("{}s", self.noun);
        match (call.name.as_str(), call.args.as_slice()) {
            ("swap", [first, second]) => match (self.read(first), self.read(second)) {
                (Some(first), Some(second)) => swap(order, first, second, &nouns),
                _ => Feedback::refused(format!("There is no such place: they go from 1 to {}.", self.n_tiles)),
            },
            ("reorder", [list]) => reorder(order, list, 1, [self.noun, &nouns]),
            _ => Feedback::refused(format!("There is no such action here: {call}.")),
        }
    }

    fn read(&self, number: &Value) -> Option<usize> {
        let place = usize::try_from(number.as_i64()?).ok()?.checked_sub(1)?;
        (place < self.n_tiles).then_some(place)
    }
}

/// Refuses numbers of tiles and sizes that make no row.
pub(crate) fn check_size((name, n_tiles): (&str, usize), side: u32) -> Result<(), String> {
    if !N_TILES.contains(&n_tiles) {
        let (least, most) = (N_TILES.start(), N_TILES.end());
        return Err(format!("`{name}` is {n_tiles}: a row has {least} to {most}"));
    }
    if !SIDE.contains(&side) {
        return Err(format!("`tile` is {side}: a tile has {} to {} pixels", SIDE.start(), SIDE.end()));
    }
    Ok(())
}

/// A drawn row, and the tiles it is laid of.
pub(crate) struct DrawnRow {
    tiles: Vec<Arc<Picture>>,
    first_x: i32,
    table: TileTable,
}

impl DrawnRow {
    /// A row for tiles of one size. A picture that never moves, of the same size, may stand before them without number.
    pub(crate) fn new(tiles: Vec<Arc<Picture>>, before: Option<&Picture>) -> Self {
        let side = tiles.first().map_or(0, |tile| tile.width() as i32);
        let first_x = if before.is_some() { side + 4 * GAP } else { GAP };
        let (n_tiles, height) = (tiles.len() as i32, STRIP + side + GAP);
        let width = first_x + n_tiles * (side + GAP);
        let mut empty = Picture::filled(width as u32, height as u32, TABLE);
        if let Some(before) = before {
            copy(before, Area::new(0, 0, side, side), &mut empty, (GAP, STRIP));
        }
        for place in 0..n_tiles {
            let middle = (first_x + place * (side + GAP)) as f32 + side as f32 / 2.0;
            text(&mut empty, &(place + 1).to_string(), (middle, STRIP as f32 / 2.0), NUMBER, INK);
        }
        Self { tiles, first_x, table: TileTable::new(empty) }
    }

    /// Draws the places whose tile has changed, and gives the picture.
    pub(crate) fn show(&mut self, order: &[usize]) -> Arc<Picture> {
        let Self { tiles, first_x, table } = self;
        table.show(order, |picture, place, tile| {
            let tile = &tiles[tile];
            let side = tile.width() as i32;
            copy(tile, Area::new(0, 0, side, side), picture, (*first_x + place as i32 * (side + GAP), STRIP));
        })
    }
}
