//! Station idents from a seed: what they should sound like, and the faults of the files that came from the studio.

use std::f64::consts::PI;

use quintain_core::Rng;

use super::meter::{factor, integrated_lufs};
use super::wave::PcmSound;

const TITLES: [&str; 10] = [
    "morning-call",
    "harbour",
    "late-news",
    "weather",
    "night-train",
    "kitchen-table",
    "fanfare",
    "crossroads",
    "paper-boat",
    "signal-box",
];
/// Before and behind a hit, so many frames may be touched by a limiter.
const TOUCHED: usize = 14_400;
/// How long a hit is.
pub(super) const HIT_FRAMES: usize = 48;
/// In which order the studio has the channels of 5.1, by their places in the order of delivery (L R C LFE Ls Rs).
const FILM_ORDER: [usize; 6] = [0, 2, 1, 4, 5, 3];

/// What is difficult about an ident.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdentKind {
    /// Pauses and a quiet passage, which the gates leave out.
    Pauses,
    /// Short hits that are far higher than the rest, between the samples.
    Hits,
    /// The right channel is inverted.
    Inverted,
    /// One channel is missing: the left one or the right one.
    Missing(usize),
    /// 5.1 in the order of film, with a loud channel of low frequencies.
    Surround,
    /// Nothing is wrong: the sides have nothing in common and one is much quieter.
    Wide,
}

/// One ident.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ident {
    pub(super) title: String,
    pub(super) kind: IdentKind,
    pub(super) n_frames: usize,
    /// How loud the file from the studio is.
    lufs: f64,
    /// How high its hits are, and where.
    hit_size: f64,
    pub(super) hits: Vec<usize>,
    seed: u64,
}

/// All idents of an order, and what they are to be delivered with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IdentOrder {
    pub(super) target_lufs: f64,
    pub(super) ceiling_db: f64,
    pub(super) idents: Vec<Ident>,
}

impl IdentOrder {
    /// So many idents from a seed.
    pub(super) fn drawn(seed: u64, n_files: usize) -> Self {
        let mut rng = Rng::for_purpose(seed, "idents");
        let target_lufs = -0.5 * rng.between(40, 50) as f64;
        let ceiling_db = -0.5 * rng.between(2, 6) as f64;
        let fault = if rng.chance(0.5) { IdentKind::Inverted } else { IdentKind::Missing(rng.below(2)) };
        let other = if fault == IdentKind::Inverted { IdentKind::Missing(rng.below(2)) } else { IdentKind::Inverted };
        let mut kinds = vec![IdentKind::Pauses, IdentKind::Hits, fault, IdentKind::Surround, IdentKind::Wide, other];
        kinds.truncate(n_files);
        rng.shuffle(&mut kinds);
        let mut titles = TITLES;
        rng.shuffle(&mut titles);
        let mut ident = |(kind, title): (IdentKind, &str)| Ident {
            title: format!("{title}-{}", 100 + rng.below(900)),
            ..Ident::drawn(kind, target_lufs, ceiling_db, &mut rng)
        };
        let idents = kinds.into_iter().zip(titles).map(&mut ident).collect();
        Self { target_lufs, ceiling_db, idents }
    }
}

impl Ident {
    fn drawn(kind: IdentKind, target_lufs: f64, ceiling_db: f64, rng: &mut Rng) -> Self {
        let n_frames = if kind == IdentKind::Surround { 120_000 } else { 180_000 } + rng.below(40_000);
        let is_hit = kind == IdentKind::Hits;
        let gain_db = if is_hit || rng.chance(0.6) { rng.uniform(9.0, 12.0) } else { -rng.uniform(2.0, 6.0) };
        let hits = (0..3).map(|third| n_frames * third / 3 + 12_000 + rng.below(30_000)).filter(|_| is_hit).collect();
        Self {
            title: String::new(),
            kind,
            n_frames,
            lufs: target_lufs - gain_db,
            hit_size: factor(ceiling_db + rng.uniform(6.0, 8.5) - gain_db),
            hits,
            seed: rng.next_u64(),
        }
    }

    /// What is delivered.
    pub(super) fn file(&self) -> String {
        format!("{}.wav", self.title)
    }

    /// Where a limiter may be at work: the frames from each hit's first to its last, and those around them.
    pub(super) fn near_spans(&self) -> Vec<(usize, usize)> {
        let span = |at: &usize| (at.saturating_sub(TOUCHED), (at + HIT_FRAMES + TOUCHED).min(self.n_frames));
        self.hits.iter().map(span).collect()
    }

    /// The order of channels in the file from the studio.
    pub(super) fn layout(&self) -> &'static str {
        if self.kind == IdentKind::Surround { "L C R Ls Rs LFE" } else { "L R" }
    }

    /// What it should sound like, in the order of delivery, as loud as the studio made it.
    pub(super) fn sound(&self) -> PcmSound {
        let mut rng = Rng::new(self.seed);
        let n = self.n_frames;
        let common = voice(&mut rng, n);
        let mut channels: Vec<Vec<f64>> = match self.kind {
            IdentKind::Surround => (0..6).map(|at| surround_channel(&mut rng, &common, at)).collect(),
            IdentKind::Wide => {
                let quiet = voice(&mut rng, n);
                vec![common, quiet.iter().map(|sample| 0.1 * sample).collect()]
            }
            _ => (0..2).map(|_| mixed(&common, &voice(&mut rng, n), 0.4)).collect(),
        };
        if self.kind == IdentKind::Pauses {
            for channel in &mut channels {
                pause(channel, &mut rng);
            }
        }
        if let IdentKind::Missing(at) = self.kind {
            let there = channels[1 - at].clone();
            channels[at] = there;
        }
        let gain = factor(self.lufs - integrated_lufs(&channels));
        channels.iter_mut().flatten().for_each(|sample| *sample *= gain);
        for (at, channel) in self.hits.iter().flat_map(|at| [(at, 0), (at, 1)]) {
            hit(&mut channels[channel][*at..], self.hit_size);
        }
        PcmSound::of_scaled(&channels)
    }

    /// The file from the studio.
    pub(super) fn studio_file(&self, sound: &PcmSound) -> PcmSound {
        let mut file = sound.clone();
        match self.kind {
            IdentKind::Inverted => file.channels[1].iter_mut().for_each(|sample| *sample = -*sample),
            IdentKind::Missing(at) => {
                let mut rng = Rng::for_purpose(self.seed, "hum");
                file.channels[at].iter_mut().for_each(|sample| *sample = rng.between(-60, 60) as i32);
            }
            IdentKind::Surround => file.channels = FILM_ORDER.map(|at| sound.channels[at].clone()).to_vec(),
            IdentKind::Pauses | IdentKind::Hits | IdentKind::Wide => {}
        }
        file
    }
}

/// Something like speech: noise with a formant, in syllables; of power one.
fn voice(rng: &mut Rng, n_frames: usize) -> Vec<f64> {
    let formant = 2.0 * PI * rng.uniform(400.0, 1100.0) / 48_000.0;
    let (near, pace) = (0.985, 2.0 * PI * rng.uniform(2.5, 4.5) / 48_000.0);
    let (turn, shrink) = (2.0 * near * formant.cos(), near * near);
    let (mut last, mut before) = (0.0, 0.0);
    let mut samples = Vec::with_capacity(n_frames);
    for n in 0..n_frames {
        (last, before) = (rng.unit() - 0.5 + turn * last - shrink * before, last);
        samples.push(last * (0.6 + 0.4 * (pace * n as f64).sin()));
    }
    let power = samples.iter().map(|sample| sample * sample).sum::<f64>() / n_frames as f64;
    for sample in &mut samples {
        *sample /= power.sqrt();
    }
    samples
}

fn mixed(common: &[f64], own: &[f64], share: f64) -> Vec<f64> {
    common.iter().zip(own).map(|(common, own)| common + share * own).collect()
}

/// A channel of 5.1: the centre is loudest, the fourth hums.
fn surround_channel(rng: &mut Rng, common: &[f64], at: usize) -> Vec<f64> {
    if at == 3 {
        let pitch = 2.0 * PI * rng.uniform(40.0, 60.0) / 48_000.0;
        return (0..common.len()).map(|n| 4.5 * (pitch * n as f64).sin()).collect();
    }
    let (shared, own) = [(0.3, 0.7), (0.3, 0.7), (1.0, 0.1), (0.0, 0.0), (0.1, 0.6), (0.1, 0.6)][at];
    let voice = voice(rng, common.len());
    common.iter().zip(voice).map(|(common, voice)| shared * common + own * voice).collect()
}

/// The second quarter is silent but for a breath of noise, the third far quieter.
fn pause(channel: &mut [f64], rng: &mut Rng) {
    let quarter = channel.len() / 4;
    channel[quarter..2 * quarter].iter_mut().for_each(|sample| *sample = 1e-4 * (rng.unit() - 0.5));
    channel[2 * quarter..3 * quarter].iter_mut().for_each(|sample| *sample *= 0.08);
}

/// A click of a millisecond whose highest points lie between the samples.
fn hit(samples: &mut [f64], size: f64) {
    for (n, sample) in samples.iter_mut().take(HIT_FRAMES).enumerate() {
        let window = (PI * (n as f64 + 0.5) / HIT_FRAMES as f64).sin().powi(2);
        *sample += size * window * (PI / 2.0 * n as f64 + PI / 4.0).sin();
    }
}
