//! Clinical research: the tables of a trial's primary endpoint, as its analysis plan has them.

mod edges;
mod rules;
mod sheets;
mod study;
mod survival;
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
use study::TrialStudy;

const NAME: &str = "primary-endpoint";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("trial/solution.R");
/// So many trials are drawn before it is given up that one has everything in it.
const MOST_DRAWS: usize = 500;

/// The tables of a trial's primary endpoint, as its analysis plan has them.
pub(crate) struct PrimaryEndpoint;

impl Assignment for PrimaryEndpoint {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_randomised = parameters.number("n_randomised", 100..=480)?;
        let (seed, expected) = drawn(rng, n_randomised as usize)?;
        let plan = seeded(seed, [("n_randomised", n_randomised)]);
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let n_randomised = size_of(plan, "n_randomised")?;
        Ok(sheets::written(&TrialStudy::drawn(seed, n_randomised)))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/sap.md; head -3 input/data/*.csv",
            ("tables.R", SOLUTION),
            format!("Rscript tables.R {way} && cat output/km.csv output/tests.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["investigator", "past-cutoff", "raw-events", "unstratified", "recorded-strata"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let wrong = [
            with_cells(left, "adtte.csv", "the first day is day 0", |table| table.map("AVAL", |n| n - 1.0)),
            with_cells(left, "adtte.csv", "one time a day off", |table| table.first("AVAL", |n| n + 1.0)),
            with_cells(left, "adtte.csv", "1 is an event", |table| table.map("CNSR", |n| 1.0 - n)),
            with_cells(left, "adtte.csv", "flags that are not whole", |table| table.first("CNSR", |n| n + 0.0004)),
            with_cells(left, "km.csv", "counts that are not whole", |table| table.first("n", |n| n + 0.0004)),
            with_cells(left, "km.csv", "medians in days", |table| table.map("median", |n| n * 30.4375)),
            with_cells(left, "km.csv", "rates in percent", |table| table.map("rate6", |n| n * 100.0)),
            with_cells(left, "km.csv", "limits exchanged", |table| table.exchange("rate12_low", "rate12_high")),
            with_cells(left, "tests.csv", "placebo to drug", |table| table.map("hr", |n| 1.0 / n)),
            with_cells(left, "tests.csv", "the log of the ratio", |table| table.map("hr", libm::log)),
            with_cells(left, "tests.csv", "one analysis missing", |table| table.without("analysis", "PER-PROTOCOL")),
        ];
        let right = [
            with_cells(left, "km.csv", "four decimals", |table| table.round(4)),
            with_cells(left, "tests.csv", "four decimals", |table| table.round(4)),
            with_cells(left, "km.csv", "counts as floats", |table| table.texts("n", |cell| format!("{cell}.0"))),
            with_cells(left, "km.csv", "nothing before the point", |table| {
                table.texts("rate6", |cell| cell.trim_start_matches('0').to_owned());
            }),
        ];
        altered.wrong.extend(wrong.into_iter().flatten());
        altered.right.extend(right.into_iter().flatten());
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let software = Software {
            program: "Rscript",
            package: "r-cran-survival",
            mend: "apt install r-base-core r-cran-survival",
        };
        vec![software.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("trial")
    }
}

/// A trial in which every trap is set, and what is right of it.
fn drawn(rng: &mut Rng, n_randomised: usize) -> Result<(u64, Value), String> {
    for _ in 0..MOST_DRAWS {
        let seed = rng.next_u64();
        if let Some(expected) = truth::expected(&TrialStudy::drawn(seed, n_randomised)) {
            return Ok((seed, expected));
        }
    }
    Err(format!("none of {MOST_DRAWS} trials had everything in it"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_seed_gives_another_trial_and_always_the_same() {
        let all: BTreeSet<String> =
            (0..50).map(|seed| drawn(&mut Rng::new(seed), 120).unwrap().1.to_string()).collect();
        assert_eq!(all.len(), 50);
        let files = |seed| sheets::written(&TrialStudy::drawn(seed, 120));
        assert_eq!(files(7), files(7));
        assert_ne!(files(7), files(8));
    }
}
