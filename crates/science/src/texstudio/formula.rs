//! Formulas that are set, numbered and referred to.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::SourceEditing;
use super::project::{PaperProject, main_source};
use crate::parameters::Parameters;

/// A formula with a number is put into a paper, and referred to.
pub(super) struct AddFormula;

impl DesktopScenario for AddFormula {
    fn name(&self) -> &'static str {
        "add-formula"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let (factor, power, more) = (rng.between(3, 98), rng.between(3, 6), rng.between(11, 99));
        let letters = *rng.choose(&[("q", "p"), ("y", "x"), ("h", "t"), ("v", "r"), ("m", "d")]);
        let (result, variable) = letters;
        let at = 1 + rng.below(3);
        let open = "Every reading was corrected by Equation (XX).";
        before.sections[at].lines.push(open.to_owned());
        let label = format!("eq:{}", ["correction", "model", "scale"][rng.below(3)]);
        let set = format!("{result}={factor}{variable}^{power}+\\frac{{{variable}}}{{{more}}}");
        let mut after = before.clone();
        after.sections[at].lines.pop();
        after.sections[at].lines.push(format!(
            "{}\n\\begin{{equation}}\\label{{{label}}}\n{set}\n\\end{{equation}}",
            open.replace("XX", &format!("\\ref{{{label}}}"))
        ));
        let asked = json!({
            "section": before.sections[at].title, "label": label, "result": result, "variable": variable,
            "factor": factor, "power": power, "more": more,
        });
        let project = PaperProject::new(before.source(), after.source(), [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked, "open": open })),
            expected: json!({ "formulas": [{ "label": label, "formula": set }], "references": [label] }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| match &plan["solution"]["asked"][name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let open = plan["solution"]["open"].as_str().unwrap_or_default();
        let variable = asked("variable");
        let fraction = if wrong_way == Some("slash") {
            format!("{variable}/{}", asked("more"))
        } else {
            format!("\\frac{{{variable}}}{{{}}}", asked("more"))
        };
        let formula =
            format!("{} = {} {variable}^{{{}}} + {fraction}", asked("result"), asked("factor"), asked("power"));
        let environment = if wrong_way == Some("not-numbered") { "displaymath" } else { "equation" };
        let mut editing = SourceEditing::new(main_source(plan)?);
        let referred = open.replace("XX", &format!("\\ref{{{}}}", asked("label")));
        editing.replace(
            open,
            &format!(
                "{referred}\n\\begin{{{environment}}}\n{formula}\n\\label{{{}}}\n\\end{{{environment}}}",
                asked("label")
            ),
        )?;
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["slash", "not-numbered"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("another sign", " + \\frac", " - \\frac"),
                        ("an index in place of a power", "^{", "_{"),
                        ("a number that was typed", "(\\ref{eq:", "(1)% \\ref{eq:"),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("room in the formula", " + \\frac", "\\, + \\; \\frac"),
                        ("a formula on one line", "{equation}\n", "{equation} "),
                    ],
                ),
            },
        )
    }
}
