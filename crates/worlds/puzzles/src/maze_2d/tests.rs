use proptest::prelude::*;
use quintain_core::rng::Rng;
use quintain_core::trajectory::Effect;
use serde_json::json;

use super::*;
use crate::exercise;
use crate::puzzle::after;

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<Maze2d>(&exercise::task::<Maze2d>(), preset, seed)
}

fn style(strategy: &str, length: Option<u32>, seed: u64) -> OracleStyle {
    OracleStyle { strategy: Some(strategy.to_owned()), length, seed }
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let line = |(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<Maze2d>(&start(preset, seed)));
    insta::assert_snapshot!(instances.map(line).collect::<Vec<_>>().join("\n"), @"
    easy#0: first 4ccc1c5ecc80 all 22f2466b4850 of 13
    easy#1: first 6d2ced6e14a0 all 78a4eabaae59 of 13
    easy#2: first f02193977e68 all 1092729515c6 of 13
    hard#0: first 592bd80caf38 all 0a40814db09c of 25
    hard#1: first 4f328b9c07b1 all 542c182aa12d of 21
    hard#2: first a8eda3d91727 all 2d65078e5f56 of 17
    ");
}

#[test]
fn the_maze_in_characters() {
    let start = start("easy", 1);
    let solved = after::<Maze2d>(&start, &Maze2d::solve(&start, &OracleStyle::default()).unwrap());
    let ascii = |state: &State| Maze2d::ascii(&start, state).unwrap();
    insta::assert_snapshot!([ascii(&Maze2d::initial(&start)), ascii(&solved)].join("\n\n"), @"
    #########
    #G..#...#
    #.###.#.#
    #.....#.#
    #.#.###.#
    #.#.#...#
    ###.#####
    #......A#
    #########

    #########
    #*..#...#
    #.###.#.#
    #.....#.#
    #.#.###.#
    #.#.#...#
    ###.#####
    #.......#
    #########
    ");
}

#[test]
fn the_instruction_names_the_size() {
    let text = exercise::instruction::<Maze2d>(&exercise::task::<Maze2d>(), "hard", 0);
    assert!(text.contains("a maze of 11 by 11 cells"), "{text}");
}

#[test]
fn moves_say_what_came_of_them() {
    let map = Maze::try_from(["#####", "#S.##", "##.G#", "#####"].map(str::to_owned).to_vec()).unwrap();
    let start = Start { map, cell_px: 20 };
    let mut state = Maze2d::initial(&start);
    let mut said = Vec::new();
    for direction in [1, 2, 0, 3, 0, 0, 3] {
        let call = puzzle::call("move", [direction.into()]);
        let feedback = exercise::apply::<Maze2d>(&start, &mut state, &call);
        said.push(format!("{call}: {:?}: {} {:?}", feedback.effect, feedback.text, Maze2d::measure(&start, &state)));
    }
    for call in [puzzle::call("move", [4.into()]), puzzle::call("jump", [0.into()]), puzzle::call("move", [])] {
        let feedback = exercise::apply::<Maze2d>(&start, &mut state, &call);
        said.push(format!("{call}: {:?}: {}", feedback.effect, feedback.text));
    }
    insta::assert_snapshot!(said.join("\n"), @r#"
    move(1): Refused: You cannot move up: there is a wall. {"moves_left": 3.0}
    move(2): Refused: You cannot move left: there is a wall. {"moves_left": 3.0}
    move(0): Changed: You moved right. {"moves_left": 2.0}
    move(3): Changed: You moved down. {"moves_left": 1.0}
    move(0): Changed: You moved right. {"moves_left": 0.0}
    move(0): Refused: You cannot move right: there is a wall. {"moves_left": 0.0}
    move(3): Refused: You cannot move down: there is a wall. {"moves_left": 0.0}
    move(4): Refused: Only a move in a direction from 0 to 3 is possible.
    jump(0): Refused: Only a move in a direction from 0 to 3 is possible.
    move(): Refused: Only a move in a direction from 0 to 3 is possible.
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"width": 8, "height": 9, "cell_px": 40}),
        json!({"width": 9, "height": 3, "cell_px": 40}),
        json!({"width": 9, "height": 9, "cell_px": 0}),
        json!({"width": 99, "height": 9, "cell_px": 96}),
        json!({"width": 9, "height": 9, "cell_px": 40, "depth": 1}),
    ];
    let said = given.map(|parameters| exercise::generate::<Maze2d>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `width` must be an odd number from 5 to 99, not 8
    `height` must be an odd number from 5 to 99, not 3
    `cell_px` must be from 12 to 96, not 0
    the picture would be wider or higher than 4096 pixels: make `cell_px` smaller
    unknown field `depth`, expected one of `width`, `height`, `cell_px`
    ");
}

#[test]
fn limits_leave_room_for_any_maze_and_every_strategy() {
    let task = exercise::task::<Maze2d>();
    for preset in ["easy", "hard"] {
        let limit = task.limits(&exercise::pick(preset, 0)).steps;
        for seed in 0..100 {
            let start = start(preset, seed);
            let (width, height) = (start.map.width() as u32, start.map.height() as u32);
            let there_and_back = 4 * ((width - 1) / 2 * ((height - 1) / 2) - 1);
            assert!(limit > there_and_back.max(3 * Maze::longest_way(width, height) / 2));
            for strategy in Maze2d::STRATEGIES {
                let length = exercise::assert_solves::<Maze2d>(&start, &style(strategy, None, seed));
                assert!(length <= limit as usize, "{preset}#{seed} {strategy}: {length}");
            }
        }
    }
}

#[test]
fn the_usual_solution_is_the_shortest() {
    for seed in 0..50 {
        let start = start("hard", seed);
        let solution = Maze2d::solve(&start, &OracleStyle::default()).unwrap();
        assert_eq!(solution.len() as u32, start.map.moves_left(start.map.start()));
    }
}

#[test]
fn exploring_depends_on_the_seed_alone() {
    let start = start("hard", 2);
    let explore = |seed| Maze2d::solve(&start, &style("exploratory", None, seed)).unwrap();
    let lengths: std::collections::BTreeSet<usize> = (0..20).map(|seed| explore(seed).len()).collect();
    assert!(lengths.len() > 3, "{lengths:?}");
    assert_eq!(explore(7), explore(7));
}

#[test]
fn near_misses_miss_and_variations_hold() {
    let start = start("easy", 5);
    let solved = after::<Maze2d>(&start, &Maze2d::solve(&start, &OracleStyle::default()).unwrap());
    for bound in [0.0, 2.0] {
        let bounds = Measures::from([("moves_left".to_owned(), bound)]);
        let moves_left = |state: &State| Maze2d::measure(&start, state)["moves_left"];
        let near = Maze2d::near_misses(&start, &solved, &bounds);
        assert!(near.len() >= 5);
        assert!(near.iter().all(|(_, state)| moves_left(state) > bound));
        let same = Maze2d::variations(&start, &solved, &bounds);
        assert_eq!(same.is_empty(), bound == 0.0);
        assert!(same.iter().all(|(_, state)| moves_left(state) <= bound && *state != solved));
    }
}

#[test]
fn a_picture_of_the_same_state_is_the_same_picture() {
    let start = start("easy", 0);
    let state = Maze2d::initial(&start);
    let mut drawing = draw::Drawing::new(&start, state.at);
    let first = Maze2d::redraw(&mut drawing, &start, &state);
    assert!(Arc::ptr_eq(&first, &Maze2d::redraw(&mut drawing, &start, &state)));
}

#[test]
fn a_state_off_the_map_is_far_from_the_goal() {
    let start = start("easy", 0);
    for at in [MazeCell { x: 0, y: 0 }, MazeCell { x: -1, y: i32::MAX }, MazeCell { x: i32::MIN, y: 4 }] {
        assert_eq!(Maze2d::measure(&start, &State { at }), Measures::from([("moves_left".to_owned(), 81.0)]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_play_is_drawn_rightly(seed: u64, cell_px in 12_u32..50) {
        let parameters = json!({"width": 7, "height": 9, "cell_px": cell_px});
        let start = exercise::generate::<Maze2d>(parameters, seed).unwrap();
        exercise::assert_random_play_is_drawn_rightly::<Maze2d>(&start, 200, &mut Rng::new(seed));
    }

    #[test]
    fn solutions_have_the_wanted_length(seed: u64, length in 1_u32..200, strategy in 0_usize..3) {
        let start = start("easy", seed);
        let strategy = Maze2d::STRATEGIES[strategy];
        let n_actions = exercise::assert_solves::<Maze2d>(&start, &style(strategy, Some(length), seed));
        prop_assert!(n_actions >= length as usize);
        let own = if strategy == "padded" { "shortest" } else { strategy };
        let own = exercise::assert_solves::<Maze2d>(&start, &style(own, None, seed));
        prop_assert!(n_actions <= (length as usize + 1).max(own), "{} for {}", n_actions, length);
    }

    #[test]
    fn any_number_is_answered(direction: i64) {
        let start = start("easy", 0);
        let call = puzzle::call("move", [direction.into()]);
        let feedback = exercise::apply::<Maze2d>(&start, &mut Maze2d::initial(&start), &call);
        prop_assert!((0..4).contains(&direction) || feedback.effect == Effect::Refused);
    }
}
