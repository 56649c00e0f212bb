use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::OracleStyle;
use quintain_puzzles::Puzzle;
use quintain_puzzles::exercise;
use quintain_puzzles::puzzle::{after, call};
use serde_json::json;

use super::{FetchReach, Start};
use crate::motion::{Motion, distance};
use crate::scene::HOME_HAND;
use crate::tests::{assert_judge_is_strict, assert_solves, has_physics, n_pixels_like, pictures};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<FetchReach>(&exercise::task::<FetchReach>(), preset, seed)
}

#[test]
fn first_pictures_never_change() {
    let lines = pictures(|preset, seed| {
        let start = start(preset, seed);
        crate::view::Drawing::new(&start.view, start.goal, &FetchReach::initial(&start))
    });
    insta::assert_snapshot!(lines, @r"
    easy#0: 964x480 9ab176570e18
    easy#1: 964x480 d9ad840ef2e8
    easy#2: 964x480 8d3c84a0a51e
    hard#0: 964x480 c5524fa52240
    hard#1: 964x480 398b7b16895b
    hard#2: 964x480 93cb5bc01cf1
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<FetchReach>(&exercise::task::<FetchReach>(), "easy", 0);
    insta::assert_snapshot!(text, @"
    You steer the arm of a robot. You see two pictures side by side. The left one is taken by a camera that stands before the table and looks at the arm behind it. The right one is taken by a camera that sits on the hand: it looks forward and down past the two blue fingers and moves with the hand. In both, right is right and what is farther away lies higher up.

    Bring the hand to the red ball, then stop. The ball is 4 centimetres across. It hangs in the air, and can be touched without effect. It counts if the point between the two fingertips is at most 5 centimetres from the middle of the ball when you stop. You must stop yourself before the steps run out.

    A move sends the hand on by up to one unit along each of three axes: x to the right, y away from the camera of the left picture, z up, each from -1 to 1 (fractions are allowed; numbers beyond that, up to 10, count as 1 or -1). A unit is 5 centimetres, which is the side of one tile of the table. The camera may stand somewhat to the left or right of the middle, so the axes may lie somewhat slanting in the left picture. The hand follows with a little delay: after a move it has gone most of the way, and covers the rest during your next moves. A move of 0, 0, 0 only lets time pass. The hand starts 20 centimetres above the middle of the table and reaches 25 centimetres to either side, 20 centimetres towards you and away, and from just above the table to 45 centimetres above it.

    Two dots on the table help you: the blue dot lies right below the hand, the dark red dot right below the ball.
    ");
}

#[test]
fn moves_say_what_came_of_them() {
    if !has_physics("moves_say_what_came_of_them") {
        return;
    }
    let start = start("easy", 0);
    let mut state = FetchReach::initial(&start);
    let surface = Surface { calls: FetchReach::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('move', [1, 0, -0.5])",
        "move(0, 3, 0)",
        "('move', [0, 0, 0])",
        "('move', [0, 0, 11])",
        "('gripper', 1)",
        "('move', [1, 0, 0])",
        "('move', [1, 0, 0])",
        "('move', [1, 0, 0])",
        "('move', [1, 0, 0])",
        "('move', [1, 0, 0])",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<FetchReach>(&start, &mut state, &call);
                let [x, y, z] = state.hand;
                format!("{:?}: {} now at {x:.3}, {y:.3}, {z:.3}", feedback.effect, feedback.text)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('move', [1, 0, -0.5])
        Changed: The hand moved. now at 0.040, 0.000, 0.181
    move(0, 3, 0)
        Changed: The hand moved; more than one unit along an axis counts as one. now at 0.048, 0.040, 0.176
    ('move', [0, 0, 0])
        Changed: The hand was left where it was sent. now at 0.049, 0.048, 0.175
    ('move', [0, 0, 11])
        `z` of `move` must be a number from -10 to 10, not 11
    ('gripper', 1)
        there is no action `gripper`; there is `move`
    ('move', [1, 0, 0])
        Changed: The hand moved. now at 0.090, 0.049, 0.175
    ('move', [1, 0, 0])
        Changed: The hand moved. now at 0.138, 0.050, 0.175
    ('move', [1, 0, 0])
        Changed: The hand moved. now at 0.188, 0.050, 0.175
    ('move', [1, 0, 0])
        Changed: The hand moved. now at 0.237, 0.050, 0.175
    ('move', [1, 0, 0])
        Changed: The hand went as far as it can reach that way. now at 0.247, 0.050, 0.175
    ");
}

/// There is nothing in the air that could be in the way.
#[test]
fn a_hand_that_moves_freely_is_never_said_to_be_stopped() {
    if !has_physics("a_hand_that_moves_freely_is_never_said_to_be_stopped") {
        return;
    }
    let start = start("easy", 0);
    let mut state = FetchReach::initial(&start);
    let mut rng = Rng::new(11);
    for turn in 0..600 {
        // Whole units turn the hand round most sharply.
        let units = [0, 1, 2].map(|_| if turn % 3 == 0 { rng.uniform(-1.0, 1.0) } else { rng.between(-1, 1) as f64 });
        let feedback = exercise::apply::<FetchReach>(&start, &mut state, &call("move", units.map(Into::into)));
        assert!(!feedback.text.contains("in the way"), "{units:?}: {state:?}");
    }
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let good = json!({"tolerance": 10, "nearest": 15, "farthest": 22, "camera_jitter": 4, "marks": true, "size": 480});
    let wrong = [
        ("tolerance", json!(0)),
        ("nearest", json!(9)),
        ("farthest", json!(15)),
        ("nearest", json!(21.999_999)),
        ("camera_jitter", json!(30)),
        ("size", json!(100)),
        ("colour", json!("red")),
    ];
    let said = wrong.map(|(name, value)| {
        let mut parameters = good.clone();
        parameters[name] = value;
        exercise::generate::<FetchReach>(parameters, 0).unwrap_err()
    });
    assert!(exercise::generate::<FetchReach>(good, 0).is_ok());
    insta::assert_snapshot!(said.join("\n"), @"
    `tolerance` is 0: 1 to 15 centimetres are possible
    `nearest` is 9, `farthest` is 22: the first must be more than `tolerance`, the second more than the first
    `nearest` is 15, `farthest` is 15: the first must be more than `tolerance`, the second more than the first
    `nearest` is 21.999999, `farthest` is 22: no place so far away can be reached and seen
    `camera_jitter` is 30: 0 to 20 degrees are possible
    `size` is 100: 240 to 1024 pixels are possible
    unknown field `colour`, expected one of `tolerance`, `nearest`, `farthest`, `camera_jitter`, `marks`, `size`
    ");
}

#[test]
fn unit_moves_along_each_axis_come_first() {
    if !has_physics("unit_moves_along_each_axis_come_first") {
        return;
    }
    let style = OracleStyle { strategy: Some("unit_first".to_owned()), ..OracleStyle::default() };
    let calls = FetchReach::solve(&start("hard", 3), &style).unwrap();
    for (axis, call) in calls[..3].iter().enumerate() {
        let units = [0, 1, 2].map(|i: usize| call.args[i].as_f64().unwrap().abs() as u8);
        assert_eq!(units, [0, 1, 2].map(|i| u8::from(i == axis)), "{call}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn every_strategy_ends_near_enough(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..30) {
        if has_physics("every_strategy_ends_near_enough") {
            let start = start(if hard { "hard" } else { "easy" }, seed);
            for strategy in FetchReach::STRATEGIES {
                let style = |length| OracleStyle { strategy: Some((*strategy).to_owned()), length, seed };
                let (least, padded) = (
                    assert_solves::<FetchReach>(&start, &style(None), 1.0),
                    assert_solves::<FetchReach>(&start, &style(Some(length)), 1.0),
                );
                let most = if hard { 30 } else { 20 };
                prop_assert!(least <= most, "{strategy} takes {least}");
                prop_assert!(padded >= length as usize && padded <= least.max(length as usize) + 3);
            }
        }
    }

    /// Who stops half of the way there has solved nothing, however wide the tolerance.
    #[test]
    fn one_move_is_not_enough(seed in any::<u64>(), hard in any::<bool>()) {
        if has_physics("one_move_is_not_enough") {
            let start = start(if hard { "hard" } else { "easy" }, seed);
            let calls = FetchReach::solve(&start, &OracleStyle::default()).unwrap();
            let begun = after::<FetchReach>(&start, &calls[..1]);
            let off = FetchReach::measure(&start, &begun)["distance_cm"];
            prop_assert!(off > if hard { 3.0 } else { 5.0 }, "{}", off);
        }
    }

    #[test]
    fn the_ball_is_as_far_off_as_asked_for_and_in_sight(seed in any::<u64>(), hard in any::<bool>()) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        let off = distance(start.goal, HOME_HAND);
        let wanted = if hard { 0.2..=0.36 } else { 0.2..=0.32 };
        prop_assert!(wanted.contains(&off), "{}", off);
        let state = FetchReach::initial(&start);
        let picture = crate::view::Drawing::new(&start.view, start.goal, &state).show(&state);
        let n_red = n_pixels_like(&picture, [222, 30, 38], start.view.size);
        prop_assert!(n_red > 150, "only {n_red} pixels of the ball can be seen");
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start>(&text).unwrap(), start);
    }

    #[test]
    fn near_misses_miss_and_variations_hit(seed in any::<u64>(), bound in 0.1..15.0) {
        let start = start("easy", seed);
        let solved = Motion { hand: start.goal, ..FetchReach::initial(&start) };
        assert_judge_is_strict::<FetchReach>(&start, &solved, bound);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        if has_physics("play_is_drawn_rightly") {
            exercise::assert_random_play_is_drawn_rightly::<FetchReach>(&start("hard", seed), 4, &mut Rng::new(seed));
        }
    }
}
