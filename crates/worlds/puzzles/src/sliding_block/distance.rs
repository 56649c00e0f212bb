//! How far boards are from the classic layout: looked up for the near ones, searched for the others.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use quintain_core::rng::Rng;

use super::board::Board;
use super::solve::{KeyHasher, shortest};

/// Boards up to so many moves away are kept: some twelve thousand.
const NEAR_MOVES: u32 = 24;

type Distances = HashMap<u64, u32, BuildHasherDefault<KeyHasher>>;

/// The fewest moves from the classic layout to a board, if they are at most so many.
pub(super) fn from_classic(board: Board, most: u32) -> Result<Option<u32>, String> {
    let near = near().get(&board.key()).copied().filter(|moves| *moves <= most);
    if near.is_some() || most <= NEAR_MOVES {
        return Ok(near);
    }
    let path = shortest(Board::classic(), board, most, &mut Rng::new(0))?;
    Ok(path.map(|path| path.len() as u32))
}

/// The near boards and how far each is, found once.
fn near() -> &'static Distances {
    static NEAR: OnceLock<Distances> = OnceLock::new();
    NEAR.get_or_init(|| {
        let mut edge = vec![Board::classic()];
        let mut distances: Distances = [(Board::classic().key(), 0)].into_iter().collect();
        for moves in 1..=NEAR_MOVES {
            let reached: Vec<Board> = edge.iter().flat_map(Board::moves).map(|(_, _, board)| board).collect();
            edge.clear();
            for board in reached {
                distances.entry(board.key()).or_insert_with(|| {
                    edge.push(board);
                    moves
                });
            }
        }
        distances
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_is_what_a_search_finds() {
        let mut rng = Rng::new(3);
        for n_moves in [0, 1, 5, 20, 60, 120, 240] {
            let mut board = Board::classic();
            for _ in 0..n_moves {
                board = rng.choose(&board.moves()).2;
            }
            for most in [0, 10, NEAR_MOVES, 40] {
                let searched = shortest(Board::classic(), board, most, &mut rng).unwrap();
                assert_eq!(
                    from_classic(board, most).unwrap(),
                    searched.map(|path| path.len() as u32),
                    "{board} {most}"
                );
            }
        }
    }

    #[test]
    fn thousands_of_boards_are_near() {
        let at_most = |moves: u32| near().values().filter(|distance| **distance <= moves).count();
        assert_eq!([0, 1, 12, 24].map(at_most), [1, 5, 1902, 12_002]);
    }
}
