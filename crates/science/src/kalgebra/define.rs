//! A variable with a value that has to be computed.

use quintain_core::Rng;
use quintain_desktop::{PlannedStep, PreparedScenario, Scenario};
use serde_json::{Value, json};

use crate::parameters::{Parameters, text, whole};

/// A variable is to have a value.
pub(super) struct DefineValue;

impl Scenario for DefineValue {
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
