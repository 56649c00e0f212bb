//! Post-production: deliver station idents to a loudness standard, their faults mended and nothing else changed.

mod idents;
mod meter;
mod verifier;
mod wave;

use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileHandle, FileSet, Rng};
use quintain_workspace::alterations::{usual, with};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters};
use serde_json::{Map, Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use idents::{Ident, IdentKind, IdentOrder};
use verifier::LoudnessMeasuring;
use wave::PcmSound;

/// The name of the task's work and of its verifier.
const NAME: &str = "loudness-delivery";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("loudness/solution.py");
/// What is forgiven, as the instruction says.
const LOUDNESS_TOLERANCE_LU: f64 = 0.3;
const PEAK_TOLERANCE_DB: f64 = 0.3;
const MOST_DIFFERENCE_DB: f64 = -50.0;
const MOST_DIFFERENCE_NEAR_HITS_DB: f64 = -3.0;

/// Deliver idents to a loudness standard.
pub(crate) struct LoudnessDelivery;

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
            limit("difference_near_hits_db", json!({ "max": MOST_DIFFERENCE_NEAR_HITS_DB }));
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

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["rms", "gain-only", "sample-peak", "no-repair", "one-pass"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = usual(left);
        let Ok(order) = planned(plan) else { return altered };
        let Some(ident) = order.idents.iter().find(|ident| ident.kind == IdentKind::Pauses) else { return altered };
        let path = ident.file();
        let bytes = left.get(&path).and_then(|file| file.whole(16 << 20).ok());
        let Some((bytes, sound)) = bytes.and_then(|bytes| PcmSound::read(&bytes).ok().map(|sound| (bytes, sound)))
        else {
            return altered;
        };
        let changed = |(how, sound): (&str, PcmSound)| with(left, &path, how, sound.written());
        altered.wrong.extend(near_misses(&sound).into_iter().map(changed));
        altered.right.extend([("a little louder", louder(&sound, 1.008))].map(changed));
        altered.right.push(with(left, &path, "a note in the file", with_note(&bytes)));
        if let Some((other, file)) = left.iter().find(|(other, _)| **other != path) {
            let mut exchanged = left.clone();
            exchanged.insert(path.clone(), file.clone());
            exchanged.insert(other.clone(), FileHandle::held(bytes));
            altered.wrong.push(("two files exchanged".to_owned(), exchanged));
        }
        altered
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(LoudnessMeasuring)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let ffmpeg = Software { program: "ffmpeg", package: "ffmpeg", mend: "apt install ffmpeg" };
        vec![ffmpeg.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("loudness")
    }
}

fn louder(sound: &PcmSound, by: f64) -> PcmSound {
    let mut sound = sound.clone();
    sound.channels.iter_mut().flatten().for_each(|sample| *sample = (f64::from(*sample) * by).round() as i32);
    sound
}

/// What is nearly right of a file with two channels.
fn near_misses(sound: &PcmSound) -> Vec<(&'static str, PcmSound)> {
    let with = |change: &dyn Fn(&mut PcmSound)| {
        let mut other = sound.clone();
        change(&mut other);
        other
    };
    vec![
        ("half a decibel louder", louder(sound, 1.059)),
        ("half a decibel quieter", louder(sound, 0.944)),
        ("left and right exchanged", with(&|sound| sound.channels.reverse())),
        ("both channels inverted", louder(sound, -1.0)),
        ("one channel a little louder", with(&|sound| sound.channels[0].iter_mut().for_each(|it| *it += *it / 50))),
        ("a frame short", with(&|sound| sound.channels.iter_mut().for_each(|all| all.truncate(all.len() - 1)))),
        ("a frame late", with(&|sound| sound.channels.iter_mut().for_each(|all| all.rotate_right(1)))),
        ("another sample rate told", with(&|sound| sound.sample_rate_hz = 44_100)),
        (
            "16 bits",
            with(&|sound| {
                sound.n_bits = 16;
                sound.channels.iter_mut().flatten().for_each(|sample| *sample >>= 8);
            }),
        ),
        (
            "faded out",
            with(&|sound| {
                let n = sound.channels[0].len();
                let fade = |channel: &mut Vec<i32>| channel[n - 9600..].iter_mut().for_each(|sample| *sample /= 3);
                sound.channels.iter_mut().for_each(fade);
            }),
        ),
    ]
}

/// A file with a chunk more before its others.
fn with_note(bytes: &[u8]) -> Vec<u8> {
    let note = b"note\x06\0\0\0hello\0";
    let size = (bytes.len() + note.len() - 8) as u32;
    [b"RIFF", &size.to_le_bytes()[..], b"WAVE", note, &bytes[12..]].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
