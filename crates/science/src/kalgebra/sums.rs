//! A sum that is asked for.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use crate::parameters::{Parameters, whole};

/// The sum of the powers of some numbers is the answer.
pub(super) struct AnswerSum;

impl DesktopScenario for AnswerSum {
    fn name(&self) -> &'static str {
        "answer-sum"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let first = whole(parameters, "first", 1..=50)?;
        let last = whole(parameters, "last", 51..=200)?;
        let power = whole(parameters, "power", 2..=3)?;
        let sum: i64 = (first..=last).map(|number| number.pow(power as u32)).sum();
        Ok(PreparedScenario {
            plan: json!({ "first": first, "last": last, "power": power, "sum": sum }),
            expected: json!({ "sum": sum }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let line = format!("sum(x^{}:x={}..{})\n", plan["power"], plan["first"], plan["last"]);
        let sum = plan["sum"].as_i64().ok_or("no sum")?;
        let sum = if wrong_way == Some("one-short") {
            let (last, power) = (plan["last"].as_i64().unwrap_or(0), plan["power"].as_i64().unwrap_or(2));
            sum - last.pow(power as u32)
        } else {
            sum
        };
        Ok(vec![
            PlannedStep::Await("page tab/Calculator".to_owned()),
            PlannedStep::text(line),
            PlannedStep::Act(Action::Answer { value: json!({ "sum": sum }) }),
        ])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["one-short"]
    }
}
