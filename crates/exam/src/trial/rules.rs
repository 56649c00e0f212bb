//! From a course to a time without progression, as the analysis plan has it.

use super::study::{TrialCourse, TumourResponse, TumourScan};

/// After so many days without an adequate scan, an event no longer counts.
const LONGEST_GAP: i64 = 112;

/// Whose reading of the scans counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanReader {
    Independent,
    Investigator,
}

/// How courses are read: as the plan has it, or with something left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PfsReading {
    pub(super) reader: ScanReader,
    /// The last day that counts.
    pub(super) cutoff: i64,
    /// Whether other therapies and missed scans end what is known.
    pub(super) heeds_therapy_and_gaps: bool,
    pub(super) same_day: SameDayReading,
}

/// What counts first of two things on one day: the plan denies all of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SameDayReading {
    /// A therapy on the day of the event comes before it.
    pub(super) therapy_before_event: bool,
    /// A scan on the day of the therapy is too late.
    pub(super) therapy_before_scan: bool,
    /// A death on the day of a progression is the event.
    pub(super) death_before_progression: bool,
}

/// Why a time ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PfsEnd {
    Progression,
    Death,
    Therapy,
    Missed,
    Last,
}

impl PfsEnd {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Progression => "PD",
            Self::Death => "DEATH",
            Self::Therapy => "THERAPY",
            Self::Missed => "MISSED",
            Self::Last => "LAST",
        }
    }

    pub(super) fn is_event(self) -> bool {
        matches!(self, Self::Progression | Self::Death)
    }
}

/// A time without progression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PfsTime {
    /// The day of randomisation is day 1.
    pub(super) days: i64,
    pub(super) end: PfsEnd,
}

impl PfsReading {
    /// As the plan has the primary analysis.
    pub(super) fn planned(cutoff: i64) -> Self {
        let same_day = SameDayReading::default();
        Self { reader: ScanReader::Independent, cutoff, heeds_therapy_and_gaps: true, same_day }
    }

    /// The time of a course.
    pub(super) fn of(&self, course: &TrialCourse) -> PfsTime {
        let (day, end) = self.ended(course);
        PfsTime { days: day - course.randomised + 1, end }
    }

    fn ended(&self, course: &TrialCourse) -> (i64, PfsEnd) {
        let event = self.event(course);
        let therapy =
            course.therapies.first().copied().filter(|day| *day <= self.cutoff && self.heeds_therapy_and_gaps);
        let (begins_before, scans_until) =
            (i64::from(self.same_day.therapy_before_event), i64::from(self.same_day.therapy_before_scan));
        let is_first = |therapy: i64| event.is_none_or(|(day, _)| therapy < day + begins_before);
        if let Some(therapy) = therapy.filter(|therapy| is_first(*therapy)) {
            return (self.last_adequate(course, therapy - scans_until), PfsEnd::Therapy);
        }
        let Some((day, end)) = event else { return (self.last_adequate(course, self.cutoff), PfsEnd::Last) };
        let before = self.last_adequate(course, day - 1);
        if self.heeds_therapy_and_gaps && day - before > LONGEST_GAP {
            return (before, PfsEnd::Missed);
        }
        (day, end)
    }

    /// The first progression or death that is in time.
    fn event(&self, course: &TrialCourse) -> Option<(i64, PfsEnd)> {
        let mut growths = course.scans.iter().filter(|scan| self.read(scan) == TumourResponse::Progression);
        let growth = growths.next().map(|scan| (scan.day, PfsEnd::Progression));
        let death = course.imputed_death().map(|day| (day, PfsEnd::Death));
        // The first of equals counts.
        let both = if self.same_day.death_before_progression { [death, growth] } else { [growth, death] };
        both.into_iter().flatten().filter(|(day, _)| *day <= self.cutoff).min_by_key(|(day, _)| *day)
    }

    /// The last day up to which there was a scan that could be read, or else that of randomisation.
    fn last_adequate(&self, course: &TrialCourse, until: i64) -> i64 {
        let adequate = course.scans.iter().filter(|scan| self.read(scan) != TumourResponse::NotEvaluable);
        adequate.map(|scan| scan.day).filter(|day| *day <= until).max().unwrap_or(course.randomised)
    }

    fn read(&self, scan: &TumourScan) -> TumourResponse {
        match self.reader {
            ScanReader::Independent => scan.by_readers[scan.accepted],
            ScanReader::Investigator => scan.by_investigator,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::study::TrialArm;
    use super::*;

    fn course(scans: &[(i64, TumourResponse)], death: Option<i64>, therapies: &[i64]) -> TrialCourse {
        let scan = |(day, read): &(i64, TumourResponse)| TumourScan {
            day: *day,
            visit: 1,
            by_investigator: TumourResponse::Stable,
            by_readers: [*read, TumourResponse::Progression],
            accepted: 0,
        };
        TrialCourse {
            arm: TrialArm::Drug,
            randomised: 1000,
            strata: [false; 2],
            doses: Vec::new(),
            scans: scans.iter().map(scan).collect(),
            death,
            knows_day_of_death: true,
            therapies: therapies.to_vec(),
            medications: Vec::new(),
            left_on: None,
            major_deviation: None,
            minor_deviation: None,
        }
    }

    #[test]
    fn every_rule_of_the_plan_holds() {
        use TumourResponse::{NotEvaluable, Progression, Stable};
        let told = |scans: &[(i64, TumourResponse)], death: Option<i64>, therapies: &[i64]| {
            let time = PfsReading::planned(1400).of(&course(scans, death, therapies));
            format!("{} {}", time.days, time.end.word())
        };
        assert_eq!(told(&[(1056, Stable), (1112, Progression)], None, &[]), "113 PD");
        assert_eq!(told(&[(1056, Stable), (1112, Progression)], None, &[1112]), "113 PD", "on the same day");
        assert_eq!(told(&[(1056, Stable), (1112, Progression)], None, &[1111]), "57 THERAPY");
        assert_eq!(
            told(&[(1056, Stable), (1112, Progression)], None, &[1056]),
            "57 THERAPY",
            "the scan of the day counts"
        );
        assert_eq!(told(&[(1056, Stable), (1112, Progression)], Some(1112), &[]), "113 PD", "no death");
        assert_eq!(told(&[(1390, Stable)], Some(1400), &[]), "401 DEATH", "the cut-off counts");
        assert_eq!(told(&[(1344, Stable), (1400, Stable)], None, &[1400]), "401 THERAPY", "the cut-off counts");
        assert_eq!(told(&[(1344, Stable), (1400, Stable)], None, &[]), "401 LAST", "the cut-off counts");
        assert_eq!(told(&[(1056, NotEvaluable)], None, &[1111]), "1 THERAPY");
        assert_eq!(told(&[(1056, Stable)], Some(1168), &[]), "169 DEATH", "112 days are not too many");
        assert_eq!(told(&[(1056, Stable)], Some(1169), &[]), "57 MISSED");
        assert_eq!(told(&[], Some(1113), &[]), "1 MISSED");
        assert_eq!(told(&[(1056, Stable), (1390, Stable), (1401, Progression)], Some(1402), &[1403]), "391 LAST");
    }
}
