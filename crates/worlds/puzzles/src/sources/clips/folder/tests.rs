use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::variables;
use tempfile::TempDir;

use super::{ClipFolder, ClipsError, find_ffmpeg};
use crate::sources::clips::{Clip, Clips, WantedFrames};

const WANTED: WantedFrames = WantedFrames { n_frames: 4, side: 96, span: 1.0, least_difference: 2.0 };

/// The program, or nothing where it is not installed, which is said.
fn ffmpeg(test: &str) -> Option<PathBuf> {
    let found = find_ffmpeg();
    if found.is_none() {
        eprintln!("{test} is passed over: the program `ffmpeg` is not installed");
    }
    found
}

/// Makes a clip of three seconds in which a bright bar grows from left to right.
fn make_clip(ffmpeg: &Path, to: &Path, size: &str) {
    let grows = "geq=r='255*lt(X,W*T/3)':g='40+180*lt(X,W*T/3)':b='90'";
    let source = format!("color=black:size={size}:rate=24:duration=3,format=gbrp,{grows}");
    let made = Command::new(ffmpeg)
        .args(["-v", "error", "-nostdin", "-f", "lavfi", "-i", &source, "-c:v", "ffv1"])
        .arg(to)
        .status()
        .unwrap();
    assert!(made.success());
}

fn folder(ffmpeg: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    make_clip(ffmpeg, &folder.path().join("b.mkv"), "160x120");
    make_clip(ffmpeg, &folder.path().join("sub/a.avi"), "64x120");
    fs::write(folder.path().join("b.txt"), "a bar grows from left to right\n").unwrap();
    fs::write(folder.path().join(".hidden.mp4"), "nothing").unwrap();
    folder
}

/// How many pixels of the middle row are bright.
fn bright(frame: &Picture) -> usize {
    let row = (frame.height() / 2 * frame.width() * 4) as usize;
    let row = &frame.rgba()[row..row + frame.width() as usize * 4];
    row.chunks_exact(4).filter(|pixel| pixel[0] > 128 && pixel[2] < 128).count()
}

#[test]
fn frames_come_in_the_order_of_time_whole_and_the_same_for_everyone() {
    let Some(ffmpeg) = ffmpeg("frames_come_in_the_order_of_time_whole_and_the_same_for_everyone") else { return };
    let folder = folder(&ffmpeg);
    let clips = ClipFolder::open(folder.path()).unwrap();
    assert_eq!(clips.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["b.mkv", "sub/a.avi"]);
    let picked: Vec<Clip> = (0..8).map(|seed| clips.pick(&mut Rng::new(seed), &WANTED).unwrap()).collect();
    let others = ClipFolder::open(folder.path()).unwrap();
    assert_eq!(others.name(), clips.name());
    for clip in &picked {
        let frames = others.load(clip).unwrap();
        let lengths: Vec<usize> = frames.iter().map(|frame| bright(frame)).collect();
        assert!(frames.len() == 4 && lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
        assert!(frames.iter().all(|frame| (frame.width(), frame.height()) == (96, 96)));
    }
    let about = |name: &str| picked.iter().find(|clip| clip.name == name).unwrap().about.clone();
    assert_eq!(about("b.mkv").as_deref(), Some("a bar grows from left to right"));
    assert_eq!(about("sub/a.avi"), None);
    let wide = others.load(picked.iter().find(|clip| clip.name == "b.mkv").unwrap()).unwrap();
    assert_eq!(wide[0].rgba()[..4], [250, 250, 247, 255], "bars fill what the clip leaves open");
    assert!(Arc::ptr_eq(&others.load(&picked[0]).unwrap()[0], &others.load(&picked[0]).unwrap()[0]));
}

#[test]
fn a_long_clip_is_sampled_evenly() {
    let Some(ffmpeg) = ffmpeg("a_long_clip_is_sampled_evenly") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.mkv");
    let grows = "geq=lum='255*lt(X,W*T/30)':cb=128:cr=128";
    let source = format!("color=black:size=64x64:rate=12:duration=30,{grows}");
    let args = ["-v", "error", "-nostdin", "-f", "lavfi", "-i", &source, "-c:v", "ffv1"];
    assert!(Command::new(&ffmpeg).args(args).arg(&path).status().unwrap().success());
    let clips = ClipFolder::open(folder.path()).unwrap();
    let sampled = clips.sampled(&clips.files[0], 64).unwrap();
    assert!((32..=63).contains(&sampled.last()), "{}", sampled.last());
    let white = |moment| sampled.frame(moment).unwrap().rgba()[..64 * 4].chunks_exact(4).filter(|p| p[0] > 128).count();
    let (middle, last) = (white(sampled.last() / 2), white(sampled.last()));
    assert!(middle.abs_diff(32) <= 2 && last >= 60, "{middle} and {last} of 64");
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::create_dir(place.path().join("some")).unwrap();
    fs::write(place.path().join("some/clip.mp4"), "not a clip at all").unwrap();
    let said = |error: ClipsError| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        let place = place.path().to_string_lossy().into_owned();
        format!("{error}{cause}").replace(&place, "PLACE")
    };
    let open = |name: &str| ClipFolder::open_with(&place.path().join(name), None).err().map(said).unwrap();
    insta::assert_snapshot!(["missing", "empty", "some"].map(open).join("\n"), @"
    cannot read the clip folder `PLACE/missing`: No such file or directory (os error 2)
    no clips found in `PLACE/empty`: video files are wanted (.mp4, .mkv, .webm, .mov, .avi, .gif and others)
    clips are decoded by the program `ffmpeg`, which is not on the PATH: install it (apt install ffmpeg)
    ");
    let wrong = ClipFolder::open_with(&place.path().join("some"), Some(place.path().join("no-such-program"))).unwrap();
    let error = wrong.pick(&mut Rng::new(0), &WANTED).unwrap_err();
    assert_eq!(
        error,
        "clips are decoded by the program `ffmpeg`, which cannot be run: install it (apt install ffmpeg)"
    );
}

#[test]
fn a_clip_that_changed_is_broken_or_stands_still_is_refused() {
    let Some(ffmpeg) = ffmpeg("a_clip_that_changed_is_broken_or_stands_still_is_refused") else { return };
    let folder = folder(&ffmpeg);
    fs::remove_dir_all(folder.path().join("sub")).unwrap();
    let clips = ClipFolder::open(folder.path()).unwrap();
    let never = clips.pick(&mut Rng::new(0), &WantedFrames { least_difference: 250.0, ..WANTED }).unwrap_err();
    assert!(never.ends_with("none has 4 frames that differ by 250 of 255"), "{never}");
    fs::write(folder.path().join("b.mkv"), "not a clip").unwrap();
    let changed = clips.pick(&mut Rng::new(0), &WantedFrames { side: 80, ..WANTED }).unwrap_err();
    assert!(changed.ends_with("b.mkv` has changed since the folder was opened"), "{changed}");
    let broken = ClipFolder::open(folder.path()).unwrap().pick(&mut Rng::new(0), &WANTED).unwrap_err();
    assert!(broken.contains("b.mkv` cannot be decoded: "), "{broken}");
}

/// Real clips with cameras, codecs and containers of the world outside.
#[test]
fn real_clips_give_frames() {
    let Some(_) = ffmpeg("real_clips_give_frames") else { return };
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let samples = std::env::var_os(variables::SAMPLES).map_or(default, PathBuf::from).join("video_audio/intel");
    if !samples.is_dir() {
        eprintln!("real_clips_give_frames is passed over: there are no sample clips in {}", samples.display());
        return;
    }
    let few = tempfile::tempdir().unwrap();
    for name in ["bottle-detection.mp4", "eat.mkv", "walk.mkv"] {
        fs::copy(samples.join(name), few.path().join(name)).unwrap();
    }
    let clips = ClipFolder::open(few.path()).unwrap();
    let wanted = WantedFrames { n_frames: 6, side: 224, span: 1.0, least_difference: 1.0 };
    for seed in 0..4 {
        let clip = clips.pick(&mut Rng::new(seed), &wanted).unwrap();
        assert_eq!(ClipFolder::open(few.path()).unwrap().load(&clip).unwrap().len(), 6);
    }
}
