//! Damage costs only itself: files of a run are flipped, cut, removed and moved at random, and every command still ends
//! with what is left, names what is broken, and tells no verdict otherwise than before.
//!
//! `QUINTAIN_FULL=1` asks for all 200 damages (`just damage`).

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use quintain_core::{Picture, Rng};
use quintain_png::decode_webp;
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
    let (n_seeds, n_rounds) = if is_full() { (50, 20) } else { (16, 2) };
    let made = place.quintain(&format!(
        "run puzzles/maze-2d@easy puzzles/sliding-block@easy puzzles/matchstick-equation@easy --agent random --agent \
         oracle --seeds {n_seeds} --steps 5 --name a --workers 2 --quiet",
    ));
    assert_eq!(made.code, 0, "{}", made.text());
    let whole = WholeRun::of(&place);
    assert_eq!(whole.verdicts.len(), 6 * n_seeds);
    for round in 0..n_rounds {
        damaged_round(&place, round, &whole);
    }
}

/// Breaks ten things of a copy, and tries every command on it.
fn damaged_round(place: &Place, round: u64, whole: &WholeRun) {
    let run = place.path().join("runs/b");
    drop(fs::remove_dir_all(&run));
    copy(&place.path().join("runs/a"), &run);
    let mut rng = Rng::for_purpose(round, "damage");
    let broken: Vec<Broken> = (0..AT_ONCE).filter_map(|_| break_something(&run, &mut rng)).collect();
    let about = format!("round {round}: {broken:#?}");
    let is_known_twice = !broken.iter().any(Broken::is_engine);
    let traces: BTreeMap<&str, Trace> =
        broken.iter().map(|it| (it.file.as_str(), whole.trace(&run, &it.file, is_known_twice))).collect();
    for (command, codes) in COMMANDS {
        let done = place.quintain(command);
        assert!(codes.contains(&done.code), "{about}\n{command}: {}", done.text());
        if command.starts_with("doctor") {
            for (file, trace) in &traces {
                let is_told = match trace {
                    Trace::Named => names_once(&done.stdout, file),
                    Trace::NamedOrCounted => done.stdout.contains(file) || tells_of_loss(&done.stdout),
                    Trace::Nothing => true,
                };
                assert!(is_told, "{about}\n{file} is not told as it should be, {trace:?}: {}", done.text());
            }
        }
        if command.starts_with("show") {
            let left = verdicts(&place.json("show b"));
            for (trial, verdict) in &left {
                assert_eq!(whole.verdicts.get(trial), Some(verdict), "{about}\n{trial} has another verdict");
            }
            // The engine and the record both know each verdict: only where both are broken can one be lost.
            let n_lost = whole.verdicts.len() - left.len();
            assert!(n_lost == 0 || !is_known_twice, "{about}\n{n_lost} verdicts are lost");
        }
    }
}

fn verdicts(shown: &Value) -> BTreeMap<String, Value> {
    let trials = shown["trials"].as_array().expect("a list of trials").iter();
    trials.map(|trial| (trial["trial"].as_str().expect("a name").to_owned(), trial["verdict"].clone())).collect()
}

/// Whether a file is told to be broken; once, where it is gone or has lost its end.
fn names_once(told: &str, file: &str) -> bool {
    let as_whole = format!("{file}: it ");
    told.contains(file) && told.lines().filter(|line| line.starts_with(&as_whole)).count() <= 1
}

/// Whether fewer trials are told to have an outcome than the run had.
fn tells_of_loss(told: &str) -> bool {
    let counted = told.lines().find_map(|line| line.split_once(" trials have an outcome")?.0.split_once(" of "));
    let counted = counted.and_then(|(known, all)| Some((known.parse::<u32>().ok()?, all.parse::<u32>().ok()?)));
    counted.is_some_and(|(known, all)| known < all)
}

/// The run before anything was broken.
struct WholeRun {
    path: PathBuf,
    verdicts: BTreeMap<String, Value>,
    lines: HashSet<Vec<u8>>,
}

/// What damage to a file leaves for anybody to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trace {
    /// The file can be named.
    Named,
    /// It may be that no more can be told than how many trials are missing.
    NamedOrCounted,
    /// Perhaps nothing.
    Nothing,
}

impl WholeRun {
    fn of(place: &Place) -> Self {
        let path = place.path().join("runs/a");
        let lines = segment_lines(&path).into_iter().collect();
        Self { path, verdicts: verdicts(&place.json("show a")), lines }
    }

    /// What can be found of the damage to a file, by what is left of it and of whatever else knew of it.
    fn trace(&self, run: &Path, file: &str, is_known_twice: bool) -> Trace {
        let left = fs::read(run.join(file)).ok();
        match file.split('/').next().unwrap_or(file) {
            // SQLite has bytes that nothing depends on, and a run may be copied without its engine.
            "engine.sqlite" => Trace::Nothing,
            // A killed process leaves no other.
            "sessions.jsonl" if self.only_ends_early(file, left.as_deref()) => Trace::Nothing,
            // The engine knows what a segment held; without it, a segment is missed where a later one is there.
            "segments" if !is_known_twice && self.only_ends_early(file, left.as_deref()) => {
                let is_missed = left.is_none() && files_in(&run.join("segments")).iter().any(|it| *it > run.join(file));
                if is_missed { Trace::Named } else { Trace::NamedOrCounted }
            }
            // One that is gone is missed by the lines that name it, as far as they are left.
            "frames" if left.is_none() && !self.is_still_named(run, file) => Trace::Nothing,
            // WebP, too, has bits that no pixel depends on.
            "frames" if left.is_some_and(|left| self.pixels(&left) == self.pixels_of(file)) => Trace::Nothing,
            _ => Trace::Named,
        }
    }

    /// Whether the lines that are left of a file are as they were, so that there may never have been more.
    fn only_ends_early(&self, file: &str, left: Option<&[u8]>) -> bool {
        let before = whole_lines(&fs::read(self.path.join(file)).expect("the file was there"));
        left.is_none_or(|left| whole_lines(left).iter().all(|line| before.contains(line)))
    }

    /// What a picture's file shows, over the whole run's pictures.
    fn pixels(&self, webp: &[u8]) -> Option<Picture> {
        let top = decode_webp(webp).ok()?;
        // A digit of a name is the same in either case.
        match top.over.as_ref().map(|name| name.to_ascii_lowercase()) {
            None => Some(top.picture),
            Some(name) => top.laid_over(&self.pixels_of(&format!("frames/{}/{name}.webp", name.get(..2)?))?).ok(),
        }
    }

    fn pixels_of(&self, file: &str) -> Option<Picture> {
        self.pixels(&fs::read(self.path.join(file)).ok()?)
    }

    /// Whether a line that is as it was names a picture.
    fn is_still_named(&self, run: &Path, file: &str) -> bool {
        let digest = Path::new(file).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let names_it = |line: &Vec<u8>| String::from_utf8_lossy(line).contains(digest);
        segment_lines(run).iter().any(|line| self.lines.contains(line) && names_it(line))
    }
}

/// The lines of all segments of a run.
fn segment_lines(run: &Path) -> Vec<Vec<u8>> {
    let files = files_in(&run.join("segments"));
    files.iter().flat_map(|path| whole_lines(&fs::read(path).expect("the file can be read"))).collect()
}

fn whole_lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.map(<[u8]>::to_vec).collect()
}

/// One thing that was broken.
#[derive(Debug)]
struct Broken {
    file: String,
    #[expect(dead_code, reason = "it is told where the test fails")]
    how: Deed,
}

#[derive(Clone, Copy, Debug)]
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
    let mut bytes = fs::read(path).ok().filter(|bytes| !bytes.is_empty())?;
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
