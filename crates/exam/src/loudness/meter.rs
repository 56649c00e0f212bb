//! Loudness as ITU-R BS.1770 defines it, and true peaks, at 48 kHz.

use std::f64::consts::PI;

/// The frames of a tenth of a second: blocks are four of them long and begin one after another.
const HOP: usize = 4800;
/// Quieter blocks never count.
const ABSOLUTE_GATE_LUFS: f64 = -70.0;
/// Nor do blocks that are so much quieter than those that are left.
const RELATIVE_GATE_LU: f64 = -10.0;
/// What is told of silence.
const FLOOR_DB: f64 = -120.0;
/// How many samples on each side make a value between two samples, and how many such values there are.
const REACH: isize = 16;
const N_BETWEEN: isize = 8;

/// How much a power is in decibels.
pub(super) fn decibels(power: f64) -> f64 {
    if power > 0.0 { (10.0 * power.log10()).max(FLOOR_DB) } else { FLOOR_DB }
}

/// What a factor of so many decibels is.
pub(super) fn factor(decibels: f64) -> f64 {
    10_f64.powf(decibels / 20.0)
}

struct SecondOrder {
    b: [f64; 3],
    a: [f64; 2],
}

/// The shelf and the high pass of the standard.
const WEIGHTING: [SecondOrder; 2] = [
    SecondOrder {
        b: [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
        a: [-1.690_659_293_182_41, 0.732_480_774_215_85],
    },
    SecondOrder { b: [1.0, -2.0, 1.0], a: [-1.990_047_454_833_98, 0.990_072_250_366_21] },
];

/// The energy of a weighted channel in each tenth of a second.
fn energies(channel: &[f64]) -> Vec<f64> {
    let mut state = [[0.0_f64; 2]; 2];
    let mut sums = vec![0.0; channel.len() / HOP];
    for (hop, samples) in channel.chunks_exact(HOP).enumerate() {
        for sample in samples {
            let mut value = *sample;
            for (filter, z) in WEIGHTING.iter().zip(&mut state) {
                let out = filter.b[0] * value + z[0];
                z[0] = filter.b[1] * value - filter.a[0] * out + z[1];
                z[1] = filter.b[2] * value - filter.a[1] * out;
                value = out;
            }
            sums[hop] += value * value;
        }
    }
    sums
}

/// The weight of a channel: in 5.1 the fourth is left out, and those at the sides count more.
fn weight(channel: usize, n_channels: usize) -> f64 {
    match (n_channels, channel) {
        (6, 3) => 0.0,
        (6, 4 | 5) => 1.41,
        _ => 1.0,
    }
}

/// The integrated loudness in LUFS of channels that are all of one length.
pub(super) fn integrated_lufs(channels: &[Vec<f64>]) -> f64 {
    let mut hops: Vec<f64> = Vec::new();
    for (at, channel) in channels.iter().enumerate() {
        let weight = weight(at, channels.len());
        let energies = energies(channel);
        hops.resize(energies.len(), 0.0);
        hops.iter_mut().zip(energies).for_each(|(sum, energy)| *sum += weight * energy);
    }
    let blocks: Vec<f64> = hops.windows(4).map(|four| four.iter().sum::<f64>() / (4 * HOP) as f64).collect();
    let lufs = |power: f64| decibels(power) - 0.691;
    let mean_above = |gate: f64| {
        let loud: Vec<f64> = blocks.iter().copied().filter(|power| lufs(*power) > gate).collect();
        if loud.is_empty() { 0.0 } else { loud.iter().sum::<f64>() / loud.len() as f64 }
    };
    let first = mean_above(ABSOLUTE_GATE_LUFS);
    lufs(mean_above((lufs(first) + RELATIVE_GATE_LU).max(ABSOLUTE_GATE_LUFS)))
}

/// The highest true peak of all channels, in decibels of full scale.
pub(super) fn true_peak_db(channels: &[Vec<f64>]) -> f64 {
    let highest = channels.iter().map(|channel| true_peak(channel)).fold(0.0, f64::max);
    decibels(highest * highest)
}

/// Looks between the samples where a channel is at its highest.
fn true_peak(channel: &[f64]) -> f64 {
    let highest = channel.iter().fold(0.0_f64, |highest, sample| highest.max(sample.abs()));
    let size = |at: usize| channel.get(at).map_or(0.0, |sample| sample.abs());
    let tops = (0..channel.len()).filter(|at| {
        let here = size(*at);
        here > 0.5 * highest && here >= size(*at + 1) && here >= size(at.wrapping_sub(1))
    });
    let between = |at: usize| {
        let steps = (1 - N_BETWEEN..N_BETWEEN).map(move |step| at as f64 + step as f64 / N_BETWEEN as f64);
        steps.map(|time| value_at(channel, time).abs()).fold(0.0, f64::max)
    };
    tops.map(between).fold(highest, f64::max)
}

/// The value of a band-limited signal at any time, by a windowed sinc.
fn value_at(channel: &[f64], time: f64) -> f64 {
    let middle = time.floor() as isize;
    let term = |at: isize| {
        let sample = usize::try_from(at).ok().and_then(|at| channel.get(at))?;
        let distance = time - at as f64;
        let sinc = if distance == 0.0 { 1.0 } else { (PI * distance).sin() / (PI * distance) };
        let window = (PI * distance / (2.0 * (REACH as f64 + 1.0))).cos().powi(2);
        Some(sample * sinc * window)
    };
    (middle - REACH + 1..=middle + REACH).filter_map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(frequency: f64, amplitude: f64, phase: f64, n_frames: usize) -> Vec<f64> {
        (0..n_frames).map(|n| amplitude * (2.0 * PI * frequency * n as f64 / 48_000.0 + phase).sin()).collect()
    }

    /// The standard's own example: a sine of 997 Hz at full scale in one channel of a stereo pair is -3.01 LUFS.
    #[test]
    fn tones_are_as_loud_as_the_standard_says() {
        let silence = vec![0.0; 144_000];
        let one = integrated_lufs(&[tone(997.0, 1.0, 0.0, 144_000), silence.clone()]);
        assert!((one + 3.01).abs() < 0.02, "{one}");
        let both =
            integrated_lufs(&[tone(1000.0, factor(-23.0), 0.0, 144_000), tone(1000.0, factor(-23.0), 0.0, 144_000)]);
        assert!((both + 23.0).abs() < 0.05, "{both}");
        assert!(integrated_lufs(&[silence.clone(), silence]) < -119.0);
        assert!(integrated_lufs(&[Vec::new()]) < -119.0);
    }

    #[test]
    fn what_the_gate_leaves_out_does_not_count() {
        let loud = tone(1000.0, factor(-23.0), 0.0, 240_000);
        let with_pause = [loud.clone(), vec![0.0; 240_000], tone(1000.0, factor(-50.0), 0.0, 240_000)].concat();
        assert!((integrated_lufs(&[loud]) - integrated_lufs(&[with_pause])).abs() < 0.15);
    }

    #[test]
    fn peaks_between_samples_are_found() {
        let quarter = tone(12_000.0, 0.5, PI / 4.0, 4800);
        let found = true_peak_db(&[quarter]);
        assert!((found - 20.0 * 0.5_f64.log10()).abs() < 0.1, "{found}");
        assert!(true_peak_db(&[Vec::new()]) < -119.0);
    }
}
