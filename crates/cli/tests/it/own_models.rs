//! What is known of models, and prices that are read from a public table.

use std::fs;

use super::command::{Place, root};

const OWN: &str = "# Mine.\n[[model]]\nname = \"openai/new-1\"\npoints = \"unit\"\n";

#[test]
fn prices_are_read_from_a_table_and_what_is_ones_own_stays() {
    let place = Place::new();
    let table = root().join("crates/models/tests/fixtures/prices.json");
    fs::write(place.path().join("mine.toml"), OWN).unwrap();
    let import = || place.quintain(&format!("models import {} --into mine.toml", table.display()));
    let done = import();
    insta::assert_snapshot!(format!("{}\n{}", done.code, done.stderr), @"
    0
    3 models read into mine.toml
    3 models left out, whose prices cannot be told by the token
    hint: use it with --models mine.toml, or set QUINTAIN_MODELS=mine.toml
    ");
    let first = fs::read_to_string(place.path().join("mine.toml")).unwrap();
    assert!(first.starts_with(OWN), "{first}");
    assert_eq!(import().code, 0);
    assert_eq!(fs::read_to_string(place.path().join("mine.toml")).unwrap(), first, "the second time changes nothing");
    let done = place.quintain("models check --models mine.toml");
    insta::assert_snapshot!(format!("{}\n{}", done.code, done.stdout.trim_end()), @"
    0
    anthropic/claude-new  computer tool     pixels       1000000 tokens  $0.1 in, $0.5 out, $0.01 cached, $0.125 write  until 2027-05-01
    google/new-2          our tools         thousandths  1048576 tokens  $0.075 in, $3 out
    openai/new-1          our tools, blind  unit         922000 tokens   $0.1 in, $0.5 out
    ");
    let listed = place.json("models check --models mine.toml");
    assert_eq!(listed[0]["price"]["cache_write"], 0.125, "{listed}");
    let imported = place.json(&format!("models import {}", table.display()));
    assert_eq!(imported["models"].as_array().map(Vec::len), Some(3), "{imported}");
    assert_eq!(imported["left_out"]["google/free"], "its price is not told", "{imported}");
}

#[test]
fn a_model_that_is_gone_is_warned_of() {
    let place = Place::new();
    let done = place.quintain("models check openai/computer-use-preview google/gemini-3.8-flash");
    insta::assert_snapshot!(format!("{}\n{}\n{}", done.code, done.stdout.trim_end(), done.stderr), @"
    3
    openai/computer-use-preview  computer tool  pixels       8192 tokens     $3 in, $12 out                      retired 2026-07-23
    google/gemini-3.8-flash      computer tool  thousandths  1048576 tokens  $0.75 in, $3.75 out, $0.075 cached
    warning: `openai/computer-use-preview` is no longer offered by its provider since 2026-07-23: its calls will probably fail
    ");
    fs::write(place.path().join("mine.toml"), "[[model]]\nname = \"openai/computer-use-preview\"\n").unwrap();
    let told = place.quintain("doctor --models mine.toml").stdout;
    assert!(told.contains("1 model, of which their providers no longer offer openai/computer-use-preview"), "{told}");
    let run = "run puzzles/maze-2d@easy#0 --agent react:openai/computer-use-preview --dry-run";
    let told = place.quintain(run).stderr;
    assert!(
        told.contains("`openai/computer-use-preview` is no longer offered by its provider since 2026-07-23"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    let place = Place::new();
    fs::write(place.path().join("prices.json"), "{}").unwrap();
    let told = |args: &str| place.quintain(args).stderr;
    insta::assert_snapshot!([told("models import prices.json"), told("models check gpt-5"), told("models check")].concat(), @"
    error: prices.json
      because: this is no table of prices: it names no model
    hint: give model_prices_and_context_window.json of https://github.com/BerriAI/litellm
    error: `gpt-5` names no model
    hint: write PROVIDER/NAME, for example `anthropic/claude-opus-4-6`
    error: no model is named
    hint: name some, or give a file of models: --models FILE
    ");
}
