use std::fs;
use std::path::Path;

use quintain_core::{InstanceId, Task};
use quintain_store::Suites;

use crate::dial::{TASK, files};

/// A suites folder with two suites: `test` (dial, dial-two) and `other` (wheel, which has no presets).
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "test", "dial", TASK);
    put(folder.path(), "test", "dial-two", &TASK.replace("test/dial", "test/dial-two"));
    let (head, rest) = TASK.split_once("[presets.easy]").unwrap();
    let (_, rest) = rest.split_once("[limits]").unwrap();
    put(folder.path(), "other", "wheel", &format!("{head}[limits]{rest}").replace("test/dial", "other/wheel"));
    folder
}

fn put(root: &Path, suite: &str, task: &str, toml: &str) {
    for (name, bytes) in files() {
        let path = root.join(suite).join(task).join(&name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, if name == "task.toml" { toml.as_bytes().to_vec() } else { bytes }).unwrap();
    }
}

fn select(folder: &Path, selector: &str) -> String {
    match Suites::from_dir(folder).unwrap().select(selector) {
        Ok(found) => found
            .iter()
            .map(|one| {
                let picks = one.picks(&[1, 2]);
                let first =
                    picks.first().map(|pick| InstanceId { task: one.task.id.clone(), pick: pick.clone() }.to_string());
                let first = first.unwrap_or_default();
                format!("{}: {} instances, first {first}\n", one.task.id, picks.len())
            })
            .collect(),
        Err(error) => error.to_string().replace(&folder.display().to_string(), "SUITES"),
    }
}

#[test]
fn selectors_choose_tasks_presets_and_seeds() {
    let folder = folder();
    let told: String = [
        "test",
        "test/",
        "test/dial",
        "test/dial@hard",
        "test/dial@easy#9",
        "test/dial#9",
        "*/*",
        "te?t/dial-*",
        "*@easy",
        "*",
    ]
    .iter()
    .map(|selector| format!("== {selector}\n{}", select(folder.path(), selector)))
    .collect();
    insta::assert_snapshot!(told, @r#"
    == test
    test/dial: 4 instances, first test/dial@easy#1
    test/dial-two: 4 instances, first test/dial-two@easy#1
    == test/
    test/dial: 4 instances, first test/dial@easy#1
    test/dial-two: 4 instances, first test/dial-two@easy#1
    == test/dial
    test/dial: 4 instances, first test/dial@easy#1
    == test/dial@hard
    test/dial: 2 instances, first test/dial@hard#1
    == test/dial@easy#9
    test/dial: 1 instances, first test/dial@easy#9
    == test/dial#9
    test/dial: 2 instances, first test/dial@easy#9
    == */*
    other/wheel: 2 instances, first other/wheel#1
    test/dial: 4 instances, first test/dial@easy#1
    test/dial-two: 4 instances, first test/dial-two@easy#1
    == te?t/dial-*
    test/dial-two: 4 instances, first test/dial-two@easy#1
    == *@easy
    test/dial: 2 instances, first test/dial@easy#1
    test/dial-two: 2 instances, first test/dial-two@easy#1
    == *
    other/wheel: 2 instances, first other/wheel#1
    test/dial: 4 instances, first test/dial@easy#1
    test/dial-two: 4 instances, first test/dial-two@easy#1
    "#);
}

#[test]
fn a_stretch_is_chosen_behind_the_name() {
    let folder = folder();
    let told = TASK.replace("name = \"moved\"", "name = \"moved\"\ninstruction = \"Turn it.\"");
    put(folder.path(), "test", "dial", &told);
    let told: String =
        ["test/dial@easy#9+0..1", "test+0..1", "test/dial+0", "test/dial+1", "test/dial-two+0..1", "test/dial+1..1"]
            .iter()
            .map(|selector| format!("== {selector}\n{}\n", select(folder.path(), selector)))
            .collect();
    insta::assert_snapshot!(told, @"
    == test/dial@easy#9+0..1
    test/dial: 1 instances, first test/dial@easy#9+0..1

    == test+0..1
    test/dial: 4 instances, first test/dial@easy#1+0..1

    == test/dial+0
    test/dial: 4 instances, first test/dial@easy#1

    == test/dial+1
    `test/dial+1`: task `test/dial` has milestones 1 to 1, so `+1` is too far: at least the last one is left to be reached
    hint: `quintain show TASK` lists a task's milestones
    == test/dial-two+0..1
    `test/dial-two+0..1`: milestone `moved` of task `test/dial-two` has no `instruction`: nobody could be told what is asked
    hint: `quintain show TASK` lists a task's milestones
    == test/dial+1..1
    `test/dial+1..1` cannot be read as a choice of tasks: `+1..1` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the third) is wanted
    hint: for example `puzzles`, `puzzles/maze-*` or `puzzles/maze-2d@easy#7`
    ");
}

#[test]
fn what_is_not_there_is_answered_with_a_hint() {
    let folder = folder();
    let told: String =
        ["tset", "test/dail", "nothing-like-it", "test/dial@esay", "other@easy", "a/b/c", "test/dial#x", "./nowhere"]
            .iter()
            .map(|selector| format!("== {selector}\n{}\n", select(folder.path(), selector)))
            .collect();
    insta::assert_snapshot!(told, @"
    == tset
    there is no suite or task `tset`
    hint: did you mean `test`?
    == test/dail
    there is no suite or task `test/dail`
    hint: did you mean `test/dial`?
    == nothing-like-it
    there is no suite or task `nothing-like-it`
    hint: there is `other`, `test`
    == test/dial@esay
    `test/dial@esay`: there is no preset `esay`
    hint: did you mean `easy`?
    == other@easy
    `other@easy`: there is no preset `easy`
    hint: there is none
    == a/b/c
    `a/b/c` cannot be read as a choice of tasks: it names no suite and no task
    hint: for example `puzzles`, `puzzles/maze-*` or `puzzles/maze-2d@easy#7`
    == test/dial#x
    `test/dial#x` cannot be read as a choice of tasks: the seed is no whole number
    hint: for example `puzzles`, `puzzles/maze-*` or `puzzles/maze-2d@easy#7`
    == ./nowhere
    there is no suite or task `./nowhere`
    hint: there is no such folder
    ");
}

#[test]
fn everything_wrong_with_every_task_is_told_at_once() {
    let folder = folder();
    put(folder.path(), "test", "a", &TASK.replace("test/dial", "test/b").replace("steps = 9", "steps = 0"));
    put(folder.path(), "test", "c", &TASK.replace("test/dial", "test/c").replace("title =", "titel ="));
    put(folder.path(), "test", "d", &TASK.replace("test/dial", "test/e"));
    fs::remove_file(folder.path().join("test/dial-two/instruction.md")).unwrap();
    insta::assert_snapshot!(select(folder.path(), "test"), @r#"
    SUITES/test/a/task.toml:24:1: a limit of 0 steps leaves nothing to do
    hint: allow at least one step; minutes and money are more than nothing
    SUITES/test/c/task.toml:3:1: unknown field `titel`, expected one of `id`, `title`, `version`, `difficulty`, `tier`, `capabilities`, `domain`
    hint: did you mean `title`?
    SUITES/test/d/task.toml: the task calls itself `e` but lies in the folder `d`
    hint: rename the folder, or write id = "test/d"
    SUITES/test/dial-two/instruction.md: the file is missing
    hint: every task folder has task.toml and instruction.md; `quintain new` makes both
    "#);
}

#[test]
fn what_editors_leave_behind_changes_nothing() {
    let folder = folder();
    let suites = Suites::from_dir(folder.path()).unwrap();
    let before = suites.tasks("test/dial").unwrap();
    let task = folder.path().join("test/dial");
    for name in [".hidden", "task.toml~", "#task.toml#", ".task.toml.swp", "instruction.md.bak", "task.toml.orig"] {
        fs::write(task.join(name), "whatever").unwrap();
    }
    fs::create_dir_all(folder.path().join(".git/hooks")).unwrap();
    assert_eq!(suites.tasks("test/dial").unwrap(), before);
    assert_eq!(suites.names().unwrap(), ["other", "test"]);
}

#[test]
fn a_changed_file_changes_the_digest() {
    let folder = folder();
    let digest = || Suites::from_dir(folder.path()).unwrap().tasks("test/dial").unwrap()[0].digest;
    let before = digest();
    fs::write(folder.path().join("test/dial/reference/more.txt"), "more").unwrap();
    assert_ne!(digest(), before);
}

#[cfg(unix)]
#[test]
fn links_out_of_a_task_are_refused() {
    let folder = folder();
    std::os::unix::fs::symlink("/etc/hostname", folder.path().join("test/dial/input")).unwrap();
    insta::assert_snapshot!(select(folder.path(), "test/dial"), @"
    SUITES/test/dial/input: this is a link or a device, not a file
    hint: a task's folder must hold all it needs: put a copy there
    ");
}

#[test]
fn a_path_will_do_for_a_name() {
    let folder = folder();
    let elsewhere = tempfile::tempdir().unwrap();
    let suites = Suites::from_dir(elsewhere.path()).unwrap();
    let names = |path: &Path| -> Vec<String> {
        suites.tasks(path.to_str().unwrap()).unwrap().iter().map(|task: &Task| task.id.to_string()).collect()
    };
    assert_eq!(names(&folder.path().join("test/dial")), ["test/dial"]);
    assert_eq!(names(&folder.path().join("test")), ["test/dial", "test/dial-two"]);
    let moved = elsewhere.path().join("dial");
    fs::rename(folder.path().join("test/dial"), &moved).unwrap();
    assert_eq!(names(&moved), ["test/dial"]);
    assert!(suites.tasks(folder.path().to_str().unwrap()).is_err());
}

#[test]
fn the_suites_in_the_binary_are_those_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites");
    let (embedded, on_disk) = (Suites::embedded(), Suites::from_dir(&root).unwrap());
    assert_eq!(embedded.names().unwrap(), on_disk.names().unwrap());
    assert_eq!(embedded.task_names().unwrap(), on_disk.task_names().unwrap());
    for suite in on_disk.names().unwrap() {
        assert_eq!(embedded.tasks(&suite).unwrap(), on_disk.tasks(&suite).unwrap());
    }
}
