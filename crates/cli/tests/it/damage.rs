//! Damage costs only itself: files of a run are flipped, cut, removed and moved at random, and every command still ends
//! with what is left, names what is broken, and tells no verdict otherwise than before.
//!
//! `QUINTAIN_FULL=1` asks for all 200 damages (`just damage`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quintain_core::Rng;
use serde_json::Value;

use crate::command::{Place, copy, files_in, is_full};

/// So many things are broken at once.
const AT_ONCE: usize = 10;

/// Every command that reads a run, and what it may exit with: 3 where something is not as it was, 4 where a trial faulted.
const COMMANDS: [(&str, &[i32]); 11] = [
    ("report b --no-html", &[0]),
    ("report b --html page.html", &[0]),
    ("show b", &[0]),
    ("list runs", &[0]),
    ("rescore b", &[0]),
    ("replay b", &[0]),
    ("replay b --all", &[0]),
    ("compare a b", &[0]),
    ("export b --format openai --out out", &[0]),
    ("doctor b", &[3]),
    ("resume b", &[0]),
];

#[test]
fn whatever_is_damaged_costs_only_itself() {
    let place = Place::new();
    let made = place.quintain(
        "run puzzles/maze-2d@easy puzzles/sliding-block@easy puzzles/matchstick-equation@easy --agent random --agent \
         oracle --seeds 50 --steps 5 --name a --workers 2 --quiet",
    );
    assert_eq!(made.code, 0, "{}", made.text());
    let whole = verdicts(&place.json("show a"));
    assert_eq!(whole.len(), 300);
    let n_rounds = if is_full() { 20 } else { 2 };
    for round in 0..n_rounds {
        damaged_round(&place, round, &whole);
    }
}

/// Breaks ten things of a copy, and tries every command on it.
fn damaged_round(place: &Place, round: u64, whole: &BTreeMap<String, Value>) {
    let run = place.path().join("runs/b");
    drop(fs::remove_dir_all(&run));
    copy(&place.path().join("runs/a"), &run);
    let mut rng = Rng::for_purpose(round, "damage");
    let broken: Vec<Broken> = (0..AT_ONCE).filter_map(|_| break_something(&run, &mut rng)).collect();
    let about = format!("round {round}: {broken:#?}");
    for (command, codes) in COMMANDS {
        let done = place.quintain(command);
        assert!(codes.contains(&done.code), "{about}\n{command}: {}", done.text());
        if command.starts_with("doctor") {
            for broken in last_deeds(&broken).filter(|broken| broken.is_seen()) {
                let is_told =
                    done.stdout.contains(&broken.file) || (broken.is_of_record() && tells_of_loss(&done.stdout));
                assert!(is_told, "{about}\n{} is not named: {}", broken.file, done.text());
            }
        }
        if command.starts_with("show") {
            let left = verdicts(&place.json("show b"));
            for (trial, verdict) in &left {
                assert_eq!(whole.get(trial), Some(verdict), "{about}\n{trial} has another verdict");
            }
            // The engine and the record both know each verdict: only where both are broken can one be lost.
            let n_lost = whole.len() - left.len();
            assert!(n_lost == 0 || broken.iter().any(Broken::is_engine), "{about}\n{n_lost} verdicts are lost");
        }
    }
}

fn verdicts(shown: &Value) -> BTreeMap<String, Value> {
    let trials = shown["trials"].as_array().expect("a list of trials").iter();
    trials.map(|trial| (trial["trial"].as_str().expect("a name").to_owned(), trial["verdict"].clone())).collect()
}

/// What was done last to each file: what is gone shows nothing of what befell it before.
fn last_deeds(broken: &[Broken]) -> impl Iterator<Item = &Broken> {
    let by_file: BTreeMap<&str, &Broken> = broken.iter().map(|broken| (broken.file.as_str(), broken)).collect();
    by_file.into_values()
}

/// Whether fewer trials are told to have an outcome than the run had.
fn tells_of_loss(told: &str) -> bool {
    let n_known = told.lines().find_map(|line| line.split_once(" of 300 trials have an outcome"));
    n_known.and_then(|(n_known, _)| n_known.parse::<u32>().ok()).is_some_and(|n_known| n_known < 300)
}

/// One thing that was broken.
#[derive(Debug)]
struct Broken {
    file: String,
    how: Deed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Flip,
    Cut,
    Remove,
    Move,
}

impl Broken {
    fn is_engine(&self) -> bool {
        self.file.starts_with("engine")
    }

    /// Whether it may be damaged without a trace: lines that are gone, or a picture that only such lines named. Where the
    /// engine that knew them is broken too, nothing is left that could name the file, and how many trials are missing is
    /// all that can be told.
    fn is_of_record(&self) -> bool {
        (self.file.starts_with("segments/") && self.how != Deed::Flip) || self.file.starts_with("frames/")
    }

    /// Whether it can be told that something is broken. SQLite has bytes that nothing depends on, and a run may be copied
    /// without its engine and without what is kept beside the record.
    fn is_seen(&self) -> bool {
        let may_be_missing = matches!(self.file.as_str(), "sessions.jsonl" | "run.copy.json");
        let is_gone = matches!(self.how, Deed::Remove | Deed::Move | Deed::Cut);
        !(self.is_engine() || (may_be_missing && is_gone))
    }
}

/// Breaks a random file in a random way. Every kind of file comes as often as any other; never both headers.
fn break_something(run: &Path, rng: &mut Rng) -> Option<Broken> {
    let kinds = ["run.json", "plan.jsonl", "segments", "frames", "engine.sqlite", "sessions.jsonl", "run.copy.json"];
    let kind = kinds[rng.below(kinds.len())];
    let header_is_broken = ["run.json", "run.copy.json"].iter().any(|name| is_broken(&run.join(name)));
    if kind.starts_with("run.") && header_is_broken {
        return None;
    }
    let files = files_in(&run.join(kind));
    let path = files.get(rng.below(files.len().max(1)))?;
    let file = path.strip_prefix(run).expect("it is a file of the run").display().to_string();
    let mut bytes = fs::read(path).expect("the file can be read");
    let how = [Deed::Flip, Deed::Cut, Deed::Remove, Deed::Move][rng.below(4)];
    match how {
        Deed::Flip => {
            let bit = rng.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(path, bytes).expect("the file can be written");
        }
        Deed::Cut => {
            bytes.truncate(rng.below(bytes.len()));
            fs::write(path, bytes).expect("the file can be written");
        }
        Deed::Remove => fs::remove_file(path).expect("the file can be removed"),
        Deed::Move => fs::rename(path, run.join(format!("moved-{}", rng.below(1 << 40)))).expect("it can be moved"),
    }
    Some(Broken { file, how })
}

/// Whether a header is not as it was written: the test keeps the names of those it broke by looking at them.
fn is_broken(path: &Path) -> bool {
    let sibling = path.with_file_name(if path.ends_with("run.json") { "run.copy.json" } else { "run.json" });
    fs::read(path).ok() != fs::read(sibling).ok()
}
