use proptest::prelude::*;
use quintain_core::rng::Rng;
use quintain_core::trajectory::Effect;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::board::{Board, SlideDirection};
use super::{SlidingBlock, Start, State, slide, solve};
use crate::exercise;
use crate::puzzle::{Puzzle, after};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<SlidingBlock>(&exercise::task::<SlidingBlock>(), preset, seed)
}

fn style(strategy: &str, length: Option<u32>, seed: u64) -> OracleStyle {
    OracleStyle { strategy: Some(strategy.to_owned()), length, seed }
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances
        .map(|(preset, seed)| format!("{preset}#{seed}: {}", exercise::golden::<SlidingBlock>(&start(preset, seed))));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first ee9b47839da0 all ff5428371839 of 11
    easy#1: first 81d4881055b1 all 44a67a1dddf3 of 7
    easy#2: first bb25d6673f29 all c54d2df868e5 of 11
    hard#0: first 895d35568dc5 all 369be7b925c7 of 17
    hard#1: first b3a907a555ad all 2327e496316d of 19
    hard#2: first dd95cebb8925 all 94ae7a5e2947 of 19
    ");
}

#[test]
fn both_boards_in_characters() {
    let start = start("easy", 1);
    insta::assert_snapshot!(SlidingBlock::ascii(&start, &SlidingBlock::initial(&start)).unwrap(), @"
    target       |  current
     3  1  1  4  |   3  1  1  4
     3  1  1  4  |   3  1  1  4
     2  2 10  6  |   5  2  2  6
     5  .  9  6  |   5  9 10  6
     5  .  7  8  |   7  .  .  8
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<SlidingBlock>(&exercise::task::<SlidingBlock>(), "hard", 0);
    assert!(text.contains("in 22 moves or fewer"), "{text}");
}

#[test]
fn moves_say_what_came_of_them() {
    let start = Start { blocks: Board::classic(), target: Board::classic() };
    let mut state = SlidingBlock::initial(&start);
    let mut said = Vec::new();
    for (block, direction) in [(7, 1), (7, 0), (1, 0), (1, 2), (7, 1), (7, 1), (5, 2), (2, 3), (10, 3)] {
        let call = slide(block - 1, SlideDirection::ALL[direction]);
        let feedback = exercise::apply::<SlidingBlock>(&start, &mut state, &call);
        said.push(format!("{call}: {:?}: {}", feedback.effect, feedback.text));
    }
    said.push(state.blocks.to_string());
    said.push(format!("{:?}", SlidingBlock::measure(&start, &state)));
    insta::assert_snapshot!(said.join("\n"), @r#"
    move(7, 1): Changed: Block 7 moved right.
    move(7, 0): Refused: Block 7 cannot move up: block 9 is in the way.
    move(1, 0): Refused: Block 1 cannot move up: the edge of the board is in the way.
    move(1, 2): Refused: Block 1 cannot move down: block 2 is in the way.
    move(7, 1): Changed: Block 7 moved right.
    move(7, 1): Refused: Block 7 cannot move right: block 8 is in the way.
    move(5, 2): Changed: Block 5 moved down.
    move(2, 3): Changed: Block 2 moved left.
    move(10, 3): Refused: Block 10 cannot move left: block 9 is in the way.
     3  1  1  4
     3  1  1  4
     2  2  .  6
     5  9 10  6
     5  .  7  8
    {"blocks_misplaced": 3.0, "cells_off": 4.0}
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"shuffle_moves": 0, "least_moves": 1, "most_moves": 5}),
        json!({"shuffle_moves": 30, "least_moves": 1, "most_moves": 90}),
        json!({"shuffle_moves": 30, "least_moves": 7, "most_moves": 6}),
        json!({"shuffle_moves": 4, "least_moves": 5, "most_moves": 6}),
        json!({"shuffle_moves": 1, "least_moves": 1, "most_moves": 1, "depth": 1}),
        json!({"shuffle_moves": 3, "least_moves": 2, "most_moves": 2}),
    ];
    let said = given.map(|parameters| exercise::generate::<SlidingBlock>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `shuffle_moves` must be from 1 to 1000, not 0
    `most_moves` must be from 1 to 60, not 90
    `least_moves` must be from 1 to `most_moves` and `shuffle_moves`, not 7: no board can be further
    `least_moves` must be from 1 to `most_moves` and `shuffle_moves`, not 5: no board can be further
    unknown field `depth`, expected one of `shuffle_moves`, `least_moves`, `most_moves`
    none of 500 boards shuffled by 3 moves is 2 to 2 moves away: change `shuffle_moves`, `least_moves` or `most_moves`
    ");
}

#[test]
fn documents_that_are_no_boards_are_refused() {
    let classic = serde_json::to_value(State { blocks: Board::classic() }).unwrap();
    let changed = |block: usize, place: [u8; 2]| {
        let mut state = classic.clone();
        state["blocks"][block] = json!(place);
        serde_json::from_value::<State>(state).map_or_else(|error| error.to_string(), |state| state.blocks.to_string())
    };
    let said = [changed(0, [4, 1]), changed(9, [200, 255]), changed(6, [0, 0]), changed(6, [4, 1])];
    insta::assert_snapshot!(said.join("\n"), @"
    block 1 is not on the board
    block 10 is not on the board
    block 7 covers another
     3  1  1  4
     3  1  1  4
     5  2  2  6
     5  9 10  6
     .  7  .  8
    ");
}

/// A plain search from one end only, to compare with.
fn distance(from: Board, to: Board) -> usize {
    let (mut seen, mut edge, mut depth) = (std::collections::BTreeSet::from([from.key()]), vec![from], 0);
    while !edge.contains(&to) {
        let next = edge.iter().flat_map(Board::moves).map(|(_, _, board)| board);
        edge = next.filter(|board| seen.insert(board.key())).collect();
        depth += 1;
    }
    depth
}

#[test]
fn solutions_are_as_short_as_can_be_and_as_long_as_the_preset_says() {
    for (preset, moves) in [("easy", 6..=12), ("hard", 16..=22)] {
        for seed in 0..4 {
            let start = start(preset, seed);
            let solution = SlidingBlock::solve(&start, &OracleStyle { seed, ..OracleStyle::default() }).unwrap();
            assert_eq!(solution.len(), distance(start.blocks, start.target));
            assert!(moves.contains(&solution.len()), "{preset}#{seed}: {}", solution.len());
        }
    }
}

#[test]
fn limits_leave_room_for_every_strategy() {
    let task = exercise::task::<SlidingBlock>();
    for preset in ["easy", "hard"] {
        let limit = task.limits(&exercise::pick(preset, 0)).steps as usize;
        for seed in 0..100 {
            let start = start(preset, seed);
            for strategy in SlidingBlock::STRATEGIES {
                let length = exercise::assert_solves::<SlidingBlock>(&start, &style(strategy, None, seed));
                assert!(length <= limit, "{preset}#{seed} {strategy}: {length}");
            }
        }
    }
}

#[test]
fn a_board_that_cannot_be_reached_is_said_to_be_so() {
    let from = Board::classic();
    assert_eq!(solve::shortest(from, from, 9, &mut Rng::new(0)).unwrap(), Some(Vec::new()));
    let (_, _, near) = from.moves()[0];
    assert_eq!(solve::shortest(from, near, 0, &mut Rng::new(0)).unwrap(), None);
    assert_eq!(solve::shortest(from, near, 1, &mut Rng::new(0)).unwrap().unwrap().len(), 1);
}

#[test]
fn near_misses_miss() {
    for preset in ["easy", "hard"] {
        let start = start(preset, 5);
        let solved = after::<SlidingBlock>(&start, &SlidingBlock::solve(&start, &OracleStyle::default()).unwrap());
        let near = SlidingBlock::near_misses(&start, &solved, &quintain_core::check::Measures::new());
        assert!(near.len() >= 5);
        for (how, state) in near {
            assert!(SlidingBlock::measure(&start, &state).values().any(|value| *value > 0.0), "{how}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_play_is_drawn_rightly(seed: u64) {
        exercise::assert_random_play_is_drawn_rightly::<SlidingBlock>(&start("easy", seed), 300, &mut Rng::new(seed));
    }

    #[test]
    fn solutions_have_the_wanted_length(seed: u64, length in 1_u32..60, strategy in 0_usize..2) {
        let style = style(SlidingBlock::STRATEGIES[strategy], Some(length), seed);
        let start = start("easy", seed);
        let n_actions = exercise::assert_solves::<SlidingBlock>(&start, &style);
        prop_assert!(n_actions >= length as usize);
        let shortest = SlidingBlock::solve(&start, &OracleStyle::default()).unwrap().len() + 1;
        prop_assert!(n_actions <= (length as usize + 1).max(shortest + 4));
    }

    #[test]
    fn any_numbers_are_answered(block: i64, direction: i64) {
        let start = Start { blocks: Board::classic(), target: Board::classic() };
        let mut state = SlidingBlock::initial(&start);
        let call = crate::puzzle::call("move", [block.into(), direction.into()]);
        let feedback = exercise::apply::<SlidingBlock>(&start, &mut state, &call);
        prop_assert!(feedback.effect != Effect::Misread);
    }
}
