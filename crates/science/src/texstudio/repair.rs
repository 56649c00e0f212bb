//! Papers that do not build.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::SourceEditing;
use super::project::{PaperProject, main_source};
use crate::parameters::{Parameters, whole};

/// Some faults of a paper that keep it from being built are mended, and it says what its author wrote.
pub(super) struct MendBuild;

/// A line that is broken, and as it was meant.
struct BrokenLine {
    broken: String,
    meant: String,
}

/// How many sorts of faults there are.
const N_FAULTS: usize = 9;

fn fault(rng: &mut Rng, draft: &PaperDraft, kind: usize) -> Vec<BrokenLine> {
    let quantity = draft.topic.quantity;
    let (place, n, year) = (draft.place, rng.between(12, 95), rng.between(1961, 2019));
    let one = |meant: String, broken: String| vec![BrokenLine { broken, meant }];
    let kept = |line: &str| BrokenLine { broken: line.to_owned(), meant: line.to_owned() };
    match kind {
        0 => {
            one(format!("It is \\emph{{not}} the case in {year}."), format!("It is \\emhp{{not}} the case in {year}."))
        }
        1 => one(
            format!("The firm Dahl \\& Abel built {n} of them."),
            format!("The firm Dahl & Abel built {n} of them."),
        ),
        2 => one(
            format!("All \\textbf{{{n} readings}} were used, those from {year} too."),
            format!("All \\textbf{{{n} readings were used, those from {year} too."),
        ),
        3 => one(
            format!("The first reading $r_1$ was {n} times too high."),
            format!("The first reading r_1 was {n} times too high."),
        ),
        4 => {
            let item = |text: String| BrokenLine { broken: format!("\\item {text}"), meant: format!("\\item {text}") };
            vec![
                kept("\\begin{itemize}"),
                item(format!("The site at {place} was left in {year}.")),
                item(format!("The mast is {n} feet high.")),
                BrokenLine { broken: String::from("%"), meant: "\\end{itemize}".to_owned() },
            ]
        }
        5 => vec![
            kept("\\begin{equation}"),
            kept(&format!("q = {n} p + \\frac{{p^2}}{{{year}}}")),
            BrokenLine { broken: "\\end{equatoin}".to_owned(), meant: "\\end{equation}".to_owned() },
        ],
        6 => one(
            format!("The file is called run\\_{n} in the archive of {year}."),
            format!("The file is called run_{n} in the archive of {year}."),
        ),
        7 => vec![
            kept("\\begin{center}"),
            kept("\\begin{tabular}{lr}"),
            BrokenLine { broken: format!("{place} & {n} & \\\\"), meant: format!("{place} & {n} \\\\") },
            kept(&format!("Total & {year} \\\\")),
            kept("\\end{tabular}"),
            kept("\\end{center}"),
        ],
        _ => one(
            format!("The {quantity} of {year} is item \\#{n} in the list."),
            format!("The {quantity} of {year} is item #{n} in the list."),
        ),
    }
}

impl DesktopScenario for MendBuild {
    fn name(&self) -> &'static str {
        "mend-build"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let n_faults = whole(parameters, "n_faults", 1..=5)? as usize;
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 6);
        let mut after = before.clone();
        let mut kinds: Vec<usize> = (0..N_FAULTS).collect();
        rng.shuffle(&mut kinds);
        let mut mended = Vec::new();
        for (idx, kind) in kinds.into_iter().take(n_faults).enumerate() {
            for line in fault(rng, &before, kind) {
                if line.broken != line.meant {
                    mended.push(json!({ "broken": line.broken, "meant": line.meant, "section": before.sections[idx + 1].label }));
                }
                before.sections[idx + 1].lines.push(line.broken);
                after.sections[idx + 1].lines.push(line.meant);
            }
        }
        let project = PaperProject::new(before.source(), after.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "mended": mended })),
            expected: json!({ "meant": mended }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut editing = SourceEditing::new(main_source(plan)?);
        let mended = plan["solution"]["mended"].as_array().ok_or("nothing is mended")?;
        let n_mended = if wrong_way == Some("last-left") { mended.len() - 1 } else { mended.len() };
        for fault in &mended[..n_mended] {
            let (broken, meant) =
                (fault["broken"].as_str().unwrap_or_default(), fault["meant"].as_str().unwrap_or_default());
            let meant = if wrong_way == Some("commented-out") { "%" } else { meant };
            editing.replace(broken, meant)?;
        }
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["last-left", "commented-out"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("a sign that is spelled out", "\\&", "and"),
                        ("a formula without its index", "$r_1$", "$r1$"),
                        ("a sign that was left out", "\\#", ""),
                    ],
                ),
                right: replaced(
                    left,
                    &[("a formula with braces", "$r_1$", "\\(r_{1}\\)"), ("a sign in braces", "run\\_", "run{\\_}")],
                ),
            },
        )
    }
}
