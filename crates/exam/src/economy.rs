//! Economics: what a shock does to an economy, by a vector autoregression on statistics as they are published.

mod assembled;
mod autoregression;
mod record;
mod sheets;
mod truth;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::Value;

use crate::CODE;
use crate::cells::with_cells;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use record::EconomyRecord;

const NAME: &str = "impulse-responses";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("economy/solution.py");
/// So many economies are drawn before it is given up that one has everything in it.
const MOST_DRAWS: usize = 500;

/// What a shock does to an economy.
pub(crate) struct ImpulseResponses;

impl Assignment for ImpulseResponses {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_years = parameters.number("n_years", 12..=40)?;
        let (seed, expected) = drawn(rng, n_years as usize)?;
        let plan = seeded(seed, [("n_years", n_years)]);
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let n_years = size_of(plan, "n_years")?;
        Ok(sheets::written(&EconomyRecord::drawn(seed, n_years)))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/sources.md; head -4 input/data/*.csv",
            ("responses.py", SOLUTION),
            format!("python3 responses.py {way} && head -4 output/*.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[
            "old-crowns",
            "unspliced",
            "latest-release",
            "before-the-day",
            "end-of-month",
            "akaike",
            "rate-first",
            "not-cumulated",
        ]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let wrong = [
            with_cells(left, "series.csv", "growth as a share", |table| table.map("ip", |n| n / 100.0)),
            with_cells(left, "series.csv", "one month a little off", |table| table.first("rate", |n| n + 0.01)),
            with_cells(left, "lags.csv", "the sign turned", |table| table.map("bic", |n| -n)),
            with_cells(left, "irf.csv", "responses to a fall", |table| table.map("cpi", |n| -n)),
            with_cells(left, "irf.csv", "two shocks exchanged", |table| table.exchange("ip", "cpi")),
            with_cells(left, "irf.csv", "another divisor", |table| table.map("pcom", |n| n * 1.05)),
            with_cells(left, "irf.csv", "the impact missing", |table| table.without("horizon", "0")),
            with_cells(left, "fevd.csv", "shares in percent", |table| table.map("rate", |n| n * 100.0)),
            with_cells(left, "fevd.csv", "one horizon missing", |table| table.without("horizon", "24")),
        ];
        let right = [
            with_cells(left, "series.csv", "four decimals", |table| table.round(4)),
            with_cells(left, "irf.csv", "four decimals", |table| table.round(4)),
            with_cells(left, "fevd.csv", "four decimals", |table| table.round(4)),
        ];
        altered.wrong.extend(wrong.into_iter().flatten());
        altered.right.extend(right.into_iter().flatten());
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let software = Software { program: "gretlcli", package: "gretl", mend: "apt install gretl" };
        vec![software.need(NAME), PYTHON.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("economy")
    }
}

/// An economy in which every trap is set, and what is right of it.
fn drawn(rng: &mut Rng, n_years: usize) -> Result<(u64, Value), String> {
    for _ in 0..MOST_DRAWS {
        let seed = rng.next_u64();
        if let Some(expected) = truth::expected(&EconomyRecord::drawn(seed, n_years)) {
            return Ok((seed, expected));
        }
    }
    Err(format!("none of {MOST_DRAWS} economies had everything in it"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::assembled::{ModelSeries, series};
    use super::*;

    #[test]
    fn every_seed_gives_another_economy_and_always_the_same() {
        let all: BTreeSet<String> = (0..50).map(|seed| drawn(&mut Rng::new(seed), 12).unwrap().1.to_string()).collect();
        assert_eq!(all.len(), 50);
        let files = |seed| sheets::written(&EconomyRecord::drawn(seed, 12));
        assert_eq!(files(7), files(7));
        assert_ne!(files(7), files(8));
    }

    /// The largest difference of a variable between two ways to read the same files.
    fn apart(one: &ModelSeries, other: &ModelSeries, variable: usize) -> f64 {
        let months = one.months.iter().zip(&other.months);
        months.map(|(one, other)| (one[variable] - other[variable]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn whoever_overlooks_a_note_has_other_series() {
        for seed in 0..50 {
            let record = EconomyRecord::drawn(seed, 12);
            let right = series(&record);
            assert_eq!(right.months.len(), 143);
            let old_crowns = EconomyRecord { reform: 0, ..record.clone() };
            let latest = EconomyRecord { as_of: i64::MAX, ..record.clone() };
            let day_before = EconomyRecord { as_of: record.as_of - 1, ..record.clone() };
            let mut unspliced = record.clone();
            let scale = unspliced.old_production[0] / 50.0;
            unspliced.old_production[..record.rebased].iter_mut().for_each(|index| *index /= scale);
            assert!(apart(&right, &series(&old_crowns), 0) > 100.0, "seed {seed}");
            assert!(apart(&right, &series(&unspliced), 1) > 1.0, "seed {seed}");
            assert!(apart(&right, &series(&latest), 2) > 0.01, "seed {seed}");
            assert!(apart(&right, &series(&day_before), 2) > 0.05, "seed {seed}");
        }
    }
}
