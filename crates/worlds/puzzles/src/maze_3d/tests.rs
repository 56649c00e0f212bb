use proptest::prelude::*;
use quintain_core::rng::Rng;
use quintain_core::trajectory::Effect;
use serde_json::json;

use super::view::MazeView;
use super::*;
use crate::exercise;
use crate::puzzle::after;

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<Maze3d>(&exercise::task::<Maze3d>(), preset, seed)
}

/// A maze from rows separated by `/`, on a small picture, facing north.
fn built(rows: &str) -> Start {
    let map = Maze::try_from(rows.split('/').map(str::to_owned).collect::<Vec<_>>()).unwrap();
    Start { map, heading: MazeDirection::North, picture: (96, 72) }
}

fn style(strategy: &str, length: Option<u32>, seed: u64) -> OracleStyle {
    OracleStyle { strategy: Some(strategy.to_owned()), length, seed }
}

/// How many pixels are red.
fn n_red(start: &Start, state: State) -> usize {
    let picture = exercise::fresh::<Maze3d>(start, &state);
    let is_red = |pixel: &[u8]| pixel[0] > 50 && u16::from(pixel[0]) > 3 * u16::from(pixel[1].max(pixel[2]));
    picture.rgba().chunks_exact(4).filter(|pixel| is_red(pixel)).count()
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let line = |(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<Maze3d>(&start(preset, seed)));
    insta::assert_snapshot!(instances.map(line).collect::<Vec<_>>().join("\n"), @"
    easy#0: first 0e6a1c2611db all 91beb0659b73 of 12
    easy#1: first 6d7d7906cf68 all 81ddd057a035 of 13
    easy#2: first 535d9a54d882 all 0ff5e94d6a84 of 18
    hard#0: first 535d9a54d882 all 17d813f64568 of 18
    hard#1: first 6d7d7906cf68 all 38cd25da7010 of 17
    hard#2: first bb948d7fb313 all a8f78f4e6317 of 16
    ");
}

#[test]
fn walls_stand_where_the_map_has_them() {
    // A corridor north with an opening on the right of the second cell; one stands at its southern end.
    let start = built("#####/#G###/#.###/#...#/#S###/#####");
    let view = MazeView::new(&start.map, Maze3d::initial(&start), (16, 12));
    let walls = (0..16).map(|column| {
        let wall = view.wall(column);
        let side = if wall.faces_sideways { "side" } else { "front" };
        format!("{column}: {side} at {:.2}, {:.2} along, corners {:?}", wall.depth, wall.along, wall.corners)
    });
    insta::assert_snapshot!(walls.collect::<Vec<_>>().join("\n"), @"
    0: side at 0.53, 0.61 along, corners [true, false]
    1: side at 0.62, 0.70 along, corners [true, false]
    2: side at 0.73, 0.81 along, corners [true, false]
    3: side at 0.89, 0.97 along, corners [true, false]
    4: side at 1.14, 0.22 along, corners [false, false]
    5: side at 1.60, 0.68 along, corners [false, false]
    6: side at 2.67, 0.75 along, corners [false, false]
    7: front at 3.92, 0.26 along, corners [true, true]
    8: front at 3.92, 0.74 along, corners [true, true]
    9: side at 2.67, 0.25 along, corners [false, false]
    10: front at 1.92, 0.10 along, corners [false, false]
    11: front at 1.92, 0.34 along, corners [false, false]
    12: side at 0.89, 0.03 along, corners [false, true]
    13: side at 0.73, 0.19 along, corners [false, true]
    14: side at 0.62, 0.30 along, corners [false, true]
    15: side at 0.53, 0.39 along, corners [false, true]
    ");
}

#[test]
fn the_instruction_tells_the_size_and_not_the_map() {
    let text = exercise::instruction::<Maze3d>(&exercise::task::<Maze3d>(), "hard", 0);
    assert!(text.contains("9 by 9 cells") && !text.contains("##"), "{text}");
}

#[test]
fn secrets_lead_somewhere() {
    let start = serde_json::to_value(start("easy", 0)).unwrap();
    assert!(Maze3d::SECRETS.iter().all(|pointer| start.pointer(pointer).is_some()));
}

#[test]
fn moves_and_turns_say_what_came_of_them() {
    let start = built("#####/##.G#/#S.##/#####");
    let mut state = Maze3d::initial(&start);
    let mut said = Vec::new();
    for (name, number) in [
        ("move", 0),
        ("turn", 2),
        ("move", 0),
        ("turn", 1),
        ("turn", 3),
        ("turn", 3),
        ("move", 0),
        ("move", 0),
        ("turn", 0),
        ("jump", 1),
    ] {
        let call = puzzle::call(name, [number.into()]);
        let feedback = exercise::apply::<Maze3d>(&start, &mut state, &call);
        let at = format!("{:?} of {},{}", state.heading, state.at.x, state.at.y);
        said.push(format!(
            "{call}: {:?}: {} {at} {:?}",
            feedback.effect,
            feedback.text,
            Maze3d::measure(&start, &state)
        ));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    move(0): Refused: You cannot move forward: there is a wall in front of you. North of 1,2 {"moves_left": 3.0}
    turn(2): Changed: You turned right. East of 1,2 {"moves_left": 3.0}
    move(0): Changed: You moved forward. East of 2,2 {"moves_left": 2.0}
    turn(1): Changed: You turned left. North of 2,2 {"moves_left": 2.0}
    turn(3): Changed: You turned around. South of 2,2 {"moves_left": 2.0}
    turn(3): Changed: You turned around. North of 2,2 {"moves_left": 2.0}
    move(0): Changed: You moved forward. North of 2,1 {"moves_left": 1.0}
    move(0): Refused: You cannot move forward: there is a wall in front of you. North of 2,1 {"moves_left": 1.0}
    turn(0): Refused: You can only move (0) or turn (1, 2 or 3). North of 2,1 {"moves_left": 1.0}
    jump(1): Refused: You can only move (0) or turn (1, 2 or 3). North of 2,1 {"moves_left": 1.0}
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"width": 6, "height": 7, "picture_width": 512, "picture_height": 384}),
        json!({"width": 7, "height": 101, "picture_width": 512, "picture_height": 384}),
        json!({"width": 7, "height": 7, "picture_width": 0, "picture_height": 384}),
        json!({"width": 7, "height": 7, "picture_width": 512, "picture_height": 9999}),
        json!({"width": 7, "height": 7, "picture_width": 512, "picture_height": 384, "depth": 1}),
    ];
    let said = given.map(|parameters| exercise::generate::<Maze3d>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `width` must be an odd number from 5 to 99, not 6
    `height` must be an odd number from 5 to 99, not 101
    `picture_width` must be from 64 to 2048, not 0
    `picture_height` must be from 64 to 2048, not 9999
    unknown field `depth`, expected one of `width`, `height`, `picture_width`, `picture_height`
    ");
}

#[test]
fn limits_leave_room_for_any_maze_and_every_strategy() {
    let task = exercise::task::<Maze3d>();
    for preset in ["easy", "hard"] {
        let limit = task.limits(&exercise::pick(preset, 0)).steps;
        for seed in 0..100 {
            let start = start(preset, seed);
            let (width, height) = (start.map.width() as u32, start.map.height() as u32);
            // Between two rooms lie two moves, and before them at most one turn.
            let there_and_back = 6 * ((width - 1) / 2 * ((height - 1) / 2) - 1);
            assert!(limit > there_and_back.max(3 * (3 * Maze::longest_way(width, height) / 2) / 2));
            for strategy in Maze3d::STRATEGIES {
                let length = exercise::assert_solves::<Maze3d>(&start, &style(strategy, None, seed));
                assert!(length <= limit as usize, "{preset}#{seed} {strategy}: {length}");
            }
        }
    }
}

#[test]
fn the_usual_solution_turns_only_where_the_way_does() {
    let start = built("#####/#S..#/###.#/#G..#/#####");
    let solution = Maze3d::solve(&start, &OracleStyle::default()).unwrap();
    let spoken: Vec<String> = solution.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(spoken.join(" "), @"turn(2) move(0) move(0) turn(2) move(0) move(0) turn(2) move(0) move(0)");
}

#[test]
fn the_ball_shows_only_where_nothing_hides_it() {
    let start = built("#######/#G...##/##.####/#S..###/#######");
    let at = |x, y, heading| State { at: MazeCell { x, y }, heading };
    let places = [
        ("in its cell, facing north", at(1, 1, MazeDirection::North)),
        ("in its cell, facing east", at(1, 1, MazeDirection::East)),
        ("one cell away", at(2, 1, MazeDirection::West)),
        ("three cells away", at(4, 1, MazeDirection::West)),
        ("one cell away, facing off", at(2, 1, MazeDirection::East)),
        ("behind the corner", at(2, 2, MazeDirection::North)),
        ("behind a wall", at(1, 3, MazeDirection::North)),
    ];
    let seen = places.map(|(place, state)| {
        let (n_red, is_seen) = (n_red(&start, state), view::goal_in_view(&start.map, state, start.picture));
        assert_eq!(n_red > 0, is_seen, "{place}");
        format!("{place}: {n_red} of {} pixels", 96 * 72)
    });
    insta::assert_snapshot!(seen.join("\n"), @"
    in its cell, facing north: 1941 of 6912 pixels
    in its cell, facing east: 1946 of 6912 pixels
    one cell away: 128 of 6912 pixels
    three cells away: 19 of 6912 pixels
    one cell away, facing off: 0 of 6912 pixels
    behind the corner: 0 of 6912 pixels
    behind a wall: 0 of 6912 pixels
    ");
}

#[test]
fn the_start_never_shows_the_ball() {
    for seed in 0..300 {
        let size = if seed % 2 == 0 { 5 } else { 9 };
        let given = json!({"width": size, "height": size, "picture_width": 96, "picture_height": 72});
        let start = exercise::generate::<Maze3d>(given, seed).unwrap();
        assert_eq!(n_red(&start, Maze3d::initial(&start)), 0, "seed {seed}");
    }
}

#[test]
fn four_turns_lead_back_to_the_same_picture() {
    let start = start("easy", 3);
    let mut state = Maze3d::initial(&start);
    let mut pictures = Vec::new();
    for _ in 0..5 {
        pictures.push(exercise::fresh::<Maze3d>(&start, &state).digest());
        exercise::apply::<Maze3d>(&start, &mut state, &turn_call(1));
    }
    assert_eq!(pictures[0], pictures[4]);
    assert!((1..4).all(|i| pictures[i] != pictures[0]));
}

#[test]
fn near_misses_miss_and_any_heading_will_do() {
    let start = start("hard", 5);
    let solved = after::<Maze3d>(&start, &Maze3d::solve(&start, &OracleStyle::default()).unwrap());
    let bounds = Measures::new();
    let moves_left = |state: &State| Maze3d::measure(&start, state)["moves_left"];
    let near = Maze3d::near_misses(&start, &solved, &bounds);
    assert!(near.len() >= 5 && near.iter().all(|(_, state)| moves_left(state) > 0.0));
    let same = Maze3d::variations(&start, &solved, &bounds);
    assert!(same.len() == 3 && same.iter().all(|(_, state)| moves_left(state) == 0.0 && *state != solved));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn random_play_is_drawn_rightly(seed: u64, width in 64_u32..200, height in 64_u32..200) {
        let given = json!({"width": 5, "height": 7, "picture_width": width, "picture_height": height});
        let start = exercise::generate::<Maze3d>(given, seed).unwrap();
        exercise::assert_random_play_is_drawn_rightly::<Maze3d>(&start, 100, &mut Rng::new(seed));
    }

    #[test]
    fn every_pixel_is_opaque(seed: u64, width in 64_u32..200, height in 64_u32..200) {
        let given = json!({"width": 9, "height": 9, "picture_width": width, "picture_height": height});
        let start = exercise::generate::<Maze3d>(given, seed).unwrap();
        let solved = after::<Maze3d>(&start, &Maze3d::solve(&start, &OracleStyle::default()).unwrap());
        for state in [Maze3d::initial(&start), solved] {
            let picture = exercise::fresh::<Maze3d>(&start, &state);
            prop_assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255 && pixel[..3] != [0, 0, 0]));
        }
    }

    #[test]
    fn solutions_have_the_wanted_length(seed: u64, length in 1_u32..200, strategy in 0_usize..3) {
        let start = start("easy", seed);
        let strategy = Maze3d::STRATEGIES[strategy];
        let n_actions = exercise::assert_solves::<Maze3d>(&start, &style(strategy, Some(length), seed));
        prop_assert!(n_actions >= length as usize);
        let own = if strategy == "padded" { "shortest" } else { strategy };
        let own = exercise::assert_solves::<Maze3d>(&start, &style(own, None, seed));
        prop_assert!(n_actions <= (length as usize + 1).max(own), "{} for {}", n_actions, length);
    }

    #[test]
    fn any_number_is_answered(number: i64, name in "move|turn|jump") {
        let start = start("easy", 0);
        let call = puzzle::call(&name, [number.into()]);
        let feedback = exercise::apply::<Maze3d>(&start, &mut Maze3d::initial(&start), &call);
        prop_assert!((0..4).contains(&number) || feedback.effect == Effect::Refused);
    }
}
