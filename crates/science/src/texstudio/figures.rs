//! Figures that are taken into a paper.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing, other_place};
use super::editing::SourceEditing;
use super::plotted::drawn_plots;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

/// One of three plots is taken in, with a caption and a label, and referred to.
pub(super) struct InsertFigure;

impl DesktopScenario for InsertFigure {
    fn name(&self) -> &'static str {
        "insert-figure"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let second = other_place(rng, &[before.place]);
        let third = other_place(rng, &[before.place, second]);
        let mut places = [before.place, second, third];
        rng.shuffle(&mut places);
        let wanted = places[1];
        let files = drawn_plots(places, rng);
        let at = 1 + rng.below(3);
        let count = rng.between(31, 98);
        let open = format!("Figure XX shows the {count} days at {wanted} that were complete.");
        before.sections[at].lines.insert(1, open.clone());
        let label = format!("fig:{}", wanted.to_lowercase());
        let caption = format!("The {} at {wanted} on {count} days", before.topic.quantity);
        let tenths = rng.between(4, 8);
        let mut after = before.clone();
        after.packages.push("graphicx");
        after.sections[at].lines[1] = open.replace("XX", &format!("\\ref{{{label}}}"));
        after.sections[at].lines.extend([
            "\\begin{figure}".to_owned(),
            format!("\\includegraphics[width=0.{tenths}\\textwidth]{{figures/{}}}", wanted.to_lowercase()),
            format!("\\caption{{{caption}}}"),
            format!("\\label{{{label}}}"),
            "\\end{figure}".to_owned(),
        ]);
        let section = before.sections[at].title.clone();
        let asked = json!({
            "place": wanted, "section": section, "width": format!("0.{tenths}"), "caption": caption, "label": label,
        });
        let project = PaperProject::new(before.source(), after.source(), files);
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked, "open": open })),
            expected: json!({
                "figures": [{
                    "caption": caption, "label": label, "section": format!("section: {section}"),
                    "graphic": format!("figures/{}", wanted.to_lowercase()),
                    "width": format!("0.{tenths}\\textwidth"),
                }],
                "references": [label],
            }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        let open = plan["solution"]["open"].as_str().unwrap_or_default();
        let reference = format!("\\ref{{{}}}", asked("label"));
        let mut editing = SourceEditing::new(main_source(plan)?);
        editing.add_below("\\documentclass", "\\usepackage{graphicx}")?;
        let number = if wrong_way == Some("number-typed") { "1" } else { reference.as_str() };
        let (caption, label) = (format!("\\caption{{{}}}", asked("caption")), format!("\\label{{{}}}", asked("label")));
        let named = if wrong_way == Some("label-first") { [label, caption] } else { [caption, label] };
        editing.replace(open, &open.replace("XX", number))?;
        let figure = format!(
            "\\begin{{figure}}[ht]\n\\centering\n\\includegraphics[width={}\\linewidth]{{figures/{}.pdf}}\n{}\n\\end{{figure}}",
            asked("width"),
            asked("place").to_lowercase(),
            named.join("\n"),
        );
        editing.add_below(&open.replace("XX", number), &figure)?;
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["number-typed", "label-first"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("another width", "\\linewidth]", "\\linewidth,height=1cm,width=0.35\\linewidth]"),
                        ("a figure that is commented out", "\\includegraphics", "%\\includegraphics"),
                        ("a caption without its last word", " days}", "}"),
                        ("a plot of its own", "\\end{figure}", "\\end{figure}\\begin{figure}\\caption{A}\\end{figure}"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a figure without an ending", ".pdf}", "}"),
                        ("another place on the page", "[ht]", "[b]"),
                        ("the width of the text", "\\linewidth", " \\textwidth"),
                        ("nothing to centre it", "\\centering\n", ""),
                    ],
                ),
            },
        )
    }
}
