//! Answers that are noted on the way, and milestones that build on each other, through the binary.

use std::fs;

use serde_json::Value;

use crate::command::Place;

const CHAIN: &str = "
[task]
id = 'mine/chain'
title = 'Say two things, one after the other'
version = 1
difficulty = 'easy'
[world]
kind = 'puzzles'
app = 'maze-2d'
observe = ['screen', 'feedback']
act = ['call', 'note']
[parameters]
width = { value = 7 }
height = { value = 7 }
cell_px = { value = 24 }
[parameters.own]
value = { total = 3, name = 'Ann' }
[parameters.own.generator.each]
total = { integer = [10, 90000] }
name = { choice = ['Ben', 'Cem', 'Dora'] }
[result]
kind = 'fields'
fields = { total = 'number', name = 'text' }
[limits]
steps = 9
[compose]
how = 'chain'
[[checks]]
name = 'all'
kind = 'json-fields'
selector = 'answer'
expect = { total = '{{ own.total }}', name = '{{ own.name }}' }
[[milestones]]
name = 'total'
checks = [{ name = 'total', kind = 'numeric', selector = 'answer/total', expect = '{{ own.total }}' }]
[[milestones]]
name = 'name'
needs = ['total']
checks = [{ name = 'name', kind = 'text', selector = 'answer/name', expect = '{{ own.name }}' }]
";

fn chain(place: &Place) {
    let folder = place.path().join("suites/mine/chain");
    fs::create_dir_all(folder.join("reference")).expect("a folder");
    let oracle = "note({\"total\": {{ own.total }}})\nnote({\"name\": {{ own.name|tojson }}})\nstop()\n";
    let files = [
        ("task.toml", CHAIN),
        ("instruction.md", "Say {{ own.total }}, then {{ own.name }}.\n"),
        ("oracle.txt", oracle),
        ("reference/canary.txt", "quintain-canary-0123456789abcdef0123456789abcdef\n"),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("written");
    }
}

/// What became of each milestone, in the words of `show`.
fn milestones(place: &Place, run: &str, trial: &str) -> String {
    let shown = place.quintain(&format!("show {run} {trial}"));
    let lines = shown.stdout.lines().filter(|line| line.contains("milestone ") || line.contains("score "));
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_chain_of_notes_is_certified_played_and_judged_again() {
    let place = Place::new();
    chain(&place);
    let checked = place.quintain("check mine/chain --seeds 2");
    assert_eq!(checked.code, 0, "{}", checked.text());
    let run = place.quintain("run mine/chain --agent oracle --agent random --seeds 3 --name a --quiet");
    assert_eq!(run.code, 0, "{}", run.text());
    insta::assert_snapshot!(milestones(&place, "a", "mine/chain#0~oracle~0"), @"
    done: score 1, solved
    milestone total: reached after 1 step
    milestone name: reached after 2 steps
    ");
    assert_eq!(place.quintain("rescore a").code, 0);
    assert_eq!(place.quintain("replay a --all --quiet").code, 0);
}

#[test]
fn a_person_notes_and_is_told_where_it_went_wrong() {
    let place = Place::new();
    chain(&place);
    let typed = "help\nnote {\"total\": 4}\nnote {\"name\": \"Ann\"}\nstop\n";
    let played = place.quintain_with(&["play", "mine/chain"], typed);
    assert!(played.stdout.contains("Noted.") || played.stderr.contains("Noted."), "{}", played.text());
    let mut runs = fs::read_dir(place.path().join("runs")).expect("runs");
    let name = runs.next().expect("a run").expect("a name").file_name().display().to_string();
    let trial = place.json(&format!("show {name}"))["trials"][0].clone();
    let verdict = &trial["verdict"];
    let state = |milestone: &Value| {
        format!("{}: {}, broke {}", milestone["name"], milestone["after_steps"], milestone.get("broke").is_some())
    };
    let states: Vec<String> = verdict["milestones"].as_array().expect("a list").iter().map(state).collect();
    insta::assert_snapshot!(format!("{}\n{}", verdict["score"], states.join("\n")), @r#"
    0.0
    "total": null, broke true
    "name": 2, broke false
    "#);
}
