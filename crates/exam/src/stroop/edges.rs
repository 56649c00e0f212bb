//! What lies on an edge of the preregistration's rules. Chance hardly puts anything there, so each is in every experiment.

use quintain_core::Rng;

use super::exclusions::PREREGISTERED;
use super::experiment::{SessionFlaw, StroopSession, StroopTrial};

/// Of a session with so many right answers and so many without a key press, fewer than four of five trials were right, but
/// more than four of five of those with a key press.
const N_RIGHT: usize = 112;
const N_UNANSWERED: usize = 5;
/// Whoever is too young is of age soon.
pub(super) const TOO_YOUNG: i64 = 17;
/// What somebody takes who is not on an edge, in tenths of a millisecond.
const USUAL_TENTHS: std::ops::RangeInclusive<i64> = 4000..=9000;

/// Gives sessions their answers and times on edges.
pub(super) fn plant(rng: &mut Rng, sessions: &mut [StroopSession], flaws: &[SessionFlaw]) {
    for (session, _) in sessions.iter_mut().zip(flaws).filter(|(_, flaw)| **flaw == SessionFlaw::Unanswered) {
        leave_unanswered(rng, session);
    }
    let mut plain: Vec<usize> = (0..flaws.len()).filter(|at| flaws[*at] == SessionFlaw::None).collect();
    rng.shuffle(&mut plain);
    for (at, tenths) in plain.into_iter().zip([PREREGISTERED.fastest, PREREGISTERED.slowest]) {
        let able = usual_trials(&sessions[at].trials);
        if !able.is_empty() {
            let trial = &mut sessions[at].trials[*rng.choose(&able)];
            trial.pressed = Some((trial.colour, tenths));
        }
    }
}

/// A session that is careless enough only if trials without a key press count as wrong.
fn leave_unanswered(rng: &mut Rng, session: &mut StroopSession) {
    let mut main: Vec<&mut StroopTrial> = session.trials.iter_mut().filter(|trial| trial.block > 0).collect();
    rng.shuffle(&mut main);
    for (at, trial) in main.into_iter().enumerate() {
        let tenths = trial.pressed.map_or(6000, |(_, tenths)| tenths);
        let wrong = (trial.colour + 1 + rng.below(3)) % 4;
        trial.pressed = match at {
            0..N_UNANSWERED => None,
            at if at < N_UNANSWERED + N_RIGHT => Some((trial.colour, tenths)),
            _ => Some((wrong, tenths)),
        };
    }
}

/// The trials, by their places, that no rule but that of times could leave out.
fn usual_trials(trials: &[StroopTrial]) -> Vec<usize> {
    let is_usual = |at: &usize| {
        let trial = &trials[*at];
        let is_in_time = trial.pressed.is_some_and(|(_, tenths)| USUAL_TENTHS.contains(&tenths));
        trial.block > 0 && trial.trial > 1 && trial.is_right() && is_in_time && trials[at - 1].is_right()
    };
    (1..trials.len()).filter(is_usual).collect()
}
