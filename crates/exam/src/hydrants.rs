//! Fire service: pressures of a water network, and how much its hydrants give.

mod alterations;
mod fire_flow;
mod hydraulics;
mod network;
mod town;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, WorkParameters};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::NUMPY;
use crate::texts::texts;
use town::WaterTown;

/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("hydrants/solution.py");
const NAME: &str = "hydrant-flow";
/// How far off heads and pressures may be, flows of links, and what hydrants give.
const TOLERANCE_M: f64 = 0.05;
const TOLERANCE_LPS: f64 = 0.05;
const TOLERANCE_HYDRANT_LPS: f64 = 0.1;

/// Find out what the hydrants of a town give.
pub(crate) struct HydrantFlow;

impl Assignment for HydrantFlow {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_streets = parameters.number("n_streets", 4..=6)?;
        let plan = seeded(rng.next_u64(), [("n_streets", n_streets)]);
        let expected = expected(&town_of(&plan)?);
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let town = town_of(plan)?;
        let (network, kept) = (&town.network, town.kept);
        let places = network.hydrants.iter().enumerate();
        let hydrants: Vec<String> =
            places.map(|(at, place)| format!("FH{:02},{}\n", at + 1, network.junctions[*place].name)).collect();
        let asked = format!(
            "key,value\nhour,{:02}:00\npressure_at_hydrant_m,{}\npressure_elsewhere_m,{}\n",
            network.hour, kept.hydrant_m, kept.others_m
        );
        let files = [
            ("network.inp", network.written()),
            ("hydrants.csv", format!("hydrant,junction\n{}", hydrants.concat())),
            ("fire_service.csv", asked),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/*.csv; head -20 input/network.inp",
            ("hydrants.py", SOLUTION),
            format!("python3 hydrants.py {way} && head -3 output/*.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["valves-open", "average-day", "hydrant-only", "extrapolated"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        alterations::of(left)
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![NUMPY.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("hydrants")
    }
}

/// What a plan was made of.
fn town_of(plan: &Value) -> Result<WaterTown, String> {
    let seed = seed_of(plan)?;
    let n_streets = size_of(plan, "n_streets")?;
    Ok(WaterTown::drawn(seed, n_streets, n_streets - 1))
}

/// The three tables.
fn expected(town: &WaterTown) -> Value {
    let number = |tolerance: f64| json!({ "type": "number", "tolerance": tolerance });
    let told = |value: f64| json!((value * 1e6).round() / 1e6);
    let (network, usual) = (&town.network, &town.usual);
    let pressure = |at: usize| told(usual.heads_m[at] - network.junctions[at].elevation_m);
    let name = |at: usize| network.junctions[at].name.as_str();
    let junctions = (0..network.junctions.len())
        .map(|at| json!({ "junction": name(at), "head_m": told(usual.heads_m[at]), "pressure_m": pressure(at) }));
    let links = network.links.iter().zip(&usual.flows);
    let links = links.map(|(link, flow)| json!({ "link": link.name, "flow_lps": told(flow * 1000.0) }));
    let hydrants = network.hydrants.iter().zip(&town.fire_flows).map(|(at, flow)| {
        json!({
            "junction": name(*at), "static_pressure_m": pressure(*at),
            "available_flow_lps": told(flow.flow_lps), "limiting_junction": name(flow.limiting),
        })
    });
    let (metres, litres, most) = (number(TOLERANCE_M), number(TOLERANCE_LPS), number(TOLERANCE_HYDRANT_LPS));
    json!({
        "junctions": {
            "columns": { "junction": "exact", "head_m": metres, "pressure_m": metres },
            "key": ["junction"], "rows": junctions.collect::<Vec<_>>(),
        },
        "links": {
            "columns": { "link": "exact", "flow_lps": litres },
            "key": ["link"], "rows": links.collect::<Vec<_>>(),
        },
        "hydrants": {
            "columns": {
                "junction": "exact", "static_pressure_m": metres, "available_flow_lps": most,
                "limiting_junction": "exact",
            },
            "key": ["junction"], "rows": hydrants.collect::<Vec<_>>(),
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_streets": 4 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| HydrantFlow.inputs(&plan(seed)).unwrap();
        assert_eq!(files(3), files(3));
        let different: BTreeSet<String> =
            (0..50).map(|seed| expected(&town_of(&plan(seed)).unwrap()).to_string()).collect();
        assert_eq!(different.len(), 50);
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(HydrantFlow.inputs(&json!({})).is_err());
        assert!(HydrantFlow.inputs(&json!({ "seed": "1" })).is_err());
    }
}
