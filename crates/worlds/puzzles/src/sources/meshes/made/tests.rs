use proptest::prelude::*;
use quintain_core::rng::Rng;

use super::{KINDS, Toys, build};
use crate::sources::meshes::{Meshes, Object};

#[test]
fn toys_never_change() {
    let toys = Toys::default();
    let lines = KINDS.map(|(kind, _)| {
        let (object, body) = toys.toy(&format!("{kind}-0000000000000007")).unwrap();
        format!("{kind}: {} of {} triangles", object.digest.short(), body[0].triangles.len())
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    mug: f13bc7f41eef of 544 triangles
    teapot: c48e75c2aba5 of 852 triangles
    can: 033580a83faf of 652 triangles
    lamp: 8acb8d0853c7 of 624 triangles
    chair: 62b9e687a2ad of 144 triangles
    house: 3af4365d4f01 of 200 triangles
    boat: 02c78bfc9472 of 464 triangles
    car: bbe6edae5caf of 992 triangles
    plane: f13fd0cfa44d of 980 triangles
    engine: eac74457445d of 1880 triangles
    dog: 722dfc0c0d21 of 2676 triangles
    ");
}

#[test]
fn what_is_picked_can_be_loaded_by_another() {
    let object = Toys::default().pick(&mut Rng::new(3)).unwrap();
    assert!(Toys::default().load(&object).is_ok());
    let other = Object { digest: quintain_core::digest::Digest::of(b"other"), ..object.clone() };
    let said = [Toys::default().load(&other), Toys::default().load(&Object { name: "whale-1".to_owned(), ..object })];
    insta::assert_snapshot!(said.map(Result::unwrap_err).join("\n").replace(&other.name, "NAME"), @"
    toy `NAME` does not have the shape it was picked with: another version made it
    there is no toy `whale-1`
    ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn toys_are_sound_and_quick_to_draw(seed in any::<u64>(), kind in 0..KINDS.len()) {
        let mesh = build(&format!("{}-{seed:016x}", KINDS[kind].0)).unwrap().fitted();
        prop_assert!(mesh.triangles.len() < 5000, "{}", mesh.triangles.len());
        prop_assert_eq!(mesh.positions.len(), mesh.colors.len());
        prop_assert_eq!(mesh.positions.len(), mesh.normals.len());
        let length = |part: &[f32; 3]| part.iter().map(|part| part * part).sum::<f32>().sqrt();
        prop_assert!(mesh.positions.iter().all(|at| length(at) <= 1.0001));
        prop_assert!(mesh.normals.iter().all(|normal| (length(normal) - 1.0).abs() < 1e-3));
    }
}
