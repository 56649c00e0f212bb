//! Post-production: deliver station idents to a loudness standard, their faults mended and nothing else changed.

mod alterations;
mod idents;
mod limiting;
mod meter;
mod verifier;
mod wave;

use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng, Task};
use quintain_workspace::alterations::usual;
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters};
use serde_json::{Map, Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::{PYTHON, is_at_screen, needed_at_screen};
use idents::{Ident, IdentOrder};
use verifier::LoudnessMeasuring;

/// The name of the task's work and of its verifier.
const NAME: &str = "loudness-delivery";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("loudness/solution.py");
/// Audacity without its first questions.
const AUDACITY_SETTINGS: &[u8] = include_bytes!("loudness/audacity.cfg");
/// What is forgiven, as the instruction says.
const LOUDNESS_TOLERANCE_LU: f64 = 0.3;
const PEAK_TOLERANCE_DB: f64 = 0.3;
const MOST_DIFFERENCE_DB: f64 = -50.0;
/// What is asked where a limiter may be at work.
const NEAR_HITS: [(&str, f64); 6] = [
    ("difference_near_hits_db", -3.0),
    ("unlike_near_hits_db", -20.0),
    ("unlike_at_hits_db", -10.0),
    ("highest_gain_near_hits_db", 0.3),
    ("largest_step_near_hits_db", 9.0),
    ("lost_at_hits_db", 6.0),
];

/// Deliver idents to a loudness standard.
pub(crate) struct LoudnessDelivery;

fn has_screen(task: &Task) -> bool {
    is_at_screen(task, NAME)
}

/// What a plan says.
fn planned(plan: &Value) -> Result<IdentOrder, String> {
    let seed = seed_of(plan)?;
    let n_files = size_of(plan, "n_files")?;
    Ok(IdentOrder::drawn(seed, n_files))
}

/// The limits of all measures.
fn limits(order: &IdentOrder) -> Map<String, Value> {
    let mut limits = Map::new();
    for ident in &order.idents {
        let mut limit = |name: &str, value: Value| {
            limits.insert(format!("{}.{name}", ident.title), value);
        };
        let exactly = |value: usize| json!({ "min": value, "max": value });
        limit("sample_rate_hz", exactly(48_000));
        limit("bits", exactly(24));
        limit("channels", exactly(ident.layout().split(' ').count()));
        limit("frames", exactly(ident.n_frames));
        let (least, most) = (order.target_lufs - LOUDNESS_TOLERANCE_LU, order.target_lufs + LOUDNESS_TOLERANCE_LU);
        limit("loudness_lufs", json!({ "min": least, "max": most }));
        limit("true_peak_dbtp", json!({ "max": order.ceiling_db + PEAK_TOLERANCE_DB }));
        limit("difference_db", json!({ "max": MOST_DIFFERENCE_DB }));
        if !ident.hits.is_empty() {
            for (name, most) in &NEAR_HITS {
                limit(name, json!({ "max": most }));
            }
        }
    }
    limits
}

/// The delivery sheet.
fn sheet(order: &IdentOrder) -> String {
    let ident = |ident: &Ident| json!({ "file": ident.file(), "channels": ident.layout() });
    let sheet = json!({
        "integrated_loudness_lufs": order.target_lufs,
        "highest_true_peak_dbtp": order.ceiling_db,
        "idents": order.idents.iter().map(ident).collect::<Vec<_>>(),
    });
    format!("{sheet:#}\n")
}

impl Assignment for LoudnessDelivery {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_files = parameters.number("n_files", 3..=6)?;
        let seed = rng.next_u64();
        let order = IdentOrder::drawn(seed, n_files as usize);
        Ok(PreparedWork::of(seeded(seed, [("n_files", n_files)]), json!({ "delivery": { "limits": limits(&order) } })))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let order = planned(plan)?;
        let file = |ident: &Ident| (format!("studio/{}", ident.file()), ident.studio_file(&ident.sound()).written());
        let mut files: InputFiles = order.idents.iter().map(file).collect();
        files.insert("delivery.json".to_owned(), sheet(&order).into_bytes());
        Ok(files)
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/delivery.json; ls -l input/studio",
            ("deliver.py", SOLUTION),
            format!("python3 deliver.py {way} && ls -l output"),
        ))
    }

    fn home(&self) -> InputFiles {
        [(".config/audacity/audacity.cfg".to_owned(), AUDACITY_SETTINGS.to_vec())].into()
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["rms", "gain-only", "sample-peak", "no-repair", "one-pass"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        planned(plan).map_or_else(|_| usual(left), |order| alterations::of(&order, left))
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(LoudnessMeasuring)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let ffmpeg = Software { program: "ffmpeg", package: "ffmpeg", mend: "apt install ffmpeg" };
        let audacity =
            Software { program: "audacity", package: "audacity", mend: "apt install --no-install-recommends audacity" };
        vec![ffmpeg.need(NAME), PYTHON.need(NAME), needed_at_screen(audacity.need(NAME), has_screen)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("loudness")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::idents::IdentKind;
    use super::meter::{factor, integrated_lufs, true_peak_db};
    use super::*;

    #[test]
    fn every_seed_gives_other_limits() {
        let told = |seed| Value::Object(limits(&IdentOrder::drawn(seed, 4))).to_string();
        let all: BTreeSet<String> = (0..50).map(told).collect();
        assert_eq!((all.len(), told(3) == told(3)), (50, true));
    }

    /// The gain that brings a file to its target brings its hits above the ceiling, and nothing else.
    #[test]
    fn only_hits_call_for_a_limiter() {
        let order = IdentOrder::drawn(4, 6);
        for ident in &order.idents {
            let sound = ident.sound();
            assert_eq!(sound.channels[0].len(), ident.n_frames);
            let channels = sound.scaled();
            let peak = true_peak_db(&channels);
            let above = peak + order.target_lufs - integrated_lufs(&channels) - order.ceiling_db;
            let fits = if ident.hits.is_empty() { above < -2.0 } else { above > 3.0 };
            assert!(fits && peak < 0.0, "{:?} has its peaks at {peak} dB, then {above} dB above", ident.kind);
        }
    }

    /// Whoever takes the mean of everything, pauses included, is far off; whoever looks at samples alone misses the hits.
    #[test]
    fn the_traps_are_set() {
        let order = IdentOrder::drawn(5, 4);
        let of = |kind| order.idents.iter().find(|ident| ident.kind == kind).unwrap().sound().scaled();
        let pauses = of(IdentKind::Pauses);
        let power: f64 = pauses.iter().flatten().map(|sample| sample * sample).sum::<f64>() / pauses[0].len() as f64;
        assert!((10.0 * power.log10() - integrated_lufs(&pauses)).abs() > 1.0);
        let hits = of(IdentKind::Hits);
        let highest = hits.iter().flatten().fold(0.0_f64, |highest, sample| highest.max(sample.abs()));
        assert!(factor(true_peak_db(&hits)) > 1.2 * highest);
    }
}
