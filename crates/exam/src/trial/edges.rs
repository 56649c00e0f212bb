//! What lies on an edge of the plan's rules. Chance hardly puts anybody there, so somebody stands on each in every trial.

use quintain_core::Rng;

use super::rules::{PfsEnd, PfsReading};
use super::study::{TrialCourse, TrialStudy};

/// So long before the cut-off a scan can have been that is moved to the day itself.
const MOST_MOVED: i64 = 30;
/// So long before a death a scan has to have been, well within what the plan allows.
const LATELY: i64 = 100;

/// An edge of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlanEdge {
    TherapyOnDayOfEvent,
    ScanOnDayOfTherapy,
    DeathOnDayOfProgression,
    DeathOnCutoff,
    ScanOnCutoff,
    TherapyOnCutoff,
}

const EDGES: [PlanEdge; 6] = [
    PlanEdge::ScanOnDayOfTherapy,
    PlanEdge::TherapyOnDayOfEvent,
    PlanEdge::DeathOnDayOfProgression,
    PlanEdge::ScanOnCutoff,
    PlanEdge::DeathOnCutoff,
    PlanEdge::TherapyOnCutoff,
];

/// Puts somebody on each edge, as far as there is somebody for it.
pub(super) fn plant(study: &mut TrialStudy, reading: PfsReading, rng: &mut Rng) {
    let mut used = Vec::new();
    for edge in EDGES {
        let fits = |at: &usize| {
            study.subjects[*at].course.as_ref().is_some_and(|course| edge.fits(course, reading)) && !used.contains(at)
        };
        let able: Vec<usize> = (0..study.subjects.len()).filter(fits).collect();
        if able.is_empty() {
            continue;
        }
        let at = *rng.choose(&able);
        used.push(at);
        if let Some(course) = &mut study.subjects[at].course {
            edge.plant(course, reading);
        }
    }
}

impl PlanEdge {
    /// Whether somebody can be put there without making anything else untrue.
    fn fits(self, course: &TrialCourse, reading: PfsReading) -> bool {
        let (time, cutoff) = (reading.of(course), reading.cutoff);
        let last = course.randomised + time.days - 1;
        let is_followed = course.death.is_none_or(|day| day > cutoff) && course.left_on.is_none();
        let goes_on = time.end == PfsEnd::Last && time.days > 1 && is_followed;
        match self {
            Self::TherapyOnDayOfEvent | Self::DeathOnDayOfProgression => time.end == PfsEnd::Progression,
            Self::ScanOnDayOfTherapy => time.end == PfsEnd::Therapy && time.days > 1,
            Self::ScanOnCutoff => {
                let is_latest = course.scans.iter().all(|scan| scan.day <= last || scan.day > cutoff);
                goes_on && is_latest && last < cutoff && cutoff - last <= MOST_MOVED
            }
            Self::DeathOnCutoff => goes_on && last < cutoff && cutoff - last <= LATELY,
            Self::TherapyOnCutoff => goes_on,
        }
    }

    fn plant(self, course: &mut TrialCourse, reading: PfsReading) {
        let last = course.randomised + reading.of(course).days - 1;
        match self {
            Self::TherapyOnDayOfEvent | Self::ScanOnDayOfTherapy => begin_therapy(course, last),
            Self::TherapyOnCutoff => begin_therapy(course, reading.cutoff),
            Self::DeathOnDayOfProgression => die(course, last),
            Self::DeathOnCutoff => {
                course.scans.retain(|scan| scan.day < reading.cutoff);
                die(course, reading.cutoff);
            }
            Self::ScanOnCutoff => {
                course.scans.iter_mut().filter(|scan| scan.day == last).for_each(|scan| scan.day = reading.cutoff);
            }
        }
    }
}

/// A therapy begins before all others; from then on nothing else is given.
fn begin_therapy(course: &mut TrialCourse, day: i64) {
    course.therapies.retain(|other| *other > day);
    course.therapies.insert(0, day);
    course.doses.retain(|dose| dose.day < day);
}

/// Somebody dies on a day that is known; nothing is done any more.
fn die(course: &mut TrialCourse, day: i64) {
    (course.death, course.knows_day_of_death) = (Some(day), true);
    course.scans.retain(|scan| scan.day <= day);
    course.doses.retain(|dose| dose.day < day);
    course.therapies.retain(|therapy| *therapy < day);
    course.medications.retain(|medication| *medication < day);
    course.left_on = course.left_on.filter(|left| *left < day);
}
