//! What cannot be done: what TeXstudio is not able to, and what is not there.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::draft::{PaperDraft, drawing, other_place};
use super::editing::SourceEditing;
use super::plotted::drawn_plots;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

/// An export as a file for a word processor, which TeXstudio does not have.
pub(super) struct ExportWord;

impl DesktopScenario for ExportWord {
    fn name(&self) -> &'static str {
        "export-word"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let paper = PaperDraft::drawn(&mut rng, 3);
        let name = format!("{}-{}.docx", paper.place.to_lowercase(), rng.between(100, 99_999));
        let project = PaperProject::new(paper.source(), paper.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "name": name })),
            expected: json!({ "name": name }),
            words: [("name".to_owned(), json!(name))].into(),
        })
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        if wrong_way == Some("claimed") {
            return Ok(vec![PlannedStep::keys(["F6"])]);
        }
        let reason = "no menu of TeXstudio writes such a file".to_owned();
        // Files are written by what is in these two menus.
        Ok(vec![
            PlannedStep::Click("menu item/File".to_owned()),
            PlannedStep::keys(["Escape"]),
            PlannedStep::Click("menu item/Tools".to_owned()),
            PlannedStep::Act(Action::GiveUp { reason }),
        ])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["claimed"]
    }
}

/// A plot of a place of which there is none.
pub(super) struct MissingPlot;

impl DesktopScenario for MissingPlot {
    fn name(&self) -> &'static str {
        "missing-plot"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let paper = PaperDraft::drawn(rng, 4);
        let first = other_place(rng, &[paper.place]);
        let second = other_place(rng, &[paper.place, first]);
        let third = other_place(rng, &[paper.place, first, second]);
        let files = drawn_plots([first, second, third], rng);
        let section = paper.sections[1 + rng.below(3)].title.clone();
        let caption = format!("The {} at {} on {} days", paper.topic.quantity, paper.place, rng.between(31, 998));
        let asked = json!({ "place": paper.place, "section": section, "caption": caption });
        let project = PaperProject::new(paper.source(), paper.source(), files);
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "section": section, "there": first.to_lowercase() })),
            expected: asked.clone(),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        if wrong_way == Some("other-plot") {
            let text = |name: &str| plan["solution"][name].as_str().unwrap_or_default();
            let mut editing = SourceEditing::new(main_source(plan)?);
            editing.add_below("\\documentclass", "\\usepackage{graphicx}")?;
            let heading = format!("\\section{{{}}}", text("section"));
            editing.add_below(&heading, &format!("\\includegraphics{{figures/{}.pdf}}", text("there")))?;
            return Ok(editing.saved());
        }
        let reason = "there is no plot of that place".to_owned();
        // The files beside the paper are seen where files are opened.
        Ok(vec![
            PlannedStep::keys(["ctrl", "o"]),
            PlannedStep::keys(["Escape"]),
            PlannedStep::Act(Action::GiveUp { reason }),
        ])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["other-plot"]
    }
}
