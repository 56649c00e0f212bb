//! Solving: the fewest moves, a search in depth that shows its undone tries, and fewest moves with undone detours;
//! and the end states that must fail or pass beside a solved one.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::equation::{Equation, MatchMove};
use super::search::{fewest, is_within, others};
use super::symbol::Symbol;
use super::{Start, State, call_of};
use crate::puzzle::call;

/// The most moves that a solution may need.
const MOST_MOVES: u32 = 6;
/// Moves that are tried and undone when no length is asked for: few enough for the step limits of the presets.
const N_STRAYS: usize = 4;

/// One thing the solver does.
#[derive(Clone, Copy)]
enum SolverAct {
    Move(MatchMove),
    Undo,
}

pub(super) fn calls(broken: &Equation, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "matchstick-equation/solve");
    let path = fewest(broken, MOST_MOVES, &mut rng)?
        .ok_or_else(|| format!("`{broken}` cannot be made true in {MOST_MOVES} moves"))?;
    let wanted = style.length.map(|length| (length as usize).saturating_sub(path.len() + 1).div_ceil(2));
    let acts = match style.strategy.as_deref() {
        Some("dfs") => in_depth(broken, path.len() as u32, wanted, &mut rng),
        Some("sos") => stray(broken, &path, wanted.unwrap_or(0).max(1 + rng.below(N_STRAYS)), 3, &mut rng),
        _ => stray(broken, &path, wanted.unwrap_or(0), 1, &mut rng),
    };
    let said = |act: SolverAct| match act {
        SolverAct::Move(moving) => call_of(moving),
        SolverAct::Undo => call("undo", []),
    };
    Ok(acts.into_iter().map(said).collect())
}

/// The path with so many moves away from it, each undone: every detour is at most `depth` moves deep.
fn stray(broken: &Equation, path: &[MatchMove], n_strays: usize, depth: usize, rng: &mut Rng) -> Vec<SolverAct> {
    let mut detours: Vec<Vec<usize>> = vec![Vec::new(); path.len()];
    let mut left = if path.is_empty() { 0 } else { n_strays };
    while left > 0 {
        let n_moves = 1 + rng.below(depth.min(left));
        let before = rng.below(path.len());
        detours[before].push(n_moves);
        left -= n_moves;
    }
    let (mut equation, mut acts) = (broken.clone(), Vec::new());
    for (moving, detours) in path.iter().zip(&detours) {
        for n_moves in detours {
            acts.extend(detour(&equation, *n_moves, rng));
        }
        equation = equation.moved(*moving).expect("a path is made of moves within the rules");
        acts.push(SolverAct::Move(*moving));
    }
    acts
}

/// So many random moves that lead to no true equation, and as many undone.
fn detour(from: &Equation, n_moves: usize, rng: &mut Rng) -> Vec<SolverAct> {
    let (mut equation, mut acts) = (from.clone(), Vec::new());
    for _ in 0..n_moves {
        let moves = equation.moves();
        let untrue: Vec<_> = moves.iter().filter(|(_, next)| !next.is_true()).cloned().collect();
        let (moving, next) = rng.choose(if untrue.is_empty() { &moves } else { &untrue }).clone();
        acts.push(SolverAct::Move(moving));
        equation = next;
    }
    acts.extend([SolverAct::Undo].repeat(n_moves));
    acts
}

/// A search in depth, no deeper than a shortest solution, that tries branches in random order and undoes the wrong ones.
/// It cuts wrong branches short once it has tried as many as it may; where a length is asked for, it tries the wrong ones
/// first, and where there are not enough of them it strays before it begins.
fn in_depth(broken: &Equation, depth: u32, wanted: Option<usize>, rng: &mut Rng) -> Vec<SolverAct> {
    let mut search =
        InDepth { tries_left: wanted.unwrap_or(N_STRAYS), wrong_first: wanted.is_some(), acts: Vec::new(), rng };
    search.visit(&mut vec![broken.clone()], depth);
    let InDepth { tries_left, mut acts, rng, .. } = search;
    for _ in 0..wanted.map_or(0, |_| tries_left) {
        acts.splice(0..0, detour(broken, 1, rng));
    }
    acts
}

struct InDepth<'a> {
    tries_left: usize,
    wrong_first: bool,
    acts: Vec<SolverAct>,
    rng: &'a mut Rng,
}

impl InDepth<'_> {
    /// Visits everything below the last equation of the path until one is true.
    fn visit(&mut self, path: &mut Vec<Equation>, depth: u32) -> bool {
        if path.last().is_some_and(Equation::is_true) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        for (moving, next, right) in self.branches(path, depth) {
            if !right && self.tries_left == 0 {
                continue;
            }
            self.tries_left -= usize::from(!right);
            self.acts.push(SolverAct::Move(moving));
            path.push(next);
            if self.visit(path, depth - 1) {
                return true;
            }
            path.pop();
            self.acts.push(SolverAct::Undo);
        }
        false
    }

    /// The ways on from the end of a path, and whether each leads to a true equation in time.
    fn branches(&mut self, path: &[Equation], depth: u32) -> Vec<(MatchMove, Equation, bool)> {
        let mut moves = path.last().map(Equation::moves).unwrap_or_default();
        moves.retain(|(_, next)| !path.contains(next));
        self.rng.shuffle(&mut moves);
        let mut branches: Vec<_> = moves
            .into_iter()
            .map(|(moving, next)| {
                let right = is_within(&next, depth - 1);
                (moving, next, right)
            })
            .collect();
        if self.wrong_first {
            branches.sort_by_key(|(_, _, right)| *right);
        }
        branches
    }
}

/// End states that look nearly solved: a move too few or too many, or a match from nowhere.
pub(super) fn near_misses(start: &Start, solved: &State) -> Vec<(String, State)> {
    let untouched = ("nothing was moved".to_owned(), State { equation: start.broken.clone(), moved: Vec::new() });
    let mut short = solved.clone();
    super::undo(&mut short);
    let short = Some(("the last move was taken back".to_owned(), short));
    let short = short.filter(|(_, state)| !state.equation.is_true() && state.equation != start.broken);
    let far = solved.equation.moves().into_iter().filter(|(_, equation)| !equation.is_true()).take(6);
    let far = far.map(|(moving, equation)| {
        let moved = solved.moved.iter().copied().chain([moving]).collect();
        (format!("one more move makes it `{equation}`"), State { equation, moved })
    });
    [untouched].into_iter().chain(short).chain(far).chain(forged(start, solved)).collect()
}

/// True equations that no moves lead to: matches were added, taken away, or turned into a symbol they cannot become.
fn forged(start: &Start, solved: &State) -> Vec<(String, State)> {
    let n_symbols = solved.equation.symbols().len();
    let places = (0..n_symbols).flat_map(|a| (a + 1..n_symbols).map(move |b| (a, b)));
    let changed = places.flat_map(|(a, b)| {
        let pairs = Symbol::all().flat_map(|one| Symbol::all().map(move |two| (one, two)));
        pairs.filter_map(move |(one, two)| solved.equation.with(a, one)?.with(b, two))
    });
    let impossible = |equation: &Equation| {
        equation.is_true() && (equation.n_matches() != start.broken.n_matches() || equation.n_unlike(&start.broken) > 0)
    };
    let forged = changed.filter(impossible).take(3);
    forged
        .map(|equation| {
            let how = format!("`{equation}` is true, but not made of the same matches");
            (how, State { equation, moved: solved.moved.clone() })
        })
        .collect()
}

/// Other true equations, and the same one after a detour.
pub(super) fn variations(start: &Start, solved: &State) -> Vec<(String, State)> {
    let fixes = others(&start.broken, solved.moved.len() as u32 + 1, &solved.equation, 5).into_iter();
    let fixes = fixes.map(|(equation, moved)| (format!("mended as `{equation}`"), State { equation, moved }));
    let detour = solved.equation.moves().into_iter().take(1).map(|(moving, _)| {
        let moved = solved.moved.iter().copied().chain([moving, moving.back()]).collect();
        ("the same after a match went there and back".to_owned(), State { equation: solved.equation.clone(), moved })
    });
    fixes.chain(detour).collect()
}
