//! What is right of an experiment: who is left out, which trials are, and the model of the rest.

use serde_json::{Map, Value, json};

use super::exclusions::{
    KeptTrial, PREREGISTERED, SCREENED, SessionScreening, TrialCleaning, TrialCounts, UnansweredTrials, cleaned,
    reasons,
};
use super::experiment::{N_BLOCKS, StroopSession, StroopStudy};
use super::mixed::{LikelihoodKind, MixedFit, MixedObservation, N_FIXED, fit};

/// The fixed effects in the order of the model.
const TERMS: [&str; N_FIXED] = ["intercept", "congruency", "music", "interaction", "block"];
/// How far off values may be, as the instruction says.
const EFFECT_OFF: f64 = 0.0002;
const MODE_OFF: f64 = 0.0005;
/// A wrong way must be off by so many times what is forgiven.
const CLEARLY: f64 = 4.0;

/// Everything about the sessions that are kept.
struct KeptSessions<'a> {
    sessions: Vec<&'a StroopSession>,
    counts: Vec<TrialCounts>,
    trials: Vec<Vec<KeptTrial>>,
}

/// The expected values; nothing if something is not clear, or if a wrong way would come out right.
pub(super) fn expected(study: &StroopStudy) -> Option<Value> {
    let reasons = reasons(study, SCREENED);
    if !screening_counts(study, &reasons)
        || !["AGE", "VISION", "REPEATED", "INCOMPLETE", "ACCURACY"]
            .iter()
            .all(|reason| reasons.contains(&Some(*reason)))
    {
        return None;
    }
    let kept = KeptSessions::of(study, &reasons, PREREGISTERED)?;
    let model = fit(&kept.observations(), LikelihoodKind::Restricted, [true; 2])?;
    let others = [
        fit(&kept.observations(), LikelihoodKind::Full, [true; 2])?,
        fit(&kept.observations(), LikelihoodKind::Restricted, [true, false])?,
    ];
    let is_off = |other: &MixedFit| off(&model, other) > CLEARLY * EFFECT_OFF;
    if !others.iter().all(is_off) || !coding_counts(&model) || !trials_count(study, &reasons, &kept) {
        return None;
    }
    Some(json!({
        "excluded": excluded_table(study, &reasons),
        "counts": kept.counts_table(),
        "modes": kept.modes_table(&model),
        "model": model_record(&model, &kept),
    }))
}

/// The largest difference between two models' standard deviations and errors.
fn off(one: &MixedFit, other: &MixedFit) -> f64 {
    let all = |model: &MixedFit| {
        let errors = (0..N_FIXED).map(|at| model.covariance[at][at].sqrt());
        errors.chain(model.random_sd).chain([model.residual_sd]).collect::<Vec<f64>>()
    };
    all(one).iter().zip(all(other)).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

/// Whether it makes a difference to code conditions by 0 and 1.
fn coding_counts(model: &MixedFit) -> bool {
    let [_, congruency, music, interaction, _] = [0, 1, 2, 3, 4].map(|at| model.fixed[at]);
    let moved = [interaction / 2.0, congruency / 2.0 + music / 2.0 - interaction / 4.0];
    moved.iter().any(|moved| moved.abs() > CLEARLY * EFFECT_OFF)
}

/// Whether it makes a difference which trials are left out after errors and how outliers are told.
fn trials_count(study: &StroopStudy, reasons: &[Option<&'static str>], kept: &KeptSessions<'_>) -> bool {
    let wrong = [
        TrialCleaning { leaves_out_after_errors: false, ..PREREGISTERED },
        TrialCleaning { compares_by_condition: false, ..PREREGISTERED },
        TrialCleaning { fastest: PREREGISTERED.fastest + 1, ..PREREGISTERED },
        TrialCleaning { slowest: PREREGISTERED.slowest - 1, ..PREREGISTERED },
    ];
    wrong.into_iter().all(|how| KeptSessions::of(study, reasons, how).is_some_and(|other| other.counts != kept.counts))
}

/// Whether it makes a difference what trials without a key press are, and whether sessions that are left out count as earlier
/// ones.
fn screening_counts(study: &StroopStudy, right: &[Option<&'static str>]) -> bool {
    let wrong = [
        SessionScreening { unanswered: UnansweredTrials::Ignored, ..SCREENED },
        SessionScreening { unanswered: UnansweredTrials::Right, ..SCREENED },
        SessionScreening { counts_excluded: false, ..SCREENED },
    ];
    wrong.into_iter().all(|how| reasons(study, how) != right)
}

/// Half of one above or below nothing.
fn coded(is_above: bool) -> f64 {
    if is_above { 0.5 } else { -0.5 }
}

impl<'a> KeptSessions<'a> {
    fn of(study: &'a StroopStudy, reasons: &[Option<&'static str>], how: TrialCleaning) -> Option<Self> {
        let sessions = study.sessions.iter().zip(reasons).filter(|(_, reason)| reason.is_none());
        let sessions: Vec<&StroopSession> = sessions.map(|(session, _)| session).collect();
        let cleaned: Option<Vec<_>> = sessions.iter().map(|session| cleaned(session, how)).collect();
        let (counts, trials) = cleaned?.into_iter().unzip();
        Some(Self { sessions, counts, trials })
    }

    fn observations(&self) -> Vec<Vec<MixedObservation>> {
        let of = |session: &StroopSession, trial: &KeptTrial| {
            let (congruency, music) = (coded(!trial.is_congruent), coded(session.has_music));
            let block = trial.block as f64 - (N_BLOCKS + 1) as f64 / 2.0;
            MixedObservation {
                fixed: [1.0, congruency, music, congruency * music, block],
                random: [1.0, congruency],
                value: trial.log_ms,
            }
        };
        let groups = self.sessions.iter().zip(&self.trials);
        groups.map(|(session, trials)| trials.iter().map(|trial| of(session, trial)).collect()).collect()
    }

    fn counts_table(&self) -> Value {
        let row = |(session, counts): (&&StroopSession, &TrialCounts)| {
            json!({
                "participant": session.id, "first": counts.first, "error": counts.error, "after_error": counts.after_error,
                "range": counts.range, "outlier": counts.outlier, "kept": counts.kept,
            })
        };
        let rows: Vec<Value> = self.sessions.iter().zip(&self.counts).map(row).collect();
        let whole = whole();
        let columns = json!({
            "participant": "exact", "first": whole, "error": whole, "after_error": whole,
            "range": whole, "outlier": whole, "kept": whole,
        });
        json!({ "columns": columns, "key": ["participant"], "rows": rows })
    }

    fn modes_table(&self, model: &MixedFit) -> Value {
        let row = |(session, [intercept, congruency]): (&&StroopSession, &[f64; 2])| json!({ "participant": session.id, "intercept": rounded(*intercept), "congruency": rounded(*congruency) });
        let rows: Vec<Value> = self.sessions.iter().zip(&model.modes).map(row).collect();
        let columns = json!({ "participant": "exact", "intercept": near(MODE_OFF), "congruency": near(MODE_OFF) });
        json!({ "columns": columns, "key": ["participant"], "rows": rows })
    }
}

fn excluded_table(study: &StroopStudy, reasons: &[Option<&'static str>]) -> Value {
    let row = |(session, reason): (&StroopSession, Option<&'static str>)| {
        Some(json!({ "participant": session.id, "reason": reason? }))
    };
    let rows: Vec<Value> = study.sessions.iter().zip(reasons.iter().copied()).filter_map(row).collect();
    json!({ "columns": { "participant": "exact", "reason": "exact" }, "key": ["participant"], "rows": rows })
}

fn model_record(model: &MixedFit, kept: &KeptSessions<'_>) -> Value {
    let (mut fields, mut types) = (Map::new(), Map::new());
    let mut put = |name: String, value: f64, kind: Value| {
        fields.insert(name.clone(), json!(rounded(value)));
        types.insert(name, kind);
    };
    for (at, term) in TERMS.iter().enumerate() {
        put((*term).to_owned(), model.fixed[at], near(EFFECT_OFF));
        put(format!("{term}_se"), model.covariance[at][at].sqrt(), near(EFFECT_OFF));
    }
    for has_music in [true, false] {
        // The effect of congruency in one group: its own, and so much of the interaction.
        let share = coded(has_music);
        let name = if has_music { "congruency_in_music" } else { "congruency_in_silence" };
        let covariance = &model.covariance;
        let variance = covariance[1][1] + 2.0 * share * covariance[1][3] + share * share * covariance[3][3];
        put(name.to_owned(), model.fixed[1] + share * model.fixed[3], near(EFFECT_OFF));
        put(format!("{name}_se"), variance.sqrt(), near(EFFECT_OFF));
    }
    let deviations = ["sd_intercept", "sd_congruency", "sd_residual"].into_iter();
    for (name, value) in deviations.zip(model.random_sd.into_iter().chain([model.residual_sd])) {
        put(name.to_owned(), value, near(EFFECT_OFF));
    }
    let n_trials: usize = kept.counts.iter().map(|counts| counts.kept).sum();
    put("n_participants".to_owned(), kept.sessions.len() as f64, whole());
    put("n_trials".to_owned(), n_trials as f64, whole());
    json!({ "fields": fields, "types": types })
}

fn near(off: f64) -> Value {
    json!({ "type": "number", "digits": 6, "tolerance": off, "decimal": "point" })
}

fn whole() -> Value {
    json!({ "type": "number", "digits": 0, "tolerance": 0, "decimal": "point" })
}

fn rounded(value: f64) -> f64 {
    // Nothing is written `-0`.
    (value * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every experiment each edge of the rules decides something, whatever its size.
    #[test]
    fn misread_edges_give_other_sessions_and_counts() {
        for (seed, n_sessions) in (0..40).map(|seed| (seed, 24)).chain((0..5).map(|seed| (seed, 72))) {
            let study = StroopStudy::drawn(seed, n_sessions);
            let right = reasons(&study, SCREENED);
            assert!(screening_counts(&study, &right), "seed {seed}");
            let n_repeated = right.iter().filter(|reason| **reason == Some("REPEATED")).count();
            let excluded_before = SessionScreening { counts_excluded: false, ..SCREENED };
            let n_known = reasons(&study, excluded_before).iter().filter(|reason| **reason == Some("REPEATED")).count();
            assert_eq!((n_repeated, n_known), (3, 1), "seed {seed}");
            if let Some(kept) = KeptSessions::of(&study, &right, PREREGISTERED) {
                for (fastest, slowest) in [(2001, 20_000), (2000, 19_999)] {
                    let how = TrialCleaning { fastest, slowest, ..PREREGISTERED };
                    let other = KeptSessions::of(&study, &right, how);
                    assert!(other.is_none_or(|other| other.counts != kept.counts), "seed {seed}");
                }
            }
        }
    }
}
