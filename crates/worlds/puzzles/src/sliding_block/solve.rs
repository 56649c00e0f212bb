//! Solving: a shortest way by breadth-first search from both ends, and longer ways that wander off and come back.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::board::{Board, N_BLOCKS, SlideDirection};
use super::{Start, slide};

/// Boards that a search may look at before it gives up.
const MOST_BOARDS: usize = 1_000_000;
/// Moves away from the path, and as many back, that `explore` makes when no length is asked for.
const N_STRAYS: usize = 2;

/// One slide.
pub(super) type Slide = (usize, SlideDirection);

pub(super) fn calls(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "sliding-block/solve");
    let path = shortest(start.blocks, start.target, u32::MAX, &mut rng)?
        .ok_or("the target cannot be reached from the start")?;
    let wanted = style.length.unwrap_or(0) as usize;
    let n_strays = wanted.saturating_sub(path.len() + 1).div_ceil(2);
    let slides = match style.strategy.as_deref() {
        Some("explore") => stray(start.blocks, &path, n_strays.max(N_STRAYS), 3, &mut rng),
        _ => stray(start.blocks, &path, n_strays, 1, &mut rng),
    };
    Ok(slides.into_iter().map(|(block, direction)| slide(block, direction)).collect())
}

/// A path with so many moves away from it, each taken back: every detour is at most `depth` moves deep.
fn stray(from: Board, path: &[Slide], n_strays: usize, depth: usize, rng: &mut Rng) -> Vec<Slide> {
    let mut detours: Vec<Vec<usize>> = vec![Vec::new(); path.len() + 1];
    let mut left = n_strays;
    while left > 0 {
        let moves = 1 + rng.below(depth.min(left));
        let at = rng.below(detours.len());
        detours[at].push(moves);
        left -= moves;
    }
    let (mut board, mut slides) = (from, Vec::new());
    for (step, detours) in detours.iter().enumerate() {
        for n_moves in detours {
            slides.extend(detour(board, *n_moves, rng));
        }
        if let Some((block, direction)) = path.get(step) {
            board = board.slid(*block, *direction).expect("a path is made of moves that are free");
            slides.push((*block, *direction));
        }
    }
    slides
}

/// So many random moves, and the same moves back.
fn detour(from: Board, n_moves: usize, rng: &mut Rng) -> Vec<Slide> {
    let (mut board, mut out) = (from, Vec::<Slide>::new());
    for _ in 0..n_moves {
        let moves = board.moves();
        let back = out.last().map(|(block, direction)| (*block, direction.opposite()));
        let onward: Vec<_> = moves.iter().filter(|(block, direction, _)| Some((*block, *direction)) != back).collect();
        let (block, direction, next) =
            if onward.is_empty() { moves[rng.below(moves.len())] } else { **rng.choose(&onward) };
        board = next;
        out.push((block, direction));
    }
    let home: Vec<Slide> = out.iter().rev().map(|(block, direction)| (*block, direction.opposite())).collect();
    out.into_iter().chain(home).collect()
}

/// A shortest way from one board to another, if there is one of at most so many moves. Which of several is chosen is up to
/// the random numbers.
pub(super) fn shortest(from: Board, to: Board, most: u32, rng: &mut Rng) -> Result<Option<Vec<Slide>>, String> {
    if from == to {
        return Ok(Some(Vec::new()));
    }
    let mut order: Vec<Slide> = (0..N_BLOCKS).flat_map(|block| SlideDirection::ALL.map(|way| (block, way))).collect();
    rng.shuffle(&mut order);
    let (mut ahead, mut behind) = (SearchSide::new(from), SearchSide::new(to));
    for _ in 0..most {
        let (near, far) =
            if ahead.edge.len() <= behind.edge.len() { (&mut ahead, &behind) } else { (&mut behind, &ahead) };
        let meeting = near.expand(&order, far);
        if let Some(meeting) = meeting {
            let mut path = ahead.path_to(meeting);
            path.reverse();
            path.extend(behind.path_to(meeting).into_iter().map(|(block, way)| (block, way.opposite())));
            return Ok(Some(path));
        }
        if near.edge.is_empty() {
            return Ok(None);
        }
        if ahead.seen.len() + behind.seen.len() > MOST_BOARDS {
            return Err(format!("no way to the target was found among {MOST_BOARDS} boards"));
        }
    }
    Ok(None)
}

/// One end of a search: the boards seen from there, and how each was reached.
struct SearchSide {
    seen: HashMap<u64, Option<Slide>, BuildHasherDefault<KeyHasher>>,
    edge: Vec<Board>,
}

impl SearchSide {
    fn new(root: Board) -> Self {
        Self { seen: [(root.key(), None)].into_iter().collect(), edge: vec![root] }
    }

    /// Goes one move further everywhere; gives a board that the other end has seen too. Since both ends advance by whole
    /// moves, the first such board lies on a shortest way.
    fn expand(&mut self, order: &[Slide], other: &Self) -> Option<Board> {
        let mut next = Vec::with_capacity(self.edge.len() * 2);
        for board in std::mem::take(&mut self.edge) {
            let occupied = board.occupied();
            for (block, way) in order {
                let Some(reached) = board.free(*block, *way, occupied) else { continue };
                let key = reached.key();
                if self.seen.contains_key(&key) {
                    continue;
                }
                self.seen.insert(key, Some((*block, *way)));
                if other.seen.contains_key(&key) {
                    return Some(reached);
                }
                next.push(reached);
            }
        }
        self.edge = next;
        None
    }

    /// The slides that led from a board's end of the search to it, the last one first.
    fn path_to(&self, board: Board) -> Vec<Slide> {
        let mut path = Vec::new();
        let mut at = board;
        while let Some(Some((block, way))) = self.seen.get(&at.key()) {
            path.push((*block, *way));
            at = at.slid(*block, way.opposite()).expect("the way a block came is free");
        }
        path
    }
}

/// A hasher for keys that are one number already.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
