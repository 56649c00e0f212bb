//! Tests of the rules and the solver, with cubes, and what the tests of both puzzles share.

use proptest::prelude::*;
use quintain_core::action::Action;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::{GRAIN_DEG, Orientation, State, TurnedSubject, Views, YawPitchRoll, any_turn};
use crate::exercise;
use crate::mental_rotation_3d_cubes::MentalRotation3dCubes as Cubes;
use crate::puzzle::{Puzzle, after, call};
use crate::solid::SolidTurn;

type Start<S> = super::Start<<S as TurnedSubject>::Thing>;

/// Plays every strategy, also with a length to fill.
pub(crate) fn assert_every_strategy_aligns<S: TurnedSubject>(start: &Start<S>, length: u32, seed: u64) {
    type Of<S> = super::MentalRotation3d<S>;
    for (strategy, most) in Of::<S>::STRATEGIES.iter().zip([2, 4, 14, 16]) {
        let minimal = exercise::assert_solves_at_length::<Of<S>>(start, strategy, (length, 4), seed);
        assert!(minimal <= most, "{strategy}: {minimal}");
    }
}

/// Asserts that near misses miss and variations hit, whatever the bound.
pub(crate) fn assert_alterations_hold<S: TurnedSubject>(start: &Start<S>, bound: f64) {
    type Of<S> = super::MentalRotation3d<S>;
    let bounds = [("angle_deg".to_owned(), bound)].into();
    let solved = State { orientation: start.views.target };
    let off = |state: &State| Of::<S>::measure(start, state)["angle_deg"];
    let misses = Of::<S>::near_misses(start, &solved, &bounds);
    assert!(misses.len() >= 20);
    for (how, state) in misses {
        assert!(off(&state) > bound, "{how}: {}", off(&state));
    }
    let variations = Of::<S>::variations(start, &solved, &bounds);
    assert!(variations.len() >= 9);
    for (how, state) in variations {
        assert!(off(&state) <= bound, "{how}: {}", off(&state));
    }
}

fn start(seed: u64) -> Start<crate::mental_rotation_3d_cubes::Cubes> {
    exercise::start::<Cubes>(&exercise::task::<Cubes>(), "easy", seed)
}

#[test]
fn turns_say_what_came_of_them() {
    let start = start(0);
    let mut state = State { orientation: Orientation::of(SolidTurn::NONE) };
    let surface = Surface { calls: Cubes::calls(&start), ..Surface::default() };
    let said = [
        "('rotate', [90, 0, 0])",
        "rotate(0, 30.5, 0)",
        "('rotate', (0, 0, -45))",
        "('rotate', [0, 0, 0])",
        "('rotate', [0, 0.00000001, 0])",
        "('rotate', [181, 0, 0])",
        "('rotate', [10, 20])",
        "('rotate', ['left', 0, 0])",
        "('turn', [1, 2, 3])",
    ]
    .map(|raw| {
        let outcome = match quintain_core::action::Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<Cubes>(&start, &mut state, &call);
                let angles = YawPitchRoll::of(state.orientation.turn()).0;
                format!("{:?}: {} now {angles:?}", feedback.effect, feedback.text)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        format!("{raw}\n    {outcome}")
    });
    insta::assert_snapshot!(said.join("\n"), @r#"
    ('rotate', [90, 0, 0])
        Changed: The object was turned. now [90.0, 0.0, 0.0]
    rotate(0, 30.5, 0)
        Changed: The object was turned. now [90.0, 30.5, 0.0]
    ('rotate', (0, 0, -45))
        Changed: The object was turned. now [90.0, 30.5, -45.0]
    ('rotate', [0, 0, 0])
        Unchanged: The object is turned as it was. now [90.0, 30.5, -45.0]
    ('rotate', [0, 0.00000001, 0])
        Unchanged: The object is turned as it was. now [90.0, 30.5, -45.0]
    ('rotate', [181, 0, 0])
        `yaw` of `rotate` must be a number from -180 to 180, not 181
    ('rotate', [10, 20])
        `rotate` takes 3 arguments, not 2
    ('rotate', ['left', 0, 0])
        `yaw` of `rotate` must be a number from -180 to 180, not "left"
    ('turn', [1, 2, 3])
        there is no action `turn`; there is `rotate`
    "#);
}

/// What the instruction promises about directions: where a point in front, at the right, on top goes.
#[test]
fn turns_go_the_way_the_instruction_says() {
    let [right, up, towards] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let goes = |by: [f64; 3], point: [i32; 3]| {
        let orientation = Orientation::of(SolidTurn::NONE).turned(YawPitchRoll(by).turn());
        orientation.pose().of(point.map(|part| part as f32)).map(|part| part.round() as i32)
    };
    assert_eq!(goes([90.0, 0.0, 0.0], towards), right, "yaw turns the front to the right");
    assert_eq!(goes([0.0, 90.0, 0.0], towards), [0, -1, 0], "pitch turns the front down");
    assert_eq!(goes([0.0, 90.0, 0.0], up), towards, "and the top to the front");
    assert_eq!(goes([0.0, 0.0, 90.0], right), up, "roll is counter-clockwise");
    assert_eq!(goes([90.0, 0.0, 90.0], towards), up, "yaw comes before roll, about axes that stay");
    assert_eq!(goes([90.0, 90.0, 0.0], towards), right, "yaw comes before pitch");
    assert_eq!(goes([0.0, 90.0, 90.0], up), towards, "pitch comes before roll");
}

#[test]
fn one_call_is_the_answer_in_whole_degrees() {
    for seed in 0..20 {
        let start = start(seed);
        let calls = Cubes::solve(&start, &OracleStyle::default()).unwrap();
        let said: Vec<String> = calls.iter().map(ToString::to_string).collect();
        let [yaw, pitch, roll] = start.views.answer.map(f64::from);
        assert_eq!(said, [call("rotate", [yaw, pitch, roll].map(Into::into)).to_string()]);
    }
}

/// The information-revealing demonstrations: all the way round about each axis, then the correction.
#[test]
fn full_turns_come_before_the_turn_that_aligns() {
    let start = start(3);
    let said = ["full_turns", "full_turns_by_axis"].map(|strategy| {
        let style = OracleStyle { strategy: Some(strategy.to_owned()), ..OracleStyle::default() };
        let calls = Cubes::solve(&start, &style).unwrap();
        let mut lines = vec![strategy.to_owned()];
        lines.extend(calls.iter().enumerate().map(|(i, call)| {
            let off = Cubes::measure(&start, &after::<Cubes>(&start, &calls[..=i]))["angle_deg"];
            format!("{call} leaves {off:.0}")
        }));
        lines.join("\n")
    });
    insta::assert_snapshot!(said.join("\n"), @"
    full_turns
    rotate(90.0, 0.0, 0.0) leaves 172
    rotate(90.0, 0.0, 0.0) leaves 163
    rotate(90.0, 0.0, 0.0) leaves 164
    rotate(90.0, 0.0, 0.0) leaves 174
    rotate(0.0, 90.0, 0.0) leaves 97
    rotate(0.0, 90.0, 0.0) leaves 21
    rotate(0.0, 90.0, 0.0) leaves 86
    rotate(0.0, 90.0, 0.0) leaves 174
    rotate(0.0, 0.0, -90.0) leaves 177
    rotate(0.0, 0.0, -90.0) leaves 170
    rotate(0.0, 0.0, -90.0) leaves 169
    rotate(0.0, 0.0, -90.0) leaves 174
    rotate(171.0, -7.0, -163.0) leaves 0
    full_turns_by_axis
    rotate(90.0, 0.0, 0.0) leaves 172
    rotate(90.0, 0.0, 0.0) leaves 163
    rotate(90.0, 0.0, 0.0) leaves 164
    rotate(90.0, 0.0, 0.0) leaves 174
    rotate(171.0, 0.0, 0.0) leaves 163
    rotate(0.0, 90.0, 0.0) leaves 169
    rotate(0.0, 90.0, 0.0) leaves 179
    rotate(0.0, 90.0, 0.0) leaves 167
    rotate(0.0, 90.0, 0.0) leaves 163
    rotate(0.0, -7.0, 0.0) leaves 163
    rotate(0.0, 0.0, -90.0) leaves 73
    rotate(0.0, 0.0, -90.0) leaves 17
    rotate(0.0, 0.0, -90.0) leaves 107
    rotate(0.0, 0.0, -90.0) leaves 163
    rotate(0.0, 0.0, -163.0) leaves 0
    ");
}

#[test]
fn a_thousand_turns_and_back_end_where_they_began() {
    let mut rng = Rng::new(8);
    let first = Orientation::of(any_turn(&mut rng));
    let turns: Vec<SolidTurn> = (0..1000).map(|_| any_turn(&mut rng)).collect();
    let there = turns.iter().fold(first, |orientation, turn| orientation.turned(*turn));
    let back = turns.iter().rev().fold(there, |orientation, turn| orientation.turned(turn.inverse()));
    assert!(first.angle_deg(back) < GRAIN_DEG);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn angles_of_a_turn_make_that_turn(seed in any::<u64>(), upright in any::<bool>()) {
        let mut rng = Rng::new(seed);
        let pitch = if upright { *rng.choose(&[90.0, -90.0, 89.999_999]) } else { rng.uniform(-90.0, 90.0) };
        let turn = YawPitchRoll([rng.uniform(-180.0, 180.0), pitch, rng.uniform(-180.0, 180.0)]).turn();
        let angles = YawPitchRoll::of(turn);
        prop_assert!(angles.turn().angle_deg(turn) < GRAIN_DEG / 2.0, "{angles:?}");
        prop_assert!(angles.0.iter().all(|angle| angle.abs() <= 180.0));
    }

    #[test]
    fn orientations_survive_being_written(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let turn = any_turn(&mut rng);
        let orientation = Orientation::of(turn);
        prop_assert!(orientation.turn().angle_deg(turn) < 1e-6);
        prop_assert_eq!(orientation.turned(SolidTurn::NONE), orientation);
        let text = serde_json::to_string(&orientation).unwrap();
        prop_assert_eq!(serde_json::from_str::<Orientation>(&text).unwrap(), orientation);
    }

    #[test]
    fn any_views_are_solved(seed in any::<u64>(), length in 0_u32..60, yaw in -180..=180, pitch in -85..=85, roll in -180..=180) {
        let mut start = start(0);
        start.views = Views { target: Orientation::of(any_turn(&mut Rng::new(seed))), answer: [yaw, pitch, roll], ..start.views };
        prop_assume!(start.views.initial().angle_deg(start.views.target) >= 1.0);
        assert_every_strategy_aligns::<crate::mental_rotation_3d_cubes::Cubes>(&start, length, seed);
    }

    #[test]
    fn near_misses_miss_and_variations_hit(seed in 0_u64..50, bound in 0.1..45.0) {
        assert_alterations_hold::<crate::mental_rotation_3d_cubes::Cubes>(&start(seed), bound);
    }
}

#[test]
fn shared_parameters_out_of_bounds_are_refused() {
    let good = json!({"segments": 4, "segment_min": 2, "segment_max": 5, "angle_tolerance": 10, "size": 256});
    let wrong = [
        ("size", json!(100)),
        ("angle_tolerance", json!(-1)),
        ("segments", json!(2)),
        ("segment_min", json!(6)),
        ("segment_max", json!(9)),
        ("colour", json!("red")),
    ];
    let said = wrong.map(|(name, value)| {
        let mut parameters = good.clone();
        parameters[name] = value;
        exercise::generate::<Cubes>(parameters, 0).unwrap_err()
    });
    assert!(exercise::generate::<Cubes>(good, 0).is_ok());
    insta::assert_snapshot!(said.join("\n"), @"
    `size` is 100: 128 to 1024 pixels are possible
    `angle_tolerance` is -1: 0 to 45 degrees are possible
    `segments` is 2: 3 to 8 are possible
    `segment_min` is 6, `segment_max` is 5: 2 to 8 cubes, the lesser first
    `segment_min` is 2, `segment_max` is 9: 2 to 8 cubes, the lesser first
    unknown field `colour`, expected one of `segments`, `segment_min`, `segment_max`, `angle_tolerance`, `size`
    ");
}
