//! Laying the stick on the target.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::{Start, StickPose};
use crate::puzzle::call;

/// Moves of the `stochastic` strategy: the fewest, and the most before padding takes over.
const STOCHASTIC_MOVES: (usize, usize) = (3, 24);

/// A solution being made: the moves so far, and where they lead.
struct RotationPlan<'a> {
    start: &'a Start,
    stick: StickPose,
    calls: Vec<Call>,
}

/// Solves by the asked strategy; every one ends with a move that lays the stick exactly on the target.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "matchstick-rotation/solve");
    let n_moves = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    let mut plan = RotationPlan { start, stick: start.stick, calls: Vec::new() };
    match style.strategy.as_deref() {
        None | Some("unit_first") => plan.unit_moves(n_moves, &mut rng),
        Some("stochastic") => plan.random_moves(n_moves, &mut rng),
        Some("direct") => plan.there_and_back(n_moves, &mut rng),
        Some(other) => return Err(format!("`matchstick-rotation` has no strategy `{other}`")),
    }
    plan.align();
    Ok(plan.calls)
}

impl RotationPlan<'_> {
    /// What is left to do, in pixels and in degrees the shorter way round.
    fn left(&self) -> [f64; 3] {
        let target = self.start.target;
        let turn = (target.angle - self.stick.angle).rem_euclid(180.0);
        let turn = if turn > 90.0 { turn - 180.0 } else { turn };
        [target.x - self.stick.x, target.y - self.stick.y, turn]
    }

    /// Makes a move, if the stick stays in the picture and does move.
    fn make(&mut self, by: [f64; 3]) -> bool {
        let by = by.map(|part| part + 0.0); // Minus zero reads badly.
        match self.start.moved(self.stick, by) {
            Some(moved) if moved != self.stick => {
                self.stick = moved;
                self.calls.push(call("move", by.map(Into::into)));
                true
            }
            _ => false,
        }
    }

    /// One or more moves of one unit towards the target, which show how long a unit is.
    fn unit_moves(&mut self, n_moves: usize, rng: &mut Rng) {
        self.there_and_back(n_moves.saturating_sub(2), rng);
        for _ in 0..1 + rng.below(2) + usize::from(n_moves > 2) {
            let [dx, dy, _] = self.left();
            let distance = (dx * dx + dy * dy).sqrt();
            // A unit that overshoots would still tell its length, but leads away.
            if distance > 2.0 * self.start.scale {
                let towards = [rounded(dx / distance, 1e3), rounded(dy / distance, 1e3), 0.0];
                let axis = if dx.abs() > dy.abs() { [dx.signum(), 0.0, 0.0] } else { [0.0, dy.signum(), 0.0] };
                self.make(if rng.chance(0.5) { towards } else { axis });
            }
        }
        self.there_and_back(n_moves, rng);
    }

    /// Random moves that lead nearer and nearer.
    fn random_moves(&mut self, n_moves: usize, rng: &mut Rng) {
        let n_steps = n_moves.clamp(STOCHASTIC_MOVES.0, STOCHASTIC_MOVES.1);
        self.there_and_back(n_moves.saturating_sub(n_steps - 1), rng);
        for n_left in (2..=n_steps).rev() {
            let [dx, dy, turn] = self.left();
            let (shift, turned) = (share(n_left, rng), share(n_left, rng));
            let units = |px: f64| rounded(px * shift / self.start.scale, 1e2);
            self.make([units(dx), units(dy), rounded(turn * turned, 1e2)]);
        }
        self.there_and_back(n_moves, rng);
    }

    /// Pairs of moves that undo each other, until only the aligning move is missing.
    fn there_and_back(&mut self, n_moves: usize, rng: &mut Rng) {
        while self.calls.len() + 1 < n_moves {
            let reach = f64::from(self.start.size) / 4.0 / self.start.scale;
            let mut along = |reach: f64| rounded(rng.uniform(-reach, reach), 1e2);
            let by = [along(reach), along(reach), along(60.0)];
            if self.make(by) {
                self.make(by.map(|part| -part));
            }
        }
    }

    /// One move that does all that is left.
    fn align(&mut self) {
        let [dx, dy, turn] = self.left();
        self.make([rounded(dx / self.start.scale, 1e6), rounded(dy / self.start.scale, 1e6), turn]);
    }
}

/// A random share of what is left, so that the rest is enough for the other moves.
fn share(n_left: usize, rng: &mut Rng) -> f64 {
    rng.uniform(0.5, 1.5) / n_left as f64
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}
