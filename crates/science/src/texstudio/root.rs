//! The solution of an equation, told in a report.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::{CALGEBRA, shell_steps};
use super::project::PaperProject;
use super::rounding::is_clear;
use crate::parameters::Parameters;

/// The one solution of a cubic equation, and its slope there, go into a report.
pub(super) struct RootReport;

/// The solution of `x^3 + linear x = constant`, by Newton's method: it is positive, and the only one.
fn root(linear: f64, constant: f64) -> f64 {
    let step = |x: f64| x - (x.powi(3) + linear * x - constant) / (3.0 * x * x + linear);
    (0..200).fold(constant.cbrt() + 1.0, |x, _| step(x))
}

impl DesktopScenario for RootReport {
    fn name(&self) -> &'static str {
        "root-report"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 4);
        let (linear, constant, x, slope) = loop {
            let (linear, constant) = (rng.between(2, 60), rng.between(20, 999));
            let x = root(linear as f64, constant as f64);
            let slope = 3.0 * x * x + linear as f64;
            if is_clear(x, 4) && is_clear(slope, 2) {
                break (linear, constant, x, slope);
            }
        };
        before.sections[2].lines.push(format!(
            "The balance is reached where\n\\begin{{equation}}\n\\label{{eq:balance}}\nx^3 + {linear} x = {constant} .\n\\end{{equation}}\n\
             The only real solution is $x = ROOT$.\nThere the left side rises by SLOPE for each unit of $x$."
        ));
        let last = &mut before.sections[3].lines;
        last.push("By Equation (\\ref{eq:balance}) the threshold is ROOT.".to_owned());
        let source = before.source();
        let right = source.replace("ROOT", &format!("{x:.4}")).replace("SLOPE", &format!("{slope:.2}"));
        let project = PaperProject::new(source, right, [].into());
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "linear": linear, "constant": constant })),
            expected: json!({ "root": format!("{x:.4}"), "slope": format!("{slope:.2}") }),
            ..PreparedScenario::default()
        })
    }

    /// Has KAlgebra come closer and closer to it, on its command line.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (linear, constant) = (&plan["solution"]["linear"], &plan["solution"]["constant"]);
        let n_rounds = if wrong_way == Some("too-early") { 2 } else { 30 };
        let first_only = if wrong_way == Some("first-place-only") { "0,/ROOT/" } else { "" };
        let rounds = format!(
            "{{ echo 'closer:=x->x-(x^3+{linear}*x-{constant})/(3*x^2+{linear})'; echo 'closer(100)'; \
             for i in $(seq {n_rounds}); do echo 'closer(ans)'; done; echo '3*ans^2+{linear}'; }} | {CALGEBRA} | tail -n 2 > found"
        );
        let filled = format!(
            "awk 'NR==1 {{ printf \"{first_only}s/ROOT/%.4f/\\n\", $1 }} NR==2 {{ printf \"s/SLOPE/%.2f/\\n\", $1 }}' found > root.sed \
             && sed -i -f root.sed paper.tex && rm found root.sed"
        );
        Ok(shell_steps(&[rounds, filled]))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["too-early", "first-place-only"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("a solution left open", "the threshold is ", "the threshold is ROOT or "),
                        ("another digit", "$x = ", "$x = 1"),
                        ("a formula lost", "$x = ", "$y = "),
                    ],
                ),
                right: replaced(
                    left,
                    &[("a number as a formula", "rises by ", "rises by~"), ("room in a formula", "$x = ", "$x  =  ")],
                ),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_are_known() {
        assert!((root(2.0, 12.0) - 2.0).abs() < 1e-12);
        assert!((root(5.0, 1050.0) - 10.0).abs() < 1e-12);
    }
}
