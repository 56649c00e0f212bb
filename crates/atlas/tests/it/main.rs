//! What holds of every world, and that questions of four families find their instances in it.

mod families;
mod growth;
mod names;
mod questions;
mod same_world;
mod structure;

use std::sync::OnceLock;

use quintain_atlas::{Atlas, Edition, Size};

/// Worlds that several tests look at, each made at most once.
fn world(size: Size, seed: u64) -> &'static Atlas {
    static WORLDS: [OnceLock<Atlas>; ALL.len()] = [const { OnceLock::new() }; ALL.len()];
    let nth = ALL.iter().position(|pair| *pair == (size, seed)).expect("only worlds of the list are asked for");
    WORLDS[nth].get_or_init(|| Atlas::new(Edition::FIRST, seed, size))
}

const ALL: [(Size, u64); 5] =
    [(Size::Small, 1), (Size::Small, 2), (Size::Small, 3), (Size::Standard, 1), (Size::Standard, 2)];
