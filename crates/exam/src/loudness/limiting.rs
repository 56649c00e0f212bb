//! Whether a limiter was at work and nothing else: near the peaks a channel is what it should be times a gain.

use super::idents::{HIT_FRAMES, Ident};
use super::meter::{decibels, true_peak_db};

/// The frames of the stretches in which a gain is fitted: usually, and close to a peak.
const STRETCH: usize = 240;
const SHORT_STRETCH: usize = 48;
/// How many frames from a hit are close to it.
const CLOSE: usize = 480;
/// Quieter stretches are taken for so loud, as a part of their channel's power.
const QUIETEST: f64 = 1e-3;

/// What is told of the gain near the peaks, the worst of all channels and stretches. All in decibels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LimiterTrace {
    /// What no gain explains, against what there is: farther from the peaks, and close to them.
    pub(super) unlike: f64,
    pub(super) unlike_close: f64,
    /// The highest gain, against the constant one.
    pub(super) highest_gain: f64,
    /// The largest change from one stretch to the next, farther from the peaks.
    pub(super) largest_step: f64,
}

/// How far the quietest of the hits was brought below the highest peak that is allowed, in decibels.
pub(super) fn lost_at_hits(ident: &Ident, ceiling_db: f64, left: &[Vec<f64>]) -> f64 {
    let lost = |hit: &usize| {
        let close = hit.saturating_sub(CLOSE)..(hit + HIT_FRAMES + CLOSE).min(ident.n_frames);
        let around: Vec<Vec<f64>> = left.iter().map(|channel| channel[close.clone()].to_vec()).collect();
        ceiling_db - true_peak_db(&around)
    };
    ident.hits.iter().map(lost).fold(f64::NEG_INFINITY, f64::max)
}

/// One stretch of a channel: the gain that fits it best, and the power that a gain on a straight line leaves unexplained.
#[derive(Clone, Copy, Debug)]
struct FittedStretch {
    gain: f64,
    unexplained: f64,
    power: f64,
}

/// Pieces of about this length that leave nothing out.
fn pieces((from, to): (usize, usize), length: usize) -> Vec<(usize, usize)> {
    let n = ((to - from) / length).max(1);
    (0..n).map(|at| (from + (to - from) * at / n, from + (to - from) * (at + 1) / n)).filter(|(a, b)| a < b).collect()
}

impl FittedStretch {
    fn of(right: &[f64], left: &[f64]) -> Self {
        let (mut r, mut rt, mut rtt, mut l, mut lt, mut power) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for (at, (right, left)) in right.iter().zip(left).enumerate() {
            let time = at as f64 / STRETCH as f64;
            r += right * right;
            rt += right * right * time;
            rtt += right * right * time * time;
            l += right * left;
            lt += right * left * time;
            power += left * left;
        }
        let spread = r * rtt - rt * rt;
        let explained = if spread > 1e-12 * r * rtt {
            let (at_first, slope) = ((l * rtt - lt * rt) / spread, (lt * r - l * rt) / spread);
            at_first * l + slope * lt
        } else {
            0.0
        };
        Self { gain: if r > 0.0 { l / r } else { 0.0 }, unexplained: (power - explained).max(0.0), power: r }
    }

    /// The power that is unexplained, against that of the stretch after the gain, in decibels.
    fn unlike(&self, quietest: f64) -> f64 {
        let power = self.power.max(quietest) * self.gain * self.gain;
        if power > 0.0 { decibels(self.unexplained / power) } else { 0.0 }
    }
}

/// The difference of two gains, either of which may be none at all.
fn step_db(one: f64, other: f64) -> f64 {
    (decibels(one.max(0.0).powi(2)) - decibels(other.max(0.0).powi(2))).abs()
}

/// What is told of a channel near one hit.
fn trace_at(span: (usize, usize), hit: usize, gain: f64, (right, left): (&[f64], &[f64])) -> LimiterTrace {
    let quietest = QUIETEST * right[span.0..span.1].iter().map(|sample| sample * sample).sum::<f64>()
        / (span.1 - span.0).max(1) as f64;
    let fitted = |(from, to): (usize, usize)| {
        let stretch = FittedStretch::of(&right[from..to], &left[from..to]);
        (stretch, stretch.unlike(quietest * (to - from) as f64))
    };
    let close = (hit.saturating_sub(CLOSE).max(span.0), (hit + HIT_FRAMES + CLOSE).min(span.1));
    let sides = [(span.0, close.0), (close.1, span.1)].map(|side| pieces(side, STRETCH));
    let far = sides.each_ref().map(|side| side.iter().map(|piece| fitted(*piece)).collect::<Vec<_>>());
    let near: Vec<_> = pieces(close, SHORT_STRETCH).into_iter().map(fitted).collect();
    let highest = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::NEG_INFINITY, f64::max);
    let mut gains = far.iter().flatten().chain(&near).map(|(stretch, _)| stretch.gain);
    let mut steps = far.iter().flat_map(|side| side.windows(2).map(|pair| step_db(pair[0].0.gain, pair[1].0.gain)));
    LimiterTrace {
        unlike: highest(&mut far.iter().flatten().map(|(_, unlike)| *unlike)),
        unlike_close: highest(&mut near.iter().map(|(_, unlike)| *unlike)),
        highest_gain: decibels((highest(&mut gains).max(0.0) / gain).powi(2)),
        largest_step: highest(&mut steps),
    }
}

/// What is told of all channels near all hits, if there is one and a gain; what was left is as long as what is right.
pub(super) fn limiter_trace(ident: &Ident, gain: f64, right: &[Vec<f64>], left: &[Vec<f64>]) -> Option<LimiterTrace> {
    let near = |(span, hit): ((usize, usize), usize)| {
        right.iter().zip(left).map(move |(right, left)| trace_at(span, hit, gain, (right, left)))
    };
    let hits = ident.near_spans().into_iter().zip(ident.hits.iter().copied());
    hits.filter(|_| gain > 0.0).flat_map(near).reduce(|one, other| LimiterTrace {
        unlike: one.unlike.max(other.unlike),
        unlike_close: one.unlike_close.max(other.unlike_close),
        highest_gain: one.highest_gain.max(other.highest_gain),
        largest_step: one.largest_step.max(other.largest_step),
    })
}

#[cfg(test)]
mod tests {
    use super::super::idents::{IdentKind, IdentOrder};
    use super::super::meter::factor;
    use super::*;

    fn idents_of(seed: u64) -> (Ident, Vec<Vec<f64>>) {
        let order = IdentOrder::drawn(seed, 3);
        let ident = order.idents.iter().find(|ident| ident.kind == IdentKind::Hits).unwrap().clone();
        let sound = ident.sound().scaled();
        (ident, sound)
    }

    /// The sound with a gain that dips around each hit and comes back over so many frames.
    fn limited(ident: &Ident, right: &[Vec<f64>], frames: f64, least: f64) -> Vec<Vec<f64>> {
        let gain = |at: usize| {
            let away = |hit: &usize| (*hit as f64 - at as f64).max(at as f64 - (*hit + HIT_FRAMES) as f64).max(0.0);
            let nearest = ident.hits.iter().map(away).fold(f64::INFINITY, f64::min);
            least + (1.0 - least) * (nearest / frames).min(1.0)
        };
        right.iter().map(|all| all.iter().enumerate().map(|(at, sample)| 3.0 * gain(at) * sample).collect()).collect()
    }

    fn is_a_limiter(trace: LimiterTrace) -> bool {
        let LimiterTrace { unlike, unlike_close, highest_gain, largest_step } = trace;
        unlike < -20.0 && unlike_close < -10.0 && highest_gain < 0.3 && largest_step < 9.0
    }

    #[test]
    fn limiters_slow_and_fast_are_told_from_other_changes() {
        for seed in 0..3 {
            let (ident, right) = idents_of(seed);
            let trace = |left: &[Vec<f64>]| limiter_trace(&ident, 3.0, &right, left).unwrap();
            for frames in [1.0, 30.0, 120.0, 480.0, 2400.0, 14_000.0] {
                let left = limited(&ident, &right, frames, factor(-9.0));
                assert!(is_a_limiter(trace(&left)), "{frames} frames: {:?}", trace(&left));
            }
            let left = limited(&ident, &right, 240.0, factor(-9.0));
            let mut swapped = left.clone();
            swapped.reverse();
            assert!(trace(&swapped).unlike > -10.0);
            let silent: Vec<Vec<f64>> = left.iter().map(|all| vec![0.0; all.len()]).collect();
            assert!(!is_a_limiter(trace(&silent)));
            let louder = limited(&ident, &right, 240.0, factor(1.0));
            assert!(trace(&louder).highest_gain > 0.5);
        }
    }

    #[test]
    fn pieces_leave_nothing_out() {
        assert_eq!(pieces((3, 13), 5), [(3, 8), (8, 13)]);
        assert_eq!(pieces((3, 12), 5), [(3, 12)]);
        assert!(pieces((4, 4), 5).is_empty());
    }
}
