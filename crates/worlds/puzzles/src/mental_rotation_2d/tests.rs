use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::generate::{generate, least_difference, looks_turned};
use super::{MentalRotation2d, Parameters, Start, State};
use crate::canvas::{Area, circle, fill};
use crate::exercise;
use crate::puzzle::Puzzle;
use crate::sources::photos::{Photo, Photos, Scenes};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<MentalRotation2d>(&exercise::task::<MentalRotation2d>(), preset, seed)
}

/// A small disc, quick to draw.
fn small(seed: u64) -> Start {
    exercise::generate::<MentalRotation2d>(json!({"angle_tolerance": 5, "size": 96}), seed).unwrap()
}

fn bounds(angle: i64) -> quintain_core::Measures {
    [("angle_deg".to_owned(), angle as f64)].into()
}

fn pixel(picture: &Picture, x: i64, y: i64) -> [u8; 3] {
    let at = (y as usize * picture.width() as usize + x as usize) * 4;
    [0, 1, 2].map(|i| picture.rgba()[at + i])
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        format!("{preset}#{seed}: {}", exercise::golden::<MentalRotation2d>(&start(preset, seed)))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first 7ac3dc0585d1 all 3b1b19f5578d of 2
    easy#1: first d702d608b6f7 all 0234655de23f of 2
    easy#2: first deda65d20dee all 2ad445f2eb14 of 2
    hard#0: first 7ac3dc0585d1 all 3b1b19f5578d of 2
    hard#1: first d702d608b6f7 all 0234655de23f of 2
    hard#2: first deda65d20dee all 2ad445f2eb14 of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<MentalRotation2d>(&exercise::task::<MentalRotation2d>(), "hard", 0);
    insta::assert_snapshot!(text, @"
    Two discs stand side by side, both cut from the same place of one photograph. The left one, under the word TARGET, shows how it should look and never moves. The right one, under the word YOURS, was turned about its middle by an unknown number of whole degrees, at least 20 either way; it was not flipped or scaled.

    Turn the right disc until it looks like the left one, then stop. It counts if the right disc is at most 5 degrees off, either way. You must stop yourself before the steps run out.

    Each turn starts from how the right disc is turned at that moment: turns add up. Positive degrees turn it clockwise, negative degrees counter-clockwise.
    ");
}

#[test]
fn turns_say_what_came_of_them() {
    let start = Start { angle: 100, ..small(0) };
    let mut state = MentalRotation2d::initial(&start);
    let surface = Surface { calls: MentalRotation2d::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('rotate', -45)",
        "rotate(180)",
        "('rotate', [125])",
        "('rotate', 0)",
        "('rotate', -1)",
        "('rotate', 181)",
        "('rotate', 12.5)",
        "('rotate', 'left')",
        "('turn', 5)",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<MentalRotation2d>(&start, &mut state, &call);
                let off = MentalRotation2d::measure(&start, &state)["angle_deg"];
                format!("{:?}: {} at {}, {off} off", feedback.effect, feedback.text, state.angle)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    ('rotate', -45)
        Changed: The right disc was turned counter-clockwise by 45 degrees. at 55, 55 off
    rotate(180)
        Changed: The right disc was turned clockwise by 180 degrees. at 235, 125 off
    ('rotate', [125])
        Changed: The right disc was turned clockwise by 125 degrees. at 0, 0 off
    ('rotate', 0)
        Unchanged: A turn by 0 degrees changes nothing. at 0, 0 off
    ('rotate', -1)
        Changed: The right disc was turned counter-clockwise by 1 degree. at 359, 1 off
    ('rotate', 181)
        `angle` of `rotate` must be a whole number from -180 to 180, not 181
    ('rotate', 12.5)
        `angle` of `rotate` must be a whole number from -180 to 180, not 12.5
    ('rotate', 'left')
        `angle` of `rotate` must be a whole number from -180 to 180, not "left"
    ('turn', 5)
        there is no action `turn`; there is `rotate`
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"angle_tolerance": 46}),
        json!({"angle_tolerance": 20}),
        json!({"angle_tolerance": 5, "least_turn": 181}),
        json!({"angle_tolerance": 5, "size": 129}),
        json!({"angle_tolerance": 5, "size": 50}),
        json!({"angle_tolerance": 5, "scale": 2}),
        json!({}),
    ];
    let said = given.map(|parameters| exercise::generate::<MentalRotation2d>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `angle_tolerance` is 46: 0 to 45 degrees are possible
    `least_turn` is 20: more than `angle_tolerance` and at most 180 is wanted
    `least_turn` is 181: more than `angle_tolerance` and at most 180 is wanted
    `size` is 129: an even number from 96 to 1024 is wanted
    `size` is 50: an even number from 96 to 1024 is wanted
    unknown field `scale`, expected one of `angle_tolerance`, `least_turn`, `size`
    missing field `angle_tolerance`
    ");
}

/// The middle of all red pixels of the right disc, from its middle.
fn red_middle(picture: &Picture, size: i64) -> (f64, f64) {
    let (left, top) = (i64::from(picture.width()) - 16 - size, 36);
    let reds = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| {
        let [red, green, _] = pixel(picture, left + x, top + y);
        red > 150 && green < 90
    });
    let reds: Vec<(i64, i64)> = reds.collect();
    let mean = |sum: i64| sum as f64 / reds.len() as f64 - (size - 1) as f64 / 2.0;
    (mean(reds.iter().map(|at| at.0).sum()), mean(reds.iter().map(|at| at.1).sum()))
}

/// A source of one picture: a red spot right of the middle, on a ground that is brighter below.
struct Spot;

impl Photos for Spot {
    fn name(&self) -> String {
        "spot".to_owned()
    }

    fn pick(&self, _rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String> {
        let photo = Photo { name: "only".to_owned(), width, height, digest: quintain_core::Digest::of(b"") };
        let digest = self.load(&photo)?.digest();
        Ok(Photo { digest, ..photo })
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let mut picture = Picture::filled(photo.width, photo.height, [20, 100, 40]);
        let (width, height) = (photo.width as i32, photo.height as i32);
        fill(&mut picture, Area::new(0, height / 2, width, height), [20, 180, 220]);
        let side = photo.width as f32;
        circle(&mut picture, (0.8 * side, 0.5 * side), 0.08 * side, [230, 20, 20]);
        Ok(Arc::new(picture))
    }
}

#[test]
fn positive_turns_are_clockwise_in_the_picture_and_by_as_many_degrees() {
    let size = 128;
    let photo = Spot.load(&Spot.pick(&mut Rng::new(0), size, size).unwrap()).unwrap();
    let mut drawing = super::draw::Drawing::new(&photo, State { angle: 0 });
    for angle in [0, 30, 90, 137, 180, 222, 270, 359] {
        let (x, y) = red_middle(&drawing.show(State { angle }), i64::from(size));
        let (reach, radians) = (0.3 * f64::from(size), (angle as f64).to_radians());
        // Down is positive, so clockwise is from right to down.
        let (wanted_x, wanted_y) = (reach * libm::cos(radians), reach * libm::sin(radians));
        assert!((x - wanted_x).abs() < 0.7 && (y - wanted_y).abs() < 0.7, "{angle}: {x}, {y}");
    }
}

#[test]
fn both_discs_are_the_same_when_solved_and_quarter_turns_are_exact() {
    let start = small(3);
    let picture = |angle| exercise::fresh::<MentalRotation2d>(&start, &State { angle });
    let (size, right) = (96, 3 * 16 + 96);
    let (upright, quarter) = (picture(0), picture(90));
    for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
        assert_eq!(pixel(&upright, 16 + x, 36 + y), pixel(&upright, right + x, 36 + y), "{x}, {y}");
        // Outside the disc are the rim and the paper, which do not turn.
        if (2 * x + 1 - size).pow(2) + (2 * y + 1 - size).pow(2) < (size - 2).pow(2) {
            assert_eq!(pixel(&upright, right + x, 36 + y), pixel(&quarter, right + size - 1 - y, 36 + x), "{x}, {y}");
        }
    }
    let photo = Scenes::default().load(&start.photo).unwrap();
    assert_eq!(pixel(&upright, 16 + 40, 36 + 60), pixel(&photo, 40, 60));
}

#[test]
fn photographs_that_look_the_same_turned_are_refused() {
    let made = generate(&Parameters { angle_tolerance: 5, least_turn: 20, size: 128 }, &mut Rng::new(0), &Spot);
    assert!(made.is_ok());
    // A target of rings, a flag of two halves each of which is the other's mirror image, and nothing at all.
    let mut rings = Picture::filled(128, 128, [200, 40, 40]);
    circle(&mut rings, (64.0, 64.0), 40.0, [240, 240, 240]);
    circle(&mut rings, (64.0, 64.0), 20.0, [40, 40, 200]);
    let mut stripe = Picture::filled(128, 128, [200, 40, 40]);
    fill(&mut stripe, Area::new(0, 44, 128, 40), [240, 240, 240]);
    let plain = Picture::filled(128, 128, [90, 120, 200]);
    assert_eq!([&rings, &stripe, &plain].map(looks_turned), [false; 3]);
    assert!(least_difference(&rings) < 4 && least_difference(&stripe) < 4 && least_difference(&plain) == 0);
}

#[test]
fn built_in_scenes_mostly_look_turned() {
    let scenes = Scenes::default();
    let looks = |seed: &u64| looks_turned(&scenes.load(&scenes.pick(&mut Rng::new(*seed), 128, 128).unwrap()).unwrap());
    assert!((0..100).filter(looks).count() >= 90);
}

#[test]
fn each_strategy_goes_its_own_way() {
    let start = Start { angle: 130, ..small(0) };
    let turns = |strategy: &str, seed| {
        let style = OracleStyle { strategy: Some(strategy.to_owned()), length: None, seed };
        let calls = MentalRotation2d::solve(&start, &style).unwrap();
        calls.iter().map(|call| call.args[0].as_i64().unwrap()).collect::<Vec<_>>()
    };
    for seed in 0..40 {
        assert_eq!(turns("direct", seed), [-130]);
        assert_eq!(turns("stochastic", seed).len(), 3);
        let units = turns("unit_first", seed);
        assert!((2..=3).contains(&units.len()) && units[..units.len() - 1].iter().all(|turn| turn.abs() <= 15));
        let round = turns("full_turn", seed);
        assert_eq!(round[..round.len() - 1].iter().sum::<i64>().abs(), 360);
        assert_eq!(round.last(), Some(&-130));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_strategy_turns_it_back(seed in any::<u64>(), angle in 1_i64..360, length in 0_u32..40) {
        let start = Start { angle, ..small(0) };
        for strategy in MentalRotation2d::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<MentalRotation2d>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal <= 8);
        }
    }

    #[test]
    fn instances_begin_off_the_goal(seed in any::<u64>(), least in 11_i64..=180) {
        let parameters = json!({"angle_tolerance": 10, "least_turn": least, "size": 96});
        let start = exercise::generate::<MentalRotation2d>(parameters, seed).unwrap();
        let off = MentalRotation2d::measure(&start, &MentalRotation2d::initial(&start))["angle_deg"];
        prop_assert!(off >= least as f64 && off <= 180.0);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        exercise::assert_random_play_is_drawn_rightly::<MentalRotation2d>(&small(seed), 8, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss_and_variations_hit(tolerance in 0_i64..=45) {
        let start = small(0);
        let off = |state: &State| MentalRotation2d::measure(&start, state)["angle_deg"];
        let misses = MentalRotation2d::near_misses(&start, &State { angle: 0 }, &bounds(tolerance));
        prop_assert!(misses.len() >= 5 && misses.iter().all(|(_, state)| off(state) > tolerance as f64));
        let variations = MentalRotation2d::variations(&start, &State { angle: 0 }, &bounds(tolerance));
        prop_assert!(variations.len() >= 2 || tolerance == 0);
        prop_assert!(variations.iter().all(|(_, state)| off(state) <= tolerance as f64));
    }
}
