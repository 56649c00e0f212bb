//! What the arm can be told, and what comes of it.

use quintain_core::action::Call;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use serde_json::Value;

use crate::motion::{Motion, distance};
use crate::mujoco::MissingPhysics;

/// Numbers up to this many units are taken, and count as one at most.
const MOST_UNITS: f64 = 10.0;

/// Fingers that are so far apart after closing, in metres, have met something. With nothing between them they are within
/// one centimetre after an action; the block keeps them three or more apart.
const GRIPPED: f64 = 0.02;

/// A hand has been stopped if more than this share of its way is left after an action, and more than so many metres. One
/// that moves freely, with a block or without, has less than a third of it left.
const STOPPED: (f64, f64) = (0.4, 0.006);

const ABOUT_MOVE: &str = "Sends the hand on from where it was last sent, by up to one unit along each axis; numbers \
                          beyond 1 count as 1.";

/// The call that moves the hand.
pub(crate) fn move_call() -> CallSchema {
    let units = || ValueType::Number { min: -MOST_UNITS, max: MOST_UNITS };
    CallSchema::plain("move", ABOUT_MOVE)
        .arg("x", units(), "units to the right in the left picture; negative is to the left", 1)
        .arg("y", units(), "units away from the viewer of the left picture; negative is towards the viewer", 0)
        .arg("z", units(), "units up; negative is down", 0)
}

/// The call that opens and closes the fingers.
pub(crate) fn gripper_call() -> CallSchema {
    CallSchema::plain("gripper", "Opens or closes the fingers; they stay so until told otherwise.").arg(
        "closed",
        ValueType::Integer { min: 0, max: 1 },
        "0 opens, 1 closes",
        1,
    )
}

/// Carries out a call in an open world. That there is no physics now is a fault of the world and nothing to tell an agent;
/// a puzzle's rules cannot give one back, so it panics, which ends the trial as a fault.
pub(crate) fn carry_out(motion: &mut Motion, call: &Call) -> Feedback {
    try_out(motion, call).expect("a world is opened only when its machine is ready")
}

/// Carries out a call and lets its time pass, if there is physics.
pub(crate) fn try_out(motion: &mut Motion, call: &Call) -> Result<Feedback, MissingPhysics> {
    let mut after = motion.clone();
    let Some(told) = tell(&mut after, call) else {
        return Ok(Feedback::refused(format!("There is no such action here: {call}.")));
    };
    after.pass()?;
    let text = noticed(call, motion, &after).unwrap_or(told);
    let is_still = after == *motion;
    *motion = after;
    Ok(if is_still { Feedback::unchanged(text) } else { Feedback::changed(text) })
}

/// Tells the arm, and says what it was told; nothing if it does not understand.
fn tell(motion: &mut Motion, call: &Call) -> Option<&'static str> {
    let numbers: Vec<f64> = call.args.iter().filter_map(Value::as_f64).collect();
    match (call.name.as_str(), numbers.as_slice()) {
        ("move", &[x, y, z]) => {
            let units = [x, y, z].map(|along| along.clamp(-1.0, 1.0));
            let is_whole = [x, y, z].iter().all(|along| along.abs() <= 1.0);
            Some(match (motion.send(units), is_whole) {
                (false, _) => "The hand went as far as it can reach that way.",
                (true, false) => "The hand moved; more than one unit along an axis counts as one.",
                (true, true) if units.iter().all(|along| *along == 0.0) => "The hand was left where it was sent.",
                (true, true) => "The hand moved.",
            })
        }
        ("gripper", &[closed]) if motion.block.is_some() => {
            let were_closed = std::mem::replace(&mut motion.closed, closed > 0.5);
            Some(match (were_closed, motion.closed) {
                (false, true) => "The fingers closed.",
                (true, true) => "The fingers were closed already.",
                (true, false) => "The fingers opened.",
                (false, false) => "The fingers were open already.",
            })
        }
        _ => None,
    }
}

/// What came of a call, where that is something else than what the arm was told.
fn noticed(call: &Call, before: &Motion, after: &Motion) -> Option<&'static str> {
    let (way, left) = (distance(after.aim, before.hand), distance(after.aim, after.hand));
    let is_move = call.name == "move";
    if is_move && left > STOPPED.0 * way && left > STOPPED.1 {
        Some("Something is in the way of the hand.")
    } else if is_move && after == before {
        Some("Everything is as it was.")
    } else if after.closed && !before.closed && after.opening() > GRIPPED {
        Some("The fingers closed on something.")
    } else {
        None
    }
}
