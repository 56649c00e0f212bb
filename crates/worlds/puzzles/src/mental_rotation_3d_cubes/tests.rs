use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::seen::SeenSnake;
use super::snake::{n_unlike, quarter_turns};
use super::{Cubes, MentalRotation3dCubes, Snake};
use crate::exercise;
use crate::mental_rotation_3d::{Orientation, Start, tests as rotation};
use crate::puzzle::Puzzle;
use crate::solid::SolidTurn;

fn start(preset: &str, seed: u64) -> Start<Snake> {
    exercise::start::<MentalRotation3dCubes>(&exercise::task::<MentalRotation3dCubes>(), preset, seed)
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        format!("{preset}#{seed}: {}", exercise::golden::<MentalRotation3dCubes>(&start(preset, seed)))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first 5e20bf114266 all 850ba6d952e3 of 2
    easy#1: first e627b7556f0c all b30b17afc0c2 of 2
    easy#2: first 04acfe5be62b all d05950705c16 of 2
    hard#0: first be21d7ccf54f all bd069897fe0b of 2
    hard#1: first 94ab4a37526e all 87c851b343f8 of 2
    hard#2: first a472a267ff19 all 86c95f495c2c of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<MentalRotation3dCubes>(&exercise::task::<MentalRotation3dCubes>(), "easy", 0);
    insta::assert_snapshot!(text, @"
    Two views show the same snake of cubes. The left view, under the word TARGET, shows how it should be turned and never changes. In the right view, under the word YOURS, it was turned some other way, at least 30 degrees off; it was not mirrored or scaled, and the light stays where it is.

    Turn the right snake until it looks as on the left, then stop. It counts if a single further turn of at most 10 degrees, about whatever axis, would align the two exactly. You must stop yourself before the steps run out.

    A turn is given by three angles in degrees, each from -180 to 180: yaw, pitch, roll. They are carried out in this order, about axes that belong to the picture and never move with the snake, through the middle of the right view:
    - yaw: about the upright axis. Positive turns the side that faces you to the right.
    - pitch: about the level axis from left to right. Positive turns the side that faces you down and brings the top towards you.
    - roll: about the axis that points from the picture to you. Positive turns the picture of the snake counter-clockwise.

    Every turn starts from how the snake is turned at that moment.
    ");
}

#[test]
fn symmetric_snakes_are_known() {
    assert_eq!(quarter_turns().len(), 23);
    let straight: Vec<[i32; 3]> = (0..4).map(|x| [x, 0, 0]).collect();
    assert_eq!(n_unlike(&straight), 0);
    let s_shape = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]];
    assert_eq!(n_unlike(&s_shape), 0);
    let chiral = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [2, 2, 1], [2, 2, 2]];
    assert_eq!(n_unlike(&chiral), 0, "a screw looks the same from its other end");
    let nearly = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 1, 0], [3, 1, 1], [3, 1, 2]];
    assert_eq!(n_unlike(&nearly), 1, "its ends differ by one cube");
    let hook = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 1, 0], [3, 2, 0], [3, 2, 1], [2, 2, 1]];
    assert_eq!(n_unlike(&hook), 3);
}

#[test]
fn a_snake_seen_end_on_shows_too_little() {
    let snake = Snake {
        cells: vec![[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0], [1, 2, 1], [1, 2, 2], [1, 2, 3]],
        color: [9; 3],
    };
    let mut seen = SeenSnake::new(&snake);
    assert!(!seen.shows_enough(Orientation::of(SolidTurn::NONE)), "the last stretch hides behind its end");
    assert!(seen.seen(Orientation::of(SolidTurn::NONE)).contains(&false));
    let aslant = SolidTurn::about_y(35.0).then(SolidTurn::about_x(25.0));
    assert!(seen.shows_enough(Orientation::of(aslant)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn instances_can_be_told_and_seen(seed in any::<u64>(), hard in any::<bool>()) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        let snake = &start.thing;
        prop_assert_eq!(snake.stretches().len(), if hard { 6 } else { 4 });
        prop_assert!(snake.stretches().iter().all(|(from, to)| (2..=5).contains(&(to - from + 1))));
        prop_assert!(n_unlike(&snake.cells) >= 2);
        let initial = MentalRotation3dCubes::initial(&start);
        let mut seen = SeenSnake::new(snake);
        prop_assert!(seen.shows_enough(start.views.target) && seen.shows_enough(initial.orientation));
        prop_assert!(MentalRotation3dCubes::measure(&start, &initial)["angle_deg"] >= 30.0);
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start<Snake>>(&text).unwrap(), start);
    }

    #[test]
    fn every_strategy_ends_on_the_target(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..40) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        rotation::assert_every_strategy_aligns::<Cubes>(&start, length, seed);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        let start = start("easy", seed);
        exercise::assert_random_play_is_drawn_rightly::<MentalRotation3dCubes>(&start, 8, &mut Rng::new(seed));
    }
}
