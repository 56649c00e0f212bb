//! What no compiler checks: which way dependencies point, what stays pure, what stays out of the tree.

mod names;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{generated, root};

/// What the workshop may depend on: it puts together what every front works with.
const WORKSHOP: &[&str] = &[
    "core",
    "atlas",
    "sites",
    "physics",
    "puzzles",
    "browser",
    "apps",
    "exam",
    "science",
    "container",
    "harbor",
    "root-tree",
    "checks",
    "models",
    "process",
    "agents",
    "bridge",
    "store",
    "runner",
    "fleet",
    "report",
];

/// Each crate, and the crates of ours it may depend on. `testkit` may be anyone's in tests.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    [
        ("core", &[][..]),
        ("code-digest", &[]),
        ("sandbox-init", &[]),
        ("process", &["sandbox-init"]),
        ("root-tree", &["process"]),
        ("page-text", &[]),
        ("atlas", &["core"]),
        ("sites", &["core", "atlas"]),
        ("chains", &["core", "atlas", "checks", "page-text", "sites"]),
        ("puzzles", &["core"]),
        ("physics", &["core", "process", "puzzles"]),
        ("screen", &["core", "png"]),
        ("machine", &["core", "png", "process", "screen"]),
        ("browser", &["core", "page-text", "process", "screen"]),
        ("apps", &["core", "atlas", "chains", "sites", "checks", "process", "browser"]),
        ("workspace", &["core", "machine", "process"]),
        ("exam", &["core", "workspace"]),
        ("desktop", &["core", "machine", "process", "workspace"]),
        ("science", &["checks", "core", "desktop", "machine", "workspace"]),
        ("harbor", &["core"]),
        ("container", &["core", "harbor", "process", "root-tree", "workspace"]),
        ("checks", &["core"]),
        ("report", &["core"]),
        ("png", &["core"]),
        ("models", &["core", "png", "process"]),
        ("provider-sim", &["core"]),
        ("agents", &["core", "models", "process"]),
        ("bridge", &["core", "models", "process"]),
        ("store", &["core", "png"]),
        ("testkit", &["core"]),
        ("runner", &["core", "store", "checks", "models", "process", "agents", "bridge"]),
        ("fleet", &["core", "store", "models", "runner"]),
        ("workshop", WORKSHOP),
        (
            "cli",
            &[
                "core",
                "png",
                "process",
                "checks",
                "models",
                "provider-sim",
                "agents",
                "bridge",
                "store",
                "runner",
                "fleet",
                "report",
                "workshop",
            ],
        ),
        ("python", &["core", "png", "store", "runner", "workshop", "cli"]),
    ]
    .into()
}

/// The folders of all crates by their names: those in `crates`, and those in a folder of crates, as `crates/worlds` is.
fn folders() -> BTreeMap<String, PathBuf> {
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
    let above = entries(&root().join("crates"));
    let (crates, shelves): (Vec<_>, Vec<_>) = above.into_iter().partition(|path| path.join("Cargo.toml").is_file());
    let below = shelves.iter().flat_map(|shelf| entries(shelf));
    crates.into_iter().chain(below).map(|path| (name(&path), path)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    entries.map(|entry| entry.expect("readable").path()).collect()
}

fn folder(name: &str) -> PathBuf {
    folders().remove(name).unwrap_or_else(|| panic!("there is no crate `{name}`"))
}

fn manifest(name: &str) -> toml::Table {
    let path = folder(name).join("Cargo.toml");
    fs::read_to_string(&path).expect("every crate has a manifest").parse().expect("the manifest is TOML")
}

fn dependencies(manifest: &toml::Table, table: &str) -> BTreeSet<String> {
    manifest.get(table).and_then(toml::Value::as_table).map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

/// The files below a folder whose names end so, with what they say; what is built and recorded is passed over.
pub(crate) fn sources(under: &Path, endings: &[&str]) -> Vec<(PathBuf, String)> {
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
    assert_eq!(
        folders().into_keys().collect::<BTreeSet<_>>(),
        allowed.keys().map(ToString::to_string).collect(),
        "a new crate needs a written decision"
    );
    for (name, may) in allowed {
        let ours: BTreeSet<String> = dependencies(&manifest(name), "dependencies")
            .iter()
            .filter_map(|dependency| dependency.strip_prefix("quintain-").map(str::to_owned))
            .collect();
        let may: BTreeSet<String> = may.iter().map(ToString::to_string).collect();
        assert!(ours.is_subset(&may), "`{name}` depends on {ours:?} but may only on {may:?}");
    }
}

/// The crates that do no I/O.
const PURE: [&str; 8] = ["core", "checks", "report", "atlas", "sites", "chains", "page-text", "harbor"];

#[test]
fn the_pure_crates_depend_on_nothing_that_does_io() {
    let pure = [
        "base64",
        "blake3",
        "html5gum",
        "libm",
        "minijinja",
        "pathfinding",
        "percent-encoding",
        "schemars",
        "serde",
        "serde_json",
        "strsim",
        "thiserror",
        "toml",
        "unicode-normalization",
        "url",
    ];
    for name in PURE {
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
    let crates = PURE.map(|name| folder(name).join("src"));
    let folders = pure_folders();
    assert!(folders.len() >= 4, "each app has a `model` and its `checks`: {folders:?}");
    for folder in crates.iter().chain(&folders) {
        for (path, text) in sources(folder, &[".rs"]) {
            let found: Vec<&&str> = impure.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{} uses {found:?}", path.display());
        }
    }
}

/// What is pure in a crate that is not: the documents of apps and how they are judged.
fn pure_folders() -> Vec<PathBuf> {
    let apps = entries(&folder("apps").join("src")).into_iter().filter(|path| path.is_dir());
    let pure = apps.flat_map(|app| ["model", "checks"].map(|name| app.join(name)));
    pure.filter(|folder| folder.is_dir()).collect()
}

#[test]
fn documents_of_apps_know_nothing_of_browsers_and_oracles() {
    for folder in pure_folders() {
        for (path, text) in sources(&folder, &[".rs"]) {
            for others in ["quintain_browser", "::oracle::", "::service::", "::verifier::", "::app::"] {
                assert!(!text.contains(others), "{} uses `{others}`", path.display());
            }
        }
    }
}

#[test]
fn the_simulator_and_the_clients_share_no_reading_of_the_formats() {
    let reads = |folder: &str, others: &str| {
        for (path, text) in sources(&root().join("crates").join(folder), &[".rs"]) {
            assert!(!text.contains(others), "{} uses `{others}`: read the documentation", path.display());
        }
    };
    reads("provider-sim/src/wire", "quintain_models");
    reads("models", "quintain_provider_sim");
}

#[test]
fn only_the_store_knows_files_of_runs() {
    let named = [
        "segments/",
        "frames/",
        "plan.jsonl",
        "run.json",
        "engine.sqlite",
        "sessions.jsonl",
        "opinions.jsonl",
        "calls.jsonl",
        "proxy.jsonl",
        "\"report.html\"",
        "\"rescored\"",
    ];
    for (_, folder) in folders().into_iter().filter(|(name, _)| name != "store") {
        for (path, text) in product(&folder) {
            let found: Vec<&&str> = named.iter().filter(|word| text.contains(**word)).collect();
            assert!(found.is_empty(), "{} names {found:?}: ask the store", path.display());
        }
    }
}

/// The sources of a crate without its tests.
fn product(folder: &Path) -> Vec<(PathBuf, String)> {
    let sources = sources(&folder.join("src"), &[".rs"]).into_iter().filter(|(path, _)| !path.ends_with("tests.rs"));
    let before_tests = |text: String| text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    sources.map(|(path, text)| (path, before_tests(text))).collect()
}

/// The crates that are kinds of worlds, or of what is played in one, as code names them.
const OF_WORLDS: [&str; 14] = [
    "quintain_apps",
    "quintain_atlas",
    "quintain_browser",
    "quintain_chains",
    "quintain_container",
    "quintain_desktop",
    "quintain_exam",
    "quintain_harbor",
    "quintain_physics",
    "quintain_puzzles",
    "quintain_root_tree",
    "quintain_science",
    "quintain_sites",
    "quintain_workspace",
];

/// The files of the workshop that are about one of them and nothing else, so that every front can do it: what each names,
/// and why no offering tells it.
const ABOUT_ONE: [(&str, &[&str], &str); 6] = [
    (
        "crates/workshop/src/browsed_world.rs",
        &["quintain_atlas", "quintain_sites"],
        "shows a person the sites of a world of facts, without any task",
    ),
    ("crates/workshop/src/harbor_export.rs", &["quintain_harbor"], "writes any instance in a format of others"),
    (
        "crates/workshop/src/harbor_import.rs",
        &["quintain_harbor"],
        "makes tasks, which are there before they are played",
    ),
    ("crates/workshop/src/harbor_import/folder.rs", &["quintain_harbor"], "reads such tasks from folders"),
    (
        "crates/workshop/src/harbor_import/trees.rs",
        &["quintain_container", "quintain_harbor", "quintain_root_tree"],
        "builds the trees that imported tasks are played in",
    ),
    (
        "crates/workshop/src/host_trees.rs",
        &["quintain_container", "quintain_root_tree"],
        "builds, lists and removes trees of a user's own",
    ),
];

/// Whatever is known of a kind of world comes with its offering.
#[test]
fn only_the_registration_names_concrete_worlds() {
    let registration = Path::new("crates/workshop/src/worlds.rs");
    let mut found = BTreeMap::new();
    for name in ["core", "store", "runner", "fleet", "report", "workshop", "cli", "python"] {
        for (path, text) in sources(&root().join("crates").join(name).join("src"), &[".rs"]) {
            let path = path.strip_prefix(root()).expect("below the root");
            if path == registration {
                continue;
            }
            let asks = ["kind == \"", "kind != \""].iter().any(|word| text.contains(word));
            assert!(!asks, "{} asks which kind of world it is: ask the offering", path.display());
            let named: Vec<&str> = OF_WORLDS.into_iter().filter(|word| text.contains(word)).collect();
            if !named.is_empty() {
                found.insert(path.to_str().expect("UTF-8").to_owned(), named);
            }
        }
    }
    let may = ABOUT_ONE.map(|(path, named, _why)| (path.to_owned(), named.to_vec()));
    assert_eq!(found, BTreeMap::from(may), "ask the offering, or move it to the file of the workshop that is about it");
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

/// A filter that matches nothing is no error to nextest: a test that was renamed would silently lose its time or its group.
#[test]
fn every_test_that_nextest_is_told_of_exists() {
    let config = fs::read_to_string(root().join(".config/nextest.toml")).expect("tests are configured");
    let config = config.replace(r"\b", " ");
    let names: BTreeSet<&str> = config
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.matches('_').count() >= 2)
        .collect();
    let tests: String = sources(&root().join("crates"), &[".rs"]).into_iter().map(|(_, text)| text).collect();
    let is_there = |name: &str| [format!("fn {name}("), format!("mod {name} ")].iter().any(|text| tests.contains(text));
    let gone: Vec<&str> = names.iter().copied().filter(|name| !is_there(name)).collect();
    assert!(
        names.len() >= 20 && gone.is_empty(),
        "of {} names in .config/nextest.toml, not there: {gone:?}",
        names.len()
    );
}

#[test]
fn unsafe_stands_in_three_files() {
    let marks =
        [concat!("unsafe", " {"), concat!("unsafe", " impl"), concat!("unsafe", " fn"), concat!("unsafe", " extern")];
    let files: Vec<PathBuf> = sources(&root().join("crates"), &[".rs"])
        .into_iter()
        .filter(|(_, text)| marks.iter().any(|mark| text.contains(mark)))
        .map(|(path, _)| path.strip_prefix(root()).expect("below the root").to_owned())
        .collect();
    // The first mounts between fork and exec, the second declares six functions of a C library and calls nothing that is
    // not safe, the third calls one.
    let places = [
        "crates/process/src/layered_root.rs",
        "crates/sandbox-init/src/program/kernel.rs",
        "crates/worlds/physics/src/mujoco.rs",
    ];
    assert_eq!(files, places.map(PathBuf::from));
}

/// Why a lock is taken even after a panic is told once.
#[test]
fn poisoned_locks_are_dealt_with_in_one_place() {
    let word = concat!("Poison", "Error");
    let found: Vec<PathBuf> = sources(&root().join("crates"), &[".rs"])
        .into_iter()
        .filter(|(_, text)| text.contains(word))
        .map(|(path, _)| path.strip_prefix(root()).expect("below the root").to_owned())
        .collect();
    // These depend on no crate of ours, or on none at all.
    let alone = ["crates/process/src/tail.rs", "crates/sandbox-init/src/program/output.rs"].map(Path::new);
    assert_eq!(
        found,
        [Path::new("crates/core/src/lock.rs"), alone[0], alone[1]],
        "take it with `quintain_core::lock::LockAlways`"
    );
}

/// What they cannot read they tell as `did not match any variant`, or not at all.
#[test]
fn nothing_stored_is_flattened_or_untagged() {
    let found: Vec<PathBuf> = sources(&root().join("crates"), &[".rs"])
        .into_iter()
        .filter(|(_, text)| text.lines().any(is_flattened_or_untagged))
        .map(|(path, _)| path)
        .collect();
    assert!(found.is_empty(), "read the fields and decide yourself, as `from` and `try_from` let you: {found:?}");
}

fn is_flattened_or_untagged(line: &str) -> bool {
    let says = |word: &str| line.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
    line.trim_start().starts_with("#[serde(") && (says("flatten") || says("untagged"))
}

/// A program that is started elsewhere can outlive its trial, or be waited for without an end.
#[test]
fn programs_are_started_in_one_room() {
    let elsewhere = [
        ("crates/sandbox-init/src/program/main.rs", "is in the sandbox and becomes the program"),
        ("crates/sandbox-init/src/program/run.rs", "is in the sandbox, which ends with all that is in it"),
        ("crates/sandbox-init/src/program/started.rs", "is in the sandbox, which ends with all that is in it"),
        ("crates/worlds/puzzles/src/sources/clips/folder/decode.rs", "reads frames as they come, before any trial"),
    ];
    let mut found = Vec::new();
    for (_, folder) in folders().into_iter().filter(|(name, _)| !["process", "testkit"].contains(&name.as_str())) {
        for (path, text) in product(&folder) {
            if ["Command::new(", "process_group("].iter().any(|word| text.contains(word)) {
                let path = path.strip_prefix(root()).expect("below the root");
                found.push(path.to_str().expect("UTF-8").to_owned());
            }
        }
    }
    found.sort();
    assert_eq!(found, elsewhere.map(|(path, _why)| path), "start it with `quintain_process::SpawnOptions`");
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

/// The schema of `task.toml` for editors.
#[test]
fn the_schema_of_tasks_is_current() {
    let schema = schemars::schema_for!(quintain_core::task::TaskSpec);
    let text = format!("{}\n", serde_json::to_string_pretty(&schema).expect("a schema is JSON"));
    generated("schemas/task.schema.json", &text);
}
