use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::seen::{SeenObject, difference};
use super::{MentalRotation3dMeshes, SourceObjects, upright};
use crate::exercise;
use crate::mental_rotation_3d::{Orientation, Start, tests as rotation};
use crate::puzzle::Puzzle;
use crate::solid::{Mesh, SolidTurn, shapes};
use crate::sources::meshes::{Meshes, Object};
use crate::sources::{MaterialSources, PuzzleMaterial};

fn start(preset: &str, seed: u64) -> Start<Object> {
    exercise::start::<MentalRotation3dMeshes>(&exercise::task::<MentalRotation3dMeshes>(), preset, seed)
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..4).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        let start = start(preset, seed);
        format!("{preset}#{seed}: {} {}", start.thing.name, exercise::golden::<MentalRotation3dMeshes>(&start))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: teapot-aa3866ee6c6ddc0b first a06dd7ac5bbf all c39e92b3dde9 of 2
    easy#1: dog-50a2d2a3e2a4d435 first 5759a0cb0eaa all 6d1971da33a7 of 2
    easy#2: teapot-ed99e2d7abc905dc first 3b0614c0ba52 all 209833b1ede7 of 2
    easy#3: mug-5da97407fd9a125f first 91c53a866d2c all ac010eb5fbbc of 2
    hard#0: teapot-aa3866ee6c6ddc0b first a06dd7ac5bbf all c39e92b3dde9 of 2
    hard#1: dog-50a2d2a3e2a4d435 first 5759a0cb0eaa all 6d1971da33a7 of 2
    hard#2: teapot-ed99e2d7abc905dc first 3b0614c0ba52 all 209833b1ede7 of 2
    hard#3: mug-5da97407fd9a125f first 91c53a866d2c all ac010eb5fbbc of 2
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<MentalRotation3dMeshes>(&exercise::task::<MentalRotation3dMeshes>(), "hard", 0);
    insta::assert_snapshot!(text, @"
    Two views show the same object. The left view, under the word TARGET, shows how it should be turned and never changes. In the right view, under the word YOURS, it was turned some other way, at least 30 degrees off; it was not mirrored or scaled, and the light stays where it is.

    Turn the right object until it looks as on the left, then stop. It counts if a single further turn of at most 5 degrees, about whatever axis, would align the two exactly. You must stop yourself before the steps run out.

    A turn is given by three angles in degrees, each from -180 to 180: yaw, pitch, roll. They are carried out in this order, about axes that belong to the picture and never move with the object, through the middle of the right view:
    - yaw: about the upright axis. Positive turns the side that faces you to the right.
    - pitch: about the level axis from left to right. Positive turns the side that faces you down and brings the top towards you.
    - roll: about the axis that points from the picture to you. Positive turns the picture of the object counter-clockwise.

    Every turn starts from how the object is turned at that moment.
    ");
}

#[test]
fn the_verdict_names_the_source() {
    assert_eq!(MentalRotation3dMeshes::MATERIAL, Some(PuzzleMaterial::Meshes));
    let start = start("easy", 5);
    assert_eq!(MentalRotation3dMeshes::made_of(&start), Some(start.thing.digest));
    assert_eq!(MaterialSources::default().name(PuzzleMaterial::Meshes), MaterialSources::default().meshes.name());
}

/// A source that has one mesh.
struct One(Mesh);

impl Meshes for One {
    fn name(&self) -> String {
        "one mesh".to_owned()
    }

    fn pick(&self, _rng: &mut Rng) -> Result<Object, String> {
        Ok(Object { name: "it".to_owned(), digest: quintain_core::digest::Digest::of(b"it") })
    }

    fn load(&self, _object: &Object) -> Result<crate::sources::meshes::Body, String> {
        Ok(Arc::new(vec![self.0.clone().fitted()]))
    }
}

fn generate(mesh: Mesh) -> Result<Start<Object>, String> {
    let sources = MaterialSources { meshes: Arc::new(One(mesh)), ..MaterialSources::default() };
    let parameters = super::Parameters { angle_tolerance: 15.0, size: 256 };
    MentalRotation3dMeshes::generate(&parameters, &mut Rng::new(1), &sources)
}

#[test]
fn objects_that_look_the_same_from_another_side_are_refused() {
    let vase =
        shapes::lathe(&[[0.0, 0.0], [0.5, 0.0], [0.7, 0.6], [0.3, 1.2], [0.4, 1.4], [0.0, 1.4]], 24, [180, 90, 60]);
    let die = shapes::cuboid([1.0, 1.0, 1.0], [200, 200, 200]);
    let brick = shapes::cuboid([2.0, 1.0, 0.6], [180, 80, 60]);
    for symmetric in [vase.clone(), die, brick] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(generate(symmetric).unwrap_err(), @"40 objects of one mesh look the same from another side; give it objects without symmetry");
        }
    }
    let handle = shapes::tube(&shapes::arc([0.6, 0.7], [0.5, 0.4], -90.0, 90.0, 10), &[0.1; 11], 8, [40, 90, 160]);
    assert!(generate(vase.with(&handle)).is_ok());
}

/// A flat star around the y axis under a cone, so that only turns about that axis turn it into itself.
fn star(n_arms: usize) -> Mesh {
    let corner = |i: usize| {
        let radians = std::f64::consts::PI * i as f64 / n_arms as f64;
        let radius = if i.is_multiple_of(2) { 1.0 } else { 0.4 };
        [(radius * libm::cos(radians)) as f32, (radius * libm::sin(radians)) as f32]
    };
    let outline: Vec<[f32; 2]> = (0..2 * n_arms).map(corner).collect();
    let flat = shapes::prism(&outline, 0.4, [200, 160, 60]).turned(SolidTurn::about_x(-90.0));
    flat.with(&shapes::lathe(&[[0.35, 0.2], [0.0, 1.2]], 30, [60, 90, 170]))
}

#[test]
fn objects_with_three_or_five_sides_alike_are_refused() {
    for n_arms in [3, 5] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(generate(star(n_arms)).unwrap_err(), @"40 objects of one mesh look the same from another side; give it objects without symmetry");
        }
        let mark = shapes::cuboid([0.3, 0.6, 0.3], [40, 40, 40]).shifted([0.75, 0.5, 0.0]);
        assert!(generate(star(n_arms).with(&mark)).is_ok(), "{n_arms} arms, one with a mark");
    }
}

/// So the turns for three and five sides change no instance of the built-in toys.
#[test]
fn no_toy_has_three_or_five_sides_alike() {
    let meshes = MaterialSources::default().meshes;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let toy = meshes.pick(&mut rng).unwrap();
        let mut seen = SeenObject::new(meshes.load(&toy).unwrap());
        let view = Orientation::of(upright(&mut rng));
        let odd = seen.turned_oddly(view);
        assert!(!seen.is_alike(view, odd), "{}", toy.name);
    }
}

#[test]
fn a_view_of_the_thin_side_shows_too_little() {
    let mut seen = SeenObject::new(Arc::new(vec![shapes::cuboid([2.0, 1.4, 0.1], [200, 80, 60]).fitted()]));
    let turned = |yaw| Orientation::of(SolidTurn::about_y(yaw));
    assert!(seen.shows_enough(turned(20.0)));
    assert!(!seen.shows_enough(turned(88.0)));
}

#[test]
fn differences_are_shares() {
    let (red, blue) = (Some([255, 0, 0]), Some([0, 0, 255]));
    let nearly = |one: f64, other: f64| (one - other).abs() < 1e-9;
    let first = [red, None, None, None];
    assert!(nearly(difference(&first, &first, 4), 0.0));
    assert!(nearly(difference(&first, &[None, red, None, None], 4), 0.0), "a shift by a pixel");
    assert!(nearly(difference(&first, &[None, None, red, None], 4), 1.0), "a shift by two");
    assert!(nearly(difference(&first, &[blue, None, None, None], 4), 2.0 / 3.0));
    assert!(nearly(difference(&first, &[red, None, None, blue], 4), 1.0 / 3.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn instances_can_be_told_and_seen(seed in any::<u64>(), hard in any::<bool>()) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        let initial = MentalRotation3dMeshes::initial(&start);
        let mut seen = SeenObject::new(MaterialSources::default().meshes.load(&start.thing).unwrap());
        prop_assert!(seen.can_be_told(start.views.target));
        prop_assert!(seen.shows_enough(start.views.target) && seen.shows_enough(initial.orientation));
        prop_assert!(MentalRotation3dMeshes::measure(&start, &initial)["angle_deg"] >= 30.0);
        let text = serde_json::to_string(&start).unwrap();
        prop_assert_eq!(serde_json::from_str::<Start<Object>>(&text).unwrap(), start);
    }

    #[test]
    fn every_strategy_ends_on_the_target(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..40) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        rotation::assert_every_strategy_aligns::<SourceObjects>(&start, length, seed);
        rotation::assert_alterations_hold::<SourceObjects>(&start, if hard { 5.0 } else { 15.0 });
    }

    #[test]
    fn play_is_drawn_rightly(seed in any::<u64>()) {
        let start = start("easy", seed);
        exercise::assert_random_play_is_drawn_rightly::<MentalRotation3dMeshes>(&start, 5, &mut Rng::new(seed));
    }

    #[test]
    fn targets_stand_upright(seed in any::<u64>()) {
        let up = Orientation::of(upright(&mut Rng::new(seed))).pose().of([0.0, 1.0, 0.0]);
        prop_assert!(up[0].abs() < 1e-5 && up[1] > 0.8 && up[2] > 0.2, "{up:?}");
    }
}
