//! Values that are asked for: computed once, or by going on until it is good enough.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::steps;
use crate::parameters::{Parameters, whole};

/// The value of an expression with a root, a logarithm and a sine.
pub(super) struct AnswerExpression;

/// The slope of a polynomial somewhere.
pub(super) struct AnswerSlope;

/// A number of a sequence in which each follows from the one before.
pub(super) struct AnswerRecurrence;

/// Where an equation holds that cannot be solved by rearranging it.
pub(super) struct AnswerRoot;

fn answer(value: Value) -> PlannedStep {
    PlannedStep::Act(Action::Answer { value })
}

fn planned(plan: &Value, name: &str) -> Result<f64, String> {
    plan[name].as_f64().ok_or_else(|| format!("no `{name}`"))
}

fn rounded(number: f64, n_decimals: i32) -> f64 {
    let times = 10f64.powi(n_decimals);
    (number * times).round() / times
}

impl DesktopScenario for AnswerExpression {
    fn name(&self) -> &'static str {
        "answer-expression"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let cube = whole(parameters, "cube", 2..=99)?;
        let logarithm = whole(parameters, "logarithm", 2..=99)?;
        let angle = whole(parameters, "angle", 1..=29)?;
        let value = (cube as f64).cbrt() * (logarithm as f64).ln() + (angle as f64).sin();
        Ok(PreparedScenario {
            plan: json!({ "cube": cube, "logarithm": logarithm, "angle": angle }),
            expected: json!({ "value": rounded(value, 4) }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (cube, logarithm, angle) = (planned(plan, "cube")?, planned(plan, "logarithm")?, planned(plan, "angle")?);
        let name = if wrong_way == Some("base-ten") { "log" } else { "ln" };
        let taken = if wrong_way == Some("base-ten") { logarithm.log10() } else { logarithm.ln() };
        let angle_taken = if wrong_way == Some("degrees") { angle.to_radians() } else { angle };
        let mut steps = steps::console(&[format!("root({cube},3)*{name}({logarithm})+sin({angle})")]);
        let value = cube.powf(1.0 / 3.0) * taken + angle_taken.sin();
        steps.push(answer(json!({ "value": rounded(value, 4) })));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["base-ten", "degrees"]
    }
}

impl DesktopScenario for AnswerSlope {
    fn name(&self) -> &'static str {
        "answer-slope"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let cubic = whole(parameters, "cubic", 2..=49)?;
        let square = whole(parameters, "square", 2..=99)?;
        let linear = whole(parameters, "linear", 2..=9999)?;
        let at = whole(parameters, "at", 2..=12)?;
        let slope = 3 * cubic * at * at - 2 * square * at + linear;
        Ok(PreparedScenario {
            plan: json!({ "cubic": cubic, "square": square, "linear": linear, "at": at }),
            expected: json!({ "slope": slope }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (cubic, square, linear, at) =
            (planned(plan, "cubic")?, planned(plan, "square")?, planned(plan, "linear")?, planned(plan, "at")?);
        let height = |x: f64| ((cubic * x - square) * x + linear) * x;
        let mut steps = steps::console(&[format!("(diff({cubic}*x^3-{square}*x^2+{linear}*x:x))({at})")]);
        let step = 0.125;
        // Differences of a cubic over two distances give its slope without an error.
        let over = |step: f64| (height(at + step) - height(at - step)) / (2.0 * step);
        let slope = (4.0 * over(step) - over(2.0 * step)) / 3.0;
        let told = if wrong_way == Some("height") { height(at) } else { slope };
        steps.push(answer(json!({ "slope": rounded(told, 6) })));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["height"]
    }
}

impl DesktopScenario for AnswerRecurrence {
    fn name(&self) -> &'static str {
        "answer-recurrence"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let first = whole(parameters, "first", 11..=99)?;
        let factor = whole(parameters, "factor", 2..=4)?;
        let less = whole(parameters, "less", 1..=10)?;
        let number = whole(parameters, "number", 8..=14)?;
        let last = (1..number).fold(first, |so_far, _| factor * so_far - less);
        Ok(PreparedScenario {
            plan: json!({ "first": first, "factor": factor, "less": less, "number": number }),
            expected: json!({ "term": last }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (first, factor, less, number) =
            (planned(plan, "first")?, planned(plan, "factor")?, planned(plan, "less")?, planned(plan, "number")?);
        let mut steps = steps::console(&[
            format!("u:=n->piecewise{{n<2 ? {first}, ? {factor}*u(n-1)-{less}}}"),
            format!("u({number})"),
        ]);
        let n_times = if wrong_way == Some("once-more") { number } else { number - 1.0 };
        // What stays the same when it is multiplied and lessened is grown away from.
        let rest = less / (factor - 1.0);
        let term = (first - rest) * factor.powf(n_times) + rest;
        steps.push(answer(json!({ "term": term.round() as i64 })));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["once-more"]
    }
}

impl DesktopScenario for AnswerRoot {
    fn name(&self) -> &'static str {
        "answer-root"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let factor = whole(parameters, "factor", 11..=99)? as f64 / 10.0;
        let total = whole(parameters, "total", 31..=299)? as f64 / 10.0;
        let (mut low, mut high) = (1e-9, total + 40.0);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if middle + factor * middle.ln() < total {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(PreparedScenario {
            plan: json!({ "factor": factor, "total": total }),
            expected: json!({ "x": rounded(low, 5) }),
            words: [("factor_shown".to_owned(), json!(factor)), ("total_shown".to_owned(), json!(total))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (factor, total) = (planned(plan, "factor")?, planned(plan, "total")?);
        let (mut lines, mut x) = (vec![format!("f:=x->x+{factor}*ln(x)-{total}")], 2.0f64);
        for round in 0..30 {
            if round < 4 {
                lines.push(format!("f({x})"));
            }
            let next = x - (x + factor * x.ln() - total) / (1.0 + factor / x);
            x = if next > 0.0 { next } else { x / 2.0 };
        }
        let mut steps = steps::console(&lines);
        let n_decimals = if wrong_way == Some("coarse") { 1 } else { 5 };
        steps.push(answer(json!({ "x": rounded(x, n_decimals) })));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["coarse"]
    }
}
