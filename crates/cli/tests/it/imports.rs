//! Tasks in Harbor's format, told of and made into a suite.

use std::fs;

use crate::command::{Place, copy, root};

fn tasks() -> String {
    root().join("crates/harbor/tests/tasks").display().to_string()
}

#[test]
fn tasks_are_told_whether_they_run_here() {
    let done = Place::new().quintain(&format!("import harbor {}", tasks()));
    assert_eq!(done.code, 0, "{}", done.text());
    insta::assert_snapshot!(done.stdout);
}

#[test]
fn a_suite_is_written_of_what_runs_here() {
    let place = Place::new();
    let told = place.json(&format!("import harbor {} --into suites/terminal", tasks()));
    assert_eq!((&told["n_run"], &told["n_not"], &told["n_damaged"]), (&12.into(), &3.into(), &1.into()));
    assert_eq!((&told["v"], told["tasks"].as_array().map(Vec::len)), (&1.into(), Some(16)));
    let listed = fs::read_dir(place.path().join("suites/terminal")).expect("a suite").count();
    assert_eq!(listed, 12);
    let shown = place.quintain("show terminal/word-count");
    assert_eq!(shown.code, 0, "{}", shown.text());
    let again = place.quintain(&format!("import harbor {} --into suites/terminal", tasks()));
    assert_eq!(again.code, 1, "{}", again.text());
    assert!(again.stderr.contains("is already there"), "{}", again.stderr);
}

#[test]
fn names_that_clash_are_told_and_an_empty_folder_is_refused() {
    let place = Place::new();
    let from = root().join("crates/harbor/tests/tasks/prime-table");
    for name in ["Prime_Table", "prime-table"] {
        copy(&from, &place.path().join("set").join(name));
    }
    let told = place.quintain("import harbor set");
    let words = "its name here is `prime-table`, and so is that of `Prime_Table`";
    assert!(told.stdout.contains(words), "{}", told.text());
    assert_eq!(place.json("import harbor set/prime-table")["n_run"], 1);
    fs::create_dir(place.path().join("none")).expect("a folder");
    let none = place.quintain("import harbor none");
    assert_eq!(none.code, 2, "{}", none.text());
    assert!(none.stderr.contains("there is no task in none"), "{}", none.stderr);
}
