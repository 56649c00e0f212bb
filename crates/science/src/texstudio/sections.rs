//! The order of a paper's parts.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::SourceEditing;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

const NEW_TITLES: [&str; 6] =
    ["Field Work", "What Was Measured", "Site and Season", "Checks of the Data", "Findings", "Open Questions"];

/// A section is renamed, one is moved with its text, and one becomes a part of the section before it.
pub(super) struct ReorderSections;

impl DesktopScenario for ReorderSections {
    fn name(&self) -> &'static str {
        "reorder-sections"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 6);
        // References follow the sections wherever they go.
        let pointed = before.sections[4].label.clone();
        before.sections[0].lines.push(format!("More on this is said in Section~\\ref{{{pointed}}}."));
        let mut after = before.clone();
        let renamed = 1 + rng.below(2);
        let new_title = (*rng.choose(&NEW_TITLES)).to_owned();
        after.sections[renamed].title.clone_from(&new_title);
        after.sections[3].level = "subsection";
        // The last but one goes before the first after the introduction, or the second.
        let to = 1 + rng.below(2);
        let moved = after.sections.remove(4);
        after.sections.insert(to, moved);
        let asked = json!({
            "renamed": before.sections[renamed].title, "new_title": new_title,
            "lowered": before.sections[3].title, "above": before.sections[2].title,
            "moved": before.sections[4].title, "before": before.sections[to].title,
        });
        let sections: Vec<String> =
            after.sections.iter().map(|section| format!("{}: {}", section.level, section.title)).collect();
        let project = PaperProject::new(before.source(), after.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked, "text": before.sections[4].lines })),
            expected: json!({ "sections": sections }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        let heading = |name: &str| format!("\\section{{{}}}", asked(name));
        let n_lines = plan["solution"]["text"].as_array().map_or(0, Vec::len);
        let mut editing = SourceEditing::new(main_source(plan)?);
        // The heading, its label, its text and the blank line after it.
        let n_moved = if wrong_way == Some("heading-alone") { 1 } else { n_lines + 3 };
        editing.move_before(&heading("moved"), n_moved, &heading("before"))?;
        editing.replace(&heading("lowered"), &heading("lowered").replace("section", "subsection"))?;
        if wrong_way != Some("not-renamed") {
            editing.replace(&heading("renamed"), &format!("\\section{{{}}}", asked("new_title")))?;
        }
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["heading-alone", "not-renamed"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("a part without a number", "\\subsection{", "\\subsection*{"),
                        ("a part of a part", "\\subsection{", "\\subsubsection{"),
                        ("a reference that was typed", "\\ref{sec:", "\\pageref{sec:"),
                        ("a label lost", "\\label{", "%\\label{"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a blank before the heading", "\\subsection{", "  \\subsection{ "),
                        ("a label on the heading's line", "}\n\\label{", "}\\label{"),
                    ],
                ),
            },
        )
    }
}
