use std::fs;
use std::path::Path;

use image::{Rgb, RgbImage};
use quintain_core::rng::Rng;
use quintain_core::variables;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::format::{LabelOutline, unpacked};
use super::{LabelFile, outline};
use crate::sources::labels::{Labels, Mask, WantedPicture};

fn wanted(least: usize, most: usize) -> WantedPicture {
    WantedPicture { width: 0, height: 0, least, most, others: 0, overlap: 0.0, size: 1.0 }
}

fn square(x: u32, y: u32, side: u32) -> Value {
    json!([[x, y, x + side, y, x + side, y + side, x, y + side]])
}

fn annotation(id: u32, image: u32, kind: u32, segmentation: &Value) -> Value {
    json!({"id": id, "image_id": image, "category_id": kind, "iscrowd": 0, "segmentation": segmentation})
}

/// Two photographs, one in `images`: three dogs and a cat in the one, two dogs in the other.
fn document() -> Value {
    json!({
        "licenses": [{"id": 4, "name": "Attribution License", "url": "http://example.org/by"}, {"id": 7, "name": "Free"}],
        "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "house_cat"}],
        "images": [
            {"id": 10, "width": 60, "height": 40, "file_name": "a.png", "license": 4},
            {"id": 20, "width": 50, "height": 30, "file_name": "b.png", "license": 7},
            {"id": 30, "width": 50, "height": 30, "file_name": "gone.png"},
        ],
        "annotations": [
            annotation(3, 10, 1, &square(2, 2, 8)),
            annotation(1, 10, 1, &square(20, 2, 6)),
            annotation(2, 10, 1, &json!([[40, 5, 50, 5, 45, 15], [40, 20, 44, 20, 44, 24, 40, 24]])),
            annotation(4, 10, 2, &square(30, 25, 10)),
            annotation(5, 20, 1, &square(5, 5, 9)),
            annotation(6, 20, 1, &json!({"size": [30, 50], "counts": [30 * 20 + 4, 6, 24, 6, 1500 - 640]})),
        ],
    })
}

fn folder(document: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let picture = |width, height| RgbImage::from_fn(width, height, |x, y| Rgb([x as u8 * 4, y as u8 * 6, 80]));
    fs::create_dir(folder.path().join("images")).unwrap();
    picture(60, 40).save(folder.path().join("a.png")).unwrap();
    picture(50, 30).save(folder.path().join("images/b.png")).unwrap();
    fs::write(folder.path().join("labels.json"), document.to_string()).unwrap();
    folder
}

fn open(folder: &TempDir) -> LabelFile {
    LabelFile::open(folder.path().join("labels.json")).unwrap()
}

fn said(error: impl std::error::Error, folder: &Path) -> String {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    let text = format!("{error}{cause}");
    let real = folder.canonicalize().unwrap();
    text.replace(&*real.to_string_lossy(), "FOLDER").replace(&*folder.to_string_lossy(), "FOLDER")
}

#[test]
fn a_label_file_tells_what_its_photographs_show() {
    let folder = folder(&document());
    let labels = open(&folder);
    assert_eq!((labels.n_photos(), labels.n_things()), (2, 6));
    let name = labels.name();
    assert!(name.starts_with("labels `labels.json` ") && name.ends_with(", as its annotators saw it"), "{name}");
    insta::assert_debug_snapshot!(labels.licences(), @r#"
    {
        "Attribution License (http://example.org/by)": 1,
        "Free": 1,
    }
    "#);
    let picked = labels.pick(&mut Rng::new(0), &wanted(3, 9)).unwrap();
    assert_eq!((picked.photo.name.as_str(), picked.kind.as_str()), ("a.png", "dog"));
    assert_eq!(picked.licence.as_deref(), Some("Attribution License (http://example.org/by)"));
    let areas: Vec<usize> = picked.in_question().map(|thing| thing.mask.area()).collect();
    assert_eq!(areas[0], 36);
    assert_eq!(areas[2], 64);
    let seen: std::collections::BTreeSet<_> =
        (0..40).map(|seed| labels.pick(&mut Rng::new(seed), &wanted(1, 9)).unwrap().kind).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["dog", "house cat"]);
    let picture = labels.load(&picked.photo).unwrap();
    assert_eq!((picture.width(), picture.height(), picture.digest()), (60, 40, picked.photo.digest));
    let none = labels.pick(&mut Rng::new(0), &wanted(4, 9)).unwrap_err();
    assert!(none.ends_with("shows 4 to 9 things of one kind"), "{none}");
}

#[test]
fn kinds_with_gaps_crowds_or_specks_are_left_out() {
    let kinds = |change: &dyn Fn(&mut Value)| {
        let mut document = document();
        change(&mut document);
        let labels = open(&folder(&document));
        let count = |(count, pairs): (&usize, &Vec<(usize, String)>)| {
            pairs.iter().map(|(_, kind)| format!("{count} {kind}")).collect::<Vec<_>>()
        };
        (labels.by_count.iter().flat_map(count).collect::<Vec<_>>().join(", "), labels.tells_gaps)
    };
    assert_eq!(kinds(&|_| ()), ("1 house cat, 2 dog, 3 dog".to_owned(), false));
    let crowd = |document: &mut Value| document["annotations"][1]["iscrowd"] = json!(1);
    assert_eq!(kinds(&crowd).0, "1 house cat, 2 dog");
    let speck = |document: &mut Value| document["annotations"][3]["area"] = json!(0.2);
    assert_eq!(kinds(&speck).0, "2 dog, 3 dog");
    let gaps = |document: &mut Value| {
        document["images"][0]["not_exhaustive_category_ids"] = json!([1]);
        document["images"][0]["neg_category_ids"] = json!([]);
    };
    assert_eq!(kinds(&gaps), ("1 house cat, 2 dog".to_owned(), true));
}

#[test]
fn photographs_are_found_by_their_address_too() {
    let mut document = document();
    for image in document["images"].as_array_mut().unwrap() {
        let name = image.as_object_mut().unwrap().remove("file_name").unwrap();
        image["coco_url"] = json!(format!("http://images.example.org/train/{}", name.as_str().unwrap()));
    }
    let folder = folder(&document);
    fs::create_dir(folder.path().join("train")).unwrap();
    fs::rename(folder.path().join("a.png"), folder.path().join("train/a.png")).unwrap();
    let labels = open(&folder);
    let names: Vec<&str> = labels.photos.iter().map(|photo| photo.file.name.as_str()).collect();
    assert_eq!(names, ["images/b.png", "train/a.png"]);
}

#[test]
fn what_cannot_be_used_is_said() {
    let folder = folder(&document());
    let place = folder.path();
    fs::write(place.join("list.json"), "[1, 2]").unwrap();
    let mut outline = document();
    outline["annotations"][0]["segmentation"] = json!("round");
    fs::write(place.join("outline.json"), outline.to_string()).unwrap();
    fs::create_dir(place.join("alone")).unwrap();
    fs::write(place.join("alone/labels.json"), document().to_string()).unwrap();
    let open = |name: &str| said(LabelFile::open(place.join(name)).err().unwrap(), place);
    let told = ["missing.json", "list.json", "outline.json", "alone/labels.json"].map(open);
    insta::assert_snapshot!(told.join("\n"), @r#"
    cannot read the label file `FOLDER/missing.json`: No such file or directory (os error 2)
    `FOLDER/list.json` is no label file in COCO or LVIS format: invalid type: integer `1`, expected a sequence at line 1 column 2
    `FOLDER/outline.json` is no label file in COCO or LVIS format: invalid type: string "round", expected a list of polygons or an object of `size` and `counts` at line 1 column 88
    none of the 3 photographs that `FOLDER/alone/labels.json` names is there: they belong beside it or in `images` beside it
    "#);
}

#[test]
fn photographs_that_change_or_do_not_fit_their_labels_are_refused() {
    let folder = folder(&document());
    let labels = open(&folder);
    let picked = labels.pick(&mut Rng::new(0), &wanted(3, 3)).unwrap();
    let other = open(&folder);
    let before = other.name();
    RgbImage::from_pixel(60, 40, Rgb([1, 2, 3])).save(folder.path().join("a.png")).unwrap();
    assert!(labels.load(&picked.photo).is_ok(), "it is still at hand");
    assert!(other.load(&picked.photo).unwrap_err().ends_with("has changed since the folder was opened"));
    let now = open(&folder);
    assert_ne!(now.name(), before);
    assert!(now.load(&picked.photo).unwrap_err().ends_with("does not have the pixels it was picked with"));
    RgbImage::from_pixel(61, 40, Rgb([1, 2, 3])).save(folder.path().join("a.png")).unwrap();
    let error = open(&folder).pick(&mut Rng::new(0), &wanted(3, 3)).unwrap_err();
    assert_eq!(error, "`a.png` is 61x40, but its labels are for 60x40");
}

/// A photograph that is dark on the left and bright on the right as it is stored, with a note that it is upside down.
fn upside_down(width: u32, height: u32) -> Vec<u8> {
    let picture = RgbImage::from_fn(width, height, |x, _| Rgb(if x < width / 2 { [0; 3] } else { [255; 3] }));
    let mut jpeg = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    let jpeg = jpeg.into_inner();
    // A segment of 34 bytes with one entry: orientation (0x112), one short number (3), and that is 3.
    let note = b"\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0";
    [&jpeg[..2], &note[..], &jpeg[2..]].concat()
}

#[test]
fn photographs_are_shown_as_they_are_stored() {
    let mut document = document();
    document["images"][0]["file_name"] = json!("a.jpg");
    let folder = folder(&document);
    fs::write(folder.path().join("a.jpg"), upside_down(60, 40)).unwrap();
    let labels = open(&folder);
    let picked = labels.pick(&mut Rng::new(0), &wanted(3, 3)).unwrap();
    assert!(labels.load(&picked.photo).unwrap().rgba()[0] < 64, "the outlines lie where the things are stored");
    let photo = labels.photos.iter().find(|photo| photo.file.name == "a.jpg").unwrap();
    assert!(photo.file.decode().unwrap().as_raw()[0] > 192, "as a mere photograph it is turned upright");
}

#[test]
fn runs_for_another_size_than_their_pictures_are_refused() {
    let told = [json!([4_000_000_000_u32, 4_000_000_000_u32]), json!([50, 30]), json!([30, 51])].map(|size| {
        let mut document = document();
        document["annotations"][5]["segmentation"]["size"] = size;
        let folder = folder(&document);
        said(LabelFile::open(folder.path().join("labels.json")).err().unwrap(), folder.path())
    });
    insta::assert_snapshot!(told.join("\n"), @"
    `FOLDER/labels.json` is no label file in COCO or LVIS format: the runs of annotation 6 are for 4000000000x4000000000 pixels, but its picture has 50x30
    `FOLDER/labels.json` is no label file in COCO or LVIS format: the runs of annotation 6 are for 30x50 pixels, but its picture has 50x30
    `FOLDER/labels.json` is no label file in COCO or LVIS format: the runs of annotation 6 are for 51x30 pixels, but its picture has 50x30
    ");
}

/// A mask in characters.
fn drawn(mask: &Mask, width: i64, height: i64) -> String {
    let row = |y| (0..width).map(|x| if mask.contains((x, y)) { '#' } else { '.' }).collect::<String>();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn outlines_become_masks() {
    let polygons = LabelOutline::Polygons(vec![
        vec![1.0, 1.0, 6.0, 1.0, 1.0, 6.0],
        vec![5.0, 3.0, 20.0, 3.0, 20.0, 5.0, 5.0, 5.0],
    ]);
    insta::assert_snapshot!(drawn(&outline::mask(&polygons, 10, 7), 10, 7), @"
    ..........
    .####.....
    .###......
    .##..#####
    .#...#####
    ..........
    ..........
    ");
    let runs = LabelOutline::Runs { size: [3, 4], counts: vec![1, 2, 4, 1, 3, 9] };
    insta::assert_snapshot!(drawn(&outline::mask(&runs, 4, 3), 4, 3), @"
    ....
    #.#.
    #..#
    ");
    assert_eq!(outline::mask(&LabelOutline::Polygons(vec![vec![], vec![1.0, 2.0]]), 10, 7), Mask::default());
}

#[test]
fn packed_runs_are_unpacked() {
    // Packed by the rule of the format: plain up to the third run, from the fourth on the difference from two before.
    assert_eq!(unpacked("124"), Some(vec![1, 2, 4]));
    assert_eq!(unpacked("124O"), Some(vec![1, 2, 4, 1]));
    assert_eq!(unpacked("1241"), Some(vec![1, 2, 4, 3]));
    assert_eq!(unpacked("T3"), Some(vec![100]));
    assert_eq!(unpacked("T"), None);
    assert_eq!(unpacked("!"), None);
}

/// The sample that comes with the workspace's shared data.
#[test]
fn the_sample_of_coco_is_read() {
    let samples = std::env::var(variables::SAMPLES).unwrap_or_else(|_| "../../../../shared/data".to_owned());
    let path = Path::new(&samples).join("photos_annotated_coco/instances_captions.json");
    if !path.is_file() {
        eprintln!("the sample `photos_annotated_coco` is not at {samples}: set QUINTAIN_SAMPLES");
        return;
    }
    let labels = LabelFile::open(&path).unwrap();
    assert_eq!(labels.n_photos(), 151);
    assert!(labels.n_things() > 500, "{}", labels.n_things());
    insta::assert_debug_snapshot!(labels.licences(), @r#"
    {
        "Attribution License (http://creativecommons.org/licenses/by/2.0/)": 92,
        "Attribution-ShareAlike License (http://creativecommons.org/licenses/by-sa/2.0/)": 58,
        "No known copyright restrictions (http://flickr.com/commons/usage/)": 1,
    }
    "#);
    for seed in 0..6 {
        let picked = labels.pick(&mut Rng::new(seed), &wanted(2, 20)).unwrap();
        assert!((2..=20).contains(&picked.in_question().count()));
        assert!(picked.things.iter().all(|thing| thing.mask.area() > 0));
        labels.load(&picked.photo).unwrap();
    }
}
