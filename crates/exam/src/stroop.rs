//! Experimental psychology: a preregistered mixed model of response times, with its exclusions.

mod edges;
mod exclusions;
mod experiment;
mod mixed;
mod sheets;
mod truth;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::{Value, json};

use crate::CODE;
use crate::cells::with_cells;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use experiment::StroopStudy;

const NAME: &str = "preregistered-model";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("stroop/solution.R");
/// So many experiments are drawn before it is given up that one has everything in it.
const MOST_DRAWS: usize = 200;
/// The largest document that is altered.
const LARGEST: u64 = 1 << 20;

/// A preregistered mixed model of response times.
pub(crate) struct PreregisteredModel;

impl Assignment for PreregisteredModel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_sessions = parameters.number("n_sessions", 24..=120)?;
        let (seed, expected) = drawn(rng, n_sessions as usize)?;
        let plan = seeded(seed, [("n_sessions", n_sessions)]);
        Ok(PreparedWork::of(plan, expected))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let n_sessions = size_of(plan, "n_sessions")?;
        Ok(sheets::written(&StroopStudy::drawn(seed, n_sessions)))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/*.md; head -4 input/participants.tsv",
            ("model.R", SOLUTION),
            format!("Rscript model.R {way} && cat output/model.json"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["no-slope", "full-likelihood", "treatment-coding", "keep-after-error", "pooled-outliers"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let wrong = [
            with_cells(left, "excluded.csv", "one reason forgotten", |table| table.without("reason", "REPEATED")),
            with_cells(left, "excluded.csv", "columns exchanged", |table| table.exchange("participant", "reason")),
            with_cells(left, "trials.csv", "one trial more", |table| table.first("kept", |n| n + 1.0)),
            with_cells(left, "trials.csv", "counts that are not whole", |table| table.first("kept", |n| n + 0.0001)),
            with_model(left, "trials that are not whole", |model| {
                model["n_trials"] = json!(model["n_trials"].as_f64().unwrap_or_default() + 0.004);
            }),
            with_text(left, "two effects", |text| text.replacen('{', "{\"congruency\": 0.5, ", 1)),
            with_cells(left, "modes.csv", "signs turned", |table| table.map("congruency", |n| -n)),
            with_cells(left, "modes.csv", "in seconds", |table| table.map("intercept", |n| n / 1000.0)),
            with_model(left, "the effect turned", |model| scale(model, "congruency", -1.0)),
            with_model(left, "common logarithms", |model| scale(model, "sd_residual", std::f64::consts::LOG10_E)),
            with_model(left, "a variance for a deviation", |model| {
                let sd = model["sd_intercept"].as_f64().unwrap_or_default();
                scale(model, "sd_intercept", sd);
            }),
            with_model(left, "numbers as a list", |model| *model = json!([model.clone()])),
        ];
        let right = [
            with_cells(left, "modes.csv", "five decimals", |table| table.round(5)),
            with_cells(left, "trials.csv", "counts as floats", |table| {
                table.texts("kept", |cell| format!("{cell}.0"));
            }),
            with_cells(left, "modes.csv", "nothing before the point", |table| {
                table.texts("intercept", |cell| cell.replacen("0.", ".", 1));
            }),
            with_model(left, "a field more", |model| model["software"] = json!("lme4")),
        ];
        altered.wrong.extend(wrong.into_iter().flatten());
        altered.right.extend(right.into_iter().flatten());
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let software =
            Software { program: "Rscript", package: "r-cran-lme4", mend: "apt install r-base-core r-cran-lme4" };
        vec![software.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("stroop")
    }
}

fn scale(model: &mut Value, field: &str, by: f64) {
    let value = model[field].as_f64().unwrap_or_default();
    model[field] = json!(value * by);
}

/// All files, with the document of the model altered; nothing if it is not there.
fn with_model(left: &FileSet, how: &str, alter: impl FnOnce(&mut Value)) -> Option<(String, FileSet)> {
    let mut model = serde_json::from_slice(&left.get("model.json")?.whole(LARGEST).ok()?).ok()?;
    alter(&mut model);
    Some(alterations::with(left, "model.json", how, model.to_string().into_bytes()))
}

/// All files, with the text of the model altered; nothing if it is not there.
fn with_text(left: &FileSet, how: &str, alter: impl FnOnce(String) -> String) -> Option<(String, FileSet)> {
    let text = alterations::text_of(left, "model.json")?;
    Some(alterations::with(left, "model.json", how, alter(text).into_bytes()))
}

/// An experiment in which every trap is set, and what is right of it.
fn drawn(rng: &mut Rng, n_sessions: usize) -> Result<(u64, Value), String> {
    for _ in 0..MOST_DRAWS {
        let seed = rng.next_u64();
        if let Some(expected) = truth::expected(&StroopStudy::drawn(seed, n_sessions)) {
            return Ok((seed, expected));
        }
    }
    Err(format!("none of {MOST_DRAWS} experiments had everything in it"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_seed_gives_another_experiment_and_always_the_same() {
        let all: BTreeSet<String> = (0..50).map(|seed| drawn(&mut Rng::new(seed), 24).unwrap().1.to_string()).collect();
        assert_eq!(all.len(), 50);
        let files = |seed| sheets::written(&StroopStudy::drawn(seed, 24));
        assert_eq!(files(7), files(7));
        assert_ne!(files(7), files(8));
    }
}
