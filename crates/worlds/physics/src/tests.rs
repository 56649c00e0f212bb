//! The arm itself: our arithmetic against MuJoCo's, and what physics promises.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::variables;
use quintain_core::world::OracleStyle;
use quintain_puzzles::Puzzle;
use quintain_puzzles::puzzle::after;
use serde_json::json;

use crate::kinematics::{Arm, Placed};
use crate::machine::SceneMachine;
use crate::motion::{Motion, distance, rounded};
use crate::mujoco::MissingPhysics;
use crate::near::DISTANCE;
use crate::scene::{HOME_HAND, REACH, Scene};
use crate::view::Drawing;

/// Whether there is a MuJoCo to test with. Where there must be one, there is; elsewhere a test says that it did nothing.
pub(crate) fn has_physics(test: &str) -> bool {
    let found = crate::found();
    if let Err(missing) = found {
        assert!(std::env::var_os(variables::REQUIRE_MUJOCO).is_none(), "{missing}");
        eprintln!("{test} tests nothing: {missing}");
    }
    found.is_ok()
}

/// The digests of the first pictures of some instances.
pub(crate) fn pictures(draw: impl Fn(&str, u64) -> Drawing) -> String {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        let picture = draw(preset, seed).picture();
        format!("{preset}#{seed}: {}x{} {}", picture.width(), picture.height(), picture.digest().short())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How many pixels of the left picture have about the hue of a colour.
pub(crate) fn n_pixels_like(picture: &Picture, color: [u8; 3], size: u32) -> usize {
    let stride = picture.width() as usize * 4;
    let left = picture.rgba().chunks_exact(stride).flat_map(|row| row[..size as usize * 4].chunks_exact(4));
    let share = |pixel: &[u8], i: usize| f64::from(pixel[i]) / pixel[..3].iter().map(|c| f64::from(*c)).sum::<f64>();
    let is_like = |pixel: &&[u8]| (0..3).all(|i| (share(pixel, i) - share(&color, i)).abs() < 0.06);
    left.filter(is_like).count()
}

/// Plays a solution and asserts that it ends within so many centimetres. Gives the number of actions, the closing stop
/// included.
pub(crate) fn assert_solves<P: Puzzle>(start: &P::Start, style: &OracleStyle, cm: f64) -> usize {
    let calls = P::solve(start, style).unwrap();
    let off = P::measure(start, &after::<P>(start, &calls))[DISTANCE];
    assert!(off <= cm + 0.2, "{style:?}: {off} cm off");
    calls.len() + 1
}

/// Asserts that all near misses are outside of a bound and all variations within it.
pub(crate) fn assert_judge_is_strict<P: Puzzle>(start: &P::Start, solved: &P::State, bound: f64) {
    let bounds = [(DISTANCE.to_owned(), bound)].into();
    let off = |state: &P::State| P::measure(start, state)[DISTANCE];
    let (misses, variations) = (P::near_misses(start, solved, &bounds), P::variations(start, solved, &bounds));
    assert!(misses.len() >= 8 && variations.len() >= 8);
    for (how, state) in &misses {
        assert!(off(state) > bound, "{how}");
    }
    for (how, state) in &variations {
        assert!(off(state) <= bound, "{how}");
    }
}

const LINKS: [&str; 7] = ["pan", "lift", "upper", "elbow", "fore", "wrist", "hand"];

/// Random joints, as far as hands and arms go.
fn random_motion(rng: &mut Rng) -> Motion {
    let mut motion = Motion::at_rest(Some([0.1, 0.1]));
    for position in &mut motion.positions[..7] {
        *position = rounded(rng.uniform(-3.0, 3.0));
    }
    for position in &mut motion.positions[7..9] {
        *position = rounded(rng.uniform(0.0, 0.05));
    }
    let block = [0, 1, 2].map(|_| rounded(rng.uniform(-0.5, 0.5)));
    motion.positions[9..12].copy_from_slice(&block);
    motion.positions[12..].copy_from_slice(&[0, 1, 2, 3].map(|_| rounded(rng.uniform(-1.0, 1.0))));
    motion.block = Some(block);
    motion
}

fn off(ours: &Placed, (at, turn): ([f64; 3], [f64; 9])) -> f64 {
    let turned = ours.turn.0.as_flattened().iter().zip(turn).map(|(ours, theirs)| (ours - theirs).abs());
    turned.fold(distance(ours.at, at), f64::max)
}

#[test]
fn our_arithmetic_agrees_with_that_of_mujoco() {
    if !has_physics("our_arithmetic_agrees_with_that_of_mujoco") {
        return;
    }
    let machine = SceneMachine::of(Scene::Block).unwrap();
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let motion = random_motion(&mut rng);
        let Arm { links, fingers } = motion.arm();
        let ours = links.iter().chain(&fingers).copied().chain(motion.placed_block());
        let names = LINKS.into_iter().chain(["left", "right", "block"]);
        let theirs = machine.with_data(|data| {
            data.set(&motion.numbers());
            names.map(|name| data.pose_of(name)).collect::<Vec<_>>()
        });
        for (ours, theirs) in ours.zip(theirs.unwrap()) {
            assert!(off(&ours, theirs) < 1e-12, "{ours:?} {theirs:?}");
        }
    }
}

#[test]
fn the_arm_rests_where_it_is_said_to_rest() {
    assert!(distance(Arm::at(&[]).hand(), HOME_HAND) < 1e-9);
    if !has_physics("the_arm_rests_where_it_is_said_to_rest") {
        return;
    }
    for block in [None, Some([0.1, -0.1])] {
        let (start, mut motion) = (Motion::at_rest(block), Motion::at_rest(block));
        motion.pass().unwrap();
        assert!(distance(motion.hand, start.hand) < 1e-6, "{motion:?}");
        assert!(start.block.zip(motion.block).is_none_or(|(before, after)| distance(before, after) < 1e-4));
    }
}

#[test]
fn every_place_within_reach_is_reached_with_the_fingers_down() {
    if !has_physics("every_place_within_reach_is_reached_with_the_fingers_down") {
        return;
    }
    let corners = (0..8).map(|i| [REACH[i & 1][0], REACH[i >> 1 & 1][1], REACH[i >> 2][2]]);
    for place in corners {
        let mut motion = Motion::at_rest(None);
        for _ in 0..12 {
            let units = [0, 1, 2].map(|i: usize| ((place[i] - motion.aim[i]) / crate::UNIT).clamp(-1.0, 1.0));
            motion.send(units);
            motion.pass().unwrap();
        }
        assert!(distance(motion.aim, place) < 1e-9);
        assert!(distance(motion.hand, place) < 0.002, "{place:?}: {:?}", motion.hand);
        let down = motion.arm().links[6].turn.0[2][1];
        assert!(down > 0.999, "{place:?}: the fingers point down by {down}");
    }
}

#[test]
fn a_state_goes_on_from_its_record_as_if_nothing_had_happened() {
    if !has_physics("a_state_goes_on_from_its_record_as_if_nothing_had_happened") {
        return;
    }
    let mut rng = Rng::new(3);
    let (mut kept, mut read) = (Motion::at_rest(Some([0.05, 0.0])), Motion::at_rest(Some([0.05, 0.0])));
    for turn in 0..25 {
        let units = [0, 1, 2].map(|_| rng.uniform(-1.0, 0.9));
        kept.closed = turn % 5 > 2;
        kept.send(units);
        read.closed = kept.closed;
        read.send(units);
        kept.pass().unwrap();
        // Another scene in between must not leave a trace either.
        Motion::at_rest(Some([-0.1, 0.1])).pass().unwrap();
        read.pass().unwrap();
        read = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
        assert_eq!(kept, read);
    }
}

#[test]
fn states_are_the_same_in_every_thread() {
    if !has_physics("states_are_the_same_in_every_thread") {
        return;
    }
    let play = || {
        let mut motion = Motion::at_rest(Some([0.0, 0.0]));
        for i in 0..20 {
            motion.send([0.3, -0.2, if i < 8 { -1.0 } else { 0.4 }]);
            motion.closed = i > 6;
            motion.pass().unwrap();
        }
        motion
    };
    let alone = play();
    let together = std::thread::scope(|scope| {
        let players: Vec<_> = (0..8).map(|_| scope.spawn(play)).collect();
        players.into_iter().map(|player| player.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(together.iter().all(|motion| *motion == alone));
}

/// A record that has been tampered with must not bring anything down.
#[test]
fn a_state_with_too_few_numbers_is_still_a_state() {
    let motion: Motion = serde_json::from_value(json!({
        "positions": [], "speeds": [1.0], "aim": [0.0, 0.0, 0.2], "closed": false, "hand": [0.0, 0.0, 0.0],
        "block": [0.0, 0.0, 0.1],
    }))
    .unwrap();
    assert_eq!(motion.numbers().len(), 16 + 15 + 2 + 3);
    assert_eq!(motion.placed_block(), None);
}

#[test]
fn what_is_missing_is_said_with_how_to_get_it() {
    let said = [
        MissingPhysics::NotFound,
        MissingPhysics::NotLoadable { path: "/opt/libmujoco.so".into(), why: "file too short".to_owned() },
        MissingPhysics::WrongVersion { path: "/opt/libmujoco.so".into(), found: "3.3.2".to_owned() },
    ];
    insta::assert_snapshot!(said.map(|missing| missing.to_string()).join("\n"), @"
    MuJoCo is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO
    MuJoCo in /opt/libmujoco.so cannot be loaded: file too short; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO
    MuJoCo in /opt/libmujoco.so is version 3.3.2, and only 3.17.0 gives the same states everywhere; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO
    ");
}
