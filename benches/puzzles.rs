//! CPU per reset and per step of each puzzle, beside the figures recorded of VisGym.
//!
//! `cargo bench -p quintain-puzzles --bench puzzles`; what the columns mean is told in `measuring.rs`.

#![expect(clippy::print_stdout, reason = "a bench prints")]

#[path = "measuring.rs"]
mod measuring;

use measuring::{Measured, Recorded, measure_in, print_table};
use quintain_puzzles::{
    Puzzle, Puzzles, colorization, counting, jigsaw, matchstick_equation, matchstick_rotation, maze_2d, maze_3d,
    mental_rotation_2d, mental_rotation_3d_cubes, mental_rotation_3d_meshes, patch_reassembly, referring_dot_pointing,
    sliding_block, video_unshuffle, zoom_in,
};

static RECORDED: &[Recorded] = &[
    Recorded { name: "maze-2d", size: (225, 225), reset_ms: 1.4, step_ms: 0.56, measure: measure::<maze_2d::Maze2d> },
    Recorded {
        name: "maze-3d",
        size: (1024, 576),
        reset_ms: 982.0,
        step_ms: 827.0,
        measure: measure::<maze_3d::Maze3d>,
    },
    Recorded {
        name: "sliding-block",
        size: (420, 290),
        reset_ms: 5.3,
        step_ms: 2.0,
        measure: measure::<sliding_block::SlidingBlock>,
    },
    Recorded {
        name: "matchstick-equation",
        size: (300, 80),
        reset_ms: 2.8,
        step_ms: 1.7,
        measure: measure::<matchstick_equation::MatchstickEquation>,
    },
    Recorded {
        name: "matchstick-rotation",
        size: (400, 400),
        reset_ms: 32.0,
        step_ms: 33.0,
        measure: measure::<matchstick_rotation::MatchstickRotation>,
    },
    Recorded {
        name: "mental-rotation-3d-cubes",
        size: (512, 256),
        reset_ms: 160.0,
        step_ms: 83.0,
        measure: measure::<mental_rotation_3d_cubes::MentalRotation3dCubes>,
    },
    Recorded {
        name: "mental-rotation-3d-meshes",
        size: (256, 128),
        reset_ms: 454.0,
        step_ms: 24.0,
        measure: measure::<mental_rotation_3d_meshes::MentalRotation3dMeshes>,
    },
    Recorded { name: "jigsaw", size: (564, 404), reset_ms: 5.5, step_ms: 0.65, measure: measure::<jigsaw::Jigsaw> },
    Recorded {
        name: "video-unshuffle",
        size: (896, 224),
        reset_ms: 1981.0,
        step_ms: 0.38,
        measure: measure::<video_unshuffle::VideoUnshuffle>,
    },
    Recorded { name: "zoom-in", size: (1120, 224), reset_ms: 22.0, step_ms: 6.7, measure: measure::<zoom_in::ZoomIn> },
    Recorded {
        name: "mental-rotation-2d",
        size: (256, 128),
        reset_ms: 3.2,
        step_ms: 0.24,
        measure: measure::<mental_rotation_2d::MentalRotation2d>,
    },
    Recorded {
        name: "patch-reassembly",
        size: (680, 760),
        reset_ms: 2.8,
        step_ms: 2.6,
        measure: measure::<patch_reassembly::PatchReassembly>,
    },
    Recorded {
        name: "colorization",
        size: (816, 397),
        reset_ms: 1714.0,
        step_ms: 5.1,
        measure: measure::<colorization::Colorization>,
    },
    Recorded {
        name: "counting",
        size: (560, 400),
        reset_ms: 9.2,
        step_ms: 0.58,
        measure: measure::<counting::Counting>,
    },
    Recorded {
        name: "referring-dot-pointing",
        size: (560, 400),
        reset_ms: 5.5,
        step_ms: 0.41,
        measure: measure::<referring_dot_pointing::ReferringDotPointing>,
    },
];

fn main() {
    print_table(RECORDED);
}

fn measure<P: Puzzle>(recorded: &Recorded) -> Measured {
    measure_in::<P>(Puzzles::default, recorded)
}
