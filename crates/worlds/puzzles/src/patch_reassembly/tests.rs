use proptest::prelude::*;
use quintain_core::action::{Action, Dialect};
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::Surface;
use quintain_core::world::OracleStyle;
use serde_json::json;

use super::board::{BoardCell, PatchPiece, Start, State};
use super::cover::covers;
use super::layout::{BOARD, Layout};
use super::{PatchReassembly, print};
use crate::exercise;
use crate::puzzle::{Puzzle, after, call};

fn start(preset: &str, seed: u64) -> Start {
    exercise::start::<PatchReassembly>(&exercise::task::<PatchReassembly>(), preset, seed)
}

fn cut(rows: i32, cols: i32, pieces: usize, seed: u64) -> Start {
    exercise::generate::<PatchReassembly>(json!({"rows": rows, "cols": cols, "pieces": pieces}), seed).unwrap()
}

/// The pieces of a board drawn in digits.
fn drawn(lines: &[&str]) -> Start {
    let cells = |digit: u8| -> Vec<BoardCell> {
        let at = |(row, line): (usize, &&str)| {
            let cols: Vec<BoardCell> = line
                .bytes()
                .enumerate()
                .filter(|(_, mark)| *mark == digit)
                .map(|(col, _)| [row as i32, col as i32])
                .collect();
            cols
        };
        lines.iter().enumerate().flat_map(at).collect()
    };
    let pieces: Vec<PatchPiece> =
        (b'0'..=b'9').map(cells).take_while(|cells| !cells.is_empty()).map(PatchPiece::of).collect();
    Start { rows: lines.len() as i32, cols: lines[0].len() as i32, pieces }
}

fn solved(start: &Start) -> State {
    after::<PatchReassembly>(start, &PatchReassembly::solve(start, &OracleStyle::default()).unwrap())
}

#[test]
fn pixels_never_change() {
    let instances = ["easy", "hard"].into_iter().flat_map(|preset| (0..3).map(move |seed| (preset, seed)));
    let lines = instances.map(|(preset, seed)| {
        format!("{preset}#{seed}: {}", exercise::golden::<PatchReassembly>(&start(preset, seed)))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    easy#0: first a80a8218c444 all 4616d37da958 of 6
    easy#1: first c23650b4076a all eec652631522 of 6
    easy#2: first 7e5d5b8648bd all 6fa46159a4f0 of 6
    hard#0: first 6bf3c70ecc20 all 1c3d3953b0ba of 7
    hard#1: first ce50c1c8f4cd all c55877379612 of 7
    hard#2: first ef9c3eec7f35 all f571e285b7f3 of 7
    ");
}

#[test]
fn the_instruction_reads_well() {
    let text = exercise::instruction::<PatchReassembly>(&exercise::task::<PatchReassembly>(), "easy", 0);
    insta::assert_snapshot!(text, @"
    A board of 6 rows and 6 columns was cut along its grid into 5 pieces, and the pieces were taken off. They are parked around the empty board, each in a colour of its own and drawn at the size of the board's cells. One cell of each piece bears the piece's number, from 0 to 4.

    Lay the pieces back so that every cell of the board is covered, then stop. Any way to cover the board counts. Pieces are never turned or flipped. You must stop yourself before the steps run out.

    You lay a piece by saying on which row and column of the board the cell with its number shall lie; the other cells follow. Rows are counted from 0 at the top to 5, columns from 0 at the left to 5; the numbers stand beside the board. A piece that lies on the board may be laid elsewhere at once, or removed. A piece that would stick out of the board or cover another is refused and stays where it is, but the step is used up all the same. Where a piece was parked, a pale shadow stays.

    Where the board is also given in characters, `.` is a free cell, a digit is a cell covered by the piece of that number, and each parked piece is printed with `*` for the cell that bears its number.
    ");
}

#[test]
fn the_board_is_printed() {
    let start = start("easy", 1);
    let mut calls = PatchReassembly::solve(&start, &OracleStyle::default()).unwrap();
    let empty = PatchReassembly::initial(&start);
    let full = print::print(&start, &after::<PatchReassembly>(&start, &calls));
    calls.truncate(2);
    let begun = print::print(&start, &after::<PatchReassembly>(&start, &calls));
    insta::assert_snapshot!([print::print(&start, &empty), begun, full].join("\n---\n"), @"
    board:
        0 1 2 3 4 5
     0  . . . . . .
     1  . . . . . .
     2  . . . . . .
     3  . . . . . .
     4  . . . . . .
     5  . . . . . .
    piece 0, parked:
          * 0
        0 0 0
        0 0
    piece 1, parked:
                * 1
            1 1 1 1
        1 1 1 1
        1     1
    piece 2, parked:
        * 2 2 2
        2 2
    piece 3, parked:
          * 3
          3 3
        3 3 3
            3
    piece 4, parked:
        * 4 4
    ---
    board:
        0 1 2 3 4 5
     0  2 2 2 2 1 1
     1  2 2 1 1 1 1
     2  1 1 1 1 . .
     3  1 . . 1 . .
     4  . . . . . .
     5  . . . . . .
    piece 0, parked:
          * 0
        0 0 0
        0 0
    piece 3, parked:
          * 3
          3 3
        3 3 3
            3
    piece 4, parked:
        * 4 4
    ---
    board:
        0 1 2 3 4 5
     0  2 2 2 2 1 1
     1  2 2 1 1 1 1
     2  1 1 1 1 3 3
     3  1 0 0 1 3 3
     4  0 0 0 3 3 3
     5  0 0 4 4 4 3
    ");
}

#[test]
fn calls_say_what_came_of_them() {
    let start = drawn(&["0011", "0221", "0221"]);
    let mut state = PatchReassembly::initial(&start);
    let surface = Surface { calls: PatchReassembly::calls(&start), ..Surface::default() };
    let mut said = Vec::new();
    for raw in [
        "('place', (0, 0, 0))",
        "('place', [2, 1, 1])",
        "('place', [2, 0, 2])",
        "('place', [2, 0, 2])",
        "('place', [1, 0, 2])",
        "('place', [1, 0, 3])",
        "('remove', 1)",
        "('place', [2, 1, 1])",
        "('remove', 0)",
        "place(0, 0, 0)",
        "('place', [1, 0, 2])",
        "('place', [3, 0, 0])",
        "('place', [1, 3, 0])",
        "('place', [1, 0])",
    ] {
        let outcome = match Dialect::Tolerant.read(raw, &surface) {
            Ok(Action::Call(call)) => {
                let feedback = exercise::apply::<PatchReassembly>(&start, &mut state, &call);
                let (uncovered, overlaps) = start.faults(&state);
                format!("{:?}: {} {uncovered} uncovered, {overlaps} overlaps", feedback.effect, feedback.text)
            }
            Ok(other) => other.to_string(),
            Err(misread) => misread.to_string(),
        };
        said.push(format!("{raw}\n    {outcome}"));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    ('place', (0, 0, 0))
        Changed: Piece 0 was laid on the board. 8 uncovered, 0 overlaps
    ('place', [2, 1, 1])
        Changed: Piece 2 was laid on the board. 4 uncovered, 0 overlaps
    ('place', [2, 0, 2])
        Changed: Piece 2 was moved. 4 uncovered, 0 overlaps
    ('place', [2, 0, 2])
        Unchanged: Piece 2 lies there already. 4 uncovered, 0 overlaps
    ('place', [1, 0, 2])
        Refused: Piece 1 would cover piece 2 there: nothing moved. 4 uncovered, 0 overlaps
    ('place', [1, 0, 3])
        Refused: Piece 1 would stick out of the board there: nothing moved. 4 uncovered, 0 overlaps
    ('remove', 1)
        Unchanged: Piece 1 is not on the board. 4 uncovered, 0 overlaps
    ('place', [2, 1, 1])
        Changed: Piece 2 was moved. 4 uncovered, 0 overlaps
    ('remove', 0)
        Changed: Piece 0 was taken off the board. 8 uncovered, 0 overlaps
    place(0, 0, 0)
        Changed: Piece 0 was laid on the board. 4 uncovered, 0 overlaps
    ('place', [1, 0, 2])
        Changed: Piece 1 was laid on the board. 0 uncovered, 0 overlaps
    ('place', [3, 0, 0])
        `piece` of `place` must be a whole number from 0 to 2, not 3
    ('place', [1, 3, 0])
        `row` of `place` must be a whole number from 0 to 2, not 3
    ('place', [1, 0])
        `place` takes 3 arguments, not 2
    ");
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let given = [
        json!({"rows": 1, "cols": 6, "pieces": 2}),
        json!({"rows": 6, "cols": 13, "pieces": 2}),
        json!({"rows": 6, "cols": 6, "pieces": 1}),
        json!({"rows": 6, "cols": 6, "pieces": 11}),
        json!({"rows": 3, "cols": 3, "pieces": 4}),
        json!({"rows": 12, "cols": 12, "pieces": 2}),
        json!({"rows": 6, "cols": 6, "pieces": 5, "turned": true}),
    ];
    let said = given.map(|parameters| exercise::generate::<PatchReassembly>(parameters, 0).unwrap_err());
    insta::assert_snapshot!(said.join("\n"), @"
    `rows` is 1: a board has 2 to 12
    `cols` is 13: a board has 2 to 12
    `pieces` is 1: a board of 6x6 cells makes 2 to 10
    `pieces` is 11: a board of 6x6 cells makes 2 to 10
    `pieces` is 4: a board of 3x3 cells makes 2 to 3
    400 cuts of 12x12 cells were tried: none gives 2 pieces of at least 3 cells, at most 6 across; change `pieces`
    unknown field `turned`, expected one of `rows`, `cols`, `pieces`
    ");
}

#[test]
fn every_cover_counts_and_overlaps_and_gaps_do_not() {
    // Four flat dominoes: any may lie at any of the four places.
    let start = drawn(&["0011", "2233"]);
    let all = covers(&start, 100);
    assert_eq!(all.len(), 24);
    assert!(all.iter().all(|cover| start.faults(cover) == (0, 0)));
    let variations = PatchReassembly::variations(&start, &all[0], &quintain_core::Measures::new());
    assert_eq!(variations.len(), 6);
    assert!(variations.iter().all(|(_, state)| *state != all[0] && start.faults(state) == (0, 0)));
    let state = |places: [Option<BoardCell>; 4]| State { places: places.to_vec() };
    let on_top = state([Some([0, 0]), Some([0, 0]), Some([1, 0]), Some([1, 2])]);
    assert_eq!(start.faults(&on_top), (2, 2));
    let outside = state([Some([0, 0]), Some([0, 3]), Some([1, 0]), Some([1, 2])]);
    assert_eq!(start.faults(&outside), (1, 1));
    let missing = state([Some([0, 0]), Some([0, 2]), None, Some([1, 2])]);
    assert_eq!(start.faults(&missing), (2, 0));
    assert_eq!(start.faults(&State { places: Vec::new() }), (8, 0));
    let far = state([Some([i32::MAX, i32::MAX]), Some([0, 2]), Some([1, 0]), Some([1, 2])]);
    assert_eq!(start.faults(&far), (2, 2));
}

#[test]
fn pictures_are_as_large_as_promised_and_hold_every_parked_piece() {
    for (preset, seed) in ["easy", "hard"].into_iter().flat_map(|preset| (0..40).map(move |seed| (preset, seed))) {
        let start = start(preset, seed);
        let layout = Layout::new(&start);
        let board = (0..start.n_cells()).map(|at| start.cell(at)).map(|[row, col]| [BOARD[0] + row, BOARD[1] + col]);
        let mut seen: Vec<BoardCell> = board.collect();
        for (piece, at) in start.pieces.iter().zip(&layout.parked) {
            seen.extend(piece.at(*at));
        }
        assert!(seen.iter().all(|[row, col]| (0..layout.height).contains(row) && (0..layout.width).contains(col)));
        seen.sort_unstable();
        assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "{preset}#{seed}");
        assert!(layout.width * 40 >= 680 && (760..=960).contains(&(layout.height * 40)), "{}", layout.height);
    }
}

#[test]
fn a_piece_looks_the_same_parked_and_laid() {
    let start = start("easy", 4);
    let (parked, laid) = (PatchReassembly::initial(&start), solved(&start));
    let (before, after) =
        (exercise::fresh::<PatchReassembly>(&start, &parked), exercise::fresh::<PatchReassembly>(&start, &laid));
    let pixel = |picture: &Picture, [row, col]: BoardCell, offset: i32| {
        let at = (((row * 40 + offset) * picture.width() as i32 + col * 40 + offset) * 4) as usize;
        picture.rgba()[at..at + 3].to_vec()
    };
    let layout = Layout::new(&start);
    for (idx, piece) in start.pieces.iter().enumerate() {
        let [row, col] = laid.places[idx].unwrap();
        let cells = piece.at(layout.parked[idx]).zip(piece.at([BOARD[0] + row, BOARD[1] + col]));
        for (from, to) in cells {
            for offset in [0, 1, 8, 20, 39] {
                assert_eq!(pixel(&before, from, offset), pixel(&after, to, offset), "piece {idx}");
            }
            assert_ne!(pixel(&before, from, 8), pixel(&after, from, 8), "piece {idx} stays parked");
        }
    }
}

#[test]
fn mistakes_are_legal_and_corrected() {
    for seed in 0..40 {
        let start = start("hard", seed);
        let style = OracleStyle { strategy: Some("mistakes".to_owned()), length: None, seed };
        let calls = PatchReassembly::solve(&start, &style).unwrap();
        assert!((7..=9).contains(&calls.len()) && calls.iter().all(|call| call.name == "place"), "{calls:?}");
    }
    // A piece as large as the board can go nowhere else: it is taken off and laid down again.
    let start = Start { rows: 2, cols: 2, pieces: vec![PatchPiece { cells: vec![[0, 0], [0, 1], [1, 0], [1, 1]] }] };
    let style = OracleStyle { strategy: None, length: Some(4), seed: 0 };
    let calls = PatchReassembly::solve(&start, &style).unwrap();
    let place = call("place", [0.into(), 0.into(), 0.into()]);
    assert_eq!(calls, [place.clone(), call("remove", [0.into()]), place]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn boards_are_cut_into_connected_pieces(seed in any::<u64>(), rows in 4_i32..9, cols in 4_i32..9, pieces in 3_usize..6) {
        let Ok(start) = exercise::generate::<PatchReassembly>(json!({"rows": rows, "cols": cols, "pieces": pieces}), seed) else {
            return Ok(());
        };
        prop_assert_eq!(start.pieces.iter().map(|piece| piece.cells.len()).sum::<usize>(), start.n_cells());
        for piece in &start.pieces {
            prop_assert!(piece.cells.len() >= 3 && piece.cells[0] == [0, 0] && piece.cells.is_sorted());
            let mut reached = vec![[0, 0]];
            for i in 0..piece.cells.len() {
                let Some([row, col]) = reached.get(i).copied() else { break };
                for next in [[row - 1, col], [row, col + 1], [row + 1, col], [row, col - 1]] {
                    if piece.cells.contains(&next) && !reached.contains(&next) {
                        reached.push(next);
                    }
                }
            }
            prop_assert_eq!(reached.len(), piece.cells.len());
        }
    }

    #[test]
    fn every_strategy_covers_the_board(seed in any::<u64>(), hard in any::<bool>(), length in 0_u32..40) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        for strategy in PatchReassembly::STRATEGIES {
            let minimal = exercise::assert_solves_at_length::<PatchReassembly>(&start, strategy, (length, 1), seed);
            prop_assert!(minimal > start.pieces.len() && minimal <= start.pieces.len() + 5);
        }
    }

    #[test]
    fn play_is_drawn_rightly_and_never_overlaps(seed in any::<u64>()) {
        let start = cut(5, 6, 4, seed);
        let mut rng = Rng::new(seed);
        exercise::assert_random_play_is_drawn_rightly::<PatchReassembly>(&start, 30, &mut rng);
        let mut state = PatchReassembly::initial(&start);
        for _ in 0..60 {
            let call = exercise::random_call(&PatchReassembly::calls(&start), &mut rng);
            exercise::apply::<PatchReassembly>(&start, &mut state, &call);
            prop_assert_eq!(start.faults(&state).1, 0);
        }
    }

    #[test]
    fn near_misses_miss_and_variations_hit(seed in any::<u64>(), hard in any::<bool>()) {
        let start = start(if hard { "hard" } else { "easy" }, seed);
        let solved = solved(&start);
        let none = quintain_core::Measures::new();
        let misses = PatchReassembly::near_misses(&start, &solved, &none);
        prop_assert!(misses.len() >= 3 * start.pieces.len());
        prop_assert!(misses.iter().all(|(_, state)| start.faults(state) != (0, 0)));
        for (how, state) in PatchReassembly::variations(&start, &solved, &none) {
            prop_assert!(state != solved && start.faults(&state) == (0, 0), "{}", how);
        }
    }
}
