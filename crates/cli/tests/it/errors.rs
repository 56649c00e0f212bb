//! What a user who mistypes is told.

use crate::command::Place;

fn told(args: &str) -> String {
    Place::new().quintain(args).text()
}

#[test]
fn an_unknown_task_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles/maze2d --agent oracle"), @"
    exit 1
    --- stderr
    error: there is no suite or task `puzzles/maze2d`
    hint: did you mean `puzzles/maze-2d`?
    ");
}

#[test]
fn an_unknown_agent_gets_a_hint() {
    insta::assert_snapshot!(told("run puzzles --agent oracel"), @"
    exit 1
    --- stderr
    error: there is no agent `oracel`; did you mean `oracle`?
    ");
}

#[test]
fn an_unknown_run_gets_a_hint() {
    insta::assert_snapshot!(told("report last-week"), @"
    exit 1
    --- stderr
    error: there is no run `last-week`
    hint: no runs are kept in `runs` yet; --runs names another folder
    ");
}

#[test]
fn an_unknown_preset_gets_a_hint() {
    insta::assert_snapshot!(told("play puzzles/maze-2d@hardest"), @"
    exit 1
    --- stderr
    error: `puzzles/maze-2d@hardest`: there is no preset `hardest`
    hint: did you mean `hard`?
    ");
}

#[test]
fn wrong_seeds_are_explained() {
    insta::assert_snapshot!(told("run puzzles --agent oracle --seeds 5..2"), @"
    exit 1
    --- stderr
    error: `5..2` names no seeds
    hint: `5` for 0 to 4, `10..20` for 10 to 19, `3,7` for those
    ");
}

#[test]
fn an_unknown_part_is_explained() {
    insta::assert_snapshot!(told("run puzzles --agent oracle --show scren"), @"
    exit 1
    --- stderr
    error: there is no part `scren` to show
    hint: did you mean `screen`?
    ");
}

#[test]
fn a_run_is_never_overwritten() {
    let place = Place::new();
    assert_eq!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a --quiet").code, 0);
    insta::assert_snapshot!(place.quintain("run puzzles/maze-2d@easy#0 --agent idle --name a").text(), @"
    exit 1
    --- stderr
    error: run `a` is already there
    hint: go on with `quintain resume a`, or choose another --name
    ");
}

#[test]
fn a_run_cannot_be_put_outside_the_folder_of_runs() {
    insta::assert_snapshot!(told("run puzzles --agent idle --name ../x"), @"
    exit 1
    --- stderr
    error: `../x` cannot name a run
    hint: letters, digits, dots and hyphens; --runs says where runs are kept
    ");
}

#[test]
fn a_folder_without_photographs_is_named() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("empty")).unwrap();
    insta::assert_snapshot!(place.quintain("run puzzles/jigsaw@easy#0 --agent idle --photos empty").text(), @"
    exit 1
    --- stderr
    error: cannot use the photographs in empty
      because: no photos found in `empty`: JPEG or PNG files are wanted (.jpg, .jpeg, .png)
    ");
}
