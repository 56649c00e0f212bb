//! What the instruction says besides the questions: what there is, and whose word counts.

use quintain_atlas::query::Misreading;

/// What there is to look at.
pub const WEB: &str = "A web of its own is open before you. Search at find.web leads to everything that is needed: an \
                       encyclopaedia, the register of companies, a portal of statistics, the official gazette, a newspaper \
                       and an index of scholarly papers. Nothing outside of it can be reached. Today is 1 January 2026.";

/// The rules that settle some wrong readings, one a line.
pub fn rules(settled: &[Misreading]) -> String {
    let lines: Vec<String> = settled.iter().map(|misreading| format!("- {}", rule(*misreading))).collect();
    if lines.is_empty() { String::new() } else { format!("These rules hold:\n{}", lines.join("\n")) }
}

/// The rule by which a wrong reading is wrong.
fn rule(misreading: Misreading) -> &'static str {
    match misreading {
        Misreading::Unrestated => "Accounts count as they were last restated in the register.",
        Misreading::PressFigure => "Figures of the register count before those of the press.",
        Misreading::Provisional => "Final values count before provisional ones.",
        Misreading::BeforeBreak => {
            "Where the definition of a series was changed, the series by the present definition counts for all years."
        }
        Misreading::NominalForReal => "In real terms means at constant prices.",
        Misreading::Homonym => "Several people may bear one name: take the one who is meant.",
        Misreading::OutdatedEncyclopaedia => {
            "Articles of the encyclopaedia may be out of date: the register, the gazette and the portal of statistics count \
             before it."
        }
        Misreading::OtherYearRate => "Amounts are converted at the rates of the end of the year that is named.",
        Misreading::OtherBounds => {
            "More than a number leaves out the number itself; years from one to another count in both."
        }
        Misreading::RetractedCounted => "Papers that were retracted do not count.",
        Misreading::WithdrawnLicenceCounted => {
            "A licence was held throughout a year only if it was held on every day of it."
        }
        Misreading::SupersededAmendment => "Of a text that was amended, the version in force counts.",
    }
}
