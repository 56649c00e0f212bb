//! A trial from a seed: who was randomised, dosed, scanned and followed, and what went wrong on the way.

use quintain_core::Rng;

use super::edges;
use super::rules::PfsReading;
use crate::calendar::first_of_month;

/// How far apart scans are planned, in days.
const SCAN_EVERY: i64 = 56;
/// How far apart doses are planned, in days.
const DOSE_EVERY: i64 = 28;
/// For how long people were taken in, then followed until the cut-off, and then until the data were taken.
const ACCRUAL: i64 = 400;
const FOLLOW_UP: i64 = 330;
const BEFORE_EXTRACT: i64 = 110;

/// What one is randomised to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrialArm {
    Drug,
    Placebo,
}

impl TrialArm {
    pub(super) const BOTH: [Self; 2] = [Self::Drug, Self::Placebo];

    /// As files have it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Drug => "VELMERIN",
            Self::Placebo => "PLACEBO",
        }
    }

    fn other(self) -> Self {
        if self == Self::Drug { Self::Placebo } else { Self::Drug }
    }
}

/// What somebody made of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TumourResponse {
    Complete,
    Partial,
    Stable,
    Progression,
    NotEvaluable,
}

impl TumourResponse {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Complete => "CR",
            Self::Partial => "PR",
            Self::Stable => "SD",
            Self::Progression => "PD",
            Self::NotEvaluable => "NE",
        }
    }
}

/// A scan, as the investigator read it and as two readers did who did not know the arm.
#[derive(Clone, Debug)]
pub(super) struct TumourScan {
    pub(super) day: i64,
    /// The planned visit, from 1.
    pub(super) visit: i64,
    pub(super) by_investigator: TumourResponse,
    pub(super) by_readers: [TumourResponse; 2],
    /// Which reader's word counts.
    pub(super) accepted: usize,
}

/// What was given on a day.
#[derive(Clone, Debug)]
pub(super) struct TrialDose {
    pub(super) day: i64,
    pub(super) of: TrialArm,
    /// None if it was left out.
    pub(super) n_capsules: i64,
}

/// The two factors that randomisation was stratified by: whether there was more than one earlier line of therapy, and
/// whether LDH was high.
pub(super) type TrialStrata = [bool; 2];

/// Somebody who was screened.
#[derive(Clone, Debug)]
pub(super) struct TrialSubject {
    pub(super) id: String,
    pub(super) site: String,
    pub(super) age: i64,
    pub(super) is_female: bool,
    pub(super) consented: i64,
    /// What the case report form has.
    pub(super) recorded_strata: TrialStrata,
    pub(super) course: Option<TrialCourse>,
}

/// What became of somebody who was randomised. Days are days since 1970.
#[derive(Clone, Debug)]
pub(super) struct TrialCourse {
    pub(super) arm: TrialArm,
    pub(super) randomised: i64,
    /// What was told when the arm was drawn.
    pub(super) strata: TrialStrata,
    pub(super) doses: Vec<TrialDose>,
    pub(super) scans: Vec<TumourScan>,
    pub(super) death: Option<i64>,
    /// Of some deaths only the month is known.
    pub(super) knows_day_of_death: bool,
    pub(super) therapies: Vec<i64>,
    pub(super) medications: Vec<i64>,
    pub(super) left_on: Option<i64>,
    pub(super) major_deviation: Option<i64>,
    pub(super) minor_deviation: Option<i64>,
}

impl TrialCourse {
    /// The day of death as the plan has it imputed.
    pub(super) fn imputed_death(&self) -> Option<i64> {
        let death = self.death?;
        if self.knows_day_of_death {
            return Some(death);
        }
        let seen = self.scans.iter().map(|scan| scan.day).chain(self.doses.iter().map(|dose| dose.day)).max();
        Some(seen.map_or(first_of_month(death), |seen| first_of_month(death).max(seen + 1)))
    }
}

/// A whole trial.
#[derive(Clone, Debug)]
pub(super) struct TrialStudy {
    pub(super) cutoff: i64,
    pub(super) subjects: Vec<TrialSubject>,
}

impl TrialStudy {
    pub(super) fn drawn(seed: u64, n_randomised: usize) -> Self {
        let mut rng = Rng::new(seed);
        let start = 19_000 + rng.between(0, 600);
        let cutoff = start + ACCRUAL + FOLLOW_UP;
        let mut subjects = Vec::new();
        let mut n_in = 0;
        while n_in < n_randomised {
            let is_in = rng.chance(0.9);
            subjects.push(subject(&mut rng, start, n_in as i64 * ACCRUAL / n_randomised as i64, is_in));
            n_in += usize::from(is_in);
        }
        let mut numbers: Vec<usize> = (1..=subjects.len()).collect();
        rng.shuffle(&mut numbers);
        for (subject, number) in subjects.iter_mut().zip(numbers) {
            subject.id = format!("HLC3-{}-{number:04}", subject.site);
        }
        subjects.sort_by(|a, b| a.id.cmp(&b.id));
        let mut study = Self { cutoff, subjects };
        edges::plant(&mut study, PfsReading::planned(cutoff), &mut rng);
        study
    }

    /// Everybody who was randomised.
    pub(super) fn randomised(&self) -> impl Iterator<Item = (&TrialSubject, &TrialCourse)> {
        self.subjects.iter().filter_map(|subject| Some((subject, subject.course.as_ref()?)))
    }
}

fn subject(rng: &mut Rng, start: i64, offset: i64, is_in: bool) -> TrialSubject {
    let strata = [rng.chance(0.4), rng.chance(0.35)];
    let randomised = start + offset + rng.between(0, 6);
    TrialSubject {
        id: String::new(),
        site: format!("{}", 101 + rng.below(14)),
        age: rng.between(34, 81),
        is_female: rng.chance(0.45),
        consented: randomised - rng.between(7, 27),
        recorded_strata: strata.map(|of| of ^ rng.chance(0.06)),
        course: is_in.then(|| CourseDrawing::of(rng, randomised, strata, start + ACCRUAL + FOLLOW_UP + BEFORE_EXTRACT)),
    }
}

/// A course while it is drawn.
struct CourseDrawing<'a> {
    rng: &'a mut Rng,
    course: TrialCourse,
    /// When the tumour begins to grow.
    progression: i64,
    /// The last day that anything is known of.
    end: i64,
}

impl<'a> CourseDrawing<'a> {
    fn of(rng: &'a mut Rng, randomised: i64, strata: TrialStrata, end: i64) -> TrialCourse {
        let arm = *rng.choose(&TrialArm::BOTH);
        let course = TrialCourse {
            arm,
            randomised,
            strata,
            doses: Vec::new(),
            scans: Vec::new(),
            death: None,
            knows_day_of_death: rng.chance(0.6),
            therapies: Vec::new(),
            medications: Vec::new(),
            left_on: None,
            major_deviation: None,
            minor_deviation: None,
        };
        let mut drawing = Self { rng, course, progression: end + 1, end };
        drawing.fate();
        drawing.scan();
        drawing.treat_after();
        drawing.dose();
        drawing.note();
        // Nobody dies before randomisation, however little is known of the day.
        if drawing.course.imputed_death().is_some_and(|day| day < randomised) {
            drawing.course.knows_day_of_death = true;
        }
        drawing.course
    }

    /// When the tumour grows and when death comes, day by day.
    fn fate(&mut self) {
        let course = &self.course;
        let by_arm = if course.arm == TrialArm::Drug { 0.6 } else { 1.0 };
        let by_strata = [1.0, 1.5][usize::from(course.strata[0])] * [1.0, 1.9][usize::from(course.strata[1])];
        let (growing, randomised) = (by_arm * by_strata / 330.0, course.randomised);
        for day in randomised + 5..=self.end {
            if self.progression > self.end && self.rng.chance(growing) {
                self.progression = day;
            }
            let dying = if self.progression > self.end { by_strata / 2200.0 } else { 1.0 / 190.0 };
            if self.rng.chance(dying) {
                self.course.death = Some(day);
                return;
            }
        }
    }

    /// The scans, until the investigator sees that the tumour grows, and sometimes a little longer.
    fn scan(&mut self) {
        let last_seen = self.course.death.unwrap_or(self.end + 1) - 1;
        let leaves_on =
            if self.rng.chance(0.1) { self.course.randomised + self.rng.between(20, 400) } else { i64::MAX };
        self.course.left_on = Some(leaves_on).filter(|day| *day <= last_seen);
        let gap = if self.rng.chance(0.12) { self.rng.between(1, 5) } else { 0 };
        let delays = [self.delay(), self.delay(), self.delay()];
        for visit in 1.. {
            let day = self.course.randomised + visit * SCAN_EVERY + self.rng.between(-4, 7);
            if day > last_seen.min(leaves_on) {
                return;
            }
            if (gap > 0 && (gap..gap + 2).contains(&visit)) || self.rng.chance(0.04) {
                continue;
            }
            let read = delays.map(|delay| self.read(day - delay));
            let by_readers = [read[1], read[2]];
            let accepted = self.rng.below(2);
            self.course.scans.push(TumourScan { day, visit, by_investigator: read[0], by_readers, accepted });
            if read[0] == TumourResponse::Progression && self.rng.chance(0.7) {
                return;
            }
        }
    }

    /// By how many days somebody sees growth later than it is there, or earlier.
    fn delay(&mut self) -> i64 {
        match self.rng.below(10) {
            0 | 1 => SCAN_EVERY,
            2 => -SCAN_EVERY,
            3 => 3 * SCAN_EVERY,
            _ => 0,
        }
    }

    fn read(&mut self, as_of: i64) -> TumourResponse {
        use TumourResponse::{Complete, NotEvaluable, Partial, Progression, Stable};
        match self.rng.below(20) {
            0 => NotEvaluable,
            _ if as_of >= self.progression => Progression,
            1 => Complete,
            2..=8 => Partial,
            _ => Stable,
        }
    }

    /// Other therapies: mostly after the investigator saw growth, sometimes for no good reason before.
    fn treat_after(&mut self) {
        let last_seen = self.course.death.unwrap_or(self.end + 1) - 1;
        let seen = self.course.scans.iter().find(|scan| scan.by_investigator == TumourResponse::Progression);
        let mut begin = match seen.map(|scan| scan.day) {
            Some(day) if self.rng.chance(0.65) => day + self.rng.between(6, 45),
            None if self.rng.chance(0.15) => self.course.randomised + self.rng.between(40, 420),
            _ => return,
        };
        while begin <= last_seen {
            self.course.therapies.push(begin);
            begin += self.rng.between(60, 300);
        }
    }

    fn dose(&mut self) {
        let course = &self.course;
        let growth = course.scans.iter().find(|scan| scan.by_investigator == TumourResponse::Progression);
        let ends = [course.death, course.left_on, growth.map(|scan| scan.day), course.therapies.first().copied()];
        let end = ends.into_iter().flatten().chain([self.end + 1]).min().unwrap_or(self.end);
        let (mut day, arm) = (course.randomised + self.rng.between(0, 3), course.arm);
        let (is_never, is_left_out) = (self.rng.chance(0.02), self.rng.chance(0.02));
        let n_mixed_up = if self.rng.chance(0.025) { 1 + self.rng.below(3) } else { 0 };
        while day < end && !is_never {
            let of = if self.course.doses.len() < n_mixed_up { arm.other() } else { arm };
            let n_capsules = if is_left_out || self.rng.chance(0.03) { 0 } else { *self.rng.choose(&[3, 3, 3, 2]) };
            self.course.doses.push(TrialDose { day, of, n_capsules });
            if is_left_out {
                return;
            }
            day += DOSE_EVERY + self.rng.between(-1, 4);
        }
    }

    /// What else is in the files.
    fn note(&mut self) {
        let begin = self.course.randomised;
        let mut day = |chance: f64| self.rng.chance(chance).then(|| begin + self.rng.between(1, 120));
        (self.course.major_deviation, self.course.minor_deviation) = (day(0.04), day(0.15));
        let n_medications = self.rng.below(3);
        self.course.medications = (0..n_medications).map(|_| begin + self.rng.between(-30, 200)).collect();
    }
}
