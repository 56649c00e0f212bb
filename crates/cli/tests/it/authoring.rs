//! Whoever writes a task: made, spoilt, mended, proven.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::variables;

use crate::command::Place;

fn change(path: &PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("the file is there");
    assert!(text.contains(from), "{}: there is no `{from}` in {text}", path.display());
    fs::write(path, text.replace(from, to)).expect("the file can be written");
}

/// One of each kind of world and app; physics is a puzzle of another kind.
#[test]
fn a_new_task_like_any_other_passes_its_check() {
    let mut place = Place::new();
    let mut likes = vec![
        ("mine/ways", "puzzles/maze-legs"),
        ("mine/flow", "gauntlet/workflow-remove-node"),
        ("mine/gates", "gauntlet/circuit-not-from-nand"),
        ("mine/reading", "gauntlet/circuit-summing-amplifier"),
    ];
    // Who has no MuJoCo cannot check such a task, which tests of physics say.
    if let Ok(mujoco) = std::env::var(variables::MUJOCO) {
        place.set(variables::MUJOCO, mujoco);
        likes.push(("mine/arm", "puzzles/fetch-reach"));
    }
    for (name, like) in likes {
        let made = place.quintain(&format!("new {name} --like {like}"));
        assert_eq!(made.code, 0, "{}", made.text());
        let checked = place.quintain(&format!("check {name} --quick --seeds 1"));
        assert_eq!(checked.code, 0, "{name}: {}", checked.text());
    }
}

#[test]
fn a_task_of_ones_own_is_named_like_any_other() {
    let place = Place::new();
    assert_eq!(place.quintain("new mine/ask").code, 0);
    for args in [
        "show mine/ask",
        "show mine/ask@easy#1",
        "show suites/mine/ask@easy#1",
        "show ./suites/mine/ask@hard",
        "run mine/ask@easy#1 --agent idle --quiet",
    ] {
        let done = place.quintain(args);
        assert_eq!(done.code, 0, "{args}: {}", done.text());
    }
    let played = place.quintain_with(&["play", "suites/mine/ask@easy#1"], "stop\n");
    assert!(played.stdout.contains("not solved (done"), "{}", played.text());
    let unknown = place.quintain("show suites/mine/ask@medium");
    assert!(unknown.stderr.contains("there is no preset `medium`"), "{}", unknown.text());
}

#[test]
fn names_that_are_taken_and_names_that_are_not_there_are_refused_in_few_words() {
    let place = Place::new();
    let shadow = place.quintain("new puzzles/maze-2d");
    assert_eq!(shadow.code, 1);
    assert!(
        shadow.stderr.contains("there is a task `puzzles/maze-2d` already\nhint: choose another name"),
        "{}",
        shadow.text()
    );
    let unknown = place.quintain("show q/zzzz");
    assert!(unknown.stderr.contains(" more; `quintain list tasks` lists them"), "{}", unknown.text());
    assert!(unknown.stderr.len() < 400, "{}", unknown.text());
}

/// A puzzle of which the agent says what it found: what is asked for is drawn by the seed.
const ASK: &str = "
[task]
id = 'mine/sum'
title = 'Say the sum'
version = 1
difficulty = 'easy'
[world]
kind = 'puzzles'
app = 'maze-2d'
observe = ['screen', 'feedback', 'remaining']
act = ['call']
[parameters]
width = { value = 7 }
height = { value = 7 }
cell_px = { value = 24 }
[result]
kind = 'fields'
fields = { total = 'number', name = 'text' }
[limits]
steps = 9
[[checks]]
name = 'total'
kind = 'numeric'
selector = 'answer/total'
expect = '{{ own.total }}'
[[checks]]
name = 'name'
kind = 'text'
selector = 'answer/name'
expect = '{{ own.name }}'
";

fn ask(place: &Place) -> PathBuf {
    let folder = place.path().join("suites/mine/sum");
    fs::create_dir_all(folder.join("reference")).expect("a folder");
    let drawn = "[parameters.own]\nvalue = { total = 3, name = 'Ann' }\n[parameters.own.generator.each]\n\
                 total = { integer = [10, 90000] }\nname = { choice = ['Ben', 'Cem', 'Dora'] }\n[result]\n";
    fs::write(folder.join("task.toml"), ASK.replace("[result]\n", drawn)).expect("written");
    fs::write(folder.join("instruction.md"), "Say {{ own.total }} and {{ own.name }}.\n").expect("written");
    fs::write(folder.join("oracle.txt"), "answer({\"total\": {{ own.total }}, \"name\": {{ own.name|tojson }}})\n")
        .expect("written");
    fs::write(folder.join("reference/canary.txt"), "quintain-canary-0123456789abcdef0123456789abcdef\n")
        .expect("written");
    folder
}

#[test]
fn a_puzzle_can_ask_for_an_answer_that_seeds_draw() {
    let place = Place::new();
    ask(&place);
    let shown = place.quintain("show mine/sum#1");
    assert!(shown.stdout.contains("- answer({\"name\": ..., \"total\": ...}): give the answer"), "{}", shown.text());
    let run = place.quintain("run mine/sum --agent oracle --seeds 5 --name a --quiet");
    assert_eq!(run.code, 0, "{}", run.text());
    let report = place.json("report a --no-html");
    assert_eq!(report["summary"]["total"]["success"]["hits"], 5, "{report}");
    let checked = place.quintain("check mine/sum --seeds 2");
    assert_eq!(checked.code, 0, "{}", checked.text());
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let place = Place::new();
    let folder = ask(&place);
    let declaration = folder.join("task.toml");
    change(&declaration, "kind = 'text'\n", "kind = 'txt'\n");
    change(&declaration, "kind = 'numeric'\n", "kind = 'numeric'\noptions = { relativ = 1 }\n");
    change(&folder.join("instruction.md"), "{{ own.name }}", "{{ own.nmae }}");
    let told = place.quintain("check mine/sum --quick");
    insta::assert_snapshot!(told.text(), @"
    exit 1
    --- stderr
    error: mine/sum: check `total`: a check of kind `numeric` has no option `relativ`; did you mean `relative`?
    mine/sum: check `name`: there is no kind of check called `txt`; did you mean `text`?
    mine/sum: setup fault: instruction.md: line 1: there is no `own.nmae`; did you mean `name`?
    ");
    change(&declaration, "title = ", "titel = ");
    change(&declaration, "steps = 9", "steps = 9\nminuts = 2");
    let told = place.quintain("check mine/sum --quick");
    insta::assert_snapshot!(told.text(), @"
    exit 1
    --- stderr
    error: suites/mine/sum/task.toml:4:1: unknown field `titel`, expected one of `id`, `title`, `version`, `difficulty`, `tier`, `capabilities`, `domain`
    hint: did you mean `title`?
    suites/mine/sum/task.toml:26:1: unknown field `minuts`, expected one of `steps`, `minutes`, `tokens`, `cost_usd`
    hint: did you mean `minutes`?
    ");
}

#[test]
fn what_is_examined_is_told_where_it_is_asked_for() {
    let place = Place::new();
    ask(&place);
    let told = place.quintain("check mine/sum --quick --progress");
    for words in [
        "mine/sum: doing nothing (1 of 9)",
        "mine/sum: cheats (4 of 9)",
        "mine/sum: examined (1 of 1 instances)",
        "mine/sum: drawing twins (100 of 100)",
    ] {
        assert!(told.stderr.contains(words), "{words}: {}", told.text());
    }
    assert!(!place.quintain("check mine/sum --quick --again").stderr.contains("doing nothing"));
}

#[test]
fn a_watched_task_is_examined_again_when_it_changes() {
    let place = Place::new();
    let folder = ask(&place);
    let refused = place.quintain("check puzzles/maze-2d --watch");
    assert!(refused.stderr.contains("nothing of this can change"), "{}", refused.text());
    let mut child = place.start(&["check", "mine/sum", "--quick", "--watch"]);
    let words = BufReader::new(child.stderr.take().expect("a pipe"));
    let (began, mut n_looks, mut n_refused) = (Instant::now(), 0, 0);
    for line in words.lines().map_while(Result::ok) {
        assert!(began.elapsed() < Duration::from_mins(2), "nothing was examined again");
        n_refused += usize::from(line.contains("there is no `own.nmae`"));
        if line.starts_with("watching for changes") {
            n_looks += 1;
            match n_looks {
                1 => change(&folder.join("instruction.md"), "{{ own.name }}", "{{ own.nmae }} "),
                2 => change(&folder.join("task.toml"), "kind = 'text'\n", "kind = 'txt'\n"),
                _ => break,
            }
        }
    }
    child.kill().expect("a signal");
    child.wait().expect("it ends");
    assert_eq!((n_looks, n_refused), (3, 1));
}

#[test]
fn what_a_person_played_becomes_an_oracle_for_every_twin() {
    let place = Place::new();
    let folder = ask(&place);
    fs::remove_file(folder.join("oracle.txt")).expect("it is there");
    let lost =
        place.quintain_with(&["play", "mine/sum", "--record-oracle"], "answer {\"total\": 4, \"name\": \"Ann\"}\n");
    assert!(lost.stderr.contains("no solution, so"), "{}", lost.text());
    let won =
        place.quintain_with(&["play", "mine/sum", "--record-oracle"], "answer {\"total\": 3, \"name\": \"Ann\"}\n");
    assert!(won.stderr.contains("oracle.txt, 1 action; now prove it with"), "{}", won.text());
    let written = fs::read_to_string(folder.join("oracle.txt")).expect("it was written");
    assert!(
        written.ends_with("answer({ \"name\": {{ own.name|tojson }}, \"total\": {{ own.total }} })\n"),
        "{written}"
    );
    let checked = place.quintain("check mine/sum --seeds 2");
    assert_eq!(checked.code, 0, "{}", checked.text());
    let again = place.quintain("play mine/sum --record-oracle");
    assert!(again.stderr.contains("is already there\nhint: move it away first"), "{}", again.text());
    let built_in = place.quintain("play puzzles/maze-2d --record-oracle");
    assert!(built_in.stderr.contains("is part of the program and cannot be changed"), "{}", built_in.text());
}

/// Played on the canonical instance with points of the screen; twins have another node to remove.
#[test]
fn a_solution_played_in_an_app_finds_its_places_again() {
    let place = Place::new();
    assert_eq!(place.quintain("new mine/flow --like gauntlet/workflow-remove-node").code, 0);
    let run = place.quintain("run mine/flow --seeds canonical --agent oracle --name a --quiet");
    assert_eq!(run.code, 0, "{}", run.text());
    let shown = place.json("show a mine/flow~oracle~0");
    let steps = shown["steps"].as_array().expect("steps");
    let replies: Vec<&str> = steps.iter().filter_map(|step| step["reply"]["raw"].as_str()).collect();
    let played = place.quintain_with(&["play", "mine/flow", "--record-oracle"], &format!("{}\n", replies.join("\n")));
    let written = fs::read_to_string(place.path().join("suites/mine/flow/oracle.txt"))
        .unwrap_or_else(|_| panic!("it was not written: {}", played.text()));
    for words in ["@{node/{{ gone.node }}}", "@{node/{{ gone.before }}/out/main}", "@{node/{{ gone.after }}/in}"] {
        assert!(written.contains(words), "{words}: {written}");
    }
    let twins = place.quintain("run mine/flow --agent oracle --seeds 4 --name twins --quiet");
    assert_eq!(twins.code, 0, "{}", twins.text());
    let report = place.json("report twins --no-html");
    assert_eq!(report["summary"]["total"]["success"]["hits"], 4, "{report} {written}");
}
