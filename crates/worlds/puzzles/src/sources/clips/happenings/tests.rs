use quintain_core::digest::Digest;
use quintain_core::rng::Rng;

use super::{Happenings, KINDS, LAST, render};
use crate::sources::clips::{Clip, Clips, WantedFrames};
use crate::tiles::look::difference;

const WANTED: WantedFrames = WantedFrames { n_frames: 4, side: 112, span: 1.0, least_difference: 2.0 };

#[test]
fn pixels_never_change() {
    let line = |(kind, _): &(&str, _)| {
        let (about, frames) = render(&format!("{kind}-00000000000000a7"), &[0, 333, 667, LAST], 96).unwrap();
        let all: Vec<u8> = frames.iter().flat_map(|frame| *frame.digest().bytes()).collect();
        format!("{kind}: {about}: {}", Digest::of(&all).short())
    };
    insta::assert_snapshot!(KINDS.iter().map(line).collect::<Vec<_>>().join("\n"), @"
    ball: a ball dipped in paint bounces lower each time and leaves blots: 020df3ba7bf4
    candle: a candle burns down: 68afad7ff965
    dominoes: a ball knocks over a row of dominoes, one after the other: 04a7e6aefb54
    firework: a firework rocket climbs, bursts, and its sparks fall and go out: 06e6c124e7b9
    flower: a flower grows and opens: f83b0cd0665a
    hourglass: sand runs through an hourglass: 38b8ff63c2a7
    ink: a drop of ink spreads in water: 7dca93980b79
    snowman: a snowman melts in the sun: 9c1bcf2551bc
    ");
}

#[test]
fn what_is_picked_can_be_loaded_by_another_who_has_the_name() {
    let made = Happenings::default();
    for seed in 0..6 {
        let clip = made.pick(&mut Rng::new(seed), &WANTED).unwrap();
        let frames = Happenings::default().load(&clip).unwrap();
        assert_eq!(frames.len(), 4);
        assert!(frames.iter().all(|frame| (frame.width(), frame.height()) == (112, 112)));
        assert!(clip.moments.is_sorted_by(|a, b| a < b) && clip.about.is_some());
    }
}

#[test]
fn what_is_not_there_or_was_made_otherwise_is_refused() {
    let made = Happenings::default();
    let mut clip = made.pick(&mut Rng::new(1), &WANTED).unwrap();
    let said = |clip: &Clip| made.load(clip).unwrap_err();
    clip.digest = Digest::of(b"other pixels");
    assert!(said(&clip).ends_with("does not have the pixels it was picked with: another version made it"));
    clip.name = "rain-00".to_owned();
    assert_eq!(said(&clip), "there is no happening `rain-00`");
    let never = made.pick(&mut Rng::new(1), &WantedFrames { least_difference: 200.0, ..WANTED }).unwrap_err();
    assert_eq!(never, "16 happenings were tried: none has 4 frames that differ by 200 of 255");
}

/// Every kind gives instances, so none is passed over in silence.
#[test]
fn every_kind_is_picked() {
    let made = Happenings::default();
    let picked: Vec<String> = (0..64).map(|seed| made.pick(&mut Rng::new(seed), &WANTED).unwrap().name).collect();
    for (kind, _) in KINDS {
        let n_picked = picked.iter().filter(|name| name.starts_with(kind)).count();
        assert!(n_picked >= 2, "{kind}: {n_picked} of 64");
    }
}

/// Time is seen to pass: a frame is more like one that is near in time than like one that is far. A ball is always as
/// large and a sky dark before and after: there the blots and the smoke tell, which are small.
#[test]
fn frames_grow_apart_with_time() {
    for (kind, _) in KINDS.iter().filter(|(kind, _)| !["ball", "firework"].contains(kind)) {
        let mut n_nearer = 0;
        for seed in 0..10 {
            let (_, frames) = render(&format!("{kind}-{seed:016x}"), &[100, 300, 900], 64).unwrap();
            let off = |a: usize, b: usize| difference(frames[a].rgba(), frames[b].rgba());
            n_nearer += usize::from(off(0, 1) < off(0, 2));
        }
        assert!(n_nearer >= 8, "{kind}: {n_nearer} of 10");
    }
}
