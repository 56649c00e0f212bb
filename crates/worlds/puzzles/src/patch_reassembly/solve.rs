//! Covering the board, with mistakes on the way where they are asked for.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::board::{BoardCell, Start, State};
use super::cover::cover;
use super::{PatchReassembly, Puzzle};
use crate::puzzle::call;

/// A piece of the plan: where it goes at last, and where it goes wrong before.
struct PlanStep {
    piece: usize,
    right: BoardCell,
    /// Where it could lie at that moment and should not.
    wrong: Vec<BoardCell>,
    mistakes: Vec<BoardCell>,
    /// How often it is taken off and laid down again.
    n_again: usize,
}

/// Solves by backtracking; the plan is lengthened by mistakes that are corrected at once.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "patch-reassembly/solve");
    let n_calls = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    let n_least = match style.strategy.as_deref() {
        None | Some("backtracking") => 0,
        Some("mistakes") => start.pieces.len() + 1 + rng.below(3),
        Some(other) => return Err(format!("`{}` has no strategy `{other}`", PatchReassembly::NAME)),
    };
    let cover = cover(start, &mut rng).ok_or("the pieces do not cover the board")?;
    let mut steps = plan(start, &cover);
    lengthen(&mut steps, n_calls.max(n_least), &mut rng);
    Ok(steps.iter().flat_map(PlanStep::calls).collect())
}

/// The pieces in the order of their places, with the mistakes that could be made.
fn plan(start: &Start, cover: &[(usize, BoardCell)]) -> Vec<PlanStep> {
    let mut state = PatchReassembly::initial(start);
    let step = |(piece, right): &(usize, BoardCell)| {
        let wrong = places(start, &state, *piece).filter(|place| place != right).collect();
        state.places[*piece] = Some(*right);
        PlanStep { piece: *piece, right: *right, wrong, mistakes: Vec::new(), n_again: 0 }
    };
    cover.iter().map(step).collect()
}

/// Every place where a piece fits.
fn places(start: &Start, state: &State, piece: usize) -> impl Iterator<Item = BoardCell> {
    (0..start.n_cells()).map(|at| start.cell(at)).filter(move |place| start.obstacle(state, piece, *place).is_none())
}

/// Adds mistakes until there are so many calls; where no piece can go wrong, one is taken off and laid down again.
fn lengthen(steps: &mut [PlanStep], n_calls: usize, rng: &mut Rng) {
    while steps.iter().map(PlanStep::n_calls).sum::<usize>() < n_calls {
        let can_err: Vec<usize> = (0..steps.len()).filter(|i| steps[*i].more_mistakes().next().is_some()).collect();
        if can_err.is_empty() {
            let again = rng.below(steps.len());
            steps[again].n_again += 1;
            continue;
        }
        let step = &mut steps[*rng.choose(&can_err)];
        let mistakes: Vec<BoardCell> = step.more_mistakes().collect();
        step.mistakes.push(*rng.choose(&mistakes));
    }
}

impl PlanStep {
    /// Where it could go wrong next: anywhere but where it went wrong just before.
    fn more_mistakes(&self) -> impl Iterator<Item = BoardCell> {
        self.wrong.iter().copied().filter(|place| self.mistakes.last() != Some(place))
    }

    fn n_calls(&self) -> usize {
        self.mistakes.len() + 1 + 2 * self.n_again
    }

    fn calls(&self) -> Vec<Call> {
        let place = |[row, col]: BoardCell| call("place", [self.piece.into(), row.into(), col.into()]);
        let mut calls: Vec<Call> = self.mistakes.iter().copied().map(place).collect();
        calls.push(place(self.right));
        for _ in 0..self.n_again {
            calls.extend([call("remove", [self.piece.into()]), place(self.right)]);
        }
        calls
    }
}
