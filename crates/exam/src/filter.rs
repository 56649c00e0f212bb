//! Electronics: design an active filter to a mask, of parts that can be bought and with an op-amp that is not ideal.

mod alterations;
mod corners;
mod deck;
mod design;
mod handout;
mod mask;
mod netlist;
mod nodal;
mod opamp;
mod order;
mod parts;
mod phasor;
mod verifier;

use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::CODE;
use crate::plan::seed_of;
use crate::scripted::scripted;
use crate::software::PYTHON;
use crate::texts::texts;
use order::FilterOrder;
use verifier::FilterMeasuring;

/// The name of the task's work and of its verifier.
const NAME: &str = "active-filter";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("filter/solution.py");
/// How far beyond a limit of the mask is forgiven.
const FORGIVEN_DB: f64 = 0.02;
/// How much an output may still move at the end of a step.
const MOST_UNSETTLED_PERCENT: f64 = 1.0;

/// Design an active filter to a mask.
pub(crate) struct ActiveFilter;

/// What a plan says: the seed and the order.
fn planned(plan: &Value) -> Result<(u64, FilterOrder), String> {
    let order = FilterOrder::deserialize(&plan["order"]).map_err(|why| format!("the plan has no order: {why}"))?;
    Ok((seed_of(plan)?, order))
}

/// The limits of all measures.
fn limits(order: &FilterOrder) -> Map<String, Value> {
    let mask = &order.mask;
    let told = |value: f64| (value * 1000.0).round() / 1000.0;
    let mut limits = Map::new();
    for corner in corners::names() {
        let mut limit = |name: &str, value: Value| limits.insert(format!("{corner}: {name}"), value);
        limit("pass_lowest_db", json!({ "min": told(mask.pass_min_db - FORGIVEN_DB) }));
        limit("pass_highest_db", json!({ "max": told(mask.pass_max_db + FORGIVEN_DB) }));
        limit("stop_highest_db", json!({ "max": told(mask.stop_max_db + FORGIVEN_DB) }));
    }
    limits.insert("step: unsettled_percent".to_owned(), json!({ "max": MOST_UNSETTLED_PERCENT }));
    limits.insert("opamps".to_owned(), json!({ "max": order.most_opamps }));
    limits.insert("resistors".to_owned(), json!({ "max": order.resistors.most }));
    limits.insert("capacitors".to_owned(), json!({ "max": order.capacitors.most }));
    limits
}

impl Assignment for ActiveFilter {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_opamps = parameters.number("n_opamps", 2..=4)?;
        let seed = rng.next_u64();
        let order = FilterOrder::drawn(seed, n_opamps as usize)?;
        let expected = json!({ "filter": { "limits": limits(&order) } });
        Ok(PreparedWork::of(json!({ "seed": seed.to_string(), "order": order }), expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let (_, order) = planned(plan)?;
        let files = [
            ("mask.csv", order.mask.written()),
            ("parts.csv", handout::parts(&order)),
            ("opamp.lib", order.opamp.written()),
            ("bench.cir", handout::bench(&order)),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/*.csv input/opamp.lib input/bench.cir",
            ("design.py", SOLUTION),
            format!("python3 design.py {way} && cat output/filter.cir"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["ideal-opamp", "nominal-only", "butterworth"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        alterations::of(plan, left)
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(FilterMeasuring)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let ngspice = Software { program: "ngspice", package: "ngspice", mend: "apt install ngspice" };
        [ngspice, PYTHON].map(|software| software.need(NAME)).to_vec()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("filter")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64, n_opamps: usize) -> Value {
        let order = FilterOrder::drawn(seed, n_opamps).unwrap();
        json!({ "seed": seed.to_string(), "order": order })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| ActiveFilter.inputs(&plan(seed, 2)).unwrap();
        assert_eq!(files(3), files(3));
        let told = |seed| Value::Object(limits(&FilterOrder::drawn(seed, 2).unwrap())).to_string();
        let all: BTreeSet<String> = (0..50).map(told).collect();
        assert_eq!(all.len(), 50);
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(ActiveFilter.inputs(&json!({})).is_err());
        assert!(ActiveFilter.inputs(&json!({ "seed": "1" })).is_err());
        assert!(FilterOrder::drawn(1, 5).is_err());
    }
}
