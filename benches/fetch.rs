//! CPU per reset and per step of the two puzzles with an arm, beside the figures recorded of VisGym.
//!
//! `cargo bench -p quintain-physics --bench fetch`; what the columns mean is told in `measuring.rs`. MuJoCo must be there.

#![expect(clippy::print_stdout, reason = "a bench prints")]

#[path = "measuring.rs"]
mod measuring;

use measuring::{Measured, Recorded, measure_in, print_table};
use quintain_physics::fetch_pick_and_place::FetchPickAndPlace;
use quintain_physics::fetch_reach::FetchReach;
use quintain_puzzles::{MaterialSources, Puzzle, Puzzles};

static RECORDED: &[Recorded] = &[
    Recorded { name: "fetch-reach", size: (960, 480), reset_ms: 86.0, step_ms: 154.0, measure: measure::<FetchReach> },
    Recorded {
        name: "fetch-pick-and-place",
        size: (960, 480),
        reset_ms: 91.0,
        step_ms: 173.0,
        measure: measure::<FetchPickAndPlace>,
    },
];

fn main() {
    print_table(RECORDED);
}

fn measure<P: Puzzle>(recorded: &Recorded) -> Measured {
    let kind = || Puzzles::new(quintain_physics::KIND, quintain_physics::ALL, MaterialSources::default());
    measure_in::<P>(kind, recorded)
}
