//! Curves that are to be drawn.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::steps;
use crate::parameters::{Parameters, text, whole};

/// Two functions are to be drawn, and nothing else.
pub(super) struct PlotFunctions;

/// A circle is to be drawn by its equation.
pub(super) struct PlotCircle;

/// An ellipse is to be drawn as the path of a point.
pub(super) struct PlotEllipse;

/// A function is to be drawn whose height is a variable of the calculator's.
pub(super) struct PlotWithVariable;

/// Three functions are to be in the list, and one of them hidden.
pub(super) struct HideOne;

/// Where two curves meet is to be read off.
pub(super) struct AnswerCrossing;

/// A function and a line that touches it are to be drawn.
pub(super) struct PlotTangent;

/// What is typed and what is right in the end, where nothing else is asked for.
fn drawing(typed: &Value, formulas: &Value) -> PreparedScenario {
    let (plan, expected) = (json!({ "typed": typed }), json!({ "formulas": formulas }));
    PreparedScenario { plan, expected, ..PreparedScenario::default() }
}

/// What is typed in a way.
fn typed(plan: &Value, way: &str) -> Result<Vec<String>, String> {
    serde_json::from_value(plan["typed"][way].clone()).map_err(|error| format!("`{way}` is not typed: {error}"))
}

/// Whatever comes with its sign behind something else: `+3`, `-3`.
fn signed(number: i64) -> String {
    format!("{number:+}")
}

impl DesktopScenario for PlotFunctions {
    fn name(&self) -> &'static str {
        "plot-functions"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let factor = whole(parameters, "factor", 2..=99)?;
        let shift = whole(parameters, "shift", 1..=999)?;
        let right = [format!("sin(x*{factor})"), format!("x*x-{shift}")];
        let outside = [format!("{factor}*sin(x)"), format!("x^2-{shift}")];
        Ok(drawing(
            &json!({ "right": right, "first-only": [right[0]], "factor-outside": outside }),
            &json!([format!("sin({factor}*x)"), format!("x^2-{shift}")]),
        ))
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(steps::draw(&typed(plan, wrong_way.unwrap_or("right"))?))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["first-only", "factor-outside"]
    }
}

impl DesktopScenario for PlotCircle {
    fn name(&self) -> &'static str {
        "plot-circle"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let (x, y) = (whole(parameters, "x", -9..=9)?, whole(parameters, "y", -9..=9)?);
        let radius = whole(parameters, "tenths", 12..=99)? as f64 / 10.0;
        let squares = format!("(x{})^2+(y{})^2", signed(-x), signed(-y));
        let other_squares = format!("(x{})^2+(y{})^2", signed(x), signed(y));
        let mut prepared = drawing(
            &json!({
                "right": [format!("{squares}-{radius}^2=0")],
                "not-squared": [format!("{squares}={radius}")],
                "other-side": [format!("{other_squares}={radius}^2+{}", i32::from((x, y) == (0, 0)))],
            }),
            &json!([format!("{squares}={radius}^2")]),
        );
        prepared.words.insert("radius".to_owned(), json!(radius));
        Ok(prepared)
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(steps::draw(&typed(plan, wrong_way.unwrap_or("right"))?))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["not-squared", "other-side"]
    }
}

impl DesktopScenario for PlotEllipse {
    fn name(&self) -> &'static str {
        "plot-ellipse"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let (x, y) = (whole(parameters, "x", -9..=9)?, whole(parameters, "y", -9..=9)?);
        let (wide, high) = (whole(parameters, "wide", 2..=12)?, whole(parameters, "high", 2..=12)?);
        Ok(drawing(
            &json!({
                "right": [format!("t->vector{{{x}+cos(t)*{wide},sin(t)*{high}{}}}", signed(y))],
                "exchanged": [format!("t->vector{{{x}+{wide}*sin(t),{y}+{high}*cos(t)}}")],
                "implicit": [format!("(x{})^2/{wide}^2+(y{})^2/{high}^2=1", signed(-x), signed(-y))],
            }),
            &json!([format!("t->vector {{ {x}+{wide}*cos(t), {y}+{high}*sin(t) }}")]),
        ))
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(steps::draw(&typed(plan, wrong_way.unwrap_or("right"))?))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["exchanged", "implicit"]
    }
}

impl DesktopScenario for PlotWithVariable {
    fn name(&self) -> &'static str {
        "plot-with-variable"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let name = text(parameters, "name")?;
        let value = whole(parameters, "tenths", 11..=99)? as f64 / 10.0;
        let (factor, raised) = (whole(parameters, "factor", 2..=9)?, whole(parameters, "raised", 1..=9)?);
        Ok(PreparedScenario {
            plan: json!({
                "defined": format!("{name}:={value}"),
                "typed": {
                    "right": [format!("{raised}+{name}*cos(x*{factor})")],
                    "number-instead": [format!("{value}*cos({factor}*x)+{raised}")],
                },
            }),
            expected: json!({
                "formulas": [format!("{name}*cos({factor}*x)+{raised}")],
                "definitions": { name: value },
            }),
            words: [("value".to_owned(), json!(value))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut steps = steps::console(&[plan["defined"].as_str().unwrap_or_default()]);
        steps.extend(steps::draw(&typed(plan, wrong_way.unwrap_or("right"))?));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["number-instead"]
    }
}

impl DesktopScenario for HideOne {
    fn name(&self) -> &'static str {
        "hide-one"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let square = whole(parameters, "square", 2..=30)?;
        let slope = whole(parameters, "slope", 2..=30)?;
        let height = whole(parameters, "height", 2..=30)?;
        let all = [format!("x^2-{square}"), format!("{slope}*x"), format!("{height}*sin(x)")];
        Ok(PreparedScenario {
            plan: json!({ "typed": { "right": all } }),
            expected: json!({ "listed": all, "drawn": [all[0], all[2]] }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut steps = steps::draw(&typed(plan, "right")?);
        let which = match wrong_way {
            Some("nothing-hidden") => return Ok(steps),
            Some("other-hidden") => "table cell/f2",
            _ => "table cell/f1",
        };
        steps.push(PlannedStep::Click("page tab/List".to_owned()));
        steps.push(PlannedStep::Click(which.to_owned()));
        let key = if wrong_way == Some("removed") { "Delete" } else { "Space" };
        steps.push(PlannedStep::keys([key]));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["nothing-hidden", "other-hidden", "removed"]
    }
}

/// How often an interval is halved: more than a number has digits.
const N_HALVINGS: u32 = 100;

impl DesktopScenario for AnswerCrossing {
    fn name(&self) -> &'static str {
        "answer-crossing"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let part = whole(parameters, "part", 5..=40)?;
        let down = whole(parameters, "down", 1..=6)?;
        let height = whole(parameters, "tenths", 21..=98)? as f64 / 10.0;
        let gap = |x: f64| x.powi(3) / part as f64 + x - (height - down as f64 * x);
        let (mut low, mut high) = (0.0, 20.0);
        for _ in 0..N_HALVINGS {
            let middle = f64::midpoint(low, high);
            if gap(middle) < 0.0 { low = middle } else { high = middle }
        }
        let curves = [format!("x^3/{part}+x"), format!("{height}-{down}*x")];
        Ok(PreparedScenario {
            plan: json!({ "typed": { "right": curves }, "part": part, "down": down, "height": height }),
            expected: json!({ "formulas": curves, "x": low, "y": height - down as f64 * low }),
            words: [("line_height".to_owned(), json!(height))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let number = |name: &str| plan[name].as_f64().ok_or_else(|| format!("no `{name}`"));
        let (part, down, height) = (number("part")?, number("down")?, number("height")?);
        let mut steps = if wrong_way == Some("not-drawn") { Vec::new() } else { steps::draw(&typed(plan, "right")?) };
        let mut x = 1.0f64;
        for _ in 0..60 {
            x -= (x.powi(3) / part + (1.0 + down) * x - height) / (3.0 * x * x / part + 1.0 + down);
        }
        let rounded = |number: f64| (number * 100.0).round() / 100.0;
        let x = if wrong_way == Some("axis") { height / down } else { x };
        let value = json!({ "x": rounded(x), "y": rounded(height - down * x) });
        steps.push(PlannedStep::Act(Action::Answer { value }));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["not-drawn", "axis"]
    }
}

impl DesktopScenario for PlotTangent {
    fn name(&self) -> &'static str {
        "plot-tangent"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let cubic = whole(parameters, "cubic", 2..=15)?;
        let linear = whole(parameters, "linear", 1..=40)?;
        let at = whole(parameters, "at", -9..=9)?;
        if at == 0 {
            return Err("at 0 the curve and its slope say too little".to_owned());
        }
        let curve = format!("{cubic}*x^3-{linear}*x");
        let slope = 3 * cubic * at * at - linear;
        let height = cubic * at.pow(3) - linear * at;
        let touching = format!("({curve_slope})*(x{})", signed(-at), curve_slope = slope);
        let typed_slope = format!("(diff({curve}:x))({at})");
        Ok(drawing(
            &json!({
                "right": [curve, format!("y={typed_slope}*(x{})+({height})", signed(-at))],
                "through-origin": [curve, format!("{slope}*x")],
                "parallel": [curve, touching],
            }),
            &json!([curve, format!("{slope}*x{}", signed(height - slope * at))]),
        ))
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(steps::draw(&typed(plan, wrong_way.unwrap_or("right"))?))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["through-origin", "parallel"]
    }
}
