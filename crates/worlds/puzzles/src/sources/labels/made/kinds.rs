//! What there is to see: kinds of things, where they belong and which colours they have.

use super::garden;
use super::shape::{Dab, ThingLook};
use super::shore;
use super::table;
use crate::sources::photos::scenes::sheet::Rgb;

/// Where things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThingSetting {
    Table,
    Meadow,
    Lake,
    Sky,
}

/// A kind of thing.
pub(super) struct ThingKind {
    pub(super) name: &'static str,
    pub(super) setting: ThingSetting,
    /// The colours it comes in. Where there is only one, it is not spoken of.
    pub(super) colors: &'static [(&'static str, Rgb)],
    /// How large it is beside others.
    pub(super) size: f32,
    /// How far it may be turned to either side, as a share of half a circle.
    pub(super) turn: f64,
    pub(super) paint: fn(&mut Dab, (f32, f32), &ThingLook),
}

const RED: (&str, Rgb) = ("red", [206.0, 34.0, 34.0]);
const ORANGE: (&str, Rgb) = ("orange", [240.0, 128.0, 22.0]);
const YELLOW: (&str, Rgb) = ("yellow", [248.0, 212.0, 44.0]);
const GREEN: (&str, Rgb) = ("green", [66.0, 156.0, 60.0]);
const BLUE: (&str, Rgb) = ("blue", [38.0, 84.0, 204.0]);
const PURPLE: (&str, Rgb) = ("purple", [132.0, 58.0, 172.0]);
const PINK: (&str, Rgb) = ("pink", [246.0, 138.0, 184.0]);
const WHITE: (&str, Rgb) = ("white", [244.0, 243.0, 238.0]);
const BLACK: (&str, Rgb) = ("black", [46.0, 46.0, 54.0]);
const BROWN: (&str, Rgb) = ("brown", [134.0, 86.0, 48.0]);

macro_rules! kind {
    ($name:literal, $setting:ident, [$($color:expr),+], $size:literal, $turn:literal, $paint:path) => {
        ThingKind { name: $name, setting: ThingSetting::$setting, colors: &[$($color),+], size: $size, turn: $turn, paint: $paint }
    };
}

pub(super) static KINDS: [ThingKind; 15] = [
    kind!("apple", Table, [RED, GREEN], 1.0, 1.0, table::apple),
    kind!("lemon", Table, [YELLOW], 1.0, 1.0, table::lemon),
    kind!("strawberry", Table, [RED], 0.92, 1.0, table::strawberry),
    kind!("button", Table, [BLUE, PURPLE, WHITE, GREEN, PINK], 0.8, 1.0, table::button),
    kind!("ball", Meadow, [RED, BLUE, YELLOW, WHITE, PURPLE], 0.95, 1.0, garden::ball),
    kind!("flower", Meadow, [WHITE, PINK, ORANGE, PURPLE], 1.05, 1.0, garden::flower),
    kind!("mushroom", Meadow, [RED, BROWN, WHITE], 1.05, 0.12, garden::mushroom),
    kind!("leaf", Meadow, [RED, ORANGE, YELLOW], 1.1, 1.0, garden::leaf),
    kind!("boat", Lake, [WHITE, RED, YELLOW, ORANGE], 1.15, 0.04, shore::boat),
    kind!("duck", Lake, [WHITE, YELLOW, BROWN], 0.95, 0.05, shore::duck),
    kind!("buoy", Lake, [RED, YELLOW, GREEN], 0.9, 0.08, shore::buoy),
    kind!("balloon", Sky, [RED, YELLOW, GREEN, PURPLE, ORANGE], 1.15, 0.05, shore::balloon),
    kind!("kite", Sky, [RED, YELLOW, GREEN, PURPLE, PINK], 1.1, 0.25, shore::kite),
    kind!("bird", Sky, [BLACK], 1.05, 0.14, shore::bird),
    kind!("airplane", Sky, [RED, YELLOW, PINK], 1.1, 0.6, shore::airplane),
];

/// The kind of a name.
pub(super) fn kind_named(name: &str) -> Option<&'static ThingKind> {
    KINDS.iter().find(|kind| kind.name == name)
}
