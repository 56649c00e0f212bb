//! Private seeds, and how many seeds give different instances.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::Place;

const RUN: &str = "run puzzles/maze-2d@easy puzzles/jigsaw@easy --agent oracle --here";

/// Looks for a text in every file under a folder, and counts the files.
fn search(folder: &Path, text: &str) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = |path: std::path::PathBuf| {
        if path.is_dir() {
            return search(&path, text);
        }
        let bytes = fs::read(&path).expect("a file");
        assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()), "{} has it", path.display());
        1
    };
    entries.map(found).sum()
}

fn plan(place: &Place, run: &str) -> Vec<String> {
    let text = fs::read_to_string(place.path().join(format!("runs/{run}/plan.jsonl"))).expect("a plan");
    let trial =
        |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["trial"].as_str().expect("a name").to_owned();
    text.lines().map(trial).collect()
}

#[test]
fn private_seeds_are_the_same_with_the_key_and_the_key_is_in_no_run() {
    let place = Place::new();
    let made = place.json("seeds new a.key");
    let secret = fs::read_to_string(place.path().join("a.key")).expect("the key is there");
    let digits = secret.trim().split_once(' ').expect("a mark and digits").1;
    for run in ["one", "two"] {
        place.json(&format!("{RUN} --private a.key --seeds 2 --name {run} --log {run}.log"));
    }
    let report = place.json("report one --no-html");
    assert_eq!(report["run"]["private"]["key"], made["key"]);
    assert_eq!(report["run"]["seeds"].as_array().map(Vec::len), Some(0));
    let trials = plan(&place, "one");
    assert_eq!((trials.len(), &trials), (4, &plan(&place, "two")));
    let seed = |trial: &String| trial.split(['#', '~']).nth(1).expect("a seed").parse::<u64>().expect("a number");
    assert!(trials.iter().all(|trial| seed(trial) >= 1 << 62), "{trials:?}");
    assert_eq!(place.json("compare one two")["n_pairs"], 4);
    assert!(search(&place.path().join("runs"), digits) > 4);
    search_file(&place.path().join("one.log"), digits);

    place.json("seeds new b.key");
    place.json(&format!("{RUN} --private b.key --seeds 2 --name three"));
    let compared = place.quintain("compare one three");
    assert!(compared.code != 0 && compared.stderr.contains("no instance is the same"), "{}", compared.text());
}

fn search_file(path: &Path, text: &str) {
    assert!(!fs::read_to_string(path).expect("a log").contains(text), "{} has it", path.display());
}

#[test]
fn a_key_is_its_owners_and_never_written_over() {
    let place = Place::new();
    let new_key = place.json("seeds new a.key");
    let before = fs::read_to_string(place.path().join("a.key")).expect("the key is there");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(place.path().join("a.key")).expect("the key is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let again = place.quintain("seeds new a.key");
    assert!(again.code != 0 && again.stderr.contains("never written over"), "{}", again.text());
    assert_eq!(fs::read_to_string(place.path().join("a.key")).expect("it is still there"), before);
    assert_eq!(place.json("seeds id a.key")["key"], new_key["key"]);

    fs::write(place.path().join("torn.key"), &before[..50]).expect("it can be written");
    let wrong = [
        (format!("{RUN} --private torn.key"), "holds no key"),
        (format!("{RUN} --private none.key"), "quintain seeds new FILE"),
        (format!("{RUN} --private a.key --seeds canonical"), "everybody's"),
        ("run puzzles/maze-2d@easy#7 --agent oracle --here --private a.key".to_owned(), "not named"),
    ];
    for (typed, words) in wrong {
        let done = place.quintain(&typed);
        assert!(done.code != 0 && done.stderr.contains(words), "{typed}: {}", done.text());
        assert!(!done.text().contains(&before[20..40]), "{typed}: {}", done.text());
    }
}

#[test]
fn twins_are_counted_without_playing() {
    let place = Place::new();
    let counted = place.json("check puzzles/maze-2d --twins");
    let twins = counted[0]["twins"].as_array().expect("a list");
    let told: Vec<_> = twins.iter().map(|twins| (&twins["preset"], &twins["seeds"], &twins["distinct"])).collect();
    assert_eq!(
        format!("{told:?}"),
        r#"[(String("easy"), Number(1000), Number(1000)), (String("hard"), Number(1000), Number(1000))]"#
    );
    assert!(!place.path().join("certificates").exists(), "nothing is proven, nothing is written");
}

/// Who has the key plays an edition; who has it not, once it is retired; and both play the same instances.
#[test]
fn an_edition_is_played_with_its_key_and_by_everybody_once_it_is_retired() {
    let place = Place::new();
    place.json("seeds new a.key");
    place.json("seeds new b.key");
    let made = place.quintain("seeds edition e.toml --key a.key --name 2026-11 --tasks puzzles/maze-2d@easy --count 2");
    assert!(made.code == 0 && made.stdout.contains("2 instances of each of puzzles/maze-2d@easy"), "{}", made.text());
    let secret = fs::read_to_string(place.path().join("a.key")).expect("the key is there");
    let digits = secret.trim().split_once(' ').expect("a mark and digits").1;
    search_file(&place.path().join("e.toml"), digits);
    let refused = |args: &str, why: &str| {
        let done = place.quintain(args);
        assert!(done.code != 0 && done.stderr.contains(why), "{}", done.text());
    };
    let run = "run --edition e.toml --agent oracle --here";
    refused("seeds edition e.toml --key a.key --name again --tasks puzzles", "is there already");
    refused(run, "is not published");
    refused(&format!("{run} --private b.key"), "has the key");
    refused("seeds retire e.toml --key b.key", "has the key");
    place.json(&format!("{run} --private a.key --name one"));
    let report = place.quintain("report one --no-html");
    assert!(report.stderr.contains("private seeds of edition 2026-11"), "{}", report.text());
    place.json("seeds retire e.toml --key a.key");
    place.json(&format!("{run} --name two"));
    let trials = plan(&place, "one");
    assert_eq!((trials.len(), &trials), (2, &plan(&place, "two")));
}
