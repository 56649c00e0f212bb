//! The verifier `street-flooding`: takes the diameters out of the model that was left, puts them into our own, and has SWMM
//! run that through all storms of the family in a room of its own.

use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Map, Value, json};

use super::review::DesignReview;
use super::scheme::SewerScheme;
use super::storms::TriangularStorm;
use super::{MODEL, MOST_FLOODED_M3, NAME, ROUTING_CONTINUITY, RUNOFF_CONTINUITY, model, planned};

/// The largest model that is read, and the largest results.
const LARGEST: u64 = 4 << 20;
/// How long SWMM may take for all storms, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(5);
/// Runs models, and writes what they came to.
const RUN_SWMM: &str = include_str!("run_swmm.py");
const RESULTS: &str = "results.json";

/// What a storm came to: the flooded volume in m³, and the continuity errors of runoff and of routing in percent.
type StormRun = [f64; 3];

/// The kind `street-flooding`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StormTrials;

struct StormTrialsRun(String);

impl VerifierKind for StormTrials {
    fn kind(&self) -> &'static str {
        NAME
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{NAME}` has no option `{option}`")),
            None => Ok(Box::new(StormTrialsRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for StormTrialsRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let scheme = planned(&case.reference.start["plan"])?;
        let value = match reviewed(&scheme, case.files.get(MODEL)) {
            Ok(review) => json!({ "measures": measures(&scheme, review.diameters_mm)?, "parts": review.parts }),
            Err(problem) => complaints::problem(problem),
        };
        Ok(vec![(self.0.clone(), value)])
    }
}

fn reviewed(scheme: &SewerScheme, file: Option<&FileHandle>) -> Result<DesignReview, String> {
    let bytes = complaints::bytes_left(MODEL, file, LARGEST)?;
    DesignReview::of(scheme, &bytes).map_err(|why| complaints::faulty(MODEL, why))
}

/// What a design costs and what it does at its worst, over all storms.
fn measures(scheme: &SewerScheme, diameters_mm: Option<Vec<u32>>) -> Result<Value, String> {
    let Some(design) = diameters_mm else {
        return Ok(complaints::problem(complaints::faulty(MODEL, "a pipe has a diameter that it may not have")));
    };
    let storms = scheme.family.storms();
    let runs = simulated(scheme, &storms, &design)?;
    let mut measures = worst(&storms, &runs).ok_or("SWMM did not run every storm")?;
    if let Some(cost) = scheme.prices.cost(&scheme.network, &scheme.given_mm, &design) {
        measures.insert("cost".to_owned(), cost.into());
    }
    Ok(measures.into())
}

/// The largest flooded volume with its storm, how many storms flood, and the continuity errors that are farthest from zero.
/// Nothing if a storm was not run or came to no number: what is missing must not look dry.
fn worst(storms: &[TriangularStorm], runs: &[StormRun]) -> Option<Map<String, Value>> {
    if runs.len() != storms.len() || runs.iter().flatten().any(|value| !value.is_finite()) {
        return None;
    }
    let (storm, [flooded_m3, ..]) = storms.iter().zip(runs).max_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]))?;
    let farthest = |of: usize| runs.iter().map(|run| run[of]).max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let told = |value: f64| json!((value * 1000.0).round() / 1000.0);
    let n_flooding = runs.iter().filter(|[flooded_m3, ..]| *flooded_m3 > MOST_FLOODED_M3).count();
    let all = [
        ("worst storm.flooded_m3", told(*flooded_m3)),
        ("worst storm.duration_min", json!(storm.duration_min)),
        ("worst storm.peak_position", json!(storm.peak)),
        ("flooding_storms", json!(n_flooding)),
        (RUNOFF_CONTINUITY, told(farthest(1)?)),
        (ROUTING_CONTINUITY, told(farthest(2)?)),
    ];
    Some(all.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}

/// Runs our own model with these diameters through every storm.
fn simulated(scheme: &SewerScheme, storms: &[TriangularStorm], design: &[u32]) -> Result<Vec<StormRun>, String> {
    let mut room = VerifierRoom::open()?;
    room.put("run_swmm.py", RUN_SWMM.as_bytes())?;
    let names: Vec<String> = (1..=storms.len()).map(|number| format!("{number}.inp")).collect();
    for (name, storm) in names.iter().zip(storms) {
        room.put(name, model::written(&scheme.network, design, storm).as_bytes())?;
    }
    let command = ["python3", "-I", "run_swmm.py", RESULTS].into_iter().chain(names.iter().map(String::as_str));
    let report = room.run(&command.collect::<Vec<_>>(), WITHIN)?;
    if !report.succeeded {
        let last = report.errors.lines().last().unwrap_or_default();
        return Err(format!("SWMM does not run: {}", last.chars().take(300).collect::<String>()));
    }
    let results = room.get(RESULTS, LARGEST)?.ok_or("SWMM left no results")?;
    serde_json::from_slice(&results).map_err(|error| format!("what SWMM left is no table: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_all_storms_is_told() {
        let storm = |duration_min| TriangularStorm { duration_min, depth_mm: 20.0, peak: 0.5 };
        let storms = [storm(20), storm(30), storm(45)];
        let told = |runs: &[StormRun]| worst(&storms, runs).map_or(Value::Null, Value::Object);
        let expected = json!({
            "worst storm.flooded_m3": 3.25, "worst storm.duration_min": 30, "worst storm.peak_position": 0.5,
            "flooding_storms": 2, "runoff_continuity_percent": -0.4, "routing_continuity_percent": 0.2,
        });
        assert_eq!(told(&[[1.5, 0.1, 0.2], [3.25, -0.4, 0.0], [0.0, 0.2, -0.1]]), expected);
        assert_eq!(told(&[[0.0, 0.1, 0.2], [0.0, 0.1, 0.2]]), Value::Null, "a storm is missing");
        assert_eq!(told(&[[0.0, 0.1, 0.2], [f64::NAN, 0.1, 0.2], [0.0, 0.1, 0.2]]), Value::Null);
    }
}
