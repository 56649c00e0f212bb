//! Pictures take little room, in the record and in pages, and fewer of them where that is wanted.

use std::fs;
use std::path::Path;

use crate::command::{Place, files_in};

fn bytes_in(folder: &Path) -> u64 {
    files_in(folder).iter().map(|file| fs::metadata(file).expect("a file").len()).sum()
}

#[test]
fn a_random_trial_of_a_photo_puzzle_takes_less_than_two_megabytes() {
    let place = Place::new();
    let done = place.quintain("run puzzles/counting --agent random --seeds 1 --name a --quiet");
    assert_eq!(done.code, 0, "{}", done.text());
    let n_bytes = bytes_in(&place.path().join("runs/a/frames"));
    assert!(n_bytes < 2 * 2_000_000, "two trials take {n_bytes} bytes");
    // What was shown comes back as the PNG that it was shown as.
    let exported = place.json("export a --format openai --out out");
    assert_eq!(exported["trials"], 2);
    assert_eq!(place.quintain("doctor a").code, 0);
    assert_eq!(place.quintain("replay a --all --quiet").code, 0);
}

#[test]
fn fewer_pictures_are_kept_where_that_is_wanted() {
    let place = Place::new();
    for kept in ["all", "key", "ends"] {
        let played = place.quintain(&format!(
            "run puzzles/counting@easy puzzles/maze-3d@easy --agent random --seeds 2 --steps 8 --name {kept} --pictures {kept} --quiet"
        ));
        assert_eq!(played.code, 0, "{}", played.text());
    }
    let count = |run: &str| files_in(&place.path().join("runs").join(run).join("frames")).len() as u64;
    assert!(
        count("all") > count("key") && count("key") > count("ends"),
        "{} {} {}",
        count("all"),
        count("key"),
        count("ends")
    );
    assert_eq!(place.quintain("doctor ends").code, 0, "pictures that were not wanted are not missing");
    assert_eq!(place.quintain("report ends").code, 0);
    let would = place.json("prune all --pictures ends --dry-run");
    assert_eq!(count("all"), would["left"].as_u64().unwrap() + would["removed"].as_u64().unwrap());
    assert_eq!(place.quintain("prune all --pictures ends").code, 0);
    assert_eq!(count("all"), would["left"].as_u64().unwrap());
    assert_eq!(place.quintain("doctor all").code, 0);
    assert_eq!(place.quintain("rescore all").code, 0);
}

#[test]
fn a_page_keeps_to_its_size() {
    let place = Place::new();
    let done = place.quintain(
        "run puzzles/counting puzzles/jigsaw puzzles/referring-dot-pointing puzzles/maze-2d --agent random --seeds 2 --steps 10 \
         --name a",
    );
    assert_eq!(done.code, 0, "{}", done.text());
    let size = || fs::metadata(place.path().join("runs/a/report.html")).unwrap().len();
    assert!(size() < 8_000_000, "{} bytes", size());
    assert!(done.stderr.contains("Photographs are JPEG"), "{}", done.stderr);
    assert_eq!(place.quintain("report a --page-size 1").code, 0);
    assert!(size() < 1_000_000, "{} bytes", size());
}
