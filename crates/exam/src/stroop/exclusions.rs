//! Who and what is left out, as the preregistration has it.

use std::collections::BTreeMap;

use super::experiment::{N_BLOCKS, N_TRIALS, StroopSession, StroopStudy, StroopTrial};

/// The least share of right answers.
const LEAST_ACCURACY: f64 = 0.8;
/// So many standard deviations from its mean a time is an outlier.
const FARTHEST: f64 = 2.5;
/// So near to that limit, programs could disagree.
const TOO_NEAR: f64 = 1e-6;

/// Which times are compared to tell outliers, and whether trials after errors are left out: as preregistered, or as somebody
/// might do it who did not read it well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrialCleaning {
    pub(super) leaves_out_after_errors: bool,
    pub(super) compares_by_condition: bool,
    /// The least and the greatest time that count, in tenths of a millisecond.
    pub(super) fastest: i64,
    pub(super) slowest: i64,
}

/// As preregistered.
pub(super) const PREREGISTERED: TrialCleaning =
    TrialCleaning { leaves_out_after_errors: true, compares_by_condition: true, fastest: 2000, slowest: 20_000 };

/// How sessions are left out: as preregistered, or as somebody might do it who did not read it well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SessionScreening {
    pub(super) unanswered: UnansweredTrials,
    /// Whether somebody came before whose session then was left out.
    pub(super) counts_excluded: bool,
}

/// What trials without a key press are for accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnansweredTrials {
    Wrong,
    Right,
    Ignored,
}

/// As preregistered.
pub(super) const SCREENED: SessionScreening =
    SessionScreening { unanswered: UnansweredTrials::Wrong, counts_excluded: true };

/// How many of a session's trials went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TrialCounts {
    pub(super) first: usize,
    pub(super) error: usize,
    pub(super) after_error: usize,
    pub(super) range: usize,
    pub(super) outlier: usize,
    pub(super) kept: usize,
}

/// A trial that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeptTrial {
    pub(super) is_congruent: bool,
    pub(super) block: usize,
    /// The log of its time in milliseconds.
    pub(super) log_ms: f64,
}

/// Why a session is left out, if it is.
pub(super) fn reasons(study: &StroopStudy, how: SessionScreening) -> Vec<Option<&'static str>> {
    let mut first_days: BTreeMap<&str, i64> = BTreeMap::new();
    for session in &study.sessions {
        if !how.counts_excluded && reason(session, false, how).is_some() {
            continue;
        }
        let first = first_days.entry(&session.person).or_insert(session.day);
        *first = session.day.min(*first);
    }
    let is_repeated =
        |session: &StroopSession| first_days.get(session.person.as_str()).is_some_and(|first| session.day > *first);
    study.sessions.iter().map(|session| reason(session, is_repeated(session), how)).collect()
}

fn reason(session: &StroopSession, is_repeated: bool, how: SessionScreening) -> Option<&'static str> {
    let main: Vec<&StroopTrial> = session.trials.iter().filter(|trial| trial.block > 0).collect();
    let n_right = main.iter().filter(|trial| trial.is_right()).count();
    let n_unanswered = main.iter().filter(|trial| trial.pressed.is_none()).count();
    let (n_right, n_judged) = match how.unanswered {
        UnansweredTrials::Wrong => (n_right, main.len()),
        UnansweredTrials::Right => (n_right + n_unanswered, main.len()),
        UnansweredTrials::Ignored => (n_right, main.len() - n_unanswered),
    };
    let rules = [
        ("AGE", !(18..=35).contains(&session.age)),
        ("VISION", !session.sees_colours),
        ("REPEATED", is_repeated),
        ("INCOMPLETE", main.len() < N_BLOCKS * N_TRIALS),
        ("ACCURACY", (n_right as f64) < LEAST_ACCURACY * n_judged as f64),
    ];
    rules.into_iter().find(|(_, applies)| *applies).map(|(reason, _)| reason)
}

/// The trials of a session that count; nothing if it is not clear which are outliers.
pub(super) fn cleaned(session: &StroopSession, how: TrialCleaning) -> Option<(TrialCounts, Vec<KeptTrial>)> {
    let mut counts = TrialCounts::default();
    let mut left = Vec::new();
    let mut was_error = false;
    for trial in session.trials.iter().filter(|trial| trial.block > 0) {
        let is_first = trial.trial == 1;
        let follows_error = std::mem::replace(&mut was_error, !trial.is_right()) && !is_first;
        match trial.pressed {
            _ if is_first => counts.first += 1,
            Some((colour, tenths)) if colour == trial.colour => {
                if follows_error && how.leaves_out_after_errors {
                    counts.after_error += 1;
                } else if (how.fastest..=how.slowest).contains(&tenths) {
                    let log_ms = libm::log(tenths as f64 / 10.0);
                    left.push(KeptTrial { is_congruent: trial.is_congruent(), block: trial.block, log_ms });
                } else {
                    counts.range += 1;
                }
            }
            _ => counts.error += 1,
        }
    }
    let n_left = left.len();
    let kept = without_outliers(&left, how)?;
    (counts.kept, counts.outlier) = (kept.len(), n_left - kept.len());
    Some((counts, kept))
}

fn without_outliers(left: &[KeptTrial], how: TrialCleaning) -> Option<Vec<KeptTrial>> {
    let spread = [true, false].map(|is_congruent| {
        let is_like = |other: &&KeptTrial| !how.compares_by_condition || other.is_congruent == is_congruent;
        let like: Vec<f64> = left.iter().filter(is_like).map(|other| other.log_ms).collect();
        let mean = like.iter().sum::<f64>() / like.len() as f64;
        let squares: f64 = like.iter().map(|log| (log - mean) * (log - mean)).sum();
        (mean, (squares / (like.len() as f64 - 1.0)).sqrt())
    });
    let distance = |trial: &KeptTrial| {
        let (mean, sd) = spread[usize::from(!trial.is_congruent)];
        (trial.log_ms - mean).abs() / sd
    };
    let distances: Vec<f64> = left.iter().map(distance).collect();
    if distances.iter().any(|far| (far - FARTHEST).abs() < TOO_NEAR) {
        return None;
    }
    Some(left.iter().zip(distances).filter(|(_, far)| *far <= FARTHEST).map(|(trial, _)| *trial).collect())
}

#[cfg(test)]
mod tests {
    use super::super::experiment::{KeyLayout, StroopLab};
    use super::*;

    fn session(pressed: &[Option<(usize, i64)>]) -> StroopSession {
        let trial = |(at, pressed): (usize, &Option<(usize, i64)>)| StroopTrial {
            block: 1 + at / N_TRIALS,
            trial: 1 + at % N_TRIALS,
            word: 0,
            colour: 0,
            pressed: *pressed,
        };
        StroopSession {
            id: "sub-001".to_owned(),
            person: "a".to_owned(),
            day: 0,
            lab: StroopLab::First,
            age: 20,
            sees_colours: true,
            has_music: true,
            keys: KeyLayout::Plain,
            trials: pressed.iter().enumerate().map(trial).collect(),
        }
    }

    #[test]
    fn trials_go_where_the_first_rule_puts_them() {
        let mut pressed = vec![Some((0, 6000)); 30];
        for (at, tenths) in (5900..).enumerate().take(30) {
            pressed[at] = Some((0, tenths));
        }
        pressed[0] = Some((1, 6000)); // The first of its block, and wrong: what follows is after an error.
        pressed[3] = None;
        pressed[4] = Some((2, 6000)); // An error after an error is an error.
        pressed[8] = Some((0, 1999));
        pressed[9] = Some((0, 2000));
        pressed[10] = Some((0, 20_001));
        pressed[23] = Some((1, 6000)); // The last of its block: what follows is the first of the next.
        let (counts, kept) = cleaned(&session(&pressed), PREREGISTERED).unwrap();
        let wanted = TrialCounts { first: 2, error: 3, after_error: 2, range: 2, outlier: 1, kept: 20 };
        assert_eq!((counts, kept.len()), (wanted, 20));
    }

    #[test]
    fn sessions_are_left_out_for_the_first_reason() {
        let whole = session(&[Some((0, 6000)); 144]);
        let of = |session: &StroopSession, is_repeated: bool| reason(session, is_repeated, SCREENED);
        assert_eq!(of(&whole, false), None);
        assert_eq!(of(&whole, true), Some("REPEATED"));
        assert_eq!(of(&StroopSession { age: 36, sees_colours: false, ..whole.clone() }, true), Some("AGE"));
        assert_eq!(of(&session(&[Some((0, 6000)); 143]), false), Some("INCOMPLETE"));
        let mut careless = whole;
        careless.trials.iter_mut().take(29).for_each(|trial| trial.pressed = None);
        assert_eq!(of(&careless, false), Some("ACCURACY"));
    }
}
