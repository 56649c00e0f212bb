//! Four families of chains, each drawn by rejection in eleven variants: how many draws each needs.

mod emissions_and_growth;
mod rates_race;
mod restated_growth;
mod science_lineage;

use std::time::Instant;

use quintain_atlas::query::{Clearance, Query, QueryOutcome};
use quintain_atlas::{Atlas, Size};
use quintain_core::Rng;

use crate::{ALL, world};

const N_VARIANTS: u64 = 11;
const MOST_DRAWS: usize = 60_000;

/// One draw of an instance: the outcomes of its steps, or none where a step has no clear answer.
type Draw = fn(&Atlas, &mut Rng, u64) -> Option<Vec<QueryOutcome>>;

fn clear(atlas: &Atlas, query: &Query) -> Option<QueryOutcome> {
    Some(atlas.evaluate(query)).filter(|outcome| outcome.is_clear(Clearance::USUAL))
}

/// Draws until an instance is found, and tells how many draws that took.
fn draws_needed(atlas: &Atlas, variant: u64, draw: Draw) -> Option<usize> {
    let mut rng = Rng::for_purpose(variant, "draws of a family");
    (1..=MOST_DRAWS).find(|_| draw(atlas, &mut rng, variant).is_some())
}

#[expect(clippy::print_stdout, reason = "how many draws were needed is a figure to look at")]
fn every_variant_is_found(name: &str, draw: Draw) {
    for (size, seed) in ALL {
        let atlas = world(size, seed);
        let start = Instant::now();
        let draws: Vec<Option<usize>> = (0..N_VARIANTS).map(|variant| draws_needed(atlas, variant, draw)).collect();
        let each_ms = start.elapsed().as_secs_f64() * 1000.0 / N_VARIANTS as f64;
        println!("{name} {size:?} seed {seed}: draws {draws:?}, {each_ms:.1} ms an instance");
        assert!(draws.iter().all(Option::is_some), "{name} in {size:?} {seed}: {draws:?}");
    }
}

#[test]
fn lineages_of_science_are_found() {
    every_variant_is_found("science-lineage", science_lineage::draw);
}

#[test]
fn restated_growth_is_found() {
    every_variant_is_found("finance-restated-growth", restated_growth::draw);
}

#[test]
fn races_of_rates_are_found() {
    every_variant_is_found("finance-rates-race", rates_race::draw);
}

#[test]
fn emissions_and_growth_are_found() {
    every_variant_is_found("policy-emissions-and-growth", emissions_and_growth::draw);
}

/// How many candidates a listing should have: fewer in a small world.
fn candidates(size: Size) -> std::ops::RangeInclusive<usize> {
    if size == Size::Small { 4..=18 } else { 6..=18 }
}
