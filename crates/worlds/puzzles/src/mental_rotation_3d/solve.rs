//! Turning the thing back.

use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::{Views, YawPitchRoll};
use crate::portions::portions;
use crate::solid::SolidTurn;

/// Parts of a full turn that shows a thing from all around.
const QUARTERS: usize = 4;

/// Solves by the asked strategy; every one ends with a turn that aligns the thing exactly.
pub(super) fn solve(views: &Views, style: &OracleStyle) -> Result<Vec<YawPitchRoll>, String> {
    let mut rng = Rng::for_purpose(style.seed, "mental-rotation-3d/solve");
    let n_turns = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    let turns = match style.strategy.as_deref() {
        None | Some("axis_angle") => axis_angle(views, n_turns, &mut rng),
        Some("by_axis") => by_axis(views, n_turns, &mut rng),
        Some("full_turns") => full_turns(views, n_turns, &mut rng),
        Some("full_turns_by_axis") => full_turns_by_axis(views, n_turns, &mut rng),
        Some(other) => return Err(format!("there is no strategy `{other}`")),
    };
    Ok(turns)
}

/// The whole degrees of the answer, as a turn in one call.
fn answer(views: &Views) -> YawPitchRoll {
    YawPitchRoll(views.answer.map(f64::from))
}

/// A turn about one axis alone: 0 is yaw, 1 pitch, 2 roll.
fn about(axis: usize, degrees: i64) -> YawPitchRoll {
    let mut by = [0.0; 3];
    by[axis] = degrees as f64;
    YawPitchRoll(by)
}

/// The shortest way, about the one axis that leads there: in one call, or in so many random portions of it.
fn axis_angle(views: &Views, n_turns: usize, rng: &mut Rng) -> Vec<YawPitchRoll> {
    let whole = answer(views);
    if n_turns <= 1 {
        return vec![whole];
    }
    let (axis, degrees) = axis_and_angle(whole.turn());
    let mut left = whole.turn();
    let mut turns = Vec::with_capacity(n_turns);
    for n_left in (2..=n_turns).rev() {
        let rest = left.angle_deg(SolidTurn::NONE).min(degrees);
        let by = YawPitchRoll::of(SolidTurn::about(axis, rest / n_left as f64 * rng.uniform(0.5, 1.5)));
        left = by.turn().inverse().then(left);
        turns.push(by);
    }
    turns.push(YawPitchRoll::of(left));
    turns
}

/// The axis of a turn, and its angle in degrees from 0 to 180.
fn axis_and_angle(turn: SolidTurn) -> ([f64; 3], f64) {
    let [w, x, y, z] = turn.quaternion();
    let length = (x * x + y * y + z * z).sqrt();
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    ([x, y, z].map(|part| sign * part / length), turn.angle_deg(SolidTurn::NONE))
}

/// Yaw, then pitch, then roll, each in one call or in random portions of whole degrees.
fn by_axis(views: &Views, n_turns: usize, rng: &mut Rng) -> Vec<YawPitchRoll> {
    let angles = views.answer.map(i64::from);
    let total: i64 = angles.iter().map(|angle| angle.abs()).sum();
    let share = |angle: i64| (angle.unsigned_abs() as usize * n_turns).div_ceil(total.max(1) as usize).max(1);
    let mut turns = Vec::new();
    for (axis, angle) in angles.into_iter().enumerate() {
        turns.extend(portions(angle, share(angle), rng).into_iter().map(|portion| about(axis, portion)));
    }
    padded(turns, n_turns, rng)
}

/// All the way round about each axis, so that every side has been seen, then the one turn that aligns.
fn full_turns(views: &Views, n_turns: usize, rng: &mut Rng) -> Vec<YawPitchRoll> {
    let mut turns: Vec<YawPitchRoll> = (0..3).flat_map(|axis| full_turn(axis, rng)).collect();
    while turns.len() + 1 < n_turns {
        turns.extend(full_turn(rng.below(3), rng));
    }
    turns.push(answer(views));
    turns
}

/// For each axis: all the way round about it, then the part of the answer that is about it.
fn full_turns_by_axis(views: &Views, n_turns: usize, rng: &mut Rng) -> Vec<YawPitchRoll> {
    let mut rounds = [1; 3];
    let n_corrections = views.answer.iter().filter(|angle| **angle != 0).count();
    while rounds.iter().sum::<usize>() * QUARTERS + n_corrections < n_turns {
        rounds[rng.below(3)] += 1;
    }
    let mut turns = Vec::new();
    for (axis, angle) in views.answer.into_iter().enumerate() {
        for _ in 0..rounds[axis] {
            turns.extend(full_turn(axis, rng));
        }
        if angle != 0 {
            turns.push(about(axis, i64::from(angle)));
        }
    }
    turns
}

/// Four quarters about an axis, all the same way.
fn full_turn(axis: usize, rng: &mut Rng) -> [YawPitchRoll; QUARTERS] {
    let quarter = if rng.chance(0.5) { 90 } else { -90 };
    [about(axis, quarter); QUARTERS]
}

/// Puts pairs of turns that undo each other before the others, until there are so many.
fn padded(mut turns: Vec<YawPitchRoll>, n_turns: usize, rng: &mut Rng) -> Vec<YawPitchRoll> {
    while turns.len() < n_turns {
        let (axis, degrees) = (rng.below(3), rng.between(10, 120));
        turns.splice(0..0, [about(axis, degrees), about(axis, -degrees)]);
    }
    turns
}
