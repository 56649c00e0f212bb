use proptest::prelude::*;
use quintain_core::check::Measures;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::{Equation, MatchstickEquation, Start, State, search};
use crate::exercise;
use crate::puzzle::{Puzzle, after, call};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<MatchstickEquation>(&exercise::task::<MatchstickEquation>(), preset, seed)
}

fn equation(text: &str) -> Equation {
    text.to_owned().try_into().unwrap()
}

fn style(strategy: &str, length: Option<u32>, seed: u64) -> OracleStyle {
    OracleStyle { strategy: Some(strategy.to_owned()), length, seed }
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        let start = start(preset, seed);
        format!("{preset}#{seed} {}: {}", start.broken, exercise::golden::<MatchstickEquation>(&start))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0 9*8=84: first 655caa210eb5 all 8f0872199785 of 2
    easy#1 75/4=4: first cf043a8ae6e5 all 7029d455dbc0 of 2
    easy#2 95*0=8: first f54e19ce290c all fb0462406896 of 2
    hard#0 6+90+7=88: first 5d3032de4477 all 566372d12d57 of 3
    hard#1 1+6*8=88: first 44039e673fdb all fb0bd63be525 of 3
    hard#2 32-6=29: first e60d4bd13176 all ecffd40a32ef of 3
    ");
}

#[test]
fn all_symbols_in_characters() {
    let said = ["01+23-4=5", "6*78/9=0"].map(|text| {
        let start = Start { broken: equation(text) };
        MatchstickEquation::ascii(&start, &MatchstickEquation::initial(&start)).unwrap()
    });
    insta::assert_snapshot!(said.join("\n"), @r"
     ---                  ---    ---                         ---
    |   |      |    |        |      |         |   |   ---   |
                   -+-    ---    ---    ---    ---           ---
    |   |      |    |    |          |             |   ---       |
     ---                  ---    ---                         ---
      0      1      2      3      4      5      6      7      8
     ---           ---    ---           ---           ---
    |       \ /       |  |   |     /   |   |   ---   |   |
     ---     X            ---     /     ---
    |   |   / \       |  |   |   /         |   ---   |   |
     ---                  ---           ---           ---
      0      1      2      3      4      5      6      7
    ");
}

#[test]
fn the_instruction_reads_well() {
    let task = exercise::task::<MatchstickEquation>();
    let text = exercise::instruction::<MatchstickEquation>(&task, "easy", 0);
    assert!(text.contains("in 1 move, and not in fewer"), "{text}");
    let text = exercise::instruction::<MatchstickEquation>(&task, "hard", 0);
    assert!(text.contains("in 2 moves, and not in fewer"), "{text}");
}

#[test]
fn values_are_exact() {
    let said = [
        "1+2*3=7",
        "8/2*4=16",
        "9-3-3=3",
        "1/3*3=1",
        "7/2=3",
        "0/5=0",
        "5/0=5",
        "0/0=0",
        "07+1=8",
        "2-9=7",
        "1=2-1",
        "12/8-1/2=1",
        "88/9=9",
    ]
    .map(|text| format!("{text}: {} {:?}", equation(text).is_true(), equation(text).difference()));
    insta::assert_snapshot!(said.join("\n"), @"
    1+2*3=7: true Some(0.0)
    8/2*4=16: true Some(0.0)
    9-3-3=3: true Some(0.0)
    1/3*3=1: true Some(0.0)
    7/2=3: false Some(0.5)
    0/5=0: true Some(0.0)
    5/0=5: false None
    0/0=0: false None
    07+1=8: true Some(0.0)
    2-9=7: false Some(14.0)
    1=2-1: true Some(0.0)
    12/8-1/2=1: true Some(0.0)
    88/9=9: false Some(0.7777777777777778)
    ");
}

#[test]
fn texts_that_are_no_equations_are_refused() {
    let texts = ["", "1", "=", "1=", "1+=2", "1==2", "1=2=3", "-1=2", "1+a=2", "1234567890123456=1"];
    assert!(texts.iter().all(|text| Equation::try_from((*text).to_owned()).is_err()));
}

#[test]
fn moves_say_what_came_of_them() {
    let start = Start { broken: equation("8-3*1=7") };
    let mut state = MatchstickEquation::initial(&start);
    let mut said = Vec::new();
    let moves = [
        [0, 6, 2, 5],
        [0, 6, 0, 5],
        [5, 0, 1, 7],
        [0, 6, 2, 5],
        [0, 0, 2, 4],
        [2, 0, 0, 6],
        [3, 8, 1, 7],
        [3, 9, 0, 6],
        [6, 0, 4, 0],
    ];
    for args in moves {
        let call = call("move", args.map(Into::into));
        let feedback = exercise::apply::<MatchstickEquation>(&start, &mut state, &call);
        said.push(format!("{} {call}: {:?}: {}", state.equation, feedback.effect, feedback.text));
    }
    for _ in 0..4 {
        let feedback = exercise::apply::<MatchstickEquation>(&start, &mut state, &call("undo", []));
        said.push(format!("{} undo: {:?}: {}", state.equation, feedback.effect, feedback.text));
    }
    said.push(format!("{:?}", MatchstickEquation::measure(&start, &state)));
    insta::assert_snapshot!(said.join("\n"), @r#"
    0-9*1=7 move(0, 6, 2, 5): Changed: Moved a match from symbol 0 to symbol 2.
    0-9*1=7 move(0, 6, 0, 5): Refused: A match must go to another symbol than it came from.
    0-9*1=7 move(5, 0, 1, 7): Refused: The equals sign must stay as it is.
    0-9*1=7 move(0, 6, 2, 5): Refused: Symbol 0 has no match on segment 6.
    0-9*1=7 move(0, 0, 2, 4): Refused: Without its match on segment 0, symbol 0 would be no symbol.
    0-9*1=7 move(2, 0, 0, 6): Refused: Without its match on segment 0, symbol 2 would be no symbol.
    0+9/1=7 move(3, 8, 1, 7): Changed: Moved a match from symbol 3 to symbol 1.
    0+9/1=7 move(3, 9, 0, 6): Refused: Without its match on segment 9, symbol 3 would be no symbol.
    0+9/7=1 move(6, 0, 4, 0): Changed: Moved a match from symbol 6 to symbol 4.
    0+9/1=7 undo: Changed: The last move was taken back.
    0-9*1=7 undo: Changed: The last move was taken back.
    8-3*1=7 undo: Changed: The last move was taken back.
    8-3*1=7 undo: Refused: There is no move to undo.
    {"difference": 2.0, "matches_off": 0.0, "symbols_off": 0.0, "untrue": 1.0}
    "#);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"break_moves": 0}),
        json!({"break_moves": 4}),
        json!({"break_moves": 1, "most_operations": 4}),
        json!({"break_moves": 1, "largest": 100}),
        json!({"break_moves": 1, "smallest": 100}),
    ];
    let said = given.map(|parameters| exercise::generate::<MatchstickEquation>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `break_moves` must be from 1 to 3, not 0
    `break_moves` must be from 1 to 3, not 4
    `most_operations` must be from 1 to 3, not 4
    `largest` must be from 9 to 99, not 100
    unknown field `smallest`, expected one of `break_moves`, `most_operations`, `largest`
    ");
}

/// Everything that legal moves lead to within so many, counted by hand from the rules.
fn within(equation: &Equation, n_moves: u32) -> bool {
    let digits = 0..10_u8;
    let n_symbols = equation.symbols().len() as u8;
    equation.is_true()
        || n_moves > 0
            && (0..n_symbols).any(|src_idx| {
                let tried = digits.clone().flat_map(|src_seg| (0..n_symbols).map(move |dst_idx| (src_seg, dst_idx)));
                let mut tried = tried.flat_map(|(src_seg, dst_idx)| {
                    digits.clone().map(move |dst_seg| [src_idx, src_seg, dst_idx, dst_seg])
                });
                tried.any(|moving| equation.moved(moving.into()).is_ok_and(|next| within(&next, n_moves - 1)))
            })
}

#[test]
fn broken_equations_need_exactly_the_moves_they_say() {
    for (preset, n_moves) in [("easy", 1), ("hard", 2)] {
        for seed in 0..40 {
            let start = start(preset, seed);
            assert!(!within(&start.broken, n_moves - 1), "{preset}#{seed}: {}", start.broken);
            let solution = MatchstickEquation::solve(&start, &OracleStyle::default()).unwrap();
            assert_eq!(solution.len(), n_moves as usize, "{preset}#{seed}: {}", start.broken);
            assert!(!after::<MatchstickEquation>(&start, &solution).equation.has_zeros_in_front());
        }
    }
}

#[test]
fn every_kind_of_equation_comes_up_and_three_moves_can_be_asked_for() {
    let broken: String = (0..60).map(|seed| start("easy", seed).broken.to_string()).collect();
    assert!("0123456789+-*/=".chars().all(|symbol| broken.contains(symbol)), "{broken}");
    for seed in 0..5 {
        let parameters = json!({"break_moves": 3, "most_operations": 3, "largest": 99});
        let start = exercise::generate::<MatchstickEquation>(parameters, seed).unwrap();
        assert!(!search::is_within(&start.broken, 2));
        assert_eq!(MatchstickEquation::solve(&start, &OracleStyle::default()).unwrap().len(), 3);
    }
}

#[test]
fn limits_leave_room_for_every_strategy() {
    let task = exercise::task::<MatchstickEquation>();
    for preset in ["easy", "hard"] {
        let limit = task.limits(&exercise::pick(preset, 0)).steps as usize;
        for seed in 0..100 {
            let start = start(preset, seed);
            for strategy in MatchstickEquation::STRATEGIES {
                let length = exercise::assert_solves::<MatchstickEquation>(&start, &style(strategy, None, seed));
                assert!(length <= limit, "{preset}#{seed} {strategy}: {length}");
            }
        }
    }
}

#[test]
fn the_three_strategies() {
    let start = start("hard", 1);
    let said = MatchstickEquation::STRATEGIES.iter().map(|strategy| {
        let calls = MatchstickEquation::solve(&start, &style(strategy, None, 3)).unwrap();
        let mut state = MatchstickEquation::initial(&start);
        let passed = calls.iter().map(|call| {
            MatchstickEquation::apply(&start, &mut state, call);
            format!("{} {}", call.name, state.equation)
        });
        format!("{strategy}: {}: {}", start.broken, passed.collect::<Vec<_>>().join(", "))
    });
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"), @"
    bfs: 1+6*8=88: move 7+5*8=88, move 7+9*9=88
    dfs: 1+6*8=88: move 1+8*8=89, move 1+8/8=88, undo 1+8*8=89, move 1+8*6=88, undo 1+8*8=89, move 7+8*8=85, undo 1+8*8=89, undo 1+6*8=88, move 1+8*9=88, move 7+9*9=88
    sos: 1+6*8=88: move 7+6*8=89, undo 1+6*8=88, move 7+5*8=88, move 7+9*9=88
    ");
}

#[test]
fn near_misses_miss_and_variations_hit() {
    let (mut n_forged, mut n_other) = (0, 0);
    for (preset, seed) in [("easy", 0), ("easy", 1), ("easy", 2), ("hard", 3), ("hard", 4), ("hard", 5)] {
        let start = start(preset, seed);
        let calls = MatchstickEquation::solve(&start, &OracleStyle::default()).unwrap();
        let solved = after::<MatchstickEquation>(&start, &calls);
        let near = MatchstickEquation::near_misses(&start, &solved, &Measures::new());
        assert!(near.len() >= 5, "{preset}#{seed}: {}", near.len());
        for (how, state) in &near {
            let measures = MatchstickEquation::measure(&start, state);
            assert!(measures.values().any(|value| *value > 0.0), "{how}");
        }
        n_forged += near.iter().filter(|(how, _)| how.contains("is true, but")).count();
        let variations = MatchstickEquation::variations(&start, &solved, &Measures::new());
        assert!(!variations.is_empty());
        for (how, state) in &variations {
            assert!(MatchstickEquation::measure(&start, state).values().all(|value| *value == 0.0), "{how}");
            assert_eq!(replayed(&start, state), state.equation, "{how}");
        }
        n_other += variations.iter().filter(|(how, _)| how.starts_with("mended")).count();
    }
    assert!(n_forged > 0 && n_other > 0, "{n_forged} {n_other}");
}

fn replayed(start: &Start, state: &State) -> Equation {
    state.moved.iter().fold(start.broken.clone(), |equation, moving| equation.moved(*moving).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_play_is_drawn_rightly(seed: u64) {
        exercise::assert_random_play_is_drawn_rightly::<MatchstickEquation>(&start("hard", seed), 3000, &mut Rng::new(seed));
    }

    #[test]
    fn matches_are_conserved_and_undo_leads_back(seed: u64, picks in proptest::collection::vec(any::<usize>(), 1..30)) {
        let start = start("hard", seed);
        let mut state = MatchstickEquation::initial(&start);
        for pick in &picks {
            let moves = state.equation.moves();
            let (moving, _) = &moves[pick % moves.len()];
            let before = state.clone();
            exercise::apply::<MatchstickEquation>(&start, &mut state, &super::call_of(*moving));
            prop_assert_eq!(state.equation.n_matches(), start.broken.n_matches());
            prop_assert_eq!(state.equation.n_unlike(&start.broken), 0);
            let mut undone = state.clone();
            exercise::apply::<MatchstickEquation>(&start, &mut undone, &call("undo", []));
            prop_assert_eq!(undone, before);
        }
        for _ in &picks {
            exercise::apply::<MatchstickEquation>(&start, &mut state, &call("undo", []));
        }
        prop_assert_eq!(state, MatchstickEquation::initial(&start));
    }

    #[test]
    fn solutions_have_the_wanted_length(seed: u64, length in 1_u32..60, strategy in 0_usize..3) {
        let style = style(MatchstickEquation::STRATEGIES[strategy], Some(length), seed);
        let n_actions = exercise::assert_solves::<MatchstickEquation>(&start("hard", seed), &style);
        prop_assert!((length as usize..=(length as usize + 1).max(3 + 8)).contains(&n_actions), "{}", n_actions);
    }
}
