//! The solution of an equation, told in a report.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{PlannedStep, PreparedScenario, DesktopScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing};
use super::editing::shell_steps;
use super::project::PaperProject;
use crate::parameters::Parameters;

/// How far from the middle between two displayed numbers a solution has to be.
const CLEARANCE: f64 = 0.02;

/// The one solution of a cubic equation, and its slope there, go into a report.
pub(super) struct RootReport;

/// The solution of `x^3 + linear x = constant`, by Newton's method: it is positive, and the only one.
fn root(linear: f64, constant: f64) -> f64 {
    let step = |x: f64| x - (x.powi(3) + linear * x - constant) / (3.0 * x * x + linear);
    (0..200).fold(constant.cbrt() + 1.0, |x, _| step(x))
}

fn is_clear(number: f64, decimals: i32) -> bool {
    ((number * 10_f64.powi(decimals)).fract() - 0.5).abs() > CLEARANCE
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

    /// Halves an interval, in a shell.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (linear, constant) = (&plan["solution"]["linear"], &plan["solution"]["constant"]);
        let n_halvings = if wrong_way == Some("too-early") { 8 } else { 100 };
        let first_only = if wrong_way == Some("first-place-only") { "0,/ROOT/" } else { "" };
        let line = format!(
            "awk 'BEGIN {{ a=0; b=100; for (i=0; i<{n_halvings}; i++) {{ m=(a+b)/2; if (m*m*m+{linear}*m<{constant}) a=m; else b=m }} \
             printf \"{first_only}s/ROOT/%.4f/\\ns/SLOPE/%.2f/\\n\", a, 3*a*a+{linear} }}' > root.sed && sed -i -f root.sed paper.tex && rm root.sed"
        );
        Ok(shell_steps(&[line]))
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
