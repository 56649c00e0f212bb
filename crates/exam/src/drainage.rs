//! Water resources: storm sewers that flood a town's streets are enlarged, and SWMM runs them through a family of storms.

mod alterations;
mod design;
mod model;
mod prices;
mod reading;
mod recent_schemes;
mod review;
mod runoff;
mod scheme;
mod sewers;
mod storms;
mod town;
mod verifier;

use std::fmt::Write as _;
use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::alterations::usual;
use quintain_workspace::{Assignment, InputFiles, PreparedWork, PythonDistribution, WorkParameters};
use serde_json::{Map, Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::texts::texts;
use recent_schemes::RecentSchemes;
use scheme::SewerScheme;
use verifier::StormTrials;

/// The name of the task's work and of its verifier.
const NAME: &str = "street-flooding";
/// The deliverable, and the model that it comes from.
const MODEL: &str = "network.inp";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("drainage/solution.py");
/// What is forgiven, as the instruction says: a cubic metre, and what an intensity that was rounded up instead of down makes of it.
const MOST_FLOODED_M3: f64 = 1.0 + 0.05;
const MOST_CONTINUITY_PERCENT: f64 = 1.0;
/// Measures that limits and the verifier both name.
const RUNOFF_CONTINUITY: &str = "runoff_continuity_percent";
const ROUTING_CONTINUITY: &str = "routing_continuity_percent";

static SCHEMES: RecentSchemes = RecentSchemes::new();

/// Enlarge sewers so that no street is flooded.
pub(crate) struct StreetFlooding;

/// What a plan says.
fn planned(plan: &Value) -> Result<Arc<SewerScheme>, String> {
    Ok(SCHEMES.scheme(seed_of(plan)?, size_of(plan, "n_manholes")?))
}

/// The limits of all measures.
fn limits(scheme: &SewerScheme) -> Map<String, Value> {
    let balanced = || json!({ "min": -MOST_CONTINUITY_PERCENT, "max": MOST_CONTINUITY_PERCENT });
    let all = [
        ("cost", json!({ "max": scheme.budget })),
        ("worst storm.flooded_m3", json!({ "max": MOST_FLOODED_M3 })),
        (RUNOFF_CONTINUITY, balanced()),
        (ROUTING_CONTINUITY, balanced()),
    ];
    all.map(|(name, limit)| (name.to_owned(), limit)).into_iter().collect()
}

/// The table of how much it rains in which time.
fn rainfall(scheme: &SewerScheme) -> String {
    let mut out = "duration_min,depth_mm\n".to_owned();
    for (duration, depth) in storms::DURATIONS_MIN.iter().zip(scheme.family.depths_mm) {
        writeln!(out, "{duration},{depth:.1}").ok();
    }
    out
}

/// The budget, and what has to be kept to.
fn rules(scheme: &SewerScheme) -> String {
    let pipes = scheme.network.manholes.iter().zip(&scheme.is_kept).rev();
    let kept: Vec<String> = pipes.filter(|(_, is_kept)| **is_kept).map(|(manhole, _)| manhole.pipe()).collect();
    let rules = json!({
        "budget": scheme.budget,
        "keep": kept,
        "least_cover_m": design::COVER_M,
        "peak_positions": scheme.family.peaks,
    });
    format!("{rules:#}\n")
}

impl Assignment for StreetFlooding {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_manholes = parameters.number("n_manholes", 10..=40)?;
        let plan = seeded(rng.next_u64(), [("n_manholes", n_manholes)]);
        let scheme = planned(&plan)?;
        let expected = json!({ "limits": { "limits": limits(&scheme) }, "parts": { "fields": review::right() } });
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let scheme = planned(plan)?;
        let files = [
            (MODEL, model::written(&scheme.network, &scheme.given_mm, &scheme.family.given())),
            ("prices.csv", scheme.prices.written()),
            ("rainfall.csv", rainfall(&scheme)),
            ("rules.json", rules(&scheme)),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/rules.json input/*.csv; head -60 input/network.inp",
            ("enlarge.py", SOLUTION),
            format!("python3 enlarge.py {way}"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["given-storm", "own-pipes", "largest", "less-rain"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        planned(plan).map_or_else(|_why| usual(left), |scheme| alterations::of(&scheme, left))
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(StormTrials)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let swmm = PythonDistribution {
            name: "swmm-toolkit",
            mend: "/usr/bin/python3 -m pip install --break-system-packages swmm-toolkit",
        };
        vec![swmm.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("drainage")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::design::{DesignCase, least_freeboard};
    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_manholes": 10 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| StreetFlooding.inputs(&plan(seed)).unwrap();
        assert_eq!(files(3), files(3));
        let told = |seed| Value::Object(limits(&planned(&plan(seed)).unwrap())).to_string();
        let different: BTreeSet<String> = (0..50).map(told).collect();
        assert_eq!(different.len(), 50);
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(StreetFlooding.inputs(&json!({})).is_err());
        assert!(StreetFlooding.inputs(&json!({ "seed": "1" })).is_err());
    }

    /// By reckoning: our design carries all storms within the budget; what was given does not; what carries the given storm
    /// alone does not carry all others; and the largest pipes everywhere are too dear.
    #[test]
    fn every_wrong_way_fails() {
        for seed in 0..6 {
            let scheme = planned(&plan(seed)).unwrap();
            let network = &scheme.network;
            let carries =
                |design: &[u32], storm| least_freeboard(network, design, &runoff::peaks(network, &storm)) > 0.0;
            let cost = |design: &[u32]| scheme.prices.cost(network, &scheme.given_mm, design).unwrap();
            assert!(scheme.family.storms().into_iter().all(|storm| carries(&scheme.reference_mm, storm)));
            assert!(cost(&scheme.reference_mm) < scheme.budget);
            assert!(!carries(&scheme.given_mm, scheme.family.given()));
            let case = DesignCase {
                network,
                prices: &scheme.prices,
                given_mm: &scheme.given_mm,
                is_kept: &scheme.is_kept,
                peaks: &[runoff::peaks(network, &scheme.family.given())],
            };
            let small = case.solved().unwrap();
            assert!(scheme.family.storms().into_iter().any(|storm| !carries(&small, storm)), "{seed}");
            let largest = case.largest();
            assert!(cost(&largest) > scheme.budget * 5 / 4, "{seed}");
        }
    }
}
