//! What is right of a trial: everybody's time, and the tables of three analyses.

use serde_json::{Value, json};

use super::rules::{PfsEnd, PfsReading, PfsTime, SameDayReading, ScanReader};
use super::study::{TrialArm, TrialCourse, TrialStrata, TrialStudy, TrialSubject};
use super::survival::{SurvivalCurve, SurvivalTime, WithInterval, hazard_ratio, log_rank};

/// How many days a month has.
const MONTH: f64 = 30.4375;
/// How far off values may be, as the instruction says.
const MEDIAN_OFF: f64 = 0.005;
const RATE_OFF: f64 = 0.0005;
const RATIO_OFF: f64 = 0.001;
const STATISTIC_OFF: f64 = 0.002;
const P_OFF: f64 = 0.0002;
/// A wrong way must be off by so many times what is forgiven.
const CLEARLY: f64 = 5.0;

/// The strata that a test goes by.
type StrataOf = fn(&TrialSubject, &TrialCourse) -> TrialStrata;

/// One analysis: its name, how courses are read, and whom it looks at.
struct TrialAnalysis<'a> {
    name: &'static str,
    reading: PfsReading,
    includes: fn(&TrialCourse) -> bool,
    study: &'a TrialStudy,
}

/// What compares the arms.
struct ArmComparison {
    statistic: f64,
    p: f64,
    ratio: WithInterval,
}

/// Whether somebody belongs to the per-protocol set: dosed, never with the other arm's drug, no major deviation.
pub(super) fn is_per_protocol(course: &TrialCourse) -> bool {
    let mut given = course.doses.iter().filter(|dose| dose.n_capsules > 0).peekable();
    given.peek().is_some() && given.all(|dose| dose.of == course.arm) && course.major_deviation.is_none()
}

/// The expected tables; nothing if something is not reached, or if a wrong way would come out right.
pub(super) fn expected(study: &TrialStudy) -> Option<Value> {
    if !every_trap_is_set(study) {
        return None;
    }
    let (mut curves, mut tests) = (Vec::new(), Vec::new());
    for analysis in analyses(study) {
        curves.extend(analysis.curves()?);
        tests.push(analysis.tests()?);
    }
    Some(json!({ "times": times_table(study), "curves": curves_table(&curves), "tests": tests_table(&tests) }))
}

fn analyses(study: &TrialStudy) -> [TrialAnalysis<'_>; 3] {
    let reading = PfsReading::planned(study.cutoff);
    let by_investigator = PfsReading { reader: ScanReader::Investigator, ..reading };
    [
        TrialAnalysis { name: "PRIMARY", reading, includes: |_| true, study },
        TrialAnalysis { name: "INVESTIGATOR", reading: by_investigator, includes: |_| true, study },
        TrialAnalysis { name: "PER-PROTOCOL", reading, includes: is_per_protocol, study },
    ]
}

impl TrialAnalysis<'_> {
    fn times(&self, strata: StrataOf) -> Vec<SurvivalTime> {
        let meant = self.study.randomised().filter(|(_, course)| (self.includes)(course));
        let time = |(subject, course): (&TrialSubject, &TrialCourse)| {
            let (time, strata) = (self.reading.of(course), strata(subject, course));
            SurvivalTime {
                days: time.days,
                is_event: time.end.is_event(),
                is_treated: course.arm == TrialArm::Drug,
                stratum: usize::from(strata[0]) * 2 + usize::from(strata[1]),
            }
        };
        meant.map(time).collect()
    }

    fn compared(&self, strata: StrataOf) -> Option<ArmComparison> {
        let times = self.times(strata);
        let (statistic, p) = log_rank(&times);
        Some(ArmComparison { statistic, p, ratio: hazard_ratio(&times)? })
    }

    /// A row for each arm.
    fn curves(&self) -> Option<Vec<Value>> {
        let all = self.times(|_, course| course.strata);
        let row = |arm: TrialArm| {
            let is_meant = |time: &SurvivalTime| time.is_treated == (arm == TrialArm::Drug);
            let times: Vec<SurvivalTime> = all.iter().copied().filter(is_meant).collect();
            let curve = SurvivalCurve::of(&times);
            let median = curve.median()?;
            let [half_year, year] = [curve.at(6.0 * MONTH, &times)?, curve.at(12.0 * MONTH, &times)?];
            Some(json!({
                "analysis": self.name,
                "arm": arm.word(),
                "n": times.len(),
                "events": times.iter().filter(|time| time.is_event).count(),
                "median": rounded(median.value / MONTH),
                "median_low": rounded(median.low / MONTH),
                "median_high": rounded(median.high / MONTH),
                "rate6": rounded(half_year.value),
                "rate6_low": rounded(half_year.low),
                "rate6_high": rounded(half_year.high),
                "rate12": rounded(year.value),
                "rate12_low": rounded(year.low),
                "rate12_high": rounded(year.high),
            }))
        };
        TrialArm::BOTH.into_iter().map(row).collect()
    }

    fn tests(&self) -> Option<Value> {
        let found = self.compared(|_, course| course.strata)?;
        Some(json!({
            "analysis": self.name,
            "chisq": rounded(found.statistic),
            "p": rounded(found.p),
            "hr": rounded(found.ratio.value),
            "hr_low": rounded(found.ratio.low),
            "hr_high": rounded(found.ratio.high),
        }))
    }
}

/// Whether whoever does not heed a rule comes to something else.
fn every_trap_is_set(study: &TrialStudy) -> bool {
    let plan = PfsReading::planned(study.cutoff);
    let other = [
        PfsReading { reader: ScanReader::Investigator, ..plan },
        PfsReading { cutoff: i64::MAX, ..plan },
        PfsReading { heeds_therapy_and_gaps: false, ..plan },
    ];
    let n_other = |reading: PfsReading| {
        let differs = |(_, course): &(&TrialSubject, &TrialCourse)| reading.of(course) != plan.of(course);
        study.randomised().filter(differs).count()
    };
    let n_left_out = study.randomised().filter(|(_, course)| !is_per_protocol(course)).count();
    let n_imputed = study.randomised().filter(|(_, course)| is_imputed(course, plan.of(course))).count();
    let rules_count = other.into_iter().all(|reading| n_other(reading) >= 3) && n_left_out >= 3 && n_imputed >= 1;
    rules_count && every_edge_counts(study) && strata_count(study)
}

/// Whether whoever misreads what is on the same day, or on that of the cut-off, comes to another row.
fn every_edge_counts(study: &TrialStudy) -> bool {
    let plan = PfsReading::planned(study.cutoff);
    let differs = |reading: PfsReading, end: PfsEnd| {
        let mut times = study.randomised().map(|(_, course)| (plan.of(course), reading.of(course)));
        times.any(|(time, other)| time.end == end && time != other)
    };
    let none = SameDayReading::default();
    let same_day = [
        (SameDayReading { therapy_before_event: true, ..none }, PfsEnd::Progression),
        (SameDayReading { therapy_before_scan: true, ..none }, PfsEnd::Therapy),
        (SameDayReading { death_before_progression: true, ..none }, PfsEnd::Progression),
    ];
    let before = PfsReading { cutoff: study.cutoff - 1, ..plan };
    same_day.into_iter().all(|(same_day, end)| differs(PfsReading { same_day, ..plan }, end))
        && [PfsEnd::Death, PfsEnd::Last, PfsEnd::Therapy].into_iter().all(|end| differs(before, end))
}

/// Whether a death counts whose day is not known.
fn is_imputed(course: &TrialCourse, time: PfsTime) -> bool {
    time.end == PfsEnd::Death && !course.knows_day_of_death
}

/// Whether tests without strata, or with those of the case report form, come to something else.
fn strata_count(study: &TrialStudy) -> bool {
    let [primary, _, _] = analyses(study);
    let Some(right) = primary.compared(|_, course| course.strata) else { return false };
    let wrong: [StrataOf; 2] = [|_, _| [false; 2], |subject, _| subject.recorded_strata];
    wrong.into_iter().all(|strata| {
        primary.compared(strata).is_some_and(|wrong| {
            (wrong.ratio.value - right.ratio.value).abs() > CLEARLY * RATIO_OFF
                || (wrong.statistic - right.statistic).abs() > CLEARLY * STATISTIC_OFF
        })
    })
}

fn times_table(study: &TrialStudy) -> Value {
    let plan = PfsReading::planned(study.cutoff);
    let row = |(subject, course): (&TrialSubject, &TrialCourse)| {
        let time = plan.of(course);
        json!({
            "USUBJID": subject.id,
            "PPROTFL": if is_per_protocol(course) { "Y" } else { "N" },
            "AVAL": time.days,
            "CNSR": i64::from(!time.end.is_event()),
            "REASON": time.end.word(),
        })
    };
    let rows: Vec<Value> = study.randomised().map(row).collect();
    let columns =
        json!({ "USUBJID": "exact", "PPROTFL": "exact", "AVAL": whole(), "CNSR": whole(), "REASON": "exact" });
    json!({ "columns": columns, "key": ["USUBJID"], "rows": rows })
}

fn curves_table(rows: &[Value]) -> Value {
    let (median, rate) = (near(MEDIAN_OFF), near(RATE_OFF));
    let columns = json!({
        "analysis": "exact", "arm": "exact", "n": whole(), "events": whole(),
        "median": median, "median_low": median, "median_high": median,
        "rate6": rate, "rate6_low": rate, "rate6_high": rate,
        "rate12": rate, "rate12_low": rate, "rate12_high": rate,
    });
    json!({ "columns": columns, "key": ["analysis", "arm"], "rows": rows })
}

fn tests_table(rows: &[Value]) -> Value {
    let ratio = near(RATIO_OFF);
    let columns = json!({
        "analysis": "exact", "chisq": near(STATISTIC_OFF), "p": near(P_OFF), "hr": ratio, "hr_low": ratio, "hr_high": ratio,
    });
    json!({ "columns": columns, "key": ["analysis"], "rows": rows })
}

fn whole() -> Value {
    json!({ "type": "number", "digits": 0, "tolerance": 0, "decimal": "point" })
}

fn near(off: f64) -> Value {
    json!({ "type": "number", "digits": 6, "tolerance": off, "decimal": "point" })
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every trial that is given somebody stands on each edge of the rules, whatever its size.
    #[test]
    fn misread_edges_give_other_rows() {
        for (seed, n_randomised) in (0..30).map(|seed| (seed, 100)).chain((0..5).map(|seed| (seed, 420))) {
            let study = TrialStudy::drawn(seed, n_randomised);
            let plan = PfsReading::planned(study.cutoff);
            assert!(every_edge_counts(&study) || expected(&study).is_none(), "seed {seed}");
            for (subject, course) in study.randomised() {
                assert!(course.imputed_death().is_none_or(|day| day >= course.randomised), "{}", subject.id);
                assert!(course.scans.is_sorted_by_key(|scan| scan.day), "{}", subject.id);
                assert!(course.therapies.is_sorted() && plan.of(course).days > 0, "{}", subject.id);
            }
        }
        let n_whole = (0..30).filter(|seed| every_edge_counts(&TrialStudy::drawn(*seed, 100))).count();
        assert!(n_whole >= 20, "{n_whole} of 30");
    }
}
