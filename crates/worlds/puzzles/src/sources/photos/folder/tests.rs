use std::fs;
use std::path::{Path, PathBuf};

use image::codecs::jpeg::JpegEncoder;
use image::{ColorType, ImageEncoder, Rgb, RgbImage, Rgba, RgbaImage};
use quintain_core::rng::Rng;
use tempfile::TempDir;

use super::PhotoFolder;
use super::fit::fit;
use crate::sources::photos::{Photo, Photos};

/// A colourful test picture.
fn gradient(width: u32, height: u32, blue: u8) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| Rgb([(x * 255 / width) as u8, (y * 255 / height) as u8, blue]))
}

fn save_jpeg(path: &Path, picture: &RgbImage) {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 90)
        .write_image(picture, picture.width(), picture.height(), ColorType::Rgb8.into())
        .unwrap();
    fs::write(path, bytes).unwrap();
}

/// A folder called `holiday`, in a place of its own.
struct Holiday(TempDir);

impl Holiday {
    fn path(&self) -> PathBuf {
        self.0.path().join("holiday")
    }
}

/// Three photographs, one of them in a subfolder, and things that are none.
fn folder() -> Holiday {
    let folder = Holiday(tempfile::tempdir().unwrap());
    fs::create_dir_all(folder.path().join("sub")).unwrap();
    gradient(80, 60, 10).save(folder.path().join("b.png")).unwrap();
    save_jpeg(&folder.path().join("c.JPG"), &gradient(64, 100, 90));
    save_jpeg(&folder.path().join("sub/a.jpeg"), &gradient(120, 50, 200));
    fs::write(folder.path().join("notes.txt"), "no photo").unwrap();
    fs::write(folder.path().join(".hidden.png"), "no photo").unwrap();
    folder
}

fn said(error: impl std::error::Error, folder: &Path) -> String {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}").replace(&*folder.canonicalize().unwrap_or_default().to_string_lossy(), "FOLDER")
}

#[test]
fn photographs_are_found_in_order_and_named_by_their_place() {
    let folder = folder();
    let photos = PhotoFolder::open(folder.path()).unwrap();
    let names: Vec<&str> = photos.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["b.png", "c.JPG", "sub/a.jpeg"]);
    let name = photos.name();
    assert!(name.starts_with("folder `holiday` ") && !name.contains('/'), "{name}");
}

#[test]
fn the_name_tells_the_content() {
    let (one, two) = (folder(), folder());
    let name = |folder: &Holiday| PhotoFolder::open(folder.path()).unwrap().name();
    assert_eq!(name(&one), name(&two));
    fs::rename(two.path().join("b.png"), two.path().join("d.png")).unwrap();
    assert_ne!(name(&one), name(&two));
    fs::rename(two.path().join("d.png"), two.path().join("b.png")).unwrap();
    assert_eq!(name(&one), name(&two));
    gradient(80, 60, 11).save(two.path().join("b.png")).unwrap();
    assert_ne!(name(&one), name(&two));
}

#[test]
fn what_is_picked_can_be_loaded_by_another_who_opens_the_folder() {
    let folder = folder();
    let photos = PhotoFolder::open(folder.path()).unwrap();
    let picked: Vec<Photo> = (0..12).map(|seed| photos.pick(&mut Rng::new(seed), 40, 30).unwrap()).collect();
    assert!(picked.iter().any(|photo| photo.name == "sub/a.jpeg") && picked.iter().any(|photo| photo.name == "b.png"));
    let others = PhotoFolder::open(folder.path()).unwrap();
    for photo in &picked {
        let picture = others.load(photo).unwrap();
        assert_eq!((picture.width(), picture.height(), picture.digest()), (40, 30, photo.digest));
    }
    let again = photos.load(&picked[0]).unwrap();
    assert!(std::sync::Arc::ptr_eq(&again, &photos.load(&picked[0]).unwrap()));
}

#[test]
fn what_cannot_be_used_is_said() {
    let place = tempfile::tempdir().unwrap();
    let open = |name: &str| said(PhotoFolder::open(place.path().join(name)).err().unwrap(), place.path());
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("empty/notes.txt"), "none").unwrap();
    fs::create_dir(place.path().join("broken")).unwrap();
    fs::write(place.path().join("broken/photo.jpg"), "not a photograph at all").unwrap();
    fs::write(place.path().join("file.png"), "x").unwrap();
    let said = ["missing", "empty", "broken", "file.png"].map(open);
    insta::assert_snapshot!(said.join("\n"), @"
    cannot read the photo folder `FOLDER/missing`: No such file or directory (os error 2)
    no photos found in `FOLDER/empty`: JPEG or PNG files are wanted (.jpg, .jpeg, .png)
    the photo `FOLDER/broken/photo.jpg` cannot be decoded: The image format could not be determined
    cannot read the photo folder `FOLDER/file.png`: Not a directory (os error 20)
    ");
}

#[test]
fn a_photograph_that_changes_is_refused() {
    let folder = folder();
    let photos = PhotoFolder::open(folder.path()).unwrap();
    let mut photo = photos.pick(&mut Rng::new(0), 40, 30).unwrap();
    photo.width = 44;
    fs::write(folder.path().join(&photo.name), "other bytes").unwrap();
    assert!(photos.load(&photo).unwrap_err().ends_with("has changed since the folder was opened"));
    photo.name = "gone.png".to_owned();
    assert!(photos.load(&photo).unwrap_err().ends_with("has no photograph `gone.png`"));
}

#[test]
fn a_photograph_cut_short_is_refused_with_its_name() {
    let folder = folder();
    let path = folder.path().join("b.png");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    fs::remove_file(folder.path().join("c.JPG")).unwrap();
    fs::remove_dir_all(folder.path().join("sub")).unwrap();
    let photos = PhotoFolder::open(folder.path()).unwrap();
    let error = photos.pick(&mut Rng::new(0), 40, 30).unwrap_err();
    assert!(error.contains("b.png` cannot be decoded"), "{error}");
}

#[test]
fn fitting_keeps_the_middle_the_proportions_and_flat_colours() {
    let flat = RgbaImage::from_pixel(37, 91, Rgba([12, 200, 77, 255]));
    for (width, height) in [(64, 48), (10, 50), (37, 91), (200, 11)] {
        let picture = fit(&flat, width, height);
        assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel == [12, 200, 77, 255]), "{width}x{height}");
    }
    let wide =
        RgbaImage::from_fn(300, 100, |x, _| Rgba(if (100..200).contains(&x) { [255; 4] } else { [0, 0, 0, 255] }));
    assert!(fit(&wide, 50, 50).rgba().iter().all(|byte| *byte == 255));
    let same = RgbaImage::from_fn(20, 10, |x, y| Rgba([x as u8 * 9, y as u8 * 20, 50, 255]));
    assert_eq!(fit(&same, 20, 10).rgba(), same.as_raw().as_slice());
    let clear = RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0]));
    assert!(fit(&clear, 4, 4).rgba().iter().all(|byte| *byte == 255));
    let glass = RgbaImage::from_pixel(8, 8, Rgba([0, 100, 255, 51]));
    assert!(fit(&glass, 8, 8).rgba().chunks_exact(4).all(|pixel| pixel == [204, 224, 255, 255]));
}

/// Decoding and scaling are part of an instance's pixels: the same file must give the same numbers everywhere.
#[test]
fn fitted_pixels_never_change() {
    let folder = folder();
    let photos = PhotoFolder::open(folder.path()).unwrap();
    let digest = |at: usize| photos.fitted(&photos.files[at], 50, 40).unwrap().0.digest.short();
    insta::assert_snapshot!([digest(0), digest(1), digest(2)].join(" "), @"f7f839dae54e 4b416712fb78 bed71db3fe2b");
}
