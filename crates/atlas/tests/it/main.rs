//! What holds of every world, and that questions of four families find their instances in it.

mod families;
mod growth;
mod names;
mod questions;
mod same_world;
mod structure;

use std::sync::OnceLock;

use quintain_atlas::{Atlas, Edition, Size};

/// Worlds that several tests look at, each made once.
fn world(size: Size, seed: u64) -> &'static Atlas {
    static WORLDS: OnceLock<Vec<((Size, u64), Atlas)>> = OnceLock::new();
    let make = |pair: (Size, u64)| (pair, Atlas::new(Edition::FIRST, pair.1, pair.0));
    let pairs = [(Size::Small, 1), (Size::Small, 2), (Size::Small, 3), (Size::Standard, 1), (Size::Standard, 2)];
    let worlds = WORLDS.get_or_init(|| pairs.into_iter().map(make).collect());
    let found = worlds.iter().find(|(pair, _)| *pair == (size, seed));
    &found.expect("only worlds of the list are asked for").1
}

const ALL: [(Size, u64); 5] =
    [(Size::Small, 1), (Size::Small, 2), (Size::Small, 3), (Size::Standard, 1), (Size::Standard, 2)];
