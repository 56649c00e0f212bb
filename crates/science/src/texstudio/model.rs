//! A function of a KAlgebra script, tabulated in a report.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual, without_pdf};
use super::draft::{PaperDraft, drawing};
use super::editing::{BUILD, CALGEBRA, shell_steps, table_of_rows};
use super::project::{FOLDER, PaperProject};
use super::rounding::is_clear;
use crate::parameters::Parameters;

/// How many values are tabulated.
const N_ROWS: i64 = 6;
const HEADING: [&str; 2] = ["Dose", "Gain"];

/// Values of a function that a KAlgebra script defines go into a table, and their sum into a sentence.
pub(super) struct ModelReport;

/// A gain that rises and falls, less a toll on what is above a limit.
struct GainModel {
    height: i64,
    decay: i64,
    limit: i64,
    toll: i64,
}

impl GainModel {
    fn drawn(rng: &mut Rng) -> Self {
        Self {
            height: rng.between(21, 89),
            decay: rng.between(4, 12),
            limit: rng.between(6, 12),
            toll: rng.between(2, 5),
        }
    }

    /// As KAlgebra reads it.
    fn script(&self) -> String {
        let Self { height, decay, limit, toll } = self;
        format!(
            "height:={height}\ndecay:={decay}\nlimit:={limit}\n\
             loss:=d->piecewise{{ d>limit ? {toll}*(d-limit), ? 0 }}\ngain:=d->height*d*exp(-d/decay)-loss(d)\n"
        )
    }

    fn gain(&self, dose: i64) -> f64 {
        let dose = dose as f64;
        let above = (dose - self.limit as f64).max(0.0);
        self.height as f64 * dose * (-dose / self.decay as f64).exp() - self.toll as f64 * above
    }
}

/// A model, the first dose and the step between doses: none of their gains is rounded one way by some and another by others.
fn drawn(rng: &mut Rng) -> (GainModel, Vec<i64>) {
    loop {
        let model = GainModel::drawn(rng);
        let (first, step) = (rng.between(1, 3), rng.between(2, 3));
        let doses: Vec<i64> = (0..N_ROWS).map(|idx| first + step * idx).collect();
        let gains: Vec<f64> = doses.iter().map(|dose| model.gain(*dose)).collect();
        let is_good = |gain: &f64| *gain > 1.0 && is_clear(*gain, 3);
        let has_loss = doses.iter().any(|dose| *dose > model.limit);
        if has_loss && gains.iter().all(is_good) && is_clear(gains.iter().sum(), 2) {
            return (model, doses);
        }
    }
}

impl DesktopScenario for ModelReport {
    fn name(&self) -> &'static str {
        "model-report"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let (model, doses) = drawn(rng);
        let mut rows = vec![HEADING.map(str::to_owned)];
        rows.extend(doses.iter().map(|dose| [dose.to_string(), format!("{:.3}", model.gain(*dose))]));
        let sum: f64 = doses.iter().map(|dose| model.gain(*dose)).sum();
        let at = 1 + rng.below(3);
        let caption = format!("The gain at {}", before.place);
        let label = format!("tab:{}", ["gain", "model", "doses"][rng.below(3)]);
        before.sections[at].lines.push("Table XX lists the gain by dose, which makes SUM in all.".to_owned());
        let mut after = before.clone();
        let lines = &mut after.sections[at].lines;
        if let Some(open) = lines.last_mut() {
            *open = open.replace("XX", &format!("\\ref{{{label}}}")).replace("SUM", &format!("{sum:.2}"));
        }
        lines.push(format!("\\begin{{table}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n\\begin{{tabular}}{{rr}}"));
        lines.extend(rows.iter().map(|row| format!("{} \\\\", row.join(" & "))));
        lines.push("\\end{tabular}\n\\end{table}".to_owned());
        let section = before.sections[at].title.clone();
        let asked = json!({ "section": section, "caption": caption, "label": label, "doses": doses });
        let beside = BTreeMap::from([(format!("{FOLDER}/data/model.kal"), model.script())]);
        let project = PaperProject::new(before.source(), after.source(), beside);
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "asked": asked })),
            expected: json!({
                "tables": [{
                    "caption": caption, "label": label, "columns": "rr", "rows": rows,
                    "section": format!("section: {section}"),
                }],
                "references": [label],
            }),
            words: [("asked".to_owned(), asked)].into(),
        })
    }

    /// KAlgebra reads its script and works the values out, on its command line.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let asked = |name: &str| plan["solution"]["asked"][name].as_str().unwrap_or_default();
        let doses = plan["solution"]["asked"]["doses"].as_array().into_iter().flatten();
        let doses = doses.map(Value::to_string).collect::<Vec<_>>().join(" ");
        // The gain without what is lost of it.
        let script =
            if wrong_way == Some("no-loss") { "sed 's/-loss(d)//' data/model.kal" } else { "cat data/model.kal" };
        let gains = format!(
            "{{ {script}; for d in {doses}; do echo \"gain($d)\"; done; }} | {CALGEBRA} | tail -n {N_ROWS} > gains"
        );
        let rows = format!(
            "printf '%s\\n' {doses} | paste -d' ' - gains | awk '{{ printf \"%s & %.3f \\\\\\\\\\n\", $1, $2 }}' > rows"
        );
        let n_summed = if wrong_way == Some("last-forgotten") { N_ROWS - 1 } else { N_ROWS };
        let sum = format!("awk 'NR<={n_summed} {{ s+=$1 }} END {{ printf \"s/SUM/%.2f/\\n\", s }}' gains > sum.sed");
        let table = table_of_rows(asked("caption"), asked("label"), "rr", &HEADING.join(" & "));
        let placed = format!(
            "sed -i -f sum.sed -e 's/Table XX/Table~\\\\ref{{{}}}/' -e '/lists the gain/r table' paper.tex \
             && rm gains rows table sum.sed",
            asked("label")
        );
        Ok(shell_steps(&[gains, rows, sum, table, placed, BUILD.to_owned()]))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["no-loss", "last-forgotten"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: [
                    without_pdf(left),
                    replaced(
                        left,
                        &[
                            ("another heading", "Dose &", "Dosis &"),
                            ("columns that are aligned otherwise", "{rr}", "{lr}"),
                            ("a row too many", "Dose & Gain \\\\", "Dose & Gain \\\\\n0 & 0.000 \\\\"),
                            ("a sum left open", "which makes ", "which makes SUM or "),
                            ("another label", "\\label{tab:", "\\label{tab:x"),
                        ],
                    ),
                ]
                .concat(),
                right: replaced(
                    left,
                    &[
                        ("lines between the columns", "{rr}", "{|r|r|}"),
                        ("a heading in bold type", "Dose &", "\\textbf{Dose} &"),
                        ("no rules", "\\hline\n", ""),
                        ("a blank that does not break", "which makes ", "which makes~"),
                    ],
                ),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_below_and_above_the_limit() {
        let model = GainModel { height: 40, decay: 5, limit: 6, toll: 3 };
        // 40 · 5 / e, and 40 · 10 / e² less 3 · 4, by another calculator.
        assert_eq!(format!("{:.3} {:.3}", model.gain(5), model.gain(10)), "73.576 42.134");
    }
}
