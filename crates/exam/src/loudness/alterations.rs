//! What is nearly right of delivered files, and what is as good.

use std::f64::consts::PI;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet};
use quintain_workspace::alterations::{usual, with};

use super::idents::{Ident, IdentKind, IdentOrder};
use super::wave::PcmSound;

/// How many frames a fade around a peak takes.
const FADE_FRAMES: f64 = 9600.0;
/// The largest file that is altered.
const LARGEST: u64 = 16 << 20;

/// The usual alterations, those of a whole file, and those that are heard near the peaks alone.
pub(super) fn of(order: &IdentOrder, left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    if let Some((ident, bytes, sound)) = left_of(order, left, IdentKind::Pauses) {
        let path = ident.file();
        let changed = |(how, sound): (&str, PcmSound)| with(left, &path, how, sound.written());
        altered.wrong.extend(near_misses(&sound).into_iter().map(changed));
        let twice = [&bytes[..], &sound.written()[36..]].concat();
        altered.wrong.push(with(left, &path, "another data chunk", twice));
        altered.right.extend([("a little louder", louder(&sound, 1.008))].map(changed));
        altered.right.push(with(left, &path, "a note in the file", with_note(&bytes)));
        if let Some((other, file)) = left.iter().find(|(other, _)| **other != path) {
            let mut exchanged = left.clone();
            exchanged.insert(path.clone(), file.clone());
            exchanged.insert(other.clone(), FileHandle::held(bytes));
            altered.wrong.push(("two files exchanged".to_owned(), exchanged));
        }
    }
    if let Some((ident, _, sound)) = left_of(order, left, IdentKind::Hits) {
        let changed = |(how, sound): (&str, PcmSound)| with(left, &ident.file(), how, sound.written());
        altered.wrong.extend(near_the_peaks(ident, &sound).map(changed));
    }
    altered
}

/// The ident of a kind and what was delivered of it.
fn left_of<'a>(order: &'a IdentOrder, left: &FileSet, kind: IdentKind) -> Option<(&'a Ident, Vec<u8>, PcmSound)> {
    let ident = order.idents.iter().find(|ident| ident.kind == kind)?;
    let bytes = left.get(&ident.file())?.whole(LARGEST).ok()?;
    let sound = PcmSound::read(&bytes).ok()?;
    Some((ident, bytes, sound))
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

/// What was changed where a limiter may be at work, and by something else than a limiter.
fn near_the_peaks(ident: &Ident, sound: &PcmSound) -> [(&'static str, PcmSound); 7] {
    let power = sound.channels[0].iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>();
    let hum_size = 0.4 * (power / sound.channels[0].len() as f64).sqrt();
    let hum = |at: usize| (hum_size * (2.0 * PI * 50.0 * at as f64 / 48_000.0).sin()) as i32;
    let with = |sample: &dyn Fn(usize, usize) -> i32| {
        let mut other = sound.clone();
        for (channel, samples) in other.channels.iter_mut().enumerate() {
            for (from, to) in ident.near_spans() {
                (from..to.min(samples.len())).for_each(|at| samples[at] = sample(channel, at));
            }
        }
        other
    };
    let of = |channel: usize, at: usize| sound.channels[channel][at];
    let mean = |channel: usize, at: usize| {
        let around = at.saturating_sub(3)..(at + 4).min(sound.channels[channel].len());
        sound.channels[channel][around.clone()].iter().sum::<i32>() / around.len() as i32
    };
    let faded = |channel: usize, at: usize| {
        let away = ident.hits.iter().map(|hit| at.abs_diff(*hit)).min().unwrap_or(usize::MAX);
        let part = (away as f64 / FADE_FRAMES).min(1.0);
        (f64::from(of(channel, at)) * (0.001 + 0.999 * part * part)) as i32
    };
    [
        ("faded out around the peaks", with(&faded)),
        ("a hum near the peaks", with(&|channel, at| of(channel, at) + hum(at))),
        ("channels exchanged near the peaks", with(&|channel, at| of(1 - channel, at))),
        ("one channel twice near the peaks", with(&|_, at| of(0, at))),
        ("high tones taken away near the peaks", with(&mean)),
        ("gaps near the peaks", with(&|channel, at| if at / 480 % 3 == 0 { 0 } else { of(channel, at) })),
        ("inverted near the peaks", with(&|channel, at| -of(channel, at))),
    ]
}

/// A file with a chunk more before its others.
fn with_note(bytes: &[u8]) -> Vec<u8> {
    let note = b"note\x06\0\0\0hello\0";
    let size = (bytes.len() + note.len() - 8) as u32;
    [b"RIFF", &size.to_le_bytes()[..], b"WAVE", note, &bytes[12..]].concat()
}
