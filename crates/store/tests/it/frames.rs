use std::fs;
use std::sync::Arc;

use quintain_core::{Digest, Picture, Rng, Screen};
use quintain_png::{decode, encode};
use quintain_store::FrameStore;

fn noise(width: u32, height: u32, seed: u64) -> Picture {
    let mut rng = Rng::for_purpose(seed, "noise");
    let mut picture = Picture::filled(width, height, [0; 3]);
    for pixel in picture.rgba_mut().chunks_exact_mut(4) {
        pixel[..3].copy_from_slice(&rng.next_u64().to_le_bytes()[..3]);
    }
    picture
}

#[test]
fn a_picture_comes_back_pixel_for_pixel() {
    let folder = tempfile::tempdir().unwrap();
    let frames = FrameStore::new(folder.path());
    for (width, height) in [(1, 1), (7, 3), (64, 64), (333, 17)] {
        let picture = Arc::new(noise(width, height, 5));
        let digest = picture.digest();
        frames.put(digest, &Screen::Raw(Arc::clone(&picture))).unwrap();
        assert_eq!(frames.get(digest).unwrap().as_ref(), Some(&*picture));
        frames.verify(digest).unwrap();
    }
}

#[test]
fn a_picture_that_is_not_opaque_keeps_its_alpha() {
    let mut picture = noise(5, 5, 1);
    picture.rgba_mut()[3] = 7;
    assert_eq!(decode(&encode(&picture).unwrap()).unwrap(), picture);
}

#[test]
fn a_stored_picture_is_not_packed_again() {
    let folder = tempfile::tempdir().unwrap();
    let picture = noise(9, 9, 1);
    let digest = picture.digest();
    let screen = Screen::Raw(Arc::new(picture));
    FrameStore::new(folder.path()).put(digest, &screen).unwrap();
    let path = FrameStore::new(folder.path()).path(digest);
    fs::write(&path, b"left alone").unwrap();
    FrameStore::new(folder.path()).put(digest, &screen).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"left alone");
}

#[test]
fn a_picture_that_came_packed_is_kept_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let frames = FrameStore::new(folder.path());
    let png: Arc<[u8]> = encode(&noise(4, 4, 2)).unwrap().into();
    let screen = Screen::Png { bytes: Arc::clone(&png), size: (4, 4) };
    frames.put(screen.digest(), &screen).unwrap();
    frames.verify(screen.digest()).unwrap();
    assert_eq!(frames.get_png(screen.digest()).unwrap().as_deref(), Some(&*png));
}

#[test]
fn other_pixels_under_the_same_name_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let frames = FrameStore::new(folder.path());
    let digest = Digest::of(b"another");
    frames.put(digest, &Screen::Raw(Arc::new(noise(2, 2, 3)))).unwrap();
    insta::assert_snapshot!(frames.verify(digest).unwrap_err(), @"picture cee450a2406289497e67bcd0cc5503c073a6f15504e5c6993ab085f4d4e09462: holds other pixels: 9cb77e4528d350f84a847fe5ae795ca830968b13e12b0b6962ca9ea0cc749fcf");
    fs::write(frames.path(digest), b"not a picture").unwrap();
    assert!(frames.verify(digest).is_err());
    assert!(frames.verify(Digest::of(b"none")).is_err());
    assert_eq!(frames.get(Digest::of(b"none")).unwrap(), None);
}

#[test]
fn nothing_grows_where_a_run_was_moved_away() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("run"), folder.path().join("elsewhere"));
    fs::create_dir(&here).unwrap();
    let frames = FrameStore::new(here.join("frames"));
    let put = |seed| {
        let picture = Arc::new(noise(4, 4, seed));
        frames.put(picture.digest(), &Screen::Raw(picture))
    };
    put(1).unwrap();
    fs::rename(&here, &there).unwrap();
    let why = put(2).unwrap_err().to_string();
    assert!(why.contains("cannot create") && why.contains("run/frames"), "{why}");
    assert!(!here.exists());
}
