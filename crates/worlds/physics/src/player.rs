//! Who plays for the solvers: it sees the state, decides, and keeps the calls it made.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::trajectory::Effect;
use quintain_core::world::OracleStyle;
use quintain_puzzles::puzzle::call;

use crate::motion::{Motion, UNIT};
use crate::orders;
use crate::scene::REACH;

/// The ways to go from place to place.
pub(crate) const STRATEGIES: &[&str] = &["by_axis", "direct", "unit_first"];

/// More calls than this for one leg means that it leads nowhere.
const MOST_CALLS: usize = 60;

/// How a player goes from place to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArmPath {
    /// Along all axes at once.
    Direct,
    /// Along the axis that is farthest off.
    ByAxis,
}

/// A solution that is long enough: as many moves there and back come first as it takes.
pub(crate) fn solved(
    style: &OracleStyle,
    solve: impl Fn(usize) -> Result<Vec<Call>, String>,
) -> Result<Vec<Call>, String> {
    let n_wanted = (style.length.unwrap_or(0) as usize).saturating_sub(1);
    let mut calls = solve(0)?;
    let mut n_pairs = 0;
    while calls.len() < n_wanted {
        n_pairs += (n_wanted - calls.len()).div_ceil(2);
        calls = solve(n_pairs)?;
    }
    Ok(calls)
}

/// A player with the calls it has made.
pub(crate) struct ArmPlayer {
    pub(crate) motion: Motion,
    pub(crate) calls: Vec<Call>,
    way: ArmPath,
}

impl ArmPlayer {
    /// A player that has done what comes first: some moves there and back, and one unit along each axis, which shows what
    /// a unit is, for who must find out.
    pub(crate) fn begin(motion: Motion, style: &OracleStyle, goal: [f64; 3], n_pairs: usize) -> Result<Self, String> {
        let strategy = style.strategy.as_deref().unwrap_or(STRATEGIES[0]);
        let way = if strategy == "by_axis" { ArmPath::ByAxis } else { ArmPath::Direct };
        let mut player = Self { motion, calls: Vec::new(), way };
        if strategy == "unit_first" {
            player.show_units(goal)?;
        }
        let mut rng = Rng::for_purpose(style.seed, "arm");
        (0..n_pairs).try_for_each(|_| player.there_and_back(&mut rng))?;
        Ok(player)
    }

    /// One unit along each axis, towards the goal.
    fn show_units(&mut self, goal: [f64; 3]) -> Result<(), String> {
        for axis in 0..3 {
            let mut units = [0.0; 3];
            units[axis] = if goal[axis] < self.motion.aim[axis] { -1.0 } else { 1.0 };
            self.go_on(units)?;
        }
        Ok(())
    }

    /// A move and the one that undoes it, away from the table.
    fn there_and_back(&mut self, rng: &mut Rng) -> Result<(), String> {
        let axis = rng.below(3);
        let room_above = REACH[1][axis] - self.motion.aim[axis];
        let direction = if axis == 2 || room_above > UNIT && rng.chance(0.5) { 1.0 } else { -1.0 };
        let mut units = [0.0; 3];
        units[axis] = direction * (rng.between(4, 10) as f64) / 10.0;
        self.go_on(units)?;
        self.go_on(units.map(|along| -along))
    }

    /// Goes where the state says, until the state says that it is there.
    pub(crate) fn go(
        &mut self,
        to: impl Fn(&Motion) -> [f64; 3],
        is_there: impl Fn(&Motion) -> bool,
    ) -> Result<(), String> {
        for _ in 0..MOST_CALLS {
            if is_there(&self.motion) {
                return Ok(());
            }
            let units = self.units_to(to(&self.motion));
            self.go_on(units)?;
        }
        Err("the hand does not come to where it is sent".to_owned())
    }

    /// The next move to a place, which is as long as a move can be.
    fn units_to(&self, to: [f64; 3]) -> [f64; 3] {
        let off = [0, 1, 2].map(|i: usize| (to[i].clamp(REACH[0][i], REACH[1][i]) - self.motion.aim[i]) / UNIT);
        let farthest = (0..3).fold(0, |far, i| if off[i].abs() > off[far].abs() { i } else { far });
        let taken = |i: usize| self.way == ArmPath::Direct || i == farthest;
        [0, 1, 2].map(|i| if taken(i) { (off[i].clamp(-1.0, 1.0) * 1e3).round() / 1e3 + 0.0 } else { 0.0 })
    }

    fn go_on(&mut self, units: [f64; 3]) -> Result<(), String> {
        self.make(call("move", units.map(Into::into)))
    }

    /// Makes a call.
    pub(crate) fn make(&mut self, call: Call) -> Result<(), String> {
        let feedback = orders::try_out(&mut self.motion, &call).map_err(|missing| missing.to_string())?;
        if feedback.effect == Effect::Refused {
            return Err(feedback.text);
        }
        self.calls.push(call);
        Ok(())
    }
}
