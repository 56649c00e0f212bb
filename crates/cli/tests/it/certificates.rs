//! What `check` proves, and what it keeps.

use std::fs;

use quintain_core::variables;
use serde_json::Value;

use crate::command::{Place, root};

const KEPT: &str = "certificates/puzzles/maze-2d.json";
const WHOLE: &str = "certificates/puzzles/maze-2d.whole.json";

fn instances(certificate: &Value) -> Vec<&str> {
    let picks = certificate["picks"].as_array().expect("a list of proofs");
    picks.iter().filter_map(|pick| pick["instance"].as_str()).collect()
}

/// The whole certificate that was written.
fn written(place: &Place) -> Value {
    let text = fs::read_to_string(place.path().join(WHOLE)).expect("a certificate is written");
    serde_json::from_str::<Value>(&text).expect("it is JSON")["certificate"].take()
}

#[test]
fn only_what_was_asked_for_is_proven_and_a_fuller_certificate_stays() {
    let place = Place::new();
    let one = place.json("check puzzles/maze-2d@easy#7 --quick --seeds 2");
    assert_eq!(instances(&one[0]), ["puzzles/maze-2d@easy#7"]);
    assert_eq!(instances(&written(&place)), ["puzzles/maze-2d@easy#7"]);

    place.json("check puzzles/maze-2d@easy --quick --seeds 6..8");
    let both = ["puzzles/maze-2d@easy#6", "puzzles/maze-2d@easy#7"];
    assert_eq!(instances(&written(&place)), both);
    let again = place.quintain("check puzzles/maze-2d@easy#6 --quick --again");
    assert_eq!(again.code, 0, "{}", again.text());
    insta::assert_snapshot!(again.stderr, @"
    certificates/puzzles/maze-2d.whole.json proves more and stays: quick, 2 instances, seeds 6 to 7; this one is quick, 1 instance, seed 6
    hint: delete it and check again, or name another folder with --certificates
    1 task, 0 refused; certificates in certificates
    ");
    assert_eq!(instances(&written(&place)), both);
}

#[test]
fn a_full_certificate_is_written_over_a_quick_one_and_stays() {
    let place = Place::new();
    place.json("check puzzles/maze-2d@easy --quick --seeds 3");
    place.json("check puzzles/maze-2d@easy#9");
    let full = written(&place);
    assert_eq!((full["form"].as_str(), instances(&full)), (Some("full"), vec!["puzzles/maze-2d@easy#9"]));
    let quick = place.quintain("check puzzles/maze-2d@easy --quick --seeds 3");
    assert!(
        quick.stderr.contains("stays: full, 1 instance, seed 9; this one is quick, 3 instances"),
        "{}",
        quick.text()
    );
    assert_eq!(written(&place), full);
}

#[test]
fn a_certificate_that_cannot_be_read_counts_no_more() {
    let place = Place::new();
    place.json("check puzzles/maze-2d@easy#7 --quick");
    fs::write(place.path().join(WHOLE), "{ torn").unwrap();
    let checked = place.quintain("check puzzles/maze-2d@easy#7 --quick");
    assert_eq!(checked.code, 0, "{}", checked.text());
    assert!(checked.stderr.contains("counts no more"), "{}", checked.text());
    assert_eq!(instances(&written(&place)), ["puzzles/maze-2d@easy#7"]);
}

/// A place with one task of its own suites, and what is kept of it in the folder beside them.
fn with_a_kept_certificate() -> Place {
    let mut place = Place::new();
    for file in ["task.toml", "instruction.md", "reference/canary.txt"] {
        let path = format!("suites/puzzles/maze-2d/{file}");
        fs::create_dir_all(place.path().join(&path).parent().expect("a folder")).expect("it can be made");
        fs::copy(root().join(&path), place.path().join(&path)).expect("it can be copied");
    }
    place.set(variables::SUITES, "suites");
    let made = place.quintain("check puzzles --quick --seeds 1 --certificates whole --keep certificates");
    assert_eq!(made.code, 0, "{}", made.text());
    place
}

/// Alters the file that is kept.
fn alter(place: &Place, alter: impl Fn(&mut Value)) {
    let path = place.path().join(KEPT);
    let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).expect("it was kept")).expect("it is JSON");
    alter(&mut file);
    fs::write(path, file.to_string()).expect("it can be written");
}

/// What `show` says of the certificate, without the key.
fn shown(place: &Place) -> String {
    let text = place.quintain("show puzzles/maze-2d").stdout;
    let line = text.lines().find_map(|line| line.strip_prefix("certificate ")).expect("a line about the certificate");
    line.split_once(", ").expect("key, then words").1.to_owned()
}

const OTHER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn a_small_file_is_kept_and_tells_whether_it_fits() {
    let place = with_a_kept_certificate();
    let text = fs::read_to_string(place.path().join(KEPT)).unwrap();
    assert!(text.len() < 2048, "{text}");
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((file["form"].as_str(), file["sound"].as_bool()), (Some("quick"), Some(true)), "{text}");
    assert_eq!(shown(&place), "kept: quick, fits");
    assert_eq!(place.json("show puzzles/maze-2d")["certificate"]["key"], file["key"]);
    insta::assert_snapshot!(place.quintain("check --kept certificates").text(), @"
    exit 0
    --- stderr
    1 task: 1 kept and fit, 0 do not fit, 0 have no kept certificate
    ");
    let again = place.quintain("check puzzles --quick --seeds 1 --certificates whole --keep certificates");
    insta::assert_snapshot!(again.text(), @"
    exit 0
    --- stdout
    kept    puzzles/maze-2d: quick, fits
    --- stderr
    0 tasks, 0 refused; 1 more were kept already; certificates in certificates
    ");
}

#[test]
fn a_kept_file_that_does_not_fit_is_told_with_a_hint() {
    let place = with_a_kept_certificate();
    alter(&place, |file| file["key"]["code"] = OTHER.into());
    assert_eq!(shown(&place), "kept: quick, made for another judge: run `quintain check puzzles/maze-2d --keep DIR`");
    insta::assert_snapshot!(place.quintain("check --kept certificates").text(), @"
    exit 3
    --- stdout
    puzzles/maze-2d: kept: quick, made for another judge
    --- stderr
    1 task: 0 kept and fit, 1 do not fit, 0 have no kept certificate
    hint: quintain check puzzles/maze-2d --keep certificates
    ");
    alter(&place, |file| file["key"]["task"] = OTHER.into());
    fs::write(place.path().join("certificates/puzzles/gone.json"), "{}").unwrap();
    insta::assert_snapshot!(place.quintain("check --kept certificates").text(), @"
    exit 3
    --- stdout
    puzzles/maze-2d: kept: quick, made for another task and another judge
    puzzles/gone: kept, and cannot be read: there is no such task
    --- stderr
    2 tasks: 0 kept and fit, 2 do not fit, 0 have no kept certificate
    hint: quintain check puzzles/maze-2d --keep certificates
    hint: delete certificates/puzzles/gone.json, or say with --suites in which folder the suites are
    ");

    let mended = place.quintain("check puzzles --quick --seeds 1 --certificates whole --keep certificates --quiet");
    assert_eq!((mended.code, shown(&place).as_str()), (0, "kept: quick, fits"), "{}", mended.text());
}

#[test]
fn a_kept_file_of_a_task_of_ones_own_is_held_against_it() {
    let place = Place::new();
    assert_eq!(place.quintain("new mine/own").code, 0);
    let made = place.quintain("check mine/own --quick --seeds 1 --keep certificates");
    assert_eq!(made.code, 0, "{}", made.text());
    let kept = place.quintain("--json check --kept certificates");
    assert_eq!(kept.code, 0, "{}", kept.text());
    let rows: Value = serde_json::from_str(&kept.stdout).unwrap();
    let own = rows.as_array().unwrap().iter().find(|row| row["task"] == "mine/own").expect("it is listed");
    assert_eq!(own["words"], "kept: quick, fits");
    assert_eq!(place.json("show mine/own")["certificate"]["words"], "kept: quick, fits");
}

#[test]
fn where_nothing_is_kept_nothing_fails() {
    let place = with_a_kept_certificate();
    fs::remove_dir_all(place.path().join("certificates")).unwrap();
    assert_eq!(shown(&place), "none kept");
    insta::assert_snapshot!(place.quintain("check --kept certificates").text(), @"
    exit 0
    --- stderr
    1 task: 0 kept and fit, 0 do not fit, 1 have no kept certificate
    ");
}

#[test]
fn a_whole_certificate_lies_beside_a_kept_one() {
    let place = with_a_kept_certificate();
    let checked = place.quintain("check puzzles/maze-2d@easy --quick --seeds 1");
    assert_eq!(checked.code, 0, "{}", checked.text());
    assert_eq!(instances(&written(&place)), ["puzzles/maze-2d@easy#0"]);
    assert_eq!(shown(&place), "kept: quick, fits");
    let both = place.quintain("check puzzles/maze-2d --quick --seeds 1 --keep certificates --again");
    assert_eq!((both.code, shown(&place).as_str()), (0, "kept: quick, fits"), "{}", both.text());
    assert_eq!(instances(&written(&place)).len(), 2, "both presets");
    assert_eq!(place.quintain("check --kept certificates").code, 0, "a whole one is no task's small one");
    let part = place.quintain("check puzzles/maze-2d@easy --quick --keep certificates");
    assert!(part.stderr.contains("a kept certificate is about all of `puzzles/maze-2d`"), "{}", part.text());
}
