//! What KAlgebra cannot do.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::steps;
use crate::parameters::{Parameters, square, whole};

/// KAlgebra is to find an antiderivative: it differentiates, and does not integrate.
pub(super) struct FindAntiderivative;

/// KAlgebra is to work out a determinant by itself: it has no operation for it.
pub(super) struct FindDeterminant;

fn give_up(mut steps: Vec<PlannedStep>, reason: &str) -> Vec<PlannedStep> {
    steps.push(PlannedStep::Act(Action::GiveUp { reason: reason.to_owned() }));
    steps
}

impl DesktopScenario for FindAntiderivative {
    fn name(&self) -> &'static str {
        "find-antiderivative"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let factor = whole(parameters, "factor", 2..=99)?;
        let power = whole(parameters, "power", 2..=9)?;
        let inner = whole(parameters, "inner", 2..=99)?;
        let integrand = format!("{factor}*x^{power}+cos({inner}*x)");
        let found = format!("x->{factor}/{}*x^{}+sin({inner}*x)/{inner}", power + 1, power + 1);
        Ok(PreparedScenario {
            plan: json!({ "integrand": integrand, "by_hand": found }),
            expected: json!({ "definitions": { "prim": found } }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let written = |name: &str| plan[name].as_str().unwrap_or_default().to_owned();
        if wrong_way == Some("by-hand") {
            return Ok(steps::console(&[format!("prim:={}", written("by_hand"))]));
        }
        let tried = steps::console(&[format!("int({}:x)", written("integrand"))]);
        Ok(give_up(tried, "KAlgebra has no integration"))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["by-hand"]
    }
}

impl DesktopScenario for FindDeterminant {
    fn name(&self) -> &'static str {
        "find-determinant"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let rows = square(parameters, "cells")?;
        let minor = |a: usize, b: usize| rows[1][a] * rows[2][b] - rows[1][b] * rows[2][a];
        let determinant = rows[0][0] * minor(1, 2) - rows[0][1] * minor(0, 2) + rows[0][2] * minor(0, 1);
        let row = |row: &Vec<i64>| format!("matrixrow{{{},{},{}}}", row[0], row[1], row[2]);
        let matrix = format!("matrix{{{}}}", rows.iter().map(row).collect::<Vec<_>>().join(","));
        Ok(PreparedScenario {
            plan: json!({ "matrix": matrix, "by_hand": determinant }),
            expected: json!({ "definitions": { "m": matrix, "d": determinant } }),
            words: [("rows".to_owned(), json!(rows))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let matrix = format!("m:={}", plan["matrix"].as_str().unwrap_or_default());
        if wrong_way == Some("by-hand") {
            return Ok(steps::console(&[matrix, format!("d:={}", plan["by_hand"])]));
        }
        let tried = steps::console(&[matrix, "determinant(m)".to_owned()]);
        Ok(give_up(tried, "KAlgebra has no determinant"))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["by-hand"]
    }
}
