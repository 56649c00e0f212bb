use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::kinds::KINDS;
use super::paint::paint;
use super::{Arrangements, LEAST_VISIBLE, PictureRecipe};
use crate::sources::labels::{Labels, WantedPicture};

fn wanted() -> WantedPicture {
    WantedPicture { width: 240, height: 180, least: 2, most: 9, others: 5, overlap: 0.3, size: 1.0 }
}

#[test]
fn pixels_never_change() {
    let digest = |kind| {
        let recipe = PictureRecipe { kind, seed: 5, n_things: 6, n_others: 4, overlap: 30, size: 100 };
        format!("{} {}", kind.name, paint(&recipe, 288, 216).picture.digest().short())
    };
    insta::assert_snapshot!(KINDS.iter().map(digest).collect::<Vec<_>>().join("\n"), @"
    apple 504e0205a1a3
    lemon aec39344fd64
    strawberry 047f76844e5a
    button 91c0f8dc194a
    ball 3cac6c634398
    flower 5788528ffaae
    mushroom bdedec1ae7b7
    leaf 71b354f55653
    boat 339fdfcf8800
    duck c4d7da93da70
    buoy 4eaff01ff3f0
    balloon 1c443580c1f6
    kite 2ab8bf177615
    bird d2657e0c80e8
    airplane 183574787fc7
    ");
}

/// The picture differs from one without the thing exactly where its mask says, shadows and rims aside.
#[test]
fn things_fill_their_masks() {
    for kind in &KINDS {
        let recipe = PictureRecipe { kind, seed: 11, n_things: 1, n_others: 0, overlap: 0, size: 200 };
        let [with, without] = [1, 0].map(|n_things| paint(&PictureRecipe { n_things, ..recipe.clone() }, 200, 200));
        let [thing] = with.things.as_slice() else { panic!("one thing was asked for") };
        let off = |at: usize| {
            let pixel = |picture: &quintain_core::Picture| picture.rgba()[at * 4..at * 4 + 3].to_vec();
            let pair = pixel(&with.picture).into_iter().zip(pixel(&without.picture));
            pair.map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>()
        };
        let inside: Vec<u32> =
            (0..200 * 200).filter(|at| thing.mask.contains(((at % 200) as i64, (at / 200) as i64))).map(off).collect();
        let seen = inside.iter().filter(|off| **off > 40).count();
        assert!(inside.len() > 600 && seen * 100 > inside.len() * 85, "{}: {seen} of {}", kind.name, inside.len());
        let far: Vec<u32> = (0..200 * 200)
            .filter(|at| thing.mask.distance(((at % 200) as i64, (at / 200) as i64)) > 40.0)
            .map(off)
            .collect();
        // Grain is drawn after the thing, so it differs; nothing else does.
        assert!(far.iter().all(|off| *off <= 48), "{}: {:?}", kind.name, far.iter().max());
    }
}

#[test]
fn what_cannot_be_made_is_said() {
    let pick = |wanted: WantedPicture| Arrangements::default().pick(&mut Rng::new(0), &wanted).unwrap_err();
    let said = [
        WantedPicture { width: 20, ..wanted() },
        WantedPicture { least: 0, ..wanted() },
        WantedPicture { least: 10, ..wanted() },
        WantedPicture { overlap: 0.9, ..wanted() },
        WantedPicture { size: 9.0, ..wanted() },
    ];
    insta::assert_snapshot!(said.map(pick).join("\n"), @"
    `width` is 20: a picture has 160 to 2048 pixels
    0 to 9 things and 5 others: at least one is wanted, and 80 together at most
    10 to 9 things and 5 others: at least one is wanted, and 80 together at most
    an overlap of 0.9 and a size of 1: 0 to 0.4 and 0.4 to 2 are possible
    an overlap of 0.3 and a size of 9: 0 to 0.4 and 0.4 to 2 are possible
    ");
}

#[test]
fn what_was_never_picked_is_refused() {
    let labels = Arrangements::default();
    let picked = labels.pick(&mut Rng::new(4), &wanted()).unwrap();
    let other = Arrangements::default();
    assert_eq!(other.load(&picked.photo).unwrap(), labels.load(&picked.photo).unwrap());
    let mut photo = picked.photo.clone();
    photo.name = "unicorn-00-1-1-1-1".to_owned();
    insta::assert_snapshot!(labels.load(&photo).unwrap_err(), @"there is no arrangement `unicorn-00-1-1-1-1` of 240x180");
    photo.name = format!("{}-1", picked.photo.name);
    assert!(labels.load(&photo).unwrap_err().starts_with("there is no arrangement"));
    photo = picked.photo;
    photo.digest = quintain_core::Digest::of(b"other");
    assert!(labels.load(&photo).unwrap_err().ends_with("another version made it"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_thing_is_in_sight_and_has_pixels_of_its_own(
        seed in any::<u64>(), least in 1_usize..12, others in 0_usize..12, overlap in 0.0_f64..0.4,
    ) {
        let wanted = WantedPicture { least, most: least + 3, others, overlap, ..wanted() };
        let labels = Arrangements::default();
        let picked = labels.pick(&mut Rng::new(seed), &wanted).unwrap();
        let again = labels.pick(&mut Rng::new(seed), &wanted).unwrap();
        prop_assert_eq!(&picked.things, &again.things);
        prop_assert_eq!(&picked.photo, &again.photo);
        let count = picked.in_question().count();
        prop_assert!((least..=least + 3).contains(&count) && picked.things.len() - count <= others);
        let mut owned = vec![false; 240 * 180];
        for thing in &picked.things {
            prop_assert!(thing.mask.area() >= 40, "{} of {} pixels", thing.kind, thing.mask.area());
            for [y, from, to] in thing.mask.spans() {
                for x in *from..*to {
                    prop_assert!(!std::mem::replace(&mut owned[(y * 240 + x) as usize], true), "two own one pixel");
                }
            }
        }
        let recipe = PictureRecipe::from_name(&picked.photo.name).unwrap();
        prop_assert!(paint(&recipe, 240, 180).least_visible >= LEAST_VISIBLE);
    }
}
