use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::{KEPT, KINDS, Scenes, render};
use crate::sources::photos::{Photo, Photos};

#[test]
fn pixels_never_change() {
    let lines = KINDS.iter().flat_map(|(kind, _)| {
        [(1, 576, 432), (2, 320, 240)].map(|(seed, width, height)| {
            let name = format!("{kind}-{seed:016x}");
            format!("{name} {width}x{height} {}", render(&name, width, height).unwrap().digest().short())
        })
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    lake-0000000000000001 576x432 6f62f4d3c623
    lake-0000000000000002 320x240 ba619f308d9d
    meadow-0000000000000001 576x432 45b8c5a25bdd
    meadow-0000000000000002 320x240 987bb954c3f0
    city-0000000000000001 576x432 218f59207125
    city-0000000000000002 320x240 8662198dbb40
    fruit-0000000000000001 576x432 a52688a9a0cd
    fruit-0000000000000002 320x240 a7ead523e6ad
    coast-0000000000000001 576x432 ec36400ee900
    coast-0000000000000002 320x240 5f02eaed1af6
    forest-0000000000000001 576x432 427bfa63e4cc
    forest-0000000000000002 320x240 39fcf6d10756
    ");
}

#[test]
fn a_scene_that_fell_off_the_shelf_comes_back_the_same() {
    let scenes = Scenes::default();
    let mut rng = Rng::new(3);
    let first = scenes.pick(&mut rng, 96, 72).unwrap();
    let picture = scenes.load(&first).unwrap();
    assert!(std::sync::Arc::ptr_eq(&picture, &scenes.load(&first).unwrap()));
    for _ in 0..KEPT {
        scenes.pick(&mut rng, 96, 72).unwrap();
    }
    let again = scenes.load(&first).unwrap();
    assert!(!std::sync::Arc::ptr_eq(&picture, &again));
    assert!(picture == again);
}

#[test]
fn scenes_that_do_not_exist_or_have_changed_are_refused() {
    let scenes = Scenes::default();
    let real = scenes.pick(&mut Rng::new(3), 96, 72).unwrap();
    let other = scenes.pick(&mut Rng::new(4), 96, 72).unwrap();
    let named = |name: &str| Photo { name: name.to_owned(), ..real.clone() };
    let refused = [named("moon-00"), named("lake"), named("lake-xyz"), Photo { digest: other.digest, ..real.clone() }];
    let said = refused.map(|photo| scenes.load(&photo).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    there is no scene `moon-00`
    there is no scene `lake`
    there is no scene `lake-xyz`
    scene `fruit-a5ddec9f6e306924` does not have the pixels it was picked with: another version made it
    ");
}

#[test]
fn every_kind_is_picked() {
    let scenes = Scenes::default();
    let mut rng = Rng::new(0);
    let mut kinds: Vec<String> =
        (0..60).map(|_| scenes.pick(&mut rng, 48, 48).unwrap().name.split('-').next().unwrap().to_owned()).collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["city", "coast", "forest", "fruit", "lake", "meadow"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn scenes_of_any_size_can_be_painted(seed in any::<u64>(), width in 24_u32..400, height in 24_u32..400) {
        for (kind, _) in KINDS {
            let picture = render(&format!("{kind}-{seed:016x}"), width, height).unwrap();
            prop_assert_eq!((picture.width(), picture.height()), (width, height));
            prop_assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255));
        }
    }
}
