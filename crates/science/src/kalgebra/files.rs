//! Scripts and surfaces that are kept in files.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::steps;
use crate::parameters::{Parameters, whole};

/// A script is to be loaded, and something to be computed with it.
pub(super) struct LoadScript;

/// Definitions are to be saved as a script.
pub(super) struct SaveScript;

/// A surface is to be drawn and exported.
pub(super) struct ExportSurface;

/// A plane through three places is to be drawn and exported.
pub(super) struct ExportPlane;

/// Values of a function are to be computed on the command line and left as a table.
pub(super) struct TabulateValues;

/// The script that is there from the start.
const GIVEN: &str = "tariff.kal";

fn planned(plan: &Value, name: &str) -> Result<f64, String> {
    plan[name].as_f64().ok_or_else(|| format!("no `{name}`"))
}

impl DesktopScenario for LoadScript {
    fn name(&self) -> &'static str {
        "load-script"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let fee = whole(parameters, "fee", 101..=989)?;
        let rate = whole(parameters, "rate", 11..=89)?;
        let limit = whole(parameters, "limit", 20..=60)?;
        let (low, high) = (whole(parameters, "low", 3..=19)?, whole(parameters, "high", 65..=140)?);
        let script = format!(
            "fee:={fee}\nrate:={rate}\nlimit:={limit}\n\
             rebate:=n->piecewise{{n>limit ? (n-limit)*{}, ? 0}}\ntariff:=n->fee+rate*n-rebate(n)\n",
            rate / 4 + 1
        );
        let tariff = |n: i64| fee + rate * n - if n > limit { (n - limit) * (rate / 4 + 1) } else { 0 };
        Ok(PreparedScenario {
            plan: json!({ "files": { GIVEN: script }, "low": low, "high": high, "answer": [tariff(low), tariff(high)] }),
            expected: json!({
                "low": tariff(low),
                "high": tariff(high),
                "definitions": { "fee": fee, "rate": rate, "limit": limit },
            }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut steps = vec![PlannedStep::Await("page tab/Calculator".to_owned())];
        if wrong_way != Some("not-loaded") {
            steps.extend(steps::file(["Control", "l"], &format!("/work/{GIVEN}")));
            steps.push(PlannedStep::Await("table cell/tariff".to_owned()));
            steps.push(PlannedStep::text(format!("tariff({})\ntariff({})\n", plan["low"], plan["high"])));
        }
        let [low, high] = [&plan["answer"][0], &plan["answer"][1]];
        let (low, high) = if wrong_way == Some("exchanged") { (high, low) } else { (low, high) };
        steps.push(PlannedStep::Act(Action::Answer { value: json!({ "low": low, "high": high }) }));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["not-loaded", "exchanged"]
    }
}

impl DesktopScenario for SaveScript {
    fn name(&self) -> &'static str {
        "save-script"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let start = whole(parameters, "start", 11..=999)?;
        let rate = whole(parameters, "rate", 2..=19)?;
        let loss = whole(parameters, "loss", 2..=29)?;
        let stock = format!("n->start+{rate}*n");
        let rest = format!("(n,k)->stock(n)-{loss}*k^2");
        Ok(PreparedScenario {
            plan: json!({ "lines": [format!("start:={start}"), format!("stock:={stock}"), format!("rest:={rest}")] }),
            expected: json!({ "definitions": {
                "start": start,
                "stock": format!("n->{start}+{rate}*n"),
                "rest": format!("(n, k)->{start}+{rate}*n-{loss}*k^2"),
            } }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut lines: Vec<String> =
            serde_json::from_value(plan["lines"].clone()).map_err(|error| error.to_string())?;
        if wrong_way == Some("one-missing") {
            lines.pop();
        }
        let mut steps = steps::console(&lines);
        match wrong_way {
            Some("not-saved") => {}
            // The log is a page for people, not a script.
            Some("log-instead") => steps.extend(steps::file(["Control", "s"], "/work/stock.kal")),
            _ => steps.extend(steps::file(["Control", "g"], "/work/stock.kal")),
        }
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["not-saved", "log-instead", "one-missing"]
    }
}

/// Draws a surface and exports it.
fn export(formula: &str, path: &str) -> Vec<PlannedStep> {
    let mut steps = steps::draw_surface(formula);
    steps.extend(steps::file(["Control", "s"], path));
    steps
}

impl DesktopScenario for ExportSurface {
    fn name(&self) -> &'static str {
        "export-surface"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let up = whole(parameters, "up", 2..=20)?;
        let down = whole(parameters, "down", 2..=20)?;
        let raised = whole(parameters, "raised", 1..=40)?;
        Ok(PreparedScenario {
            plan: json!({
                "right": format!("x*x/{up}-y*y/{down}+{raised}"),
                "exchanged": format!("y^2/{up}-x^2/{down}+{raised}"),
            }),
            expected: json!({ "surface": format!("x^2/{up}-y^2/{down}+{raised}") }),
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let formula = |way: &str| plan[way].as_str().unwrap_or_default().to_owned();
        Ok(match wrong_way {
            Some("exchanged") => export(&formula("exchanged"), "/work/surface.x3d"),
            Some("picture") => export(&formula("right"), "/work/surface.png"),
            Some("drawn-only") => steps::draw_surface(&formula("right")),
            _ => export(&formula("right"), "/work/surface.x3d"),
        })
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["exchanged", "picture", "drawn-only"]
    }
}

/// Where the three places are that a plane is to go through.
const PLANE_PLACES: [(f64, f64); 3] = [(4.0, 8.0), (-8.0, 4.0), (8.0, -4.0)];

impl DesktopScenario for ExportPlane {
    fn name(&self) -> &'static str {
        "export-plane"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let quarters = |name: &str| whole(parameters, name, -19..=19).map(|number| number as f64 / 4.0);
        let (east, north) = (quarters("east")?, quarters("north")?);
        let middle = whole(parameters, "middle", 1..=40)? as f64;
        let places = PLANE_PLACES.map(|(x, y)| [x, y, east * x + north * y + middle]);
        Ok(PreparedScenario {
            plan: json!({ "places": places }),
            expected: json!({ "surface": format!("({east})*x+({north})*y+{middle}") }),
            words: [("places".to_owned(), json!(places))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let places: [[f64; 3]; 3] =
            serde_json::from_value(plan["places"].clone()).map_err(|error| error.to_string())?;
        let [first, second, third] = places;
        let less = |a: [f64; 3]| [a[0] - first[0], a[1] - first[1], a[2] - first[2]];
        let (u, v) = (less(second), less(third));
        // What stands upright on two edges of the triangle stands upright on the plane.
        let upright = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let (east, north) = (-upright[0] / upright[2], -upright[1] / upright[2]);
        let formula = match wrong_way {
            Some("through-middle") => format!("({east})*x+({north})*y"),
            _ => format!("({east})*(x-{})+({north})*(y-{})+({})", first[0], first[1], first[2]),
        };
        Ok(export(&formula, "/work/plane.x3d"))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["through-middle"]
    }
}

/// How many values are tabulated.
const N_ROWS: i64 = 8;

impl DesktopScenario for TabulateValues {
    fn name(&self) -> &'static str {
        "tabulate-values"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let height = whole(parameters, "height", 11..=99)?;
        let decay = whole(parameters, "decay", 3..=19)?;
        let first = whole(parameters, "first", 1..=9)?;
        let row = |idx: i64| {
            let x = first + 2 * idx;
            let value = height as f64 * (x as f64).sqrt() * (-(x as f64) / decay as f64).exp();
            json!({ "x": x, "value": (value * 10_000.0).round() / 10_000.0 })
        };
        let rows: Vec<Value> = (0..N_ROWS).map(row).collect();
        let number = |tolerance: f64| json!({ "type": "number", "tolerance": tolerance });
        Ok(PreparedScenario {
            plan: json!({ "height": height, "decay": decay, "first": first }),
            expected: json!({ "table": {
                "columns": { "x": number(0.0), "value": number(0.0001) }, "key": ["x"], "rows": rows,
            } }),
            words: [("last".to_owned(), json!(first + 2 * (N_ROWS - 1)))].into(),
        })
    }

    /// The command line of KAlgebra's computes; awk makes a table of what it says.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let (height, decay, first) = (planned(plan, "height")?, planned(plan, "decay")?, planned(plan, "first")?);
        let n_rows = if wrong_way == Some("one-short") { N_ROWS - 1 } else { N_ROWS };
        let last = first as i64 + 2 * (n_rows - 1);
        let exponent = if wrong_way == Some("growing") { "x" } else { "-x" };
        let command = format!(
            "( echo 'f:=x->{height}*root(x,2)*exp({exponent}/{decay})'; for x in $(seq {first} 2 {last}); do echo \"f($x)\"; done ) > in.txt\n\
             QT_QPA_PLATFORM=offscreen calgebra < in.txt 2>&1 | grep -E '^-?[0-9.]+(e[-+]?[0-9]+)?$' > out.txt\n\
             ( echo x,value; seq {first} 2 {last} | paste -d, - out.txt | awk -F, '{{printf \"%s,%.4f\\n\", $1, $2}}' ) > values.csv\n\
             rm in.txt out.txt; cat values.csv"
        );
        Ok(vec![PlannedStep::shell(command)])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["one-short", "growing"]
    }
}
