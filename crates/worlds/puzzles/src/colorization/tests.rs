use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface as Offer;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::color::{Tint, tint_of};
use super::generate::{evenest, generate, looks};
use super::{Colorization, Parameters, Start, State, Surround};
use crate::exercise;
use crate::puzzle::Puzzle;
use crate::sources::photos::{Photo, Photos, Scenes};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<Colorization>(&exercise::task::<Colorization>(), preset, seed)
}

/// A small photograph, quick to draw.
fn small(seed: u64) -> Start {
    let parameters = json!({"hue_tolerance": 10, "saturation_tolerance": 20, "width": 240, "height": 200});
    exercise::generate::<Colorization>(parameters, seed).unwrap()
}

fn bounds(hue: i64, saturation: i64) -> quintain_core::Measures {
    [("hue_deg".to_owned(), hue as f64), ("saturation".to_owned(), saturation as f64)].into()
}

fn tint(hue: i64, saturation: i64) -> Tint {
    Tint { hue, saturation }
}

fn pixel(picture: &Picture, x: i32, y: i32) -> [i64; 3] {
    let at = (y as usize * picture.width() as usize + x as usize) * 4;
    [0, 1, 2].map(|i| i64::from(picture.rgba()[at + i]))
}

/// The middle of the wheel in the picture of a small photograph, and the corner of the photograph.
const WHEEL: (i32, i32) = (196, 196);
const CORNER: (i32, i32) = (392, 96);

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances
        .map(|(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<Colorization>(&start(preset, seed))));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first ee903c80d73d all 4d801988d755 of 5
    easy#1: first 587b95330ff2 all 6e095a954ccb of 5
    easy#2: first 9b88c0b62d41 all 5cdf444b27d0 of 5
    hard#0: first ee903c80d73d all 4d801988d755 of 5
    hard#1: first 587b95330ff2 all 6e095a954ccb of 5
    hard#2: first 9b88c0b62d41 all 5cdf444b27d0 of 5
    ");
}

#[test]
fn the_instruction_reads_well() {
    let task = exercise::task::<Colorization>();
    insta::assert_snapshot!(exercise::instruction::<Colorization>(&task, "hard", 0), @"
    On the right is a photograph, shown in its own colours but for a round spot inside a white and black ring. The spot has lost its own hue and saturation and is coloured with yours instead: one hue and one saturation for the whole spot. How bright each of its points is was kept. The original, which you look for, is the mean colour of the spot in the photograph.

    On the left is a wheel of all hues and saturations, as bright as the spot. The ringed mark on it is your present choice. Around the wheel the hue changes: red (0 degrees) is at the top, green (120 degrees) at the lower right, blue (240 degrees) at the lower left. From the middle to the rim the saturation grows from 0 (grey) to 255 (most vivid).

    Choose the hue and saturation of the original: the spot is part of the same surface as what lies around it, so it should look as if it had never been marked; then stop. It counts if your hue is at most 10 degrees from the original one, the shorter way round, and your saturation at most 25 from the original one. You must stop yourself before the steps run out.

    Turning by positive degrees moves the mark clockwise, by negative degrees counter-clockwise. A positive change of saturation moves the mark outwards, a negative one inwards; it stops at the middle and at the rim.
    ");
    let mut grey = exercise::task::<Colorization>();
    grey.spec.parameters.get_mut("surround").unwrap().value = json!("grey");
    let (told, tells) = (exercise::instruction::<Colorization>(&grey, "hard", 0), "shown in shades of grey but for");
    assert!(told.contains(tells) && told.contains("judging by what the photograph shows; then stop"), "{told}");
}

#[test]
fn calls_say_what_came_of_them() {
    let start = Start { tint: tint(350, 100), target: tint(20, 90), ..small(0) };
    let mut state = Colorization::initial(&start);
    let offer = Offer { calls: Colorization::calls(&start), ..Offer::default() };
    let mut said = Vec::new();
    for raw in [
        "('rotate', 30)",
        "rotate(-360)",
        "('rotate', 0)",
        "('saturate', -10)",
        "('saturate', 200)",
        "('saturate', 5)",
        "('saturate', 0)",
        "('saturate', -255)",
        "('rotate', 30)",
        "('saturate', -1)",
        "('saturate', 10)",
        "('saturate', -20)",
        "('rotate', 361)",
        "('saturate', 0.5)",
        "('brighten', 5)",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &offer) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<Colorization>(&start, &mut state, &call);
                let Tint { hue, saturation } = state.tint;
                format!("{:?}: {} {hue} degrees, {saturation}", feedback.effect, feedback.text)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('rotate', 30)
        Changed: The hue was turned clockwise. 20 degrees, 100
    rotate(-360)
        Unchanged: The hue is as it was. 20 degrees, 100
    ('rotate', 0)
        Unchanged: The hue is as it was. 20 degrees, 100
    ('saturate', -10)
        Changed: The saturation was lowered. 20 degrees, 90
    ('saturate', 200)
        Changed: The saturation was raised as far as it goes. 20 degrees, 255
    ('saturate', 5)
        Unchanged: The saturation is at its highest already: nothing changed. 20 degrees, 255
    ('saturate', 0)
        Unchanged: The saturation is as it was. 20 degrees, 255
    ('saturate', -255)
        Changed: The saturation was lowered. While the spot is grey, its hue cannot be seen. 20 degrees, 0
    ('rotate', 30)
        Changed: The hue was turned clockwise. While the spot is grey, its hue cannot be seen. 50 degrees, 0
    ('saturate', -1)
        Unchanged: The saturation is at its lowest already: nothing changed. 50 degrees, 0
    ('saturate', 10)
        Changed: The saturation was raised. 50 degrees, 10
    ('saturate', -20)
        Changed: The saturation was lowered as far as it goes. While the spot is grey, its hue cannot be seen. 50 degrees, 0
    ('rotate', 361)
        `angle` of `rotate` must be a whole number from -360 to 360, not 361
    ('saturate', 0.5)
        `delta` of `saturate` must be a whole number from -255 to 255, not 0.5
    ('brighten', 5)
        there is no action `brighten`; there is `rotate`, `saturate`
    ");
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let good = json!({"hue_tolerance": 10, "saturation_tolerance": 20});
    let wrong = [
        ("hue_tolerance", json!(41)),
        ("saturation_tolerance", json!(-1)),
        ("width", json!(100)),
        ("height", json!(2001)),
        ("surround", json!("blue")),
        ("radius", json!(11)),
    ];
    let said = wrong.map(|(name, value)| {
        let mut parameters = good.clone();
        parameters[name] = value;
        exercise::generate::<Colorization>(parameters, 0).unwrap_err()
    });
    insta::assert_snapshot!(said.join("\n"), @"
    `hue_tolerance` is 41: 0 to 40 degrees are possible
    `saturation_tolerance` is -1: 0 to 100 are possible
    `width` is 100: 200 to 2000 pixels are possible
    `height` is 2001: 200 to 2000 pixels are possible
    unknown variant `blue`, expected `color` or `grey`
    unknown field `radius`, expected one of `hue_tolerance`, `saturation_tolerance`, `surround`, `width`, `height`
    ");
}

#[test]
fn tints_and_colours_agree() {
    for (color, wanted) in [
        ([255, 0, 0], tint(0, 255)),
        ([200, 200, 0], tint(60, 255)),
        ([0, 90, 0], tint(120, 255)),
        ([50, 100, 100], tint(180, 128)),
        ([64, 64, 255], tint(240, 191)),
        ([255, 0, 4], tint(359, 255)),
        ([80, 80, 80], tint(0, 0)),
        ([0, 0, 0], tint(0, 0)),
    ] {
        assert_eq!(tint_of(color), wanted, "{color:?}");
    }
    for (hue, saturation) in (0..360).flat_map(|hue| [60, 120, 255].map(|saturation| (hue, saturation))) {
        let [red, green, blue, _] = tint(hue, saturation).shades()[240];
        let back = tint_of([red, green, blue].map(i64::from));
        assert!(
            back.hue_off(tint(hue, 0)) <= 1 && (back.saturation - saturation).abs() <= 1,
            "{hue}, {saturation}: {back:?}"
        );
    }
}

#[test]
fn the_wheel_shows_each_tint_where_its_mark_goes() {
    let start = Start { value: 200, ..small(0) };
    let picture = exercise::fresh::<Colorization>(&start, &State { tint: tint(45, 200) });
    for (hue, share) in (0..360).step_by(15).flat_map(|hue| [(hue, 0.4), (hue, 0.9)]) {
        if hue == 45 {
            continue;
        }
        let (sin, cos) = (libm::sin((hue as f64).to_radians()), libm::cos((hue as f64).to_radians()));
        let (x, y) = (sin * 176.0 * share, -cos * 176.0 * share);
        let seen = tint_of(pixel(&picture, WHEEL.0 + x.floor() as i32, WHEEL.1 + y.floor() as i32));
        assert!(seen.hue_off(tint(hue, 0)) <= 2, "{hue}: {seen:?}");
        assert!((seen.saturation as f64 - 255.0 * share).abs() < 4.0, "{hue}: {seen:?}");
    }
    let (sin, cos) = (libm::sin(45_f64.to_radians()), libm::cos(45_f64.to_radians()));
    let reach = 176.0 * 200.0 / 255.0;
    let mark = tint_of(pixel(&picture, WHEEL.0 + (sin * reach) as i32, WHEEL.1 - (cos * reach) as i32));
    assert!(mark.hue_off(tint(45, 0)) <= 1 && (mark.saturation - 200).abs() <= 2, "{mark:?}");
}

#[test]
fn the_spot_alone_is_coloured_and_fits_when_solved() {
    for seed in 0..8 {
        let start = small(seed);
        let photo = Scenes::default().load(&start.photo).unwrap();
        let picture = exercise::fresh::<Colorization>(&start, &State { tint: start.target });
        let (mut inside, mut n_inside) = (0, 0);
        for (x, y) in (0..200).step_by(3).flat_map(|y| (0..240).step_by(3).map(move |x| (x, y))) {
            let (dx, dy) = (x - start.spot.0, y - start.spot.1);
            let (own, seen) = (pixel(&photo, x, y), pixel(&picture, CORNER.0 + x, CORNER.1 + y));
            let square = dx * dx + dy * dy;
            if square < (start.radius - 1).pow(2) {
                inside += own.iter().zip(seen).map(|(own, seen)| (own - seen).abs()).sum::<i64>() / 3;
                n_inside += 1;
            } else if square > (start.radius + 7).pow(2) {
                assert_eq!(own, seen, "{x}, {y}");
            }
        }
        // The original varies a little within the spot, and the tint does not.
        assert!(inside / n_inside <= 12, "seed {seed}: {}", inside / n_inside);
    }
}

#[test]
fn a_grey_surround_tells_no_colour() {
    let start = Start { surround: Surround::Grey, ..small(2) };
    let picture = exercise::fresh::<Colorization>(&start, &Colorization::initial(&start));
    for (x, y) in (0..240).flat_map(|x| (0..200).map(move |y| (x, y))) {
        let (dx, dy) = (x - start.spot.0, y - start.spot.1);
        let [red, green, blue] = pixel(&picture, CORNER.0 + x, CORNER.1 + y);
        assert!(dx * dx + dy * dy < (start.radius + 7).pow(2) || (red == green && green == blue), "{x}, {y}");
    }
}

/// A source of one picture of one colour.
struct Plain([u8; 3]);

impl Photos for Plain {
    fn name(&self) -> String {
        "plain".to_owned()
    }

    fn pick(&self, _rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String> {
        let photo = Photo { name: "only".to_owned(), width, height, digest: quintain_core::Digest::of(b"") };
        let digest = self.load(&photo)?.digest();
        Ok(Photo { digest, ..photo })
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        Ok(Arc::new(Picture::filled(photo.width, photo.height, self.0)))
    }
}

#[test]
fn pale_dark_and_motley_places_are_refused() {
    let parameters =
        Parameters { hue_tolerance: 10, saturation_tolerance: 20, surround: Surround::Color, width: 240, height: 200 };
    let make = |color| generate(&parameters, &mut Rng::new(0), &Plain(color)).map(|start| (start.target, start.value));
    assert_eq!(make([60, 120, 200]), Ok((tint(214, 179), 200)));
    insta::assert_snapshot!(make([120, 125, 130]).unwrap_err(), @"32 photographs of plain were tried: none has a spot of one colour that is vivid enough");
    assert!(make([10, 20, 40]).is_err());
    let mut motley = Picture::filled(240, 200, [60, 120, 200]);
    crate::canvas::fill(&mut motley, crate::canvas::Area::new(0, 0, 120, 200), [200, 120, 60]);
    assert!(looks(&motley, (180, 100), 25).is_some() && looks(&motley, (125, 100), 25).is_none());
}

/// How far the pixels of a spot are from one hue and one saturation: mean absolute deviations from their means, over every
/// pixel, in degrees weighted by saturation and in parts of 255. Colours are vectors here, as nowhere in the generator.
fn unevenness(photo: &Picture, (x, y): (i32, i32), radius: i32) -> (f64, f64) {
    let places = (-radius..radius).flat_map(|dy| (-radius..radius).map(move |dx| (dx, dy)));
    let inside = places.filter(|(dx, dy)| dx * dx + dy * dy < radius * radius);
    let colors: Vec<(f64, f64)> = inside
        .map(|(dx, dy)| {
            let color = pixel(photo, x + dx, y + dy);
            let most = color.into_iter().max().unwrap().max(1) as f64;
            let [red, green, blue] = color.map(|channel| channel as f64 / most);
            (red - f64::midpoint(green, blue), (green - blue) * 3_f64.sqrt() / 2.0)
        })
        .collect();
    let length = |(along, across): (f64, f64)| libm::hypot(along, across);
    let sum = colors.iter().fold((0.0, 0.0), |sum, color| (sum.0 + color.0, sum.1 + color.1));
    let away = |color: (f64, f64)| {
        let (with, beside) = (color.0 * sum.0 + color.1 * sum.1, color.1 * sum.0 - color.0 * sum.1);
        libm::atan2(beside, with).to_degrees().abs()
    };
    let total: f64 = colors.iter().map(|color| length(*color)).sum();
    let mean = total / colors.len() as f64;
    let hue = colors.iter().map(|color| away(*color) * length(*color)).sum::<f64>() / total;
    let saturation = colors.iter().map(|color| (length(*color) - mean).abs()).sum::<f64>() / colors.len() as f64;
    (hue, saturation * 255.0)
}

#[test]
fn spots_are_of_one_colour() {
    let scenes = Scenes::default();
    for seed in 0..40 {
        let start = start("hard", seed);
        let photo = scenes.load(&start.photo).unwrap();
        let (hue, saturation) = unevenness(&photo, start.spot, start.radius);
        assert!(hue <= 8.0 && saturation <= 24.0, "seed {seed}: {hue:.1} degrees, {saturation:.1}");
    }
}

#[test]
fn a_streaky_place_is_refused() {
    let mut streaky = Picture::filled(240, 200, [150, 100, 90]);
    for row in (0..200).step_by(20) {
        crate::canvas::fill(&mut streaky, crate::canvas::Area::new(0, row, 240, 10), [150, 90, 98]);
    }
    assert!(looks(&Picture::filled(240, 200, [150, 100, 90]), (120, 100), 20).is_some());
    assert!(looks(&streaky, (120, 100), 20).is_none());
}

#[test]
fn built_in_scenes_mostly_have_a_spot() {
    let scenes = Scenes::default();
    let has_one = |seed: &u64| {
        let mut rng = Rng::new(*seed);
        let photo = scenes.pick(&mut rng, 560, 400).unwrap();
        evenest(&scenes.load(&photo).unwrap(), 40, &mut rng).is_some()
    };
    let n_with = (0..60).filter(has_one).count();
    assert!(n_with >= 40, "{n_with} of 60");
}

#[test]
fn each_strategy_goes_its_own_way() {
    let start = Start { tint: tint(10, 200), target: tint(300, 90), ..small(0) };
    let spoken = |strategy: &str| {
        let style = OracleStyle { strategy: Some(strategy.to_owned()), length: None, seed: 3 };
        let calls = Colorization::solve(&start, &style).unwrap();
        format!("{strategy}: {}", calls.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    let lines: Vec<String> = Colorization::STRATEGIES.iter().map(|strategy| spoken(strategy)).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    stochastic: rotate(-37) saturate(-28) saturate(-33) rotate(-33) saturate(-49)
    direct: rotate(-70) saturate(-110)
    unit_first: rotate(-15) saturate(-25) rotate(-55) saturate(-85)
    full_turn: rotate(120) rotate(120) rotate(120) rotate(-70) saturate(-110)
    ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_strategy_finds_the_colour(
        seed in any::<u64>(), hue in 0_i64..360, turn in 45_i64..316, from in 0_i64..256, to in 60_i64..256, length in 0_u32..40,
    ) {
        let start = Start { tint: tint(hue, from), target: tint(hue, to).turned(turn), ..small(0) };
        for strategy in Colorization::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<Colorization>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal <= 9, "{}", minimal);
        }
    }

    #[test]
    fn instances_begin_off_the_goal(seed in any::<u64>()) {
        let start = small(seed);
        let off = Colorization::measure(&start, &Colorization::initial(&start));
        prop_assert!(off["hue_deg"] >= 45.0 && start.target.saturation >= 50);
        let reach = start.radius + 5;
        prop_assert!(start.spot.0 >= reach && start.spot.1 >= reach);
        prop_assert!(start.spot.0 + reach <= 240 && start.spot.1 + reach <= 200);
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start>(&text).unwrap(), start);
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        exercise::assert_random_play_is_drawn_rightly::<Colorization>(&small(seed), 8, &mut Rng::new(seed));
    }

    #[test]
    fn near_misses_miss_and_variations_hit(to in 60_i64..256, hue in 0_i64..=40, saturation in 0_i64..=100) {
        let start = Start { target: tint(200, to), ..small(0) };
        let bounds = bounds(hue, saturation);
        let solved = State { tint: start.target };
        let holds = |state: &State| Colorization::measure(&start, state).iter().all(|(name, off)| *off <= bounds[name]);
        let misses = Colorization::near_misses(&start, &solved, &bounds);
        prop_assert!(misses.len() >= 6);
        for (how, state) in misses {
            prop_assert!(!holds(&state), "{}", how);
        }
        let variations = Colorization::variations(&start, &solved, &bounds);
        prop_assert!(variations.len() >= 2 || hue == 0);
        for (how, state) in variations {
            prop_assert!(holds(&state), "{}", how);
        }
    }
}
