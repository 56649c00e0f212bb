//! Making a target: a random walk from the classic layout, kept only if the shortest way back is as long as asked for.

use quintain_core::rng::Rng;

use super::board::Board;
use super::distance::from_classic;
use super::{Parameters, Start};

/// Walks that are tried before the parameters are given up on.
const N_TRIES: u32 = 500;
/// The longest shortest solution that can be asked for: further away, proving that it is shortest takes too long.
const MOST_MOVES: u32 = 60;
const MOST_SHUFFLE_MOVES: u32 = 1000;

pub(super) fn start(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    let Parameters { shuffle_moves, least_moves, most_moves } = *parameters;
    check(parameters)?;
    let blocks = Board::classic();
    for _ in 0..N_TRIES {
        let target = walk(blocks, shuffle_moves, rng);
        if from_classic(target, most_moves)?.is_some_and(|moves| moves >= least_moves) {
            return Ok(Start { blocks, target });
        }
    }
    Err(format!(
        "none of {N_TRIES} boards shuffled by {shuffle_moves} moves is {least_moves} to {most_moves} moves away: change \
         `shuffle_moves`, `least_moves` or `most_moves`"
    ))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { shuffle_moves, least_moves, most_moves } = *parameters;
    if !(1..=MOST_SHUFFLE_MOVES).contains(&shuffle_moves) {
        return Err(format!("`shuffle_moves` must be from 1 to {MOST_SHUFFLE_MOVES}, not {shuffle_moves}"));
    }
    if !(1..=MOST_MOVES).contains(&most_moves) {
        return Err(format!("`most_moves` must be from 1 to {MOST_MOVES}, not {most_moves}"));
    }
    if !(1..=most_moves.min(shuffle_moves)).contains(&least_moves) {
        return Err(format!(
            "`least_moves` must be from 1 to `most_moves` and `shuffle_moves`, not {least_moves}: no board can be further"
        ));
    }
    Ok(())
}

/// Random moves, none of which takes the one before it back unless nothing else is possible.
fn walk(from: Board, n_moves: u32, rng: &mut Rng) -> Board {
    let (mut board, mut before) = (from, None);
    for _ in 0..n_moves {
        let moves = board.moves();
        let onward: Vec<Board> = moves.iter().map(|(_, _, next)| *next).filter(|next| Some(*next) != before).collect();
        let next = if onward.is_empty() { moves[0].2 } else { *rng.choose(&onward) };
        before = Some(std::mem::replace(&mut board, next));
    }
    board
}
