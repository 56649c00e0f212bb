use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::vector::{cross, dot, sub};
use super::{Camera, Lens, Light, Mesh, MeshTexture, Pose, SampleStage, Samples, Sides, Skin, SolidTurn, shapes};
use crate::canvas::Color;

const FRONT: Camera =
    Camera { eye: [0.0, 0.0, 10.0], target: [0.0; 3], up: [0.0, 1.0, 0.0], lens: Lens::orthographic(2.0) };

/// One character a sample: the first letter of a colour's name, or a dot where nothing is.
fn letters(stage: &SampleStage, width: usize) -> String {
    let letter = |color: Option<Color>| match color {
        None => '.',
        Some([255, 0, 0]) => 'r',
        Some([0, 255, 0]) => 'g',
        Some([0, 0, 255]) => 'b',
        Some(_) => '?',
    };
    let letters: Vec<char> = stage.covered().map(letter).collect();
    letters.chunks(width).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

fn drawn(meshes: &[(&Mesh, Pose)], camera: &Camera, light: Light, (width, height): (u32, u32)) -> SampleStage {
    let mut stage = SampleStage::new(width, height, Samples::One);
    for (mesh, pose) in meshes {
        stage.draw(mesh, pose, camera, &light);
    }
    stage
}

#[test]
fn the_nearest_surface_is_seen_whatever_is_drawn_first() {
    let red = shapes::cuboid([1.0, 1.0, 1.0], [255, 0, 0]);
    let green = shapes::cuboid([0.5, 1.8, 0.5], [0, 255, 0]);
    let (near, far) = (Pose::at([-0.4, 0.0, 2.0]), Pose::at([0.2, 0.0, 0.0]));
    let one = drawn(&[(&red, near), (&green, far)], &FRONT, Light::FLAT, (24, 12));
    let other = drawn(&[(&green, far), (&red, near)], &FRONT, Light::FLAT, (24, 12));
    assert_eq!(letters(&one, 24), letters(&other, 24));
    insta::assert_snapshot!(letters(&one, 24), @"
    ........................
    ............ggg.........
    ............ggg.........
    .......rrrrrrgg.........
    .......rrrrrrgg.........
    .......rrrrrrgg.........
    .......rrrrrrgg.........
    .......rrrrrrgg.........
    .......rrrrrrgg.........
    ............ggg.........
    ............ggg.........
    ........................
    ");
}

#[test]
fn far_things_are_smaller_through_a_perspective_lens_only() {
    let wall = shapes::cuboid([1.0, 1.0, 0.1], [255, 0, 0]);
    let size = |lens, z| {
        let camera = Camera { lens, ..FRONT };
        drawn(&[(&wall, Pose::at([0.0, 0.0, z]))], &camera, Light::FLAT, (100, 100)).n_covered()
    };
    assert_eq!(size(Lens::orthographic(2.0), 0.0), size(Lens::orthographic(2.0), -20.0));
    let (near, far) = (size(Lens::perspective(20.0), -0.05), size(Lens::perspective(20.0), -10.05));
    assert!((near as f64 / far as f64 - 4.0).abs() < 0.2, "{near} {far}");
}

#[test]
fn a_floor_that_reaches_behind_the_eye_is_cut_off_there() {
    let floor = shapes::plane([200.0, 200.0], [0, 255, 0]);
    let camera = Camera { eye: [0.0, 1.0, 0.0], target: [0.0, 1.0, -1.0], lens: Lens::perspective(60.0), ..FRONT };
    let stage = drawn(&[(&floor, Pose::default())], &camera, Light::FLAT, (20, 10));
    insta::assert_snapshot!(letters(&stage, 20), @"
    ....................
    ....................
    ....................
    ....................
    ....................
    gggggggggggggggggggg
    gggggggggggggggggggg
    gggggggggggggggggggg
    gggggggggggggggggggg
    gggggggggggggggggggg
    ");
}

#[test]
fn backs_are_seen_only_of_meshes_with_two_sides() {
    let mut leaf = shapes::plane([1.0, 1.0], [0, 0, 255]);
    let from_below = Camera { eye: [0.0, -5.0, 0.1], ..FRONT };
    let n_seen = |leaf: &Mesh| drawn(&[(leaf, Pose::default())], &from_below, Light::FLAT, (20, 20)).n_covered();
    assert_eq!(n_seen(&leaf), 0);
    leaf.sides = Sides::Both;
    assert!(n_seen(&leaf) > 80);
}

#[test]
fn a_texture_lies_the_right_way_round_and_repeats() {
    let mut picture = Picture::filled(2, 2, [255, 0, 0]);
    picture.rgba_mut()[4..8].copy_from_slice(&[0, 255, 0, 255]);
    picture.rgba_mut()[8..12].copy_from_slice(&[0, 0, 255, 255]);
    let mut card = Mesh::default();
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    card.polygon(&corners, [0.0, 0.0, 1.0], [0; 3]);
    let places = vec![[0.0, 1.0], [2.0, 1.0], [2.0, 0.0], [0.0, 0.0]];
    card.skin = Some(Skin { texture: Arc::new(MeshTexture::of(&picture, 64)), places });
    let flat = letters(&drawn(&[(&card, Pose::default())], &FRONT, Light::FLAT, (16, 8)), 16);
    let perspective = Camera { eye: [0.0, 0.0, 5.0], lens: Lens::perspective(22.6), ..FRONT };
    assert_eq!(flat, letters(&drawn(&[(&card, Pose::default())], &perspective, Light::FLAT, (16, 8)), 16));
    insta::assert_snapshot!(flat, @"
    ....rrggrrgg....
    ....rrggrrgg....
    ....rrggrrgg....
    ....rrggrrgg....
    ....bbrrbbrr....
    ....bbrrbbrr....
    ....bbrrbbrr....
    ....bbrrbbrr....
    ");
}

#[test]
fn clearing_leaves_nothing_behind() {
    let ball = shapes::sphere(0.8, [200, 120, 40]);
    for samples in [Samples::One, Samples::Four] {
        let mut used = SampleStage::new(40, 30, samples);
        used.clear([9, 9, 9]);
        used.draw(&ball, &Pose::at([0.3, 0.2, 0.0]), &FRONT, &Light::default());
        used.clear([9, 9, 9]);
        let mut fresh = SampleStage::new(40, 30, samples);
        fresh.clear([9, 9, 9]);
        let mut pictures = [Picture::filled(50, 40, [1; 3]), Picture::filled(50, 40, [1; 3])];
        for (stage, picture) in [&mut used, &mut fresh].into_iter().zip(&mut pictures) {
            stage.draw(&ball, &Pose::at([-0.2, 0.0, 0.0]), &FRONT, &Light::default());
            stage.show(picture, (10, 10));
        }
        assert!(pictures[0] == pictures[1]);
        assert_eq!(pictures[0].rgba()[..4], [1, 1, 1, 255]);
        assert_eq!(pictures[0].rgba()[(10 * 50 + 10) * 4..][..4], [9, 9, 9, 255]);
    }
}

#[test]
fn four_samples_soften_edges_and_nothing_else() {
    let half = shapes::cuboid([1.0, 1.0, 1.0], [200, 100, 0]);
    let mut stage = SampleStage::new(10, 10, Samples::Four);
    stage.clear([0, 0, 0]);
    stage.draw(&half, &Pose::at([0.05, 0.0, 0.0]), &Camera { lens: Lens::orthographic(1.0), ..FRONT }, &Light::FLAT);
    let mut picture = Picture::filled(10, 10, [0; 3]);
    stage.show(&mut picture, (0, 0));
    let row: Vec<u8> = picture.rgba()[..40].chunks_exact(4).map(|pixel| pixel[0]).collect();
    assert_eq!(row, [100, 200, 200, 200, 200, 200, 200, 200, 200, 200]);
}

fn all_shapes() -> [(&'static str, Mesh, f32); 9] {
    let color = [90, 120, 200];
    let round = shapes::ROUND as f32;
    // The area of a regular polygon in a circle of radius one.
    let circle = round / 2.0 * libm::sinf(std::f32::consts::TAU / round);
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    [
        ("cuboid", shapes::cuboid([1.0, 2.0, 3.0], color), 6.0),
        ("cylinder", shapes::cylinder(1.0, 2.0, color), 2.0 * circle),
        ("cone", shapes::cone(1.0, 0.0, 3.0, color), circle),
        ("sphere", shapes::sphere(1.0, color), 4.1),
        ("capsule", shapes::capsule(1.0, 1.0, color), 4.1 + circle),
        ("rod", shapes::rod([0.0, 1.0, 0.0], [1.0, 1.0, 0.0], 1.0, color), 3.0),
        ("bow", shapes::tube(&shapes::arc([0.0; 2], [2.0; 2], 0.0, 180.0, 12), &[0.5; 13], 12, color), 4.6),
        ("prism", shapes::prism(&square, 0.5, color), 2.0),
        (
            "cup",
            shapes::lathe(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.8, 1.0], [0.8, 0.2], [0.0, 0.2]], 24, color),
            1.53,
        ),
    ]
}

/// The volume inside, positive only if the triangles face outward.
fn volume(mesh: &Mesh) -> f32 {
    let six = |[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|i| mesh.positions[*i as usize]);
        dot(a, cross(b, c))
    };
    mesh.triangles.iter().map(six).sum::<f32>() / 6.0
}

#[test]
fn shapes_are_closed_and_face_outward() {
    for (name, mesh, expected) in all_shapes() {
        let found = volume(&mesh);
        assert!((found - expected).abs() < 0.03 * expected, "{name}: volume {found}, expected {expected}");
        let mut edges = BTreeMap::new();
        let key = |i: u32| mesh.positions[i as usize].map(|part| (part * 1024.0).round() as i32);
        for [a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((key(*from), key(*to))).or_insert(0) += 1;
                *edges.entry((key(*to), key(*from))).or_insert(0) -= 1;
            }
        }
        assert!(edges.values().all(|n| *n == 0), "{name} has a hole");
        for [a, b, c] in &mesh.triangles {
            let at = |i: &u32| mesh.positions[*i as usize];
            let face = cross(sub(at(b), at(a)), sub(at(c), at(a)));
            assert!(dot(face, mesh.normals[*a as usize]) > 0.0, "{name} has a normal that points inward");
        }
    }
}

#[test]
fn smoothing_rounds_balls_and_keeps_the_edges_of_boxes() {
    let corners: Vec<[f32; 3]> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let flat = Mesh::flat(&corners, &triangles, [9; 3]);
    let box_mesh = Mesh { colors: vec![[9; 3]; 8], positions: corners, triangles, ..Mesh::default() }.smoothed();
    assert_eq!(box_mesh.positions.len(), 24);
    let normals = |mesh: &Mesh| -> Vec<[i32; 3]> {
        let corners = mesh.triangles.iter().flatten();
        corners.map(|i| mesh.normals[*i as usize].map(|part| (part * 100.0).round() as i32)).collect()
    };
    assert_eq!(normals(&box_mesh), normals(&flat));
}

fn random_turn(rng: &mut Rng) -> SolidTurn {
    let axis = loop {
        let axis = [0; 3].map(|_: i32| rng.uniform(-1.0, 1.0));
        let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&length) {
            break axis.map(|part| part / length);
        }
    };
    SolidTurn::about(axis, rng.uniform(-180.0, 180.0))
}

#[test]
fn pixels_never_change() {
    let mut stage = SampleStage::new(120, 90, Samples::Four);
    let camera = Camera { eye: [2.0, 3.0, 7.0], lens: Lens::perspective(40.0), ..FRONT };
    let mut picture = Picture::filled(120, 90, [0; 3]);
    let mut rng = Rng::new(4);
    let digests = all_shapes().map(|(name, mesh, _)| {
        stage.clear([230, 233, 236]);
        stage.draw(&mesh, &random_turn(&mut rng).at([0.2, 0.1, 0.0]), &camera, &Light::default());
        stage.show(&mut picture, (0, 0));
        format!("{name} {}", picture.digest().short())
    });
    insta::assert_snapshot!(digests.join("\n"), @"
    cuboid 801a8dcb32ac
    cylinder 2b01a961e910
    cone b214a6fafc74
    sphere 1f4aed7fdfbc
    capsule d4b25486b346
    rod 4930c04429c2
    bow a19967fd0ab4
    prism 1c01d114b9fd
    cup e4c40d90a33c
    ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Two triangles that share an edge cover every sample of their union once.
    #[test]
    fn neighbours_neither_overlap_nor_leave_a_gap(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let mut angle = rng.uniform(0.0, 90.0);
        let quad = [0; 4].map(|_| {
            angle += rng.uniform(60.0, 100.0);
            let at = [libm::cos(angle.to_radians()), libm::sin(angle.to_radians()), 0.0];
            // Now and then right on the middles of samples.
            let steps = if rng.chance(0.5) { 32.0 } else { 8192.0 };
            at.map(|part| ((part * rng.uniform(0.9, 1.0) * steps).round() / steps) as f32)
        });
        let covered = |corners: [usize; 3]| {
            let mut mesh = Mesh::flat(&corners.map(|i| quad[i]), &[[0, 1, 2]], [255, 0, 0]);
            mesh.sides = Sides::Both;
            let stage = drawn(&[(&mesh, Pose::default())], &FRONT, Light::FLAT, (32, 32));
            stage.covered().map(|color| usize::from(color.is_some())).collect::<Vec<_>>()
        };
        let sum = |one, two| -> Vec<usize> { covered(one).iter().zip(covered(two)).map(|(n, m)| n + m).collect() };
        let cut_one_way = sum([0, 1, 2], [0, 2, 3]);
        prop_assert!(cut_one_way.iter().all(|n| *n <= 1) && cut_one_way.contains(&1));
        prop_assert_eq!(cut_one_way, sum([0, 1, 3], [1, 2, 3]));
    }

    #[test]
    fn turns_are_rotations(seed in any::<u64>(), degrees in -180.0..180.0) {
        let mut rng = Rng::new(seed);
        let (one, two) = (random_turn(&mut rng), random_turn(&mut rng));
        prop_assert!(one.then(one.inverse()).angle_deg(SolidTurn::NONE) < 1e-12);
        prop_assert!(SolidTurn::of_quaternion(one.quaternion()).angle_deg(one) < 1e-12);
        prop_assert!((one.angle_deg(two) - two.angle_deg(one)).abs() < 1e-12);
        prop_assert!((one.then(two).angle_deg(one) - two.angle_deg(SolidTurn::NONE)).abs() < 1e-6);
        prop_assert!((SolidTurn::about_y(degrees).angle_deg(SolidTurn::NONE) - degrees.abs()).abs() < 1e-6);
    }
}
