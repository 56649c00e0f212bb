use proptest::prelude::*;
use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;
use quintain_puzzles::Puzzle;
use quintain_puzzles::exercise;
use quintain_puzzles::puzzle::{after, call};
use serde_json::json;

use super::{FetchPickAndPlace, Start};
use crate::motion::{Motion, distance};
use crate::tests::{assert_judge_is_strict, assert_solves, has_physics, n_pixels_like, pictures};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<FetchPickAndPlace>(&exercise::task::<FetchPickAndPlace>(), preset, seed)
}

#[test]
fn first_pictures_never_change() {
    let lines = pictures(|preset, seed| {
        let start = start(preset, seed);
        crate::view::Drawing::new(&start.view, start.goal, &FetchPickAndPlace::initial(&start))
    });
    insta::assert_snapshot!(lines, @"
    easy#0: 964x480 5eb146416955
    easy#1: 964x480 061254fceeca
    easy#2: 964x480 61814e0dcb63
    hard#0: 964x480 a9b03329af44
    hard#1: 964x480 519a55010bbc
    hard#2: 964x480 70df5f9fabc4
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<FetchPickAndPlace>(&exercise::task::<FetchPickAndPlace>(), "hard", 0);
    insta::assert_snapshot!(text, @"
    You steer the arm of a robot with a gripper of two blue fingers. You see two pictures side by side. The left one is taken by a camera that stands before the table and looks at the arm behind it. The right one is taken by a camera that sits on the hand: it looks forward and down past the fingers and moves with the hand. In both, right is right and what is farther away lies higher up.

    Pick up the yellow block and bring it to the red ball, then stop. The ball is 4 centimetres across. It lies on the table or hangs in the air, and can be touched without effect. It counts if the middle of the block is at most 5 centimetres from the middle of the ball when you stop; the fingers may still hold the block. You must stop yourself before the steps run out.

    A move sends the hand on by up to one unit along each of three axes: x to the right, y away from the camera of the left picture, z up, each from -1 to 1 (fractions are allowed; numbers beyond that, up to 10, count as 1 or -1). A unit is 5 centimetres, which is the side of one tile of the table and of the block. The camera may stand somewhat to the left or right of the middle, so the axes may lie somewhat slanting in the left picture. The hand follows with a little delay: after a move it has gone most of the way, and covers the rest during your next moves. A move of 0, 0, 0 only lets time pass. The hand starts 20 centimetres above the middle of the table and reaches 25 centimetres to either side, 20 centimetres towards you and away, and from just above the table to 45 centimetres above it; these heights are those of the point between the fingertips.

    The fingers open to the left and right, 10 centimetres wide in all. They are open at first. Gripper 1 closes them, gripper 0 opens them, and they stay so until you say otherwise. To pick the block up, come down over it with open fingers until they stand beside it as low as they go, then close them.
    ");
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let good = json!({
        "tolerance": 7, "nearest": 12, "farthest": 20, "lowest": 0, "highest": 5, "camera_jitter": 4, "marks": true,
    });
    let wrong = [
        ("tolerance", json!(1)),
        ("nearest", json!(7)),
        ("farthest", json!(12)),
        ("lowest", json!(6)),
        ("highest", json!(41)),
        ("colour", json!("red")),
    ];
    let said = wrong.map(|(name, value)| {
        let mut parameters = good.clone();
        parameters[name] = value;
        exercise::generate::<FetchPickAndPlace>(parameters, 0).unwrap_err()
    });
    assert!(exercise::generate::<FetchPickAndPlace>(good, 0).is_ok());
    insta::assert_snapshot!(said.join("\n"), @"
    `tolerance` is 1: 2 to 10 centimetres are possible
    `nearest` is 7, `farthest` is 20: the first must be more than `tolerance`, the second more than the first
    `nearest` is 12, `farthest` is 12: the first must be more than `tolerance`, the second more than the first
    `lowest` is 6, `highest` is 5: 0 to 40 centimetres, the lesser first
    `lowest` is 0, `highest` is 41: 0 to 40 centimetres, the lesser first
    unknown field `colour`, expected one of `tolerance`, `nearest`, `farthest`, `lowest`, `highest`, `camera_jitter`, `marks`, `size`
    ");
}

/// What is said to some calls in a row.
fn said(start: &Start, calls: &[Call]) -> String {
    let mut state = FetchPickAndPlace::initial(start);
    let texts = calls.iter().map(|call| exercise::apply::<FetchPickAndPlace>(start, &mut state, call).text);
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn it_is_said_what_fingers_and_hand_meet() {
    if !has_physics("it_is_said_what_fingers_and_hand_meet") {
        return;
    }
    let start = Start { block: [0.0, 0.0], ..start("easy", 0) };
    let along_z = |units: i64| call("move", [0.into(), 0.into(), units.into()]);
    let (up, down) = (|| along_z(1), || along_z(-1));
    let (open, close) = (|| call("gripper", [0.into()]), || call("gripper", [1.into()]));
    let onto_the_block = [open(), close(), close(), down(), down(), down(), down(), down(), up(), open(), open()];
    insta::assert_snapshot!(said(&start, &onto_the_block), @"
    The fingers were open already.
    The fingers closed.
    The fingers were closed already.
    The hand moved.
    The hand moved.
    The hand moved.
    Something is in the way of the hand.
    Something is in the way of the hand.
    The hand moved.
    The fingers opened.
    The fingers were open already.
    ");
    let around_the_block = [down(), down(), down(), down(), down(), close(), close(), up(), up(), open()];
    insta::assert_snapshot!(said(&start, &around_the_block), @"
    The hand moved.
    The hand moved.
    The hand moved.
    The hand went as far as it can reach that way.
    The hand went as far as it can reach that way.
    The fingers closed on something.
    The fingers were closed already.
    The hand moved.
    The hand moved.
    The fingers opened.
    ");
}

/// Height of the block after some calls from the start.
fn height_after(start: &Start, calls: &[Call]) -> f64 {
    let state = after::<FetchPickAndPlace>(start, calls);
    state.block.unwrap()[2]
}

/// Nothing but friction holds the block: fingers that do not close leave it on the table, and opening lets it fall.
#[test]
fn a_block_is_held_by_closed_fingers_and_by_nothing_else() {
    if !has_physics("a_block_is_held_by_closed_fingers_and_by_nothing_else") {
        return;
    }
    let start = start("easy", 4);
    let calls = FetchPickAndPlace::solve(&start, &OracleStyle::default()).unwrap();
    let closes = calls.iter().position(|call| call.name == "gripper").unwrap();
    let up = || call("move", [0.into(), 0.into(), 1.into()]);
    let lifted: Vec<_> = calls[..=closes].iter().cloned().chain((0..5).map(|_| up())).collect();
    assert!(height_after(&start, &lifted) > 0.2);
    let mut open = lifted.clone();
    open.remove(closes);
    assert!(height_after(&start, &open) < 0.03);
    let lets_go = call("gripper", [0.into()]);
    let dropped: Vec<_> = lifted.into_iter().chain([lets_go]).chain((0..20).map(|_| up())).collect();
    assert!(height_after(&start, &dropped) < 0.06);
}

/// Carried about, the block stays in the fingers.
#[test]
fn a_block_that_is_held_is_not_shaken_off() {
    if !has_physics("a_block_that_is_held_is_not_shaken_off") {
        return;
    }
    let start = start("hard", 2);
    let calls = FetchPickAndPlace::solve(&start, &OracleStyle::default()).unwrap();
    let mut state = after::<FetchPickAndPlace>(&start, &calls);
    let mut rng = Rng::new(8);
    for _ in 0..40 {
        let units = [0, 1, 2].map(|_| f64::from(rng.between(-1, 1) as i32).into());
        FetchPickAndPlace::apply(&start, &mut state, &call("move", units));
        let slip = distance(state.block.unwrap(), state.hand);
        assert!(slip < 0.02, "the block is {slip} off the fingertips");
    }
}

fn assert_in_sight(start: &Start) {
    let state = FetchPickAndPlace::initial(start);
    let picture = crate::view::Drawing::new(&start.view, start.goal, &state).show(&state);
    for color in [[222, 30, 38], [244, 184, 40]] {
        let n_pixels = n_pixels_like(&picture, color, start.view.size);
        assert!(n_pixels > 100, "only {n_pixels} pixels of {color:?} can be seen");
    }
}

/// With this seed the ball was once put where the palm of the hand is.
#[test]
fn the_ball_does_not_stick_in_the_hand() {
    assert_in_sight(&start("hard", 2_235_489_360_745_204_545));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn every_strategy_ends_near_enough(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..50) {
        if has_physics("every_strategy_ends_near_enough") {
            let start = start(if hard { "hard" } else { "easy" }, seed);
            for strategy in FetchPickAndPlace::STRATEGIES {
                let style = |length| OracleStyle { strategy: Some((*strategy).to_owned()), length, seed };
                let (least, padded) = (
                    assert_solves::<FetchPickAndPlace>(&start, &style(None), 1.2),
                    assert_solves::<FetchPickAndPlace>(&start, &style(Some(length)), 1.2),
                );
                let most = if hard { 50 } else { 40 };
                prop_assert!(least <= most, "{strategy} takes {least}");
                prop_assert!(padded >= length as usize && padded <= least.max(length as usize) + 4);
            }
        }
    }

    #[test]
    fn block_and_ball_are_in_sight(seed in any::<u64>(), hard in any::<bool>()) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        assert_in_sight(&start);
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start>(&text).unwrap(), start);
    }

    #[test]
    fn near_misses_miss_and_variations_hit(seed in any::<u64>(), bound in 0.1..10.0) {
        let start = start("easy", seed);
        let solved = Motion { block: Some(start.goal), ..FetchPickAndPlace::initial(&start) };
        assert_judge_is_strict::<FetchPickAndPlace>(&start, &solved, bound);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        if has_physics("play_is_drawn_rightly") {
            let start = start("hard", seed);
            exercise::assert_random_play_is_drawn_rightly::<FetchPickAndPlace>(&start, 4, &mut Rng::new(seed));
        }
    }
}
