//! Variables, functions and matrices that are to be defined.

use quintain_core::Rng;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::steps;
use crate::parameters::{Parameters, square, text, whole};

/// A variable is to have a value.
pub(super) struct DefineValue;

impl DesktopScenario for DefineValue {
    fn name(&self) -> &'static str {
        "define-value"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let name = text(parameters, "name")?;
        let base = whole(parameters, "base", 2..=30)?;
        let power = whole(parameters, "power", 2..=5)?;
        let less = whole(parameters, "less", 1..=999)?;
        let value = base.pow(power as u32) - less;
        Ok(PreparedScenario {
            plan: json!({ "name": name, "base": base, "power": power, "less": less }),
            expected: json!({ "variables": {
                "fields": { name: value },
                "types": { name: { "type": "number", "tolerance": 0.001 } },
            } }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let name = plan["name"].as_str().ok_or("no name")?;
        let line = match wrong_way {
            // Computing is not defining.
            Some("computed-only") => format!("{}^{}-{}\n", plan["base"], plan["power"], plan["less"]),
            _ => format!("{name}:={}^{}-{}\n", plan["base"], plan["power"], plan["less"]),
        };
        Ok(vec![PlannedStep::Await("page tab/Calculator".to_owned()), PlannedStep::text(line)])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["computed-only"]
    }
}

/// A function is to be defined.
pub(super) struct DefineFunction;

/// Two matrices and their product are to be defined.
pub(super) struct DefineProduct;

impl DesktopScenario for DefineFunction {
    fn name(&self) -> &'static str {
        "define-function"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let name = text(parameters, "name")?;
        let cubic = whole(parameters, "cubic", 2..=19)?;
        let square = whole(parameters, "square", 2..=29)?;
        let plain = whole(parameters, "plain", 1..=99)?;
        Ok(PreparedScenario {
            plan: json!({ "name": name, "cubic": cubic, "square": square, "plain": plain }),
            expected: json!({ "definitions": { name: format!("x->{cubic}*x^3-{square}*x^2+{plain}") } }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let name = plan["name"].as_str().ok_or("no name")?;
        let (cubic, square, added) = (&plan["cubic"], &plan["square"], &plan["plain"]);
        let line = match wrong_way {
            // A factor right before a name is raised to the power too.
            Some("implied-product") => format!("{name}:=t->{cubic}t^3-{square}t^2+{added}"),
            Some("no-argument") => format!("{name}:={cubic}*x^3-{square}*x^2+{added}"),
            _ => format!("{name}:=t->{added}+t^2*({cubic}*t-{square})"),
        };
        Ok(steps::console(&[line]))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["implied-product", "no-argument"]
    }
}

fn written_matrix(rows: &[Vec<i64>]) -> String {
    let row = |row: &Vec<i64>| {
        let numbers: Vec<String> = row.iter().map(ToString::to_string).collect();
        format!("matrixrow {{ {} }}", numbers.join(", "))
    };
    format!("matrix {{ {} }}", rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

impl DesktopScenario for DefineProduct {
    fn name(&self) -> &'static str {
        "define-product"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let (left, right) = (square(parameters, "left")?, square(parameters, "right")?);
        let cell = |row: usize, column: usize| (0..3).map(|idx| left[row][idx] * right[idx][column]).sum();
        let product: Vec<Vec<i64>> = (0..3).map(|row| (0..3).map(|column| cell(row, column)).collect()).collect();
        let definitions =
            json!({ "a": written_matrix(&left), "b": written_matrix(&right), "p": written_matrix(&product) });
        Ok(PreparedScenario {
            plan: json!({ "left": written_matrix(&left), "right": written_matrix(&right) }),
            expected: json!({ "definitions": definitions }),
            words: [("left_rows".to_owned(), json!(left)), ("right_rows".to_owned(), json!(right))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let written = |name: &str| plan[name].as_str().unwrap_or_default().to_owned();
        let product = if wrong_way == Some("other-order") { "p:=b*a" } else { "p:=a*b" };
        let lines = [format!("a:={}", written("left")), format!("b:={}", written("right")), product.to_owned()];
        Ok(steps::console(&lines))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["other-order"]
    }
}
