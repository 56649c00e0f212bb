use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::{OracleStyle, WorldKind};
use serde_json::json;

use super::generate::{can_be_told_apart, generate};
use super::{Jigsaw, Parameters, Start, State};
use crate::exercise;
use crate::kind::Puzzles;
use crate::puzzle::Puzzle;
use crate::sources::MaterialSources;
use crate::sources::photos::{Photo, Photos, Scenes};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<Jigsaw>(&exercise::task::<Jigsaw>(), preset, seed)
}

/// A small jigsaw, quick to draw.
fn small(rows: usize, cols: usize, seed: u64) -> Start {
    exercise::generate::<Jigsaw>(json!({"rows": rows, "cols": cols, "width": 200, "height": 200}), seed).unwrap()
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances
        .map(|(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<Jigsaw>(&start(preset, seed))));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first 9322b7992a84 all 1e1b7dececae of 2
    easy#1: first 9cb82eb532eb all 9a110274ac01 of 2
    easy#2: first a6cb04459f51 all 0cda0a54c6f1 of 2
    hard#0: first 13ccb15b7931 all 41582c257890 of 2
    hard#1: first 442c9d096b88 all 3d98c9082f1f of 2
    hard#2: first 87a0c6cda3fd all ba63733333f5 of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    insta::assert_snapshot!(exercise::instruction::<Jigsaw>(&exercise::task::<Jigsaw>(), "hard", 0), @"
    A photograph was cut into 3 rows and 3 columns, 9 pieces of one size, and the pieces were mixed up. No piece was turned or flipped. Thin light lines separate the places.

    Lay the pieces so that the photograph is whole again, then stop. Only the exact arrangement counts; you must stop yourself before the steps run out.

    Rows are counted from 0 at the top, columns from 0 at the left. Places are counted row by row, from 0 at the top left to 8 at the bottom right.
    ");
}

#[test]
fn the_picture_is_at_least_as_large_as_promised() {
    for (rows, cols) in [(2, 2), (3, 3), (3, 5), (7, 1), (1, 7), (5, 7)] {
        let start = exercise::generate::<Jigsaw>(json!({"rows": rows, "cols": cols}), 1).unwrap();
        let picture = exercise::fresh::<Jigsaw>(&start, &Jigsaw::initial(&start));
        assert!(picture.width() >= 564 && picture.height() >= 404, "{rows}x{cols}: {picture:?}");
        assert!(picture.width() < 620 && picture.height() < 480, "{rows}x{cols}: {picture:?}");
    }
}

#[test]
fn the_solved_picture_is_the_photograph_with_lines() {
    let start = small(2, 4, 3);
    let photo = Scenes::default().load(&start.photo).unwrap();
    let picture = exercise::fresh::<Jigsaw>(&start, &State { order: (0..8).collect() });
    let pixel = |picture: &Picture, x: usize, y: usize| {
        let at = (y * picture.width() as usize + x) * 4;
        picture.rgba()[at..at + 3].to_vec()
    };
    for (x, y) in [(0, 0), (49, 99), (50, 100), (199, 199), (120, 40)] {
        let (col, row) = (x / 50, y / 100);
        assert_eq!(pixel(&photo, x, y), pixel(&picture, x + 2 * (col + 1), y + 2 * (row + 1)), "{x}, {y}");
    }
    for (x, y) in [(0, 30), (52, 30), (53, 30), (30, 102), (30, 103)] {
        assert_eq!(pixel(&picture, x, y), [250, 250, 247], "{x}, {y}");
    }
}

#[test]
fn calls_say_what_came_of_them() {
    let start = Start { order: vec![2, 0, 1, 3, 5, 4], ..small(2, 3, 0) };
    let mut state = Jigsaw::initial(&start);
    let surface = Surface { calls: Jigsaw::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('swap', ((0, 0), (0, 1)))",
        "('swap', [[0, 1], [0, 1]])",
        "('swap', ((2, 0), (0, 1)))",
        "('swap', ((0, 0), (3, 1)))",
        "('reorder', [0, 1, 2, 3, 4, 5])",
        "('reorder', [0, 2, 1, 3, 5, 4])",
        "('reorder', [0, 0, 1, 3, 5, 4])",
        "('reorder', [0, 1, 2])",
        "reorder(5, 4, 3, 2, 1, 0)",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<Jigsaw>(&start, &mut state, &call);
                let misplaced = Jigsaw::measure(&start, &state)["misplaced"];
                format!("{:?}: {} {:?}, {misplaced} misplaced", feedback.effect, feedback.text, state.order)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('swap', ((0, 0), (0, 1)))
        Changed: The two pieces changed places. [0, 2, 1, 3, 5, 4], 4 misplaced
    ('swap', [[0, 1], [0, 1]])
        Unchanged: Both places are the same: nothing moved. [0, 2, 1, 3, 5, 4], 4 misplaced
    ('swap', ((2, 0), (0, 1)))
        Refused: There is no such place: rows go from 0 to 1, columns from 0 to 2. [0, 2, 1, 3, 5, 4], 4 misplaced
    ('swap', ((0, 0), (3, 1)))
        `second` of `swap` must be a list of 2, each a whole number from 0 to 2, not [3,1]
    ('reorder', [0, 1, 2, 3, 4, 5])
        Unchanged: That is how the pieces lie already: nothing moved. [0, 2, 1, 3, 5, 4], 4 misplaced
    ('reorder', [0, 2, 1, 3, 5, 4])
        Changed: The pieces were laid out anew. [0, 1, 2, 3, 4, 5], 0 misplaced
    ('reorder', [0, 0, 1, 3, 5, 4])
        Refused: Every piece must be named exactly once: nothing moved. [0, 1, 2, 3, 4, 5], 0 misplaced
    ('reorder', [0, 1, 2])
        `order` of `reorder` must be a list of 6, each a whole number from 0 to 5, not [0,1,2]
    reorder(5, 4, 3, 2, 1, 0)
        Changed: The pieces were laid out anew. [5, 4, 3, 2, 1, 0], 6 misplaced
    ");
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"rows": 1, "cols": 1}),
        json!({"rows": 0, "cols": 3}),
        json!({"rows": 3, "cols": 9}),
        json!({"rows": 3, "cols": 3, "width": 40}),
        json!({"rows": 3, "cols": 3, "height": 9000}),
        json!({"rows": 3}),
        json!({"rows": 3, "cols": 3, "pieces": 9}),
    ];
    let said = given.map(|parameters| exercise::generate::<Jigsaw>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    a jigsaw of one piece is no puzzle: `rows` or `cols` must be more than 1
    `rows` is 0: a jigsaw has 1 to 8
    `cols` is 9: a jigsaw has 1 to 8
    `width` is 40: 3 pieces need 72 to 2048 pixels
    `height` is 9000: 3 pieces need 72 to 2048 pixels
    missing field `cols`
    unknown field `pieces`, expected one of `rows`, `cols`, `width`, `height`
    ");
}

/// A source of one picture: two halves of one colour each, or of one colour all over.
struct Halves([[u8; 3]; 2]);

impl Photos for Halves {
    fn name(&self) -> String {
        "halves".to_owned()
    }

    fn pick(&self, _rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String> {
        let photo = Photo { name: "only".to_owned(), width, height, digest: quintain_core::Digest::of(b"") };
        let digest = self.load(&photo)?.digest();
        Ok(Photo { digest, ..photo })
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let mut picture = Picture::filled(photo.width, photo.height, self.0[0]);
        let right = crate::canvas::Area::new(photo.width as i32 / 2, 0, photo.width as i32, photo.height as i32);
        crate::canvas::fill(&mut picture, right, self.0[1]);
        Ok(Arc::new(picture))
    }
}

#[test]
fn pieces_that_look_the_same_are_refused() {
    let make = |photos: &Halves, rows, cols| {
        generate(&Parameters { rows, cols, width: 100, height: 100 }, &mut Rng::new(0), photos).map(|_| "made")
    };
    let (two, one) = (Halves([[10, 10, 10], [200, 90, 30]]), Halves([[10, 10, 10], [10, 11, 10]]));
    assert_eq!(make(&two, 1, 2), Ok("made"));
    insta::assert_snapshot!(make(&two, 2, 2).unwrap_err(), @"16 photographs of halves were tried: none cuts into 2x2 pieces that can be told apart");
    insta::assert_snapshot!(make(&one, 1, 2).unwrap_err(), @"16 photographs of halves were tried: none cuts into 1x2 pieces that can be told apart");
}

#[test]
fn built_in_scenes_cut_into_pieces_that_can_be_told_apart() {
    let scenes = Scenes::default();
    let told_apart = |seed: &u64| {
        let photo = scenes.pick(&mut Rng::new(*seed), 288, 216).unwrap();
        can_be_told_apart(&scenes.load(&photo).unwrap(), 3, 3)
    };
    assert!((0..200).filter(told_apart).count() >= 198);
}

#[test]
fn pictures_that_are_held_never_change() {
    let start = small(2, 3, 0);
    let mut state = Jigsaw::initial(&start);
    let mut drawing = Jigsaw::draw(&start, &state, &MaterialSources::default()).unwrap();
    let style = OracleStyle { strategy: Some("swap".to_owned()), length: Some(12), seed: 1 };
    let mut held = Vec::new();
    for (step, call) in Jigsaw::solve(&start, &style).unwrap().iter().enumerate() {
        held.push((Jigsaw::redraw(&mut drawing, &start, &state), exercise::fresh::<Jigsaw>(&start, &state)));
        if step % 3 == 2 {
            held.remove(0);
        }
        Jigsaw::apply(&start, &mut state, call);
    }
    assert!(held.len() >= 7 && held.iter().all(|(shown, fresh)| **shown == *fresh));
    let last = Jigsaw::redraw(&mut drawing, &start, &state);
    assert!(Arc::ptr_eq(&last, &Jigsaw::redraw(&mut drawing, &start, &state)));
}

#[test]
fn the_fewest_swaps_are_made() {
    let start = Start { order: vec![1, 2, 0, 4, 3, 5], ..small(2, 3, 0) };
    for seed in 0..20 {
        let style = OracleStyle { strategy: Some("swap".to_owned()), length: None, seed };
        assert_eq!(exercise::assert_solves::<Jigsaw>(&start, &style), 4);
    }
}

#[test]
fn the_source_is_named() {
    let task = exercise::task::<Jigsaw>();
    let instance = Puzzles::default().instantiate(&task, &exercise::pick("easy", 0)).unwrap();
    let source = instance.source.unwrap();
    assert_eq!(source.name, "built-in scenes 1");
    assert_eq!(source.digest, exercise::start::<Jigsaw>(&task, "easy", 0).photo.digest);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_strategy_restores_the_photograph(
        seed in any::<u64>(), rows in 1_usize..6, cols in 2_usize..6, length in 0_u32..40,
    ) {
        let start = small(rows, cols, seed);
        prop_assert!(!start.order.is_sorted());
        for strategy in Jigsaw::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<Jigsaw>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal <= rows * cols);
        }
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>(), rows in 1_usize..4, cols in 2_usize..4) {
        let start = small(rows, cols, seed);
        exercise::assert_random_play_is_drawn_rightly::<Jigsaw>(&start, 12, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss(seed in any::<u64>(), rows in 2_usize..5, cols in 2_usize..5) {
        exercise::assert_near_misses_miss::<Jigsaw>(&small(rows, cols, seed), 7, &["misplaced"]);
    }
}
