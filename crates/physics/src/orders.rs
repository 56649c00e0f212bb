//! What the arm can be told, and what comes of it.

use quintain_core::action::Call;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use serde_json::Value;

use crate::motion::Motion;

/// Numbers up to this many units are taken, and count as one at most.
const MOST_UNITS: f64 = 10.0;

/// The call that moves the hand.
pub(crate) fn move_call() -> CallSchema {
    let units = || ValueType::Number { min: -MOST_UNITS, max: MOST_UNITS };
    CallSchema::plain("move", "Sends the hand on from where it was last sent; at most one unit along each axis.")
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

/// Carries out a call and lets its time pass.
pub(crate) fn carry_out(motion: &mut Motion, call: &Call) -> Feedback {
    let mut after = motion.clone();
    let Some(told) = tell(&mut after, call) else {
        return Feedback::refused(format!("There is no such action here: {call}."));
    };
    if let Err(missing) = after.pass() {
        return Feedback::refused(missing.to_string());
    }
    let is_still = after == *motion;
    *motion = after;
    if is_still { Feedback::unchanged("Everything is as it was.") } else { Feedback::changed(told) }
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
            motion.closed = closed > 0.5;
            Some(if motion.closed { "The fingers closed." } else { "The fingers opened." })
        }
        _ => None,
    }
}
