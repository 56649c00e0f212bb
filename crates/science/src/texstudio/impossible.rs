//! What TeXstudio cannot do.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::draft::{PaperDraft, drawing};
use super::project::PaperProject;
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
