//! Work in files, from the command line.

use std::fs;

use crate::command::Place;

/// Who knows how solves it; who does what the instruction rules out does not, and neither does who does nothing.
#[test]
fn the_exam_is_passed_by_who_knows_how_and_by_nobody_else() {
    let place = Place::new();
    let wrong = ["by-subject", "by-message-id", "raw-headers"].map(|way| format!("oracle:strategy={way}"));
    let mut args = vec!["run", "exam/mail-threads@easy#1", "--agent", "oracle", "--agent", "idle", "--name", "exam"];
    args.extend(wrong.iter().flat_map(|agent| ["--agent", agent]));
    let done = place.quintain_with(&args, "");
    assert_eq!(done.code, 0, "{}", done.text());
    let shown = place.json("show exam");
    let solved: Vec<&str> = shown["trials"]
        .as_array()
        .expect("trials")
        .iter()
        .filter(|trial| trial["verdict"]["solved"] == true)
        .filter_map(|trial| trial["trial"].as_str())
        .collect();
    assert_eq!(solved, ["exam/mail-threads@easy#1~oracle~0"], "{shown}");
    let again = place.quintain("rescore exam");
    assert_eq!(again.code, 0, "{}", again.text());
    let report = fs::read_to_string(place.path().join("runs/exam/report.html")).expect("a page");
    assert!(report.contains("mail-threads") && report.contains("approach: incomplete"), "who does nothing is classed");
    what_was_left_can_be_had_and_judged_again(&place);
}

/// Of every task whose software is here.
#[test]
fn who_leaves_nothing_is_told_which_files_are_missing() {
    let place = Place::new();
    let done = place.quintain("run exam@easy --seeds 1 --agent idle --name idle");
    assert_eq!(done.code, 0, "{}", done.text());
    let shown = place.json("show idle");
    let trials = shown["trials"].as_array().expect("trials");
    let findings = trials.iter().flat_map(|trial| trial["verdict"]["findings"].as_array().expect("findings"));
    let told: Vec<&str> = findings.filter_map(|finding| finding["because"].as_str()).collect();
    let is_missing = |sentence: &str| sentence.starts_with("output/") && sentence.ends_with(" is missing");
    let others: Vec<&&str> = told.iter().filter(|said| !said.split("; ").all(is_missing)).collect();
    assert!(told.contains(&"output/threads.csv is missing") && others.is_empty(), "{others:?} of {told:?}");
}

fn what_was_left_can_be_had_and_judged_again(place: &Place) {
    insta::assert_snapshot!(place.quintain("show exam exam/mail-threads@easy#1~oracle~0 --files left").text(), @"
    exit 0
    --- stdout
    wrote 2 files to left
    ");
    let judged = place.json("submit exam/mail-threads@easy#1 --files left");
    assert_eq!(judged["verdict"]["solved"], true, "{judged}");
    insta::assert_snapshot!(place.quintain("show exam exam/mail-threads@easy#1~idle~0 --files none").text(), @"
    exit 1
    --- stderr
    error: the agent left no files in trial `exam/mail-threads@easy#1~idle~0`
    ");
    let twice = place.quintain("show exam exam/mail-threads@easy#1~oracle~0 --files left").text();
    assert!(twice.contains("cannot write left/duplicates.csv"), "nothing is written over: {twice}");
}
