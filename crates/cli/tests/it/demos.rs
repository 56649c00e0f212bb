//! Demonstrations at the command line: made, killed, gone on with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::Place;

const MANY: &str = "demos puzzles/maze-2d puzzles/matchstick-equation@easy --n 24 --shard 4 --evaluation 5 \
                    --strategy all --length 4..12 --format sharegpt,openai,atif,parquet --quiet --out";

fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(contents(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("readable"));
        }
    }
    found
}

fn rows(root: &Path, folder: &str) -> Vec<Value> {
    let mut paths: Vec<_> =
        fs::read_dir(root.join(folder)).expect("a folder").map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).expect("UTF-8");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        if folder == "sharegpt" { serde_json::from_str(&text).expect("JSON") } else { lines.collect::<Vec<Value>>() }
    };
    paths.iter().flat_map(read).collect()
}

/// Starts it and kills it once so many shards are whole.
fn killed_after(place: &Place, out: &str, n_shards: usize) {
    let args: Vec<&str> = MANY.split(' ').filter(|word| !word.is_empty()).chain([out]).collect();
    let mut child = place.start(&args);
    let mark = place.path().join(out).join(format!("shards/{:05}.json", n_shards - 1));
    let began = Instant::now();
    while !mark.exists() && child.try_wait().expect("a child").is_none() {
        assert!(began.elapsed() < Duration::from_mins(5), "no shard was finished");
        std::thread::yield_now();
    }
    child.kill().expect("a signal");
    child.wait().expect("it ends");
}

#[test]
fn killed_and_gone_on_with_they_are_the_same_to_the_byte() {
    let place = Place::new();
    let done = place.quintain(&format!("{} whole", MANY.split_whitespace().collect::<Vec<_>>().join(" ")));
    assert_eq!(done.code, 0, "{}", done.text());
    for n_shards in [1, 3] {
        killed_after(&place, "killed", n_shards);
    }
    let done = place.quintain(&format!("{} killed --workers 1", MANY.split_whitespace().collect::<Vec<_>>().join(" ")));
    assert_eq!(done.code, 0, "{}", done.text());
    let (whole, killed) = (contents(&place.path().join("whole")), contents(&place.path().join("killed")));
    assert_eq!(whole.keys().collect::<Vec<_>>(), killed.keys().collect::<Vec<_>>());
    assert!(whole == killed, "some bytes differ");
    check(&place.path().join("whole"));
}

/// What every folder of demonstrations must be.
fn check(root: &Path) {
    let index = rows(root, "index");
    let starts: BTreeSet<&str> = index.iter().map(|row| row["start"].as_str().expect("a start")).collect();
    assert_eq!((index.len(), starts.len()), (24, 24));
    let evaluation = fs::read_to_string(root.join("evaluation.jsonl")).expect("UTF-8");
    assert!(starts.iter().all(|start| !evaluation.contains(start)), "one is in the evaluation");
    assert!(index.iter().all(|row| {
        let seed =
            row["instance"].as_str().and_then(|id| id.rsplit_once('#')).and_then(|(_, seed)| seed.parse::<u64>().ok());
        seed.is_some_and(|seed| (1 << 48..1 << 49).contains(&seed))
    }));
    let strategies: BTreeSet<&str> = index.iter().filter_map(|row| row["strategy"].as_str()).collect();
    assert!(strategies.len() > 2, "{strategies:?}");

    let talks = rows(root, "sharegpt");
    assert_eq!(talks.len(), 24);
    for (talk, row) in talks.iter().zip(&index) {
        let said = talk["conversations"].as_array().expect("messages");
        let marks: usize =
            said.iter().map(|said| said["value"].as_str().expect("text").matches("<image>").count()).sum();
        let images = talk["images"].as_array().expect("images");
        assert_eq!(marks, images.len());
        assert_eq!(said.len() as u64, 2 * row["turns"].as_u64().expect("a count"));
        assert_eq!(said.last().expect("an end")["value"], "('stop', 'stop')");
        assert!(images.iter().all(|image| root.join(image.as_str().expect("a path")).exists()));
    }
    for (folder, key) in [("openai", "messages"), ("atif", "steps")] {
        let rows = rows(root, folder);
        assert_eq!(rows.len(), 24, "{folder}");
        assert!(rows.iter().all(|row| row[key].as_array().is_some_and(|list| list.len() > 2)), "{folder}");
    }
}

#[test]
fn what_cannot_be_made_is_refused_in_words() {
    let place = Place::new();
    for (args, words) in [
        ("demos puzzles/maze-2d#7 --n 1 --out a", "demonstrations have seeds of their own"),
        ("demos puzzles/maze-2d --n 1 --strategy nonsense --out b", "has a strategy `nonsense`"),
        ("demos puzzles/maze-2d --n 1 --strategy shortst,padded --out b", "hint: did you mean `shortest`?"),
        ("demos puzzles/maze-2d --n 1 --strategy usual,padded --out b", "`usual` is asked for together with other"),
        ("demos puzzles/maze-2d --n 1 --preset medium --out c", "no task that is named has a preset `medium`"),
        ("demos puzzles/maze-2d --n 1 --preset easy,hrad --out c", "hint: did you mean `hard`?"),
        ("demos puzzles/maze-2d@easy --n 1 --preset easy,hard --out c", "no task that is named has a preset `hard`"),
        ("demos puzzles/maze-2d --n 1 --length 9..3 --out d", "the least must be above 0"),
        ("demos puzzles/jigsaw@easy --n 1 --show ascii,feedback --out f", "does not offer `ascii`"),
        ("demos gauntlet/workflow-insert-wait --n 1 --resolution 640 --out g", "with smaller pictures: it points in"),
    ] {
        let done = place.quintain(args);
        assert!(done.code != 0 && done.stderr.contains(words), "{args}: {}", done.text());
    }
    assert_eq!(place.quintain("demos puzzles/maze-2d@easy --n 2 --evaluation 1 --out e --quiet").code, 0);
    let other = place.quintain("demos puzzles/maze-2d@easy --n 3 --evaluation 1 --out e --quiet");
    assert!(other.code == 1 && other.stderr.contains("`n` differs"), "{}", other.text());
}

#[test]
fn where_nothing_is_solved_every_try_says_so() {
    let place = Place::new();
    for _ in 0..2 {
        let done = place.quintain("demos puzzles/maze-2d@easy --n 3 --steps 2 --evaluation 1 --out none --quiet");
        assert!(done.code == 1 && done.stderr.contains("no demonstration could be made"), "{}", done.text());
    }
    let manifest = fs::read_to_string(place.path().join("none/demos.json")).expect("UTF-8");
    assert!(serde_json::from_str::<Value>(&manifest).expect("JSON")["result"].is_null(), "{manifest}");
}

/// Presets that differ only in what is right at the end begin alike: they are other problems all the same.
#[test]
fn presets_that_begin_alike_are_all_demonstrated() {
    let place = Place::new();
    let done = place.quintain(
        "demos puzzles/mental-rotation-2d puzzles/matchstick-rotation --n 8 --evaluation 2 --format openai,parquet \
         --resolution 64 --quiet --out d",
    );
    assert_eq!(done.code, 0, "{}", done.text());
    let index = rows(&place.path().join("d"), "index");
    for (task, preset) in
        [("mental-rotation-2d", "easy"), ("mental-rotation-2d", "hard"), ("matchstick-rotation", "hard")]
    {
        let of = format!("puzzles/{task}@{preset}#");
        let n = index.iter().filter(|row| row["instance"].as_str().is_some_and(|id| id.starts_with(&of))).count();
        assert_eq!(n, 2, "{of}: {index:?}");
    }
    let problems: BTreeSet<&str> = index.iter().filter_map(|row| row["problem"].as_str()).collect();
    let starts: BTreeSet<&str> = index.iter().filter_map(|row| row["start"].as_str()).collect();
    assert_eq!((problems.len(), starts.len()), (8, 4));
}

#[test]
fn every_task_has_its_quota_its_pictures_are_packed_and_the_solver_gives_reasons() {
    let place = Place::new();
    let done = place.quintain(
        "demos puzzles/maze-2d puzzles/counting@easy --per-task 3 --evaluation 1 --format sharegpt,parquet --picture jpeg:70 \
         --max-side 96 --reasons --quiet --out d",
    );
    assert_eq!(done.code, 0, "{}", done.text());
    let root = place.path().join("d");
    let index = rows(&root, "index");
    let of =
        |name: &str| index.iter().filter(|row| row["instance"].as_str().is_some_and(|id| id.contains(name))).count();
    assert_eq!((of("maze-2d@easy"), of("maze-2d@hard"), of("counting")), (2, 1, 3), "{index:?}");
    for talk in rows(&root, "sharegpt") {
        let path = root.join(talk["images"][0].as_str().expect("a path"));
        assert!(path.extension().is_some_and(|ending| ending == "jpg"), "{}", path.display());
        assert!(fs::read(&path).expect("a picture").starts_with(&[0xff, 0xd8]));
        let is_maze = talk["id"].as_str().is_some_and(|id| id.contains("maze-2d"));
        let turns = talk["conversations"].as_array().expect("messages").len() / 2;
        let reasons = talk["reasons"].as_array().map_or(0, Vec::len);
        assert_eq!(reasons, if is_maze { turns - 1 } else { 0 }, "the end needs no reason: {talk}");
        if is_maze {
            assert_eq!(talk["reasons"][0]["origin"], "solver");
            assert!(talk["reasons"][0]["reason"].as_str().is_some_and(|says| says.contains("red square")), "{talk}");
        }
    }
    let other = place.quintain("demos puzzles/maze-2d puzzles/counting@easy --per-task 3 --n 4 --out d");
    assert_eq!(other.code, 2, "{}", other.text());
}

/// Each subtask is a demonstration of its own, played from where the one before it was reached.
#[test]
fn demonstrations_can_be_had_subtask_by_subtask() {
    let place = Place::new();
    let args = "demos puzzles/maze-legs@easy --evaluation 5 --format sharegpt --quiet";
    let done = place.quintain(&format!("{args} --by subtask --n 6 --out parts"));
    assert_eq!(done.code, 0, "{}", done.text());
    let told = |folder: &str| -> Vec<String> {
        let line = |facts: &Value| {
            let instance = facts["instance"].as_str().expect("a name");
            let seed = instance.split_once('#').expect("a seed").1.replace("2814749767106", "");
            format!("{seed} in {} turns: {}", facts["turns"], facts["segments"])
        };
        rows(&place.path().join(folder), "index").iter().map(line).collect()
    };
    insta::assert_snapshot!(told("parts").join("\n"), @r#"
    56+0..1 in 5 turns: [{"from":0,"subtask":"near","to":4}]
    56+1..2 in 5 turns: [{"from":0,"subtask":"nearer","to":4}]
    56+2..3 in 5 turns: [{"from":0,"subtask":"there","to":4}]
    57+0..1 in 5 turns: [{"from":0,"subtask":"near","to":4}]
    57+1..2 in 5 turns: [{"from":0,"subtask":"nearer","to":4}]
    57+2..3 in 5 turns: [{"from":0,"subtask":"there","to":4}]
    "#);
    assert_eq!(place.quintain(&format!("{args} --n 2 --out whole")).code, 0);
    insta::assert_snapshot!(told("whole").join("\n"), @r#"
    56 in 13 turns: [{"from":0,"subtask":"near","to":4},{"from":4,"subtask":"nearer","to":8},{"from":8,"subtask":"there","to":12}]
    57 in 13 turns: [{"from":0,"subtask":"near","to":4},{"from":4,"subtask":"nearer","to":8},{"from":8,"subtask":"there","to":12}]
    "#);
    let first = &rows(&place.path().join("parts"), "sharegpt")[1];
    assert!(first["system"].to_string().contains("This much of it has been done already"), "{first}");
    let refused = place.quintain("demos puzzles/maze-2d@easy --by subtask --n 2 --out none");
    assert!(refused.code != 0 && refused.stderr.contains("has a subtask to demonstrate"), "{}", refused.text());
}
