//! The program with the world in it, at its boundary.

use std::path::Path;
use std::process::Command;

fn quintain(place: &Path, args: &str) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_own-world")).args(args.split(' ')).current_dir(place).output();
    let done = done.expect("the program is there");
    let (said, told) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{args}\n{said}\n{told}");
    format!("{said}{told}")
}

#[test]
fn both_tasks_are_certified() {
    let place = tempfile::tempdir().expect("a folder");
    let certified = quintain(place.path(), "check shelf --quick");
    assert!(certified.contains("2 tasks, 0 refused"), "{certified}");
}

#[test]
fn the_oracle_solves_every_instance_and_who_does_nothing_none() {
    let place = tempfile::tempdir().expect("a folder");
    let told = quintain(place.path(), "run shelf --agent oracle --agent idle --seeds 3 --quiet");
    let line = |agent: &str| told.lines().find(|line| line.starts_with(agent)).unwrap_or_default().to_owned();
    let success = |agent| line(agent).split_whitespace().nth(3).map(str::to_owned);
    assert_eq!((success("oracle"), success("idle")), (Some("100.0".to_owned()), Some("0.0".to_owned())), "{told}");
}
