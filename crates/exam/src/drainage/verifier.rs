//! The verifier `street-flooding`: takes the diameters out of the model that was left, puts them into our own, and has SWMM
//! run that through the hidden storms in a room of its own.

use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::VerifierRoom;
use serde_json::{Map, Value, json};

use super::review::DesignReview;
use super::scheme::SewerScheme;
use super::{MODEL, NAME, model, planned};

/// The largest model that is read, and the largest results.
const LARGEST: u64 = 4 << 20;
/// How long SWMM may take for all storms, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(5);
/// Runs models, and writes what they came to.
const RUN_SWMM: &str = include_str!("run_swmm.py");
const RESULTS: &str = "results.json";

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
            Err(problem) => json!({ "problem": format!("{MODEL}: {problem}") }),
        };
        Ok(vec![(self.0.clone(), value)])
    }
}

fn reviewed(scheme: &SewerScheme, file: Option<&FileHandle>) -> Result<DesignReview, String> {
    let file = file.ok_or("it was not left")?;
    DesignReview::of(scheme, &file.whole(LARGEST).map_err(|why| why.to_string())?)
}

/// What a design costs and what it does in the hidden storms.
fn measures(scheme: &SewerScheme, diameters_mm: Option<Vec<u32>>) -> Result<Value, String> {
    let Some(design) = diameters_mm else {
        return Ok(json!({ "problem": "a pipe has a diameter that it may not have" }));
    };
    let mut measures = Map::new();
    if let Some(cost) = scheme.prices.cost(&scheme.network, &scheme.given_mm, &design) {
        measures.insert("cost".to_owned(), cost.into());
    }
    for (at, [flooded_m3, runoff_percent, routing_percent]) in simulated(scheme, &design)?.into_iter().enumerate() {
        let mut told = |name: &str, value: f64| {
            measures.insert(format!("storm {}.{name}", at + 1), json!((value * 100.0).round() / 100.0));
        };
        told("flooded_m3", flooded_m3);
        told("runoff_continuity_percent", runoff_percent);
        told("routing_continuity_percent", routing_percent);
    }
    Ok(measures.into())
}

/// Runs our own model with these diameters through every hidden storm.
fn simulated(scheme: &SewerScheme, design: &[u32]) -> Result<Vec<[f64; 3]>, String> {
    let mut room = VerifierRoom::open()?;
    room.put("run_swmm.py", RUN_SWMM.as_bytes())?;
    let names = ["1.inp", "2.inp", "3.inp"];
    for (name, storm) in names.iter().zip(&scheme.hidden) {
        room.put(name, model::written(&scheme.network, design, storm).as_bytes())?;
    }
    let report = room.run(&[&["python3", "-I", "run_swmm.py", RESULTS][..], &names].concat(), WITHIN)?;
    if !report.succeeded {
        let last = report.errors.lines().last().unwrap_or_default();
        return Err(format!("SWMM does not run: {}", last.chars().take(300).collect::<String>()));
    }
    let results = room.get(RESULTS, LARGEST)?.ok_or("SWMM left no results")?;
    serde_json::from_slice(&results).map_err(|error| format!("what SWMM left is no table: {error}"))
}
