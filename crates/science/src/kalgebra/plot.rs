//! Functions that are to be drawn.

use quintain_core::Rng;
use quintain_desktop::{PlannedStep, PreparedScenario, Scenario};
use serde_json::{Value, json};

use crate::parameters::{Parameters, whole};

/// Two functions are to be drawn, and nothing else.
pub(super) struct PlotFunctions;

impl Scenario for PlotFunctions {
    fn name(&self) -> &'static str {
        "plot-functions"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let factor = whole(parameters, "factor", 2..=9)?;
        let shift = whole(parameters, "shift", 1..=9)?;
        let formulas = [format!("sin({factor}*x)"), format!("x^2-{shift}")];
        Ok(PreparedScenario {
            plan: json!({ "typed": formulas }),
            expected: json!({ "formulas": formulas }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let typed = plan["typed"].as_array().ok_or("nothing is typed")?;
        let n_typed = if wrong_way == Some("first-only") { 1 } else { typed.len() };
        let mut steps = vec![PlannedStep::Click("page tab/2D Graph".to_owned())];
        for formula in typed.iter().take(n_typed) {
            steps.push(PlannedStep::Click("page tab/Add".to_owned()));
            steps.push(PlannedStep::text(format!("{}\n", formula.as_str().unwrap_or_default())));
        }
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["first-only"]
    }
}
