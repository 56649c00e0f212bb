//! What a user who mistypes is told.

use crate::command::Place;

fn told(args: &str) -> String {
    Place::new().quintain(args).text()
}

#[test]
fn an_unknown_task_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles/maze2d --agent oracle"), @"");
}

#[test]
fn an_unknown_agent_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles --agent oracel"), @"");
}

#[test]
fn an_unknown_run_gets_a_hint() {
    insta::assert_snapshot!(told("report last-week"), @"");
}

#[test]
fn an_unknown_preset_gets_a_hint() {
    insta::assert_snapshot!(told("play puzzles/maze-2d@hardest"), @"");
}

#[test]
fn wrong_seeds_are_explained() {
    insta::assert_snapshot!(told("run puzzles --agent oracle --seeds 5..2"), @"");
}

#[test]
fn an_unknown_part_is_explained() {
    insta::assert_snapshot!(told("run puzzles --agent oracle --show scren"), @"");
}

#[test]
fn a_run_is_never_overwritten() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a --quiet").code, 0);
    insta::assert_snapshot!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a").text(), @"");
}

#[test]
fn a_run_cannot_be_put_outside_the_folder_of_runs() {
    insta::assert_snapshot!(told("run puzzles --agent idle --name ../x"), @"");
}

#[test]
fn a_folder_without_photographs_is_named() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("empty")).unwrap();
    insta::assert_snapshot!(place.quintain("run puzzles/jigsaw@easy#0 --agent idle --photos empty").text(), @"");
}
