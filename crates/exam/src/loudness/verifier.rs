//! The verifier `loudness-delivery`: measures the files that were delivered. Only bytes are read; no program is started.

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::complaints;
use serde_json::{Map, Value, json};

use super::idents::{Ident, IdentOrder};
use super::limiting::{limiter_trace, lost_at_hits};
use super::meter::{decibels, factor, integrated_lufs, true_peak_db};
use super::wave::PcmSound;
use super::{NAME, planned};

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;
/// The longest sound that is measured.
const MOST_FRAMES: usize = 600_000;
const SAMPLE_RATE_HZ: u32 = 48_000;

/// The kind `loudness-delivery`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoudnessMeasuring;

struct LoudnessRun(String);

impl VerifierKind for LoudnessMeasuring {
    fn kind(&self) -> &'static str {
        NAME
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{NAME}` has no option `{option}`")),
            None => Ok(Box::new(LoudnessRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for LoudnessRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let order = planned(&case.reference.start["plan"])?;
        let (mut measures, mut problems) = (Map::new(), Vec::new());
        for ident in &order.idents {
            match measured(&order, ident, case.files.get(&ident.file())) {
                Ok(of_one) => {
                    measures.extend(of_one.into_iter().map(|(name, value)| (format!("{}.{name}", ident.title), value)));
                }
                Err(complaint) => problems.push(complaint),
            }
        }
        if !problems.is_empty() {
            measures.insert("problem".to_owned(), json!(complaints::all(&problems)));
        }
        Ok(vec![(self.0.clone(), Value::Object(measures))])
    }
}

/// The measures of one file, as far as it has them, or a complaint.
fn measured(
    order: &IdentOrder,
    ident: &Ident,
    file: Option<&FileHandle>,
) -> Result<Vec<(&'static str, Value)>, String> {
    let path = ident.file();
    let bytes = complaints::bytes_left(&path, file, LARGEST)?;
    let sound = PcmSound::read(&bytes).map_err(|why| complaints::faulty(&path, why))?;
    let n_frames = sound.channels[0].len();
    let mut measures = vec![
        ("sample_rate_hz", json!(sound.sample_rate_hz)),
        ("bits", json!(sound.n_bits)),
        ("channels", json!(sound.channels.len())),
        ("frames", json!(n_frames)),
    ];
    if sound.sample_rate_hz != SAMPLE_RATE_HZ || n_frames > MOST_FRAMES {
        return Ok(measures);
    }
    let channels = sound.scaled();
    measures.push(("loudness_lufs", told(integrated_lufs(&channels))));
    measures.push(("true_peak_dbtp", told(true_peak_db(&channels))));
    let right = ident.sound().scaled();
    if right.len() == channels.len() && right[0].len() == n_frames {
        measures.extend(content(order, ident, &right, &channels));
    }
    Ok(measures)
}

fn told(decibels: f64) -> Value {
    json!((decibels * 100.0).round() / 100.0)
}

/// How far the content is from what it should be, but for one gain.
fn content(order: &IdentOrder, ident: &Ident, right: &[Vec<f64>], left: &[Vec<f64>]) -> Vec<(&'static str, Value)> {
    let spans = open_spans(ident);
    let mut products = (0.0, 0.0);
    for (right, left) in right.iter().zip(left) {
        for (right, left) in spans.iter().flat_map(|(from, to)| right[*from..*to].iter().zip(&left[*from..*to])) {
            products.0 += right * left;
            products.1 += right * right;
        }
    }
    let gain = (products.0 / products.1).max(0.0);
    let worst = right.iter().zip(left).map(|(right, left)| {
        let both = spans.iter().flat_map(|(from, to)| right[*from..*to].iter().zip(&left[*from..*to]));
        difference(both.map(|(right, left)| (gain * right, *left)))
    });
    let mut measures = vec![("difference_db", told(worst.fold(f64::NEG_INFINITY, f64::max)))];
    if !ident.hits.is_empty() {
        let highest = factor(order.ceiling_db);
        let near = right.iter().zip(left).map(|(right, left)| {
            let both =
                ident.near_spans().into_iter().flat_map(|(from, to)| right[from..to].iter().zip(&left[from..to]));
            difference(both.map(|(right, left)| ((gain * right).clamp(-highest, highest), *left)))
        });
        measures.push(("difference_near_hits_db", told(near.fold(f64::NEG_INFINITY, f64::max))));
        measures.push(("lost_at_hits_db", told(lost_at_hits(ident, order.ceiling_db, left))));
    }
    if let Some(trace) = limiter_trace(ident, gain, right, left) {
        measures.push(("unlike_near_hits_db", told(trace.unlike)));
        measures.push(("unlike_at_hits_db", told(trace.unlike_close)));
        measures.push(("highest_gain_near_hits_db", told(trace.highest_gain)));
        measures.push(("largest_step_near_hits_db", told(trace.largest_step)));
    }
    measures
}

/// The power of what differs, against that of what should be, in decibels.
fn difference(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut differs, mut wanted) = (0.0, 0.0);
    for (right, left) in pairs {
        differs += (left - right) * (left - right);
        wanted += right * right;
    }
    if wanted > 0.0 { decibels(differs / wanted) } else { 0.0 }
}

/// Where no limiter has anything to do.
fn open_spans(ident: &Ident) -> Vec<(usize, usize)> {
    let (mut spans, mut from) = (Vec::new(), 0);
    for (near, beyond) in ident.near_spans() {
        if near > from {
            spans.push((from, near));
        }
        from = beyond;
    }
    if from < ident.n_frames {
        spans.push((from, ident.n_frames));
    }
    spans
}
