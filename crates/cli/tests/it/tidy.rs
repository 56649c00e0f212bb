//! What no compiler checks: which way dependencies point, what stays pure, what stays out of the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::root;

/// Each crate, and the crates of ours it may depend on. `testkit` may be anyone's in tests.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    [
        ("core", &[][..]),
        ("puzzles", &["core"]),
        ("physics", &["core", "puzzles"]),
        ("browser", &["core", "checks"]),
        ("checks", &["core"]),
        ("report", &["core"]),
        ("agents", &["core"]),
        ("store", &["core"]),
        ("testkit", &["core"]),
        ("runner", &["core", "store", "checks", "agents"]),
        ("fleet", &["core", "store", "agents", "runner"]),
        ("cli", &["core", "physics", "puzzles", "browser", "checks", "agents", "store", "runner", "fleet", "report"]),
        ("python", &["core", "store", "runner", "cli"]),
    ]
    .into()
}

fn manifest(name: &str) -> toml::Table {
    let path = root().join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(&path).expect("every crate has a manifest").parse().expect("the manifest is TOML")
}

fn dependencies(manifest: &toml::Table, table: &str) -> BTreeSet<String> {
    manifest.get(table).and_then(toml::Value::as_table).map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

fn crates() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).expect("there are crates");
    entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect()
}

fn sources(under: &Path, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(under).expect("a readable folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !["target", ".git", "node_modules", "dist", "runs"].contains(&name) {
            found.extend(sources(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push((path.clone(), fs::read_to_string(&path).expect("UTF-8")));
        }
    }
    found.sort();
    found
}

#[test]
fn dependencies_point_inward() {
    let allowed = allowed();
    assert_eq!(crates(), allowed.keys().map(ToString::to_string).collect(), "a new crate needs a written decision");
    for (name, may) in allowed {
        let ours: BTreeSet<String> = dependencies(&manifest(name), "dependencies")
            .iter()
            .filter_map(|dependency| dependency.strip_prefix("quintain-").map(str::to_owned))
            .collect();
        let may: BTreeSet<String> = may.iter().map(ToString::to_string).collect();
        assert!(ours.is_subset(&may), "`{name}` depends on {ours:?} but may only on {may:?}");
    }
}

#[test]
fn the_pure_crates_depend_on_nothing_that_does_io() {
    let pure = [
        "base64",
        "blake3",
        "minijinja",
        "pathfinding",
        "schemars",
        "serde",
        "serde_json",
        "strsim",
        "thiserror",
        "toml",
        "unicode-normalization",
    ];
    for name in ["core", "checks", "report"] {
        for dependency in dependencies(&manifest(name), "dependencies") {
            let known = dependency.starts_with("quintain-") || pure.contains(&dependency.as_str());
            assert!(known, "`{name}` gained `{dependency}`: is it free of I/O, clock and runtime? Then list it here");
        }
    }
}

#[test]
fn the_pure_crates_do_no_io_themselves() {
    let impure = [
        "std::fs",
        "std::net",
        "std::process",
        "std::env",
        "std::io::std",
        "Instant::now",
        "SystemTime",
        "tokio::",
        "thread::sleep",
        "println!",
        "async fn",
    ];
    for name in ["core", "checks", "report"] {
        for (path, text) in sources(&root().join("crates").join(name).join("src"), &[".rs"]) {
            let found: Vec<&&str> = impure.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{} uses {found:?}", path.display());
        }
    }
}

#[test]
fn the_simulator_and_the_clients_share_no_reading_of_the_formats() {
    let agents = root().join("crates/agents/src");
    let reads = |folder: &str, others: &str| {
        for (path, text) in sources(&agents.join(folder), &[".rs"]) {
            assert!(
                !text.contains(&format!("{others}::")),
                "{} uses `{others}`: read the documentation",
                path.display()
            );
        }
    };
    reads("sim/wire", "providers");
    reads("providers", "sim");
}

#[test]
fn only_the_store_and_the_cli_know_files_of_runs() {
    for name in ["agents", "runner", "puzzles"] {
        for (path, text) in sources(&root().join("crates").join(name).join("src"), &[".rs"]) {
            for word in ["segments/", "plan.jsonl", "run.json"] {
                assert!(!text.contains(word), "{} names `{word}`: ask the store", path.display());
            }
        }
    }
}

#[test]
fn nothing_is_ignored_allowed_or_left_unfinished() {
    let marks = [
        concat!("#[", "ignore"),
        concat!("#[", "allow("),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("todo", "!("),
    ];
    for (path, text) in sources(&root().join("crates"), &[".rs"]) {
        for mark in marks {
            assert!(!text.contains(mark), "{} has `{mark}`", path.display());
        }
    }
}

#[test]
fn unsafe_stands_in_one_file() {
    let marks =
        [concat!("unsafe", " {"), concat!("unsafe", " impl"), concat!("unsafe", " fn"), concat!("unsafe", " extern")];
    let files: Vec<PathBuf> = sources(&root().join("crates"), &[".rs"])
        .into_iter()
        .filter(|(_, text)| marks.iter().any(|mark| text.contains(mark)))
        .map(|(path, _)| path.strip_prefix(root()).expect("below the root").to_owned())
        .collect();
    assert_eq!(files, [Path::new("crates/physics/src/mujoco.rs")]);
}

#[test]
fn every_task_plants_its_own_canary() {
    let mut seen = BTreeMap::new();
    for (path, text) in sources(&root().join("suites"), &["task.toml"]) {
        let canary = path.with_file_name("reference").join("canary.txt");
        let planted = fs::read_to_string(&canary).unwrap_or_else(|_| panic!("{} is missing", canary.display()));
        assert!(planted.trim().starts_with("quintain-canary-") && planted.trim().len() >= 40, "{}", canary.display());
        assert!(!text.contains(planted.trim()), "{} shows its canary", path.display());
        assert_eq!(seen.insert(planted, path.clone()), None, "{} shares its canary", path.display());
    }
    assert!(!seen.is_empty(), "there are tasks");
}

/// The schema of `task.toml` for editors. `QUINTAIN_WRITE=1` writes it anew.
#[test]
fn the_schema_of_tasks_is_current() {
    let schema = schemars::schema_for!(quintain_core::task::TaskSpec);
    let text = format!("{}\n", serde_json::to_string_pretty(&schema).expect("a schema is JSON"));
    let path = root().join("schemas/task.schema.json");
    if std::env::var_os("QUINTAIN_WRITE").is_some() {
        fs::write(&path, &text).expect("the schema can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "schemas/task.schema.json is out of date: `just gen`");
}
