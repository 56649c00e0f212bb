use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::{MatchstickRotation, Start, State, StickPose, snapped};
use crate::exercise;
use crate::puzzle::{Puzzle, call};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<MatchstickRotation>(&exercise::task::<MatchstickRotation>(), preset, seed)
}

fn level(scale: f64) -> Start {
    Start { size: 400, scale, stick: StickPose::new(100.0, 100.0, 0.0), target: StickPose::new(300.0, 250.0, 30.0) }
}

fn bounds(position: f64, angle: f64) -> quintain_core::Measures {
    [("position_px".to_owned(), position), ("angle_deg".to_owned(), angle)].into()
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        format!("{preset}#{seed}: {}", exercise::golden::<MatchstickRotation>(&start(preset, seed)))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first 844e00318162 all 9dd5c07edc1d of 3
    easy#1: first 3524f2c1591d all a28d3c12f31b of 3
    easy#2: first 8e6933812563 all 5c903dbe680e of 3
    hard#0: first 844e00318162 all 9dd5c07edc1d of 3
    hard#1: first 3524f2c1591d all a28d3c12f31b of 3
    hard#2: first 8e6933812563 all 5c903dbe680e of 3
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<MatchstickRotation>(&exercise::task::<MatchstickRotation>(), "hard", 0);
    insta::assert_snapshot!(text, @"
    The picture is 400 by 400 pixels. A red outline shows where a stick should lie; the blue stick is yours to move. Both are equally long, and a dot marks the middle of each.

    Shift and turn the blue stick until it lies on the red one, then stop. It counts if its middle is at most 5 pixels from the middle of the red one and its direction at most 10 degrees from the red one's; the two ends are alike, so half a turn makes no difference. You must stop yourself before the steps run out.

    You move in units, and nobody tells you how many pixels a unit is: it may be few or many. It is the same in every direction and never changes. Degrees are ordinary degrees. A move that would take the middle of the stick out of the picture is refused.
    ");
}

#[test]
fn moves_say_what_came_of_them() {
    let start = level(2.5);
    let mut state = MatchstickRotation::initial(&start);
    let surface = Surface { calls: MatchstickRotation::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('move', [2, 0, 45])",
        "move(0, -4.5, 0)",
        "('move', (0, 0, -45))",
        "('move', [0, 0, 0])",
        "('move', [0.0001, 0, 0])",
        "('move', [-900, 0, 0])",
        "('move', [0, 0, 360])",
        "('move', [1, 2])",
        "('move', [1, 2, 'left'])",
        "('move', [1e6, 0, 0])",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<MatchstickRotation>(&start, &mut state, &call);
                let StickPose { x, y, angle } = state.stick;
                format!("{:?}: {} now at {x}, {y}, {angle} degrees", feedback.effect, feedback.text)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    ('move', [2, 0, 45])
        Changed: The stick was shifted and turned. now at 105, 100, 45 degrees
    move(0, -4.5, 0)
        Changed: The stick was shifted. now at 105, 88.75, 45 degrees
    ('move', (0, 0, -45))
        Changed: The stick was turned. now at 105, 88.75, 0 degrees
    ('move', [0, 0, 0])
        Unchanged: The stick lies where it was. now at 105, 88.75, 0 degrees
    ('move', [0.0001, 0, 0])
        Unchanged: The stick lies where it was. now at 105, 88.75, 0 degrees
    ('move', [-900, 0, 0])
        Refused: The middle of the stick would leave the picture: nothing moved. now at 105, 88.75, 0 degrees
    ('move', [0, 0, 360])
        Unchanged: The stick lies where it was. now at 105, 88.75, 0 degrees
    ('move', [1, 2])
        `move` takes 3 arguments, not 2
    ('move', [1, 2, 'left'])
        `dtheta` of `move` must be a number from -360 to 360, not "left"
    ('move', [1e6, 0, 0])
        `dx` of `move` must be a number from -1000 to 1000, not 1000000.0
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let good = json!({"position_tolerance": 10, "angle_tolerance": 15, "scale_min": 1, "scale_max": 10, "size": 400});
    let wrong = [
        ("size", json!(50)),
        ("position_tolerance", json!(41)),
        ("angle_tolerance", json!(-1)),
        ("scale_min", json!(11)),
        ("scale_max", json!(1000)),
        ("scale_min", json!(0.1)),
        ("colour", json!("red")),
    ];
    let said = wrong.map(|(name, value)| {
        let mut parameters = good.clone();
        parameters[name] = value;
        exercise::generate::<MatchstickRotation>(parameters, 0).unwrap_err()
    });
    assert!(exercise::generate::<MatchstickRotation>(good, 0).is_ok());
    insta::assert_snapshot!(said.join("\n"), @"
    `size` is 50: 200 to 2000 pixels are possible
    `position_tolerance` is 41: 0 to 40 pixels, a tenth of `size`
    `angle_tolerance` is -1: 0 to 45 degrees are possible
    `scale_min` is 11, `scale_max` is 10: 0.05 to 50 pixels a unit, the lesser first
    `scale_min` is 1, `scale_max` is 1000: 0.05 to 50 pixels a unit, the lesser first
    `scale_min` is 0.1: a move of 1000 units must reach across 400 pixels
    unknown field `colour`, expected one of `position_tolerance`, `angle_tolerance`, `scale_min`, `scale_max`, `size`
    ");
}

/// The middle of all blue pixels.
fn blue_middle(picture: &Picture) -> (f64, f64) {
    let width = picture.width() as usize;
    let blue = |pixel: &[u8]| f64::from(pixel[2].saturating_sub(pixel[0]));
    let (mut sum, mut x_sum, mut y_sum) = (0.0, 0.0, 0.0);
    for (i, pixel) in picture.rgba().chunks_exact(4).enumerate() {
        let weight = if blue(pixel) > 80.0 { blue(pixel) } else { 0.0 };
        sum += weight;
        x_sum += weight * ((i % width) as f64 + 0.5);
        y_sum += weight * ((i / width) as f64 + 0.5);
    }
    (x_sum / sum, y_sum / sum)
}

/// The promise is in pixels of the picture, so the scale must show in the picture once: not twice, not in the judging.
#[test]
fn a_unit_is_as_many_pixels_as_the_scale_says_in_the_picture_and_in_the_measure() {
    for scale in [0.4, 1.0, 3.7, 9.5] {
        let start = level(scale);
        let mut state = MatchstickRotation::initial(&start);
        let before = (blue_middle(&exercise::fresh::<MatchstickRotation>(&start, &state)), state);
        let by = [(10.0).into(), (-5.0).into(), (0.0).into()];
        MatchstickRotation::apply(&start, &mut state, &call("move", by));
        let after = blue_middle(&exercise::fresh::<MatchstickRotation>(&start, &state));
        let (dx, dy) = (after.0 - before.0.0, after.1 - before.0.1);
        assert!((dx - 10.0 * scale).abs() < 0.3 && (dy + 5.0 * scale).abs() < 0.3, "scale {scale}: {dx}, {dy}");
        let goal = Start { target: before.1.stick, ..start };
        let off = MatchstickRotation::measure(&goal, &state)["position_px"];
        assert!((off - (dx * dx + dy * dy).sqrt()).abs() < 0.5, "scale {scale}: {off}");
    }
}

#[test]
fn half_a_turn_looks_the_same_and_counts_the_same() {
    let start = level(1.0);
    let state = State { stick: start.target.moved(3.0, 0.0, 20.0) };
    let turned = State { stick: state.stick.moved(0.0, 0.0, 180.0) };
    assert_ne!(state, turned);
    assert!(
        exercise::fresh::<MatchstickRotation>(&start, &state) == exercise::fresh::<MatchstickRotation>(&start, &turned)
    );
    assert_eq!(MatchstickRotation::measure(&start, &state), MatchstickRotation::measure(&start, &turned));
    assert_eq!(MatchstickRotation::measure(&start, &state), bounds(3.0, 20.0));
}

#[test]
fn unit_moves_come_first_and_one_move_aligns() {
    for seed in 0..50 {
        let start = start("easy", seed);
        let calls = MatchstickRotation::solve(&start, &OracleStyle { seed, ..OracleStyle::default() }).unwrap();
        let (last, units) = calls.split_last().unwrap();
        assert!((1..=2).contains(&units.len()), "{units:?}");
        for unit in units {
            let [dx, dy, turn] = [0, 1, 2].map(|i| unit.args[i].as_f64().unwrap());
            assert!(((dx * dx + dy * dy).sqrt() - 1.0).abs() < 0.002 && turn == 0.0, "{unit}");
        }
        assert!(last.args[2].as_f64().unwrap().abs() <= 90.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_strategy_ends_on_the_target(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..40) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        for strategy in MatchstickRotation::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<MatchstickRotation>(&start, strategy, (length, 2), seed);
            prop_assert!(minimal <= 4);
        }
    }

    #[test]
    fn instances_begin_off_the_goal_and_in_the_picture(seed in any::<u64>(), size in 200_u32..900, share in 0.0..0.1) {
        let tolerance = f64::from(size) * share;
        let parameters = json!({
            "position_tolerance": tolerance, "angle_tolerance": 45, "scale_min": 1, "scale_max": 10, "size": size,
        });
        let start = exercise::generate::<MatchstickRotation>(parameters, seed).unwrap();
        let off = MatchstickRotation::measure(&start, &MatchstickRotation::initial(&start));
        prop_assert!(off["position_px"] >= 2.0 * tolerance && off["position_px"] > 10.0);
        prop_assert!((1.0..=10.0).contains(&start.scale));
        for pose in [start.stick, start.target] {
            prop_assert!(pose.x.min(pose.y) > f64::from(size) / 8.0 && pose.x.max(pose.y) < f64::from(size) * 7.0 / 8.0);
        }
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start>(&text).unwrap(), start);
    }

    #[test]
    fn near_misses_miss_and_variations_hit(seed in any::<u64>(), position in 0.1..40.0, angle in 0.1..45.0) {
        let start = start("easy", seed);
        let bounds = bounds(position, angle);
        let solved = State { stick: start.target };
        let misses = MatchstickRotation::near_misses(&start, &solved, &bounds);
        prop_assert!(misses.len() >= 9);
        let holds = |state: &State| MatchstickRotation::measure(&start, state).iter().all(|(name, off)| *off <= bounds[name]);
        for (how, state) in misses {
            prop_assert!(!holds(&state), "{how}");
        }
        let variations = MatchstickRotation::variations(&start, &solved, &bounds);
        prop_assert!(variations.len() >= 9);
        for (how, state) in variations {
            prop_assert!(holds(&state), "{how}");
        }
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        let start = start("easy", seed);
        let mut rng = Rng::new(seed);
        exercise::assert_random_play_is_drawn_rightly::<MatchstickRotation>(&start, 20, &mut rng);
        let mut state = MatchstickRotation::initial(&start);
        let mut drawing = MatchstickRotation::draw(&start, &state, &crate::sources::MaterialSources::default()).unwrap();
        for _ in 0..8 {
            let by = [60.0, 60.0, 180.0].map(|reach| snapped(rng.uniform(-reach, reach)).into());
            exercise::apply::<MatchstickRotation>(&start, &mut state, &call("move", by));
            let kept = MatchstickRotation::redraw(&mut drawing, &start, &state);
            prop_assert!(*kept == exercise::fresh::<MatchstickRotation>(&start, &state));
        }
    }
}
