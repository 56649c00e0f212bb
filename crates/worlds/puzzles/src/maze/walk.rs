//! Ways through a maze: the shortest, and one that explores.

use std::collections::BTreeSet;

use quintain_core::rng::Rng;
use quintain_core::suggest;
use quintain_core::world::OracleStyle;

use super::{Maze, MazeCell};

/// The most actions that a solution may be asked to have.
pub const LONGEST_SOLUTION: u32 = 100_000;

/// How a solver goes about a maze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Straight to the goal.
    Shortest,
    /// Straight to the goal, with needless actions that are taken back at once.
    Padded,
    /// Into every opening until the goal is found, back out of dead ends.
    Exploratory,
}

impl Strategy {
    /// The names, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["shortest", "padded", "exploratory"];

    fn named(name: &str) -> Result<Self, String> {
        match name {
            "shortest" => Ok(Self::Shortest),
            "padded" => Ok(Self::Padded),
            "exploratory" => Ok(Self::Exploratory),
            other => {
                let hint = suggest::hint(other, Self::NAMES.iter().copied());
                Err(format!("mazes have no strategy `{other}`; {hint}"))
            }
        }
    }
}

/// A way from the start of a maze to its goal, and what is left to decide about how to tell it in actions.
pub struct MazeWalk {
    /// The cells, one beside the other, from the start to the goal.
    pub cells: Vec<MazeCell>,
    /// The randomness of the solver.
    pub rng: Rng,
    strategy: Strategy,
    wanted: usize,
}

impl MazeWalk {
    /// The way that a style asks for.
    pub fn new(maze: &Maze, style: &OracleStyle) -> Result<Self, String> {
        let strategy = style.strategy.as_deref().map_or(Ok(Strategy::Shortest), Strategy::named)?;
        let wanted = style.length.unwrap_or(0);
        if wanted > LONGEST_SOLUTION {
            return Err(format!("a solution has at most {LONGEST_SOLUTION} actions, not {wanted}"));
        }
        let mut rng = Rng::for_purpose(style.seed, "maze/solve");
        let cells = match strategy {
            Strategy::Shortest | Strategy::Padded => shortest(maze),
            Strategy::Exploratory => exploring(maze, &mut rng),
        };
        let cells = cells.ok_or_else(|| "no way leads to the goal of this maze".to_owned())?;
        Ok(Self { cells, rng, strategy, wanted: wanted as usize })
    }

    /// How many pairs of needless actions bring so many actions to the length that is asked for, the stop included.
    /// Padding without a length makes a solution half as long again.
    pub fn pairs_to_add(&self, n_actions: usize) -> usize {
        let wanted = match self.strategy {
            Strategy::Padded if self.wanted == 0 => n_actions + 1 + n_actions.div_ceil(2),
            _ => self.wanted,
        };
        wanted.saturating_sub(n_actions + 1).div_ceil(2)
    }
}

fn shortest(maze: &Maze) -> Option<Vec<MazeCell>> {
    let distances = maze.distances();
    let distance = |cell| maze.index(cell).and_then(|index| distances[index]);
    let mut cells = vec![maze.start()];
    let mut left = distance(maze.start())?;
    while left > 0 {
        left -= 1;
        let next = maze.beside(*cells.last()?).find(|next| distance(*next) == Some(left))?;
        cells.push(next);
    }
    Some(cells)
}

/// Depth first: into openings not yet visited in a random order, back the way it came when there are none.
fn exploring(maze: &Maze, rng: &mut Rng) -> Option<Vec<MazeCell>> {
    let mut cells = vec![maze.start()];
    let mut way_back = Vec::new();
    let mut visited = BTreeSet::from([maze.start()]);
    loop {
        let here = *cells.last()?;
        if here == maze.goal() {
            return Some(cells);
        }
        let fresh: Vec<MazeCell> = maze.beside(here).filter(|next| !visited.contains(next)).collect();
        if fresh.is_empty() {
            cells.push(way_back.pop()?);
        } else {
            let next = *rng.choose(&fresh);
            visited.insert(next);
            way_back.push(here);
            cells.push(next);
        }
    }
}
