use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::WorldKind;
use serde_json::json;

use super::generate::is_decidable;
use super::{Start, State, ZoomIn, ZoomView};
use crate::canvas::{Area, Color, fill};
use crate::exercise;
use crate::kind::Puzzles;
use crate::puzzle::Puzzle;
use crate::scale::scale;
use crate::sources::photos::{Photos, Scenes};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<ZoomIn>(&exercise::task::<ZoomIn>(), preset, seed)
}

/// A small one, quick to draw.
fn small(views: usize, seed: u64) -> Start {
    let parameters = json!({"views": views, "least_gap": 1.2, "most_gap": 1.3, "tile": 128});
    exercise::generate::<ZoomIn>(parameters, seed).unwrap()
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances
        .map(|(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<ZoomIn>(&start(preset, seed))));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first 0ae9568d3fa3 all 94c912950e58 of 2
    easy#1: first 0b152a73cd9f all 15e25578e9ed of 2
    easy#2: first a1caa0497500 all c13192c95ebf of 2
    hard#0: first d27530adfea5 all 06ac97ebab78 of 2
    hard#1: first 46c999b447ef all 2dfb8563e487 of 2
    hard#2: first 16a2ea91c032 all 7b185fe27d26 of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    insta::assert_snapshot!(exercise::instruction::<ZoomIn>(&exercise::task::<ZoomIn>(), "hard", 0), @"
    At the left, without a number, stands a whole picture. Beside it lie 6 views of it in a row, in places numbered from 1 to 6. Each view shows a square part of the picture, and all views are drawn equally large: the smaller the part, the closer the view. Every view but the widest lies wholly within the next wider one, though seldom in its middle. No view was turned or flipped.

    Put the views in order from left to right, the widest first and the closest last, then stop. Only the exact order counts; you must stop yourself before the steps run out.

    The numbers belong to the places and stay where they are. A view is named by the number above the place where it lies now.
    ");
}

#[test]
fn the_picture_is_at_least_as_large_as_promised() {
    for (preset, width) in [("easy", 5 * 224), ("hard", 7 * 224)] {
        let start = start(preset, 1);
        let picture = exercise::fresh::<ZoomIn>(&start, &ZoomIn::initial(&start));
        assert!(picture.width() >= width && picture.height() >= 224, "{picture:?}");
    }
}

#[test]
fn each_view_lies_within_the_one_before_and_is_closer_by_the_gap() {
    for (preset, least, most) in [("easy", 1.35, 1.5), ("hard", 1.15, 1.25)] {
        for seed in 0..20 {
            let Start { photo, views, .. } = start(preset, seed);
            let mut around = ZoomView { x: 0, y: 0, side: photo.width };
            for view in views {
                assert!(view.x >= around.x && view.x + view.side <= around.x + around.side, "{preset}#{seed}");
                assert!(view.y >= around.y && view.y + view.side <= around.y + around.side, "{preset}#{seed}");
                // Sides are whole pixels, so a gap may be a little larger than asked for.
                let gap = f64::from(around.side) / f64::from(view.side);
                assert!(gap >= least && gap < most * 1.01, "{preset}#{seed}: {gap}");
                around = view;
            }
        }
    }
}

#[test]
fn tiles_show_what_the_views_say() {
    let start = small(3, 4);
    let photo = Scenes::default().load(&start.photo).unwrap();
    let picture = exercise::fresh::<ZoomIn>(&start, &State { order: vec![2, 0, 1] });
    let shown = |x: i32| scale(picture.rgba(), picture.width(), Area::new(x, 26, 128, 128), (128, 128));
    let cut = |area| scale(photo.rgba(), photo.width(), area, (128, 128));
    assert!(shown(4) == cut(Area::new(0, 0, 256, 256)), "the whole stands first");
    for (place, view) in [2, 0, 1].into_iter().enumerate() {
        assert!(shown(144 + place as i32 * 132) == cut(start.views[view].area()), "place {place}");
    }
}

#[test]
fn calls_say_what_came_of_them() {
    let start = Start { order: vec![2, 0, 1, 3], ..small(4, 0) };
    let mut state = ZoomIn::initial(&start);
    let surface = Surface { calls: ZoomIn::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('swap', (1, 2))",
        "('swap', (2, 2))",
        "('swap', (0, 2))",
        "('swap', (1, 5))",
        "('reorder', [1, 2, 3, 4])",
        "('reorder', [1, 3, 2, 4])",
        "('reorder', [1, 1, 2, 4])",
        "('reorder', [0, 1, 2, 3])",
        "reorder(4, 3, 2, 1)",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<ZoomIn>(&start, &mut state, &call);
                let measures = ZoomIn::measure(&start, &state);
                format!("{:?}: {} {:?} {measures:?}", feedback.effect, feedback.text, state.order)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    ('swap', (1, 2))
        Changed: The two views changed places. [0, 2, 1, 3] {"misplaced": 2.0, "pairs_reversed": 1.0}
    ('swap', (2, 2))
        Unchanged: Both places are the same: nothing moved. [0, 2, 1, 3] {"misplaced": 2.0, "pairs_reversed": 1.0}
    ('swap', (0, 2))
        `first` of `swap` must be a whole number from 1 to 4, not 0
    ('swap', (1, 5))
        `second` of `swap` must be a whole number from 1 to 4, not 5
    ('reorder', [1, 2, 3, 4])
        Unchanged: That is how the views lie already: nothing moved. [0, 2, 1, 3] {"misplaced": 2.0, "pairs_reversed": 1.0}
    ('reorder', [1, 3, 2, 4])
        Changed: The views were laid out anew. [0, 1, 2, 3] {"misplaced": 0.0, "pairs_reversed": 0.0}
    ('reorder', [1, 1, 2, 4])
        Refused: Every view must be named exactly once: nothing moved. [0, 1, 2, 3] {"misplaced": 0.0, "pairs_reversed": 0.0}
    ('reorder', [0, 1, 2, 3])
        `order` of `reorder` must be a list of 4, each a whole number from 1 to 4, not [0,1,2,3]
    reorder(4, 3, 2, 1)
        Changed: The views were laid out anew. [3, 2, 1, 0] {"misplaced": 4.0, "pairs_reversed": 6.0}
    "#);
}

#[test]
fn the_calls_are_told() {
    let told = ZoomIn::calls(&small(4, 0)).into_iter().map(|call| format!("{call:#?}")).collect::<Vec<_>>().join("\n");
    for word in ["swap", "reorder", "view", "the number above"] {
        assert!(told.contains(word), "{word}");
    }
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"views": 1, "least_gap": 1.3, "most_gap": 1.5}),
        json!({"views": 9, "least_gap": 1.3, "most_gap": 1.5}),
        json!({"views": 4, "least_gap": 1.0, "most_gap": 1.5}),
        json!({"views": 4, "least_gap": 1.6, "most_gap": 1.5}),
        json!({"views": 6, "least_gap": 1.3, "most_gap": 2.0}),
        json!({"views": 4, "least_gap": 1.3, "most_gap": 1.5, "tile": 1000}),
        json!({"views": 4}),
    ];
    let said = given.map(|parameters| exercise::generate::<ZoomIn>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `views` is 1: a row has 2 to 8
    `views` is 9: a row has 2 to 8
    `least_gap` is 1 and `most_gap` is 1.5: gaps are 1.1 to 3, the least one first
    `least_gap` is 1.6 and `most_gap` is 1.5: gaps are 1.1 to 3, the least one first
    6 views with gaps up to 2 end at 7 pixels of the photograph: at least 32 are wanted
    `tile` is 1000: a tile has 64 to 512 pixels
    missing field `least_gap`
    ");
}

/// A picture of nested squares around one corner.
fn nested_squares(sides: &[(i32, Color)]) -> Picture {
    let mut picture = Picture::filled(200, 200, [240, 240, 240]);
    for (side, color) in sides {
        fill(&mut picture, Area::new(0, 0, *side, *side), *color);
    }
    picture
}

#[test]
fn an_order_that_nobody_could_see_is_refused() {
    let views = [(180, 180), (120, 120), (80, 80)].map(|(_, side)| ZoomView { x: 0, y: 0, side });
    let flat = nested_squares(&[]);
    assert!(!is_decidable(&flat, &views), "all look the same");
    // A ramp looks flatter the closer one looks, but one band more is no landmark: each half is a part of the other.
    let halves = nested_squares(&[(60, [20, 20, 20])]);
    let fits_both_ways = [ZoomView { x: 20, y: 20, side: 60 }, ZoomView { x: 40, y: 40, side: 30 }];
    assert!(!is_decidable(&halves, &fits_both_ways), "a wide corner is like a close corner");
    let landmarks =
        nested_squares(&[(150, [200, 40, 40]), (100, [40, 160, 60]), (60, [30, 40, 170]), (20, [250, 220, 0])]);
    assert!(is_decidable(&landmarks, &views));
}

/// Neighbours of hard rows must look more alike than those of easy ones.
#[test]
fn hard_views_are_harder_to_tell_apart() {
    let mean_difference = |preset: &str| {
        let scenes = Scenes::default();
        let of = |seed: u64| {
            let start = start(preset, seed);
            let photo = scenes.load(&start.photo).unwrap();
            let cut = |view: &ZoomView| scale(photo.rgba(), photo.width(), view.area(), (64, 64));
            let views: Vec<Picture> = start.views.iter().map(cut).collect();
            let pairs = views.windows(2).map(|pair| crate::tiles::look::difference(pair[0].rgba(), pair[1].rgba()));
            pairs.sum::<f64>() / (views.len() - 1) as f64
        };
        (0..12).map(of).sum::<f64>() / 12.0
    };
    let (easy, hard) = (mean_difference("easy"), mean_difference("hard"));
    assert!(hard < 0.9 * easy, "easy {easy}, hard {hard}");
}

#[test]
fn the_source_is_named() {
    let task = exercise::task::<ZoomIn>();
    let instance = Puzzles::default().instantiate(&task, &exercise::pick("easy", 0)).unwrap();
    assert_eq!(instance.source.unwrap().name, "built-in scenes 1");
}

#[test]
fn pictures_that_are_held_never_change() {
    let start = small(4, 0);
    let mut state = ZoomIn::initial(&start);
    let mut drawing = ZoomIn::draw(&start, &state, &crate::MaterialSources::default()).unwrap();
    let first = ZoomIn::redraw(&mut drawing, &start, &state);
    let kept = Picture::clone(&first);
    state.order.swap(0, 3);
    let second = ZoomIn::redraw(&mut drawing, &start, &state);
    assert!(*first == kept && *second != kept);
    assert!(Arc::ptr_eq(&second, &ZoomIn::redraw(&mut drawing, &start, &state)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_strategy_puts_the_views_in_order(seed in any::<u64>(), views in 2_usize..7, length in 0_u32..30) {
        let start = small(views, seed);
        prop_assert!(!start.order.is_sorted());
        for strategy in ZoomIn::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<ZoomIn>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal <= views);
        }
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>(), views in 2_usize..6) {
        exercise::assert_random_play_is_drawn_rightly::<ZoomIn>(&small(views, seed), 12, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss(seed in any::<u64>(), views in 2_usize..7) {
        exercise::assert_near_misses_miss::<ZoomIn>(&small(views, seed), 1, &["misplaced", "pairs_reversed"]);
    }
}
