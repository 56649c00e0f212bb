//! The head of a paper: its title, its authors, its abstract.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing, other_family, person, sentences};
use super::editing::SourceEditing;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

/// A paper gets another title, a second author and an abstract.
pub(super) struct FrontMatter;

impl DesktopScenario for FrontMatter {
    fn name(&self) -> &'static str {
        "front-matter"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let before = PaperDraft::drawn(&mut rng, 3);
        let mut after = before.clone();
        let first_year = rng.between(1990, 2002);
        after.title =
            format!("{} Records from {}, {first_year} to {}", before.topic.subject, before.place, first_year + 17);
        let given = person(&mut rng);
        let given = given.split(' ').next().unwrap_or_default();
        let second = format!("{given} {}", other_family(&mut rng, &before.authors));
        after.authors.push(second.clone());
        after.abstract_lines = sentences(&mut rng, before.topic, before.place, 1);
        let asked = json!({ "title": after.title, "second": second, "abstract": after.abstract_lines[0] });
        let project = PaperProject::new(before.source(), after.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked, "first": before.authors[0] })),
            expected: json!({ "front": {
                "title": after.title,
                "author": format!("{} \\and {second}", before.authors[0]),
                "date": "",
                "documentclass": "article",
            }, "abstract": after.abstract_lines }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        let first = plan["solution"]["first"].as_str().unwrap_or_default();
        let mut editing = SourceEditing::new(main_source(plan)?);
        editing.replace("\\title{", &format!("\\title{{{}}}", asked("title")))?;
        let joined = if wrong_way == Some("authors-by-comma") { ", " } else { " \\and " };
        editing.replace("\\author{", &format!("\\author{{{first}{joined}{}}}", asked("second")))?;
        let abstract_text = format!("\\begin{{abstract}}\n{}\n\\end{{abstract}}", asked("abstract"));
        editing.add_below("\\maketitle", &abstract_text)?;
        if wrong_way == Some("not-saved") { Ok(editing.unsaved()) } else { Ok(editing.saved()) }
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["authors-by-comma", "not-saved"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("an abstract that is commented out", "\\begin{abstract}", "%\\begin{abstract}"),
                        ("a title without a comma", ", ", " "),
                        ("an abstract that is a section", "{abstract}", "{quote}"),
                        ("an abstract in the wrong place", "\\maketitle\n", ""),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a line between", "\\begin{abstract}\n", "\n\\begin{abstract}\n  "),
                        ("authors on two lines", " \\and ", "\n\\and\n"),
                    ],
                ),
            },
        )
    }
}
