//! The files of a trial as a data management department hands them over.

use std::fmt::Display;

use quintain_workspace::InputFiles;

use super::study::{TrialCourse, TrialStudy, TrialSubject};
use crate::calendar::CivilDate;
use crate::texts::texts;

/// The analysis plan, with a gap for the cut-off.
const PLAN: &str = include_str!("sap.md");
const THERAPIES: [&str; 4] = ["BRONVASINE", "TELCARIN + OXOPLAT", "RADIOTHERAPY", "MIRZULIMAB"];
const MEDICATIONS: [&str; 4] = ["DOLANEX", "VOMISTAT", "CORTALINE", "VITAMIN D"];
const MAJOR: [&str; 3] = ["ELIGIBILITY CRITERION NOT MET", "PROHIBITED MEDICATION", "CONSENT NOT OBTAINED IN TIME"];

/// A file while it is written: its lines.
struct SheetLines(String);

impl SheetLines {
    fn new(columns: &str) -> Self {
        Self(format!("{columns}\n"))
    }

    fn line(&mut self, cells: &[&dyn Display]) {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        self.0.push_str(&cells.join(","));
        self.0.push('\n');
    }
}

/// All files.
pub(super) fn written(study: &TrialStudy) -> InputFiles {
    let files = [
        ("sap.md", PLAN.replace("{cutoff}", &iso(study.cutoff))),
        ("data/dm.csv", demographics(study)),
        ("data/randomisation.csv", randomisation(study)),
        ("data/ex.csv", by_course(study, "USUBJID,EXSEQ,EXTRT,EXDOSE,EXDOSU,EXSTDTC", exposure)),
        ("data/rs.csv", by_course(study, "USUBJID,RSSEQ,RSEVAL,RSEVALID,RSACPTFL,RSSTRESC,VISIT,RSDTC", responses)),
        ("data/ds.csv", disposition(study)),
        ("data/cm.csv", by_course(study, "USUBJID,CMSEQ,CMTRT,CMCAT,CMSTDTC", medications)),
        ("data/dv.csv", by_course(study, "USUBJID,DVCAT,DVDECOD,DVSTDTC", deviations)),
    ];
    texts(files)
}

fn iso(day: i64) -> String {
    CivilDate::of(day).iso()
}

fn lines_word(is_many: bool) -> &'static str {
    if is_many { ">=2" } else { "1" }
}

fn ldh_word(is_high: bool) -> &'static str {
    if is_high { "HIGH" } else { "NORMAL" }
}

fn demographics(study: &TrialStudy) -> String {
    let mut sheet = SheetLines::new("STUDYID,USUBJID,SITEID,AGE,SEX,RFICDTC,PRLINES,LDHBL");
    for of in &study.subjects {
        let (sex, [lines, ldh]) = (if of.is_female { "F" } else { "M" }, of.recorded_strata);
        sheet.line(&[&"HLC3", &of.id, &of.site, &of.age, &sex, &iso(of.consented), &lines_word(lines), &ldh_word(ldh)]);
    }
    sheet.0
}

/// As the system for randomisation exports it, in the order in which it was done.
fn randomisation(study: &TrialStudy) -> String {
    let mut sheet = SheetLines::new("RANDNO,USUBJID,RANDDT,ARM,STRAT_LINES,STRAT_LDH");
    let mut all: Vec<_> = study.randomised().collect();
    all.sort_by_key(|(_, course)| course.randomised);
    for (at, (of, course)) in all.into_iter().enumerate() {
        let date = CivilDate::of(course.randomised).clinical();
        let [lines, ldh] = course.strata;
        sheet.line(&[&(1001 + at), &of.id, &date, &course.arm.word(), &lines_word(lines), &ldh_word(ldh)]);
    }
    sheet.0
}

fn by_course(study: &TrialStudy, columns: &str, write: fn(&mut SheetLines, &str, &TrialCourse)) -> String {
    let mut sheet = SheetLines::new(columns);
    study.randomised().for_each(|(of, course)| write(&mut sheet, &of.id, course));
    sheet.0
}

fn exposure(sheet: &mut SheetLines, id: &str, course: &TrialCourse) {
    for (at, dose) in course.doses.iter().enumerate() {
        sheet.line(&[&id, &(at + 1), &dose.of.word(), &dose.n_capsules, &"CAPSULE", &iso(dose.day)]);
    }
}

fn responses(sheet: &mut SheetLines, id: &str, course: &TrialCourse) {
    for (at, scan) in course.scans.iter().enumerate() {
        let (visit, day) = (format!("WEEK {}", 8 * scan.visit), iso(scan.day));
        let read = scan.by_investigator.word();
        sheet.line(&[&id, &(at * 3 + 1), &"INVESTIGATOR", &"", &"", &read, &visit, &day]);
        for (reader, read) in scan.by_readers.iter().enumerate() {
            let who = format!("RADIOLOGIST {}", reader + 1);
            let accepted = if reader == scan.accepted { "Y" } else { "" };
            let number = at * 3 + 2 + reader;
            sheet.line(&[&id, &number, &"INDEPENDENT ASSESSOR", &who, &accepted, &read.word(), &visit, &day]);
        }
    }
}

fn disposition(study: &TrialStudy) -> String {
    let mut sheet = SheetLines::new("USUBJID,DSDECOD,DSSTDTC");
    for of in &study.subjects {
        match &of.course {
            None => sheet.line(&[&of.id, &"SCREEN FAILURE", &iso(of.consented + 12)]),
            Some(course) => disposed(&mut sheet, of, course),
        }
    }
    sheet.0
}

fn disposed(sheet: &mut SheetLines, of: &TrialSubject, course: &TrialCourse) {
    sheet.line(&[&of.id, &"RANDOMIZED", &iso(course.randomised)]);
    if let Some(day) = course.left_on {
        sheet.line(&[&of.id, &"WITHDRAWAL FROM TUMOUR ASSESSMENT", &iso(day)]);
    }
    if let Some(day) = course.death {
        let date = CivilDate::of(day);
        sheet.line(&[&of.id, &"DEATH", &if course.knows_day_of_death { date.iso() } else { date.iso_month() }]);
    }
}

fn medications(sheet: &mut SheetLines, id: &str, course: &TrialCourse) {
    let name = |of: [&'static str; 4], day: i64| of[day.rem_euclid(4) as usize];
    let general = course.medications.iter().map(|day| (*day, name(MEDICATIONS, *day), "GENERAL"));
    let anticancer = course.therapies.iter().map(|day| (*day, name(THERAPIES, *day), "ANTICANCER THERAPY"));
    let mut all: Vec<_> = general.chain(anticancer).collect();
    // As the site typed them, not by date.
    all.sort_by_key(|(day, name, _)| (day.rem_euclid(7), *name));
    for (at, (day, name, category)) in all.into_iter().enumerate() {
        sheet.line(&[&id, &(at + 1), &name, &category, &iso(day)]);
    }
}

fn deviations(sheet: &mut SheetLines, id: &str, course: &TrialCourse) {
    if let Some(day) = course.major_deviation {
        sheet.line(&[&id, &"MAJOR", &MAJOR[day.rem_euclid(3) as usize], &iso(day)]);
    }
    if let Some(day) = course.minor_deviation {
        sheet.line(&[&id, &"MINOR", &"VISIT OUTSIDE WINDOW", &iso(day)]);
    }
}
