//! What is made follows from the recipe alone, whoever interrupts it, on however many cores.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use quintain_checks::{Palette, Panel};
use quintain_core::instance::Stretch;
use quintain_core::judge::NothingToDerive;
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Digest, Instance, Pick, Task, World, WorldError, WorldKind};
use quintain_store::DemoDir;
use quintain_testkit::{Counter, counter_task};
use serde_json::json;

use super::choose::{Choice, TakenStarts};
use super::*;

/// Counting, in which instances with the same target begin alike.
struct Coarse(Counter);

impl WorldKind for Coarse {
    fn kind(&self) -> &str {
        self.0.kind()
    }

    fn digest(&self, task: &Task) -> Digest {
        self.0.digest(task)
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let mut instance = self.0.instantiate(task, pick)?;
        instance.start["salt"] = json!(0);
        Ok(instance)
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        self.0.open(instance)
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        self.0.oracle(instance, style)
    }
}

fn task(least: u32, most: u32) -> (Task, Panel) {
    let task = counter_task("count", least, most);
    let panel = Panel::new(&task, &Palette::standard()).unwrap();
    (task, panel)
}

fn recipe<'a>(world: &'a dyn WorldKind, (task, panel): &'a (Task, Panel), n: u64, n_evaluation: u64) -> DemoRecipe<'a> {
    let subject = CertificateSubject { task, world, panel, derive: &NothingToDerive };
    DemoRecipe {
        strata: vec![Stratum { subject, preset: None, stretch: Stretch::WHOLE, strategies: Vec::new(), quota: None }],
        n,
        n_a_shard: 10,
        lengths: None,
        settings: Settings::default(),
        steps: None,
        space: SeedSpace::Train,
        n_evaluation,
        packing: PicturePacking::Png,
        reasons: Reasons::Untold,
        version: "0".to_owned(),
    }
}

const FORMATS: [DemoFormat; 4] = DemoFormat::ALL;

/// Makes it in a folder, and breaks off after so many.
fn make_in(root: &Path, recipe: &DemoRecipe<'_>, n_threads: usize, until: u64) -> Result<MadeDemos, DemoError> {
    let dir = DemoDir::open(root, recipe.plan(&FORMATS, PictureForm::Linked), &FORMATS, PictureForm::Linked)?;
    let interrupted = AtomicBool::new(false);
    make(recipe, dir, n_threads, &interrupted, &mut |progress| {
        interrupted.fetch_or(progress.n >= until, Ordering::Relaxed);
    })
}

fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(contents(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn breaking_off_and_other_numbers_of_threads_change_no_byte() {
    let (world, task) = (Counter::default(), task(1, 50));
    let recipe = recipe(&world, &task, 35, 20);
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = make_in(whole.path(), &recipe, 1, u64::MAX).unwrap();
    assert_eq!((made.n, made.complete, made.n_shards), (35, true, 4));
    for until in [3, 14, 27] {
        assert!(matches!(make_in(broken.path(), &recipe, 3, until), Err(DemoError::Interrupted)));
    }
    let again = make_in(broken.path(), &recipe, 2, u64::MAX).unwrap();
    assert_eq!(again, made);
    assert_eq!(contents(broken.path()), contents(whole.path()));
    assert_eq!(make_in(broken.path(), &recipe, 2, u64::MAX).unwrap(), made, "what is there is not made again");
    assert_eq!(contents(broken.path()), contents(whole.path()));
}

#[test]
fn no_two_begin_alike_and_none_like_the_evaluation() {
    let (world, task) = (Coarse(Counter::default()), task(1, 40));
    let folder = tempfile::tempdir().unwrap();
    let recipe = recipe(&world, &task, 100, 5);
    let made = make_in(folder.path(), &recipe, 2, u64::MAX).unwrap();
    let evaluation: std::collections::BTreeSet<Digest> = std::iter::once(None)
        .chain((0..5).map(Some))
        .map(|seed| world.instantiate(&task.0, &Pick { seed, ..Pick::default() }).unwrap().digest())
        .collect();
    assert_eq!(made.n, 40 - evaluation.len() as u64, "all other targets, each once");
    assert!(!made.complete);
    assert_eq!((made.disjoint.n_compared, made.disjoint.n_in_evaluation), (evaluation.len() as u64, 0));
    let count = &made.strata[0].count;
    assert!(count.exhausted && count.n_duplicate > 0 && count.n_in_evaluation > 0, "{count:?}");
    assert_eq!(make_in(folder.path(), &recipe, 2, u64::MAX).unwrap(), made, "and there still are no more");
}

/// Chooses so many, so many at a time, all of them solved; gives their seeds.
fn chosen(recipe: &DemoRecipe<'_>, n_together: usize) -> Vec<Option<u64>> {
    let (mut choice, mut taken, mut seeds) = (Choice::new(1), TakenStarts::default(), Vec::new());
    while seeds.len() < recipe.n as usize {
        let n_missing = n_together.min(recipe.n as usize - seeds.len());
        let candidates = choice.next(n_missing, recipe, &mut taken, 2);
        if candidates.is_empty() {
            break;
        }
        for candidate in candidates {
            choice.solved(candidate.stratum);
            seeds.push(candidate.instance.id.pick.seed);
        }
    }
    seeds
}

/// Most draws are of targets that are taken, but never so many in a row that there could be no more.
#[test]
fn how_many_are_chosen_at_a_time_does_not_change_which() {
    let (world, task) = (Coarse(Counter::default()), task(1, 2000));
    let recipe = recipe(&world, &task, 1900, 0);
    let at_once = chosen(&recipe, 1900);
    assert_eq!(at_once.len(), 1900);
    assert_eq!(chosen(&recipe, 10), at_once);
}

#[test]
fn a_shard_that_would_be_empty_is_not_made() {
    let (world, task) = (Coarse(Counter::default()), task(1, 41));
    let folder = tempfile::tempdir().unwrap();
    let recipe = recipe(&world, &task, 100, 0);
    let made = make_in(folder.path(), &recipe, 2, u64::MAX).unwrap();
    assert_eq!((made.n, made.complete, made.n_shards), (40, false, 4), "all but the canonical target");
    let all = contents(folder.path());
    assert!(!all.keys().any(|name| name.contains("00004")), "{:?}", all.keys());
    assert_eq!(make_in(folder.path(), &recipe, 2, u64::MAX).unwrap(), made, "and there still are no more");
    assert_eq!(contents(folder.path()), all);
}

/// Fails whenever it is played with a training seed from this number on.
fn failing_from(n: u64) -> Counter {
    let first = SeedSpace::Train.seeds().start() + n;
    Counter::with_mishap(move |id, _| match id.pick.seed {
        Some(seed) if seed >= first => Err(WorldError::world("a mishap")),
        _ => Ok(()),
    })
}

#[test]
fn where_no_more_are_solved_it_gives_up_and_says_so() {
    let (world, task) = (failing_from(20), task(5, 50));
    let folder = tempfile::tempdir().unwrap();
    let recipe = recipe(&world, &task, 50, 0);
    let made = make_in(folder.path(), &recipe, 2, u64::MAX).unwrap();
    assert_eq!((made.n, made.complete, made.n_shards), (20, false, 2));
    let count = &made.strata[0].count;
    assert!(count.given_up && !count.exhausted, "{count:?}");
    assert_eq!(make_in(folder.path(), &recipe, 2, u64::MAX).unwrap(), made);
}

#[test]
fn where_none_is_solved_it_fails_however_often_it_is_tried() {
    let (world, task) = (failing_from(0), task(5, 50));
    let folder = tempfile::tempdir().unwrap();
    let recipe = recipe(&world, &task, 5, 0);
    for _ in 0..2 {
        let error = make_in(folder.path(), &recipe, 2, u64::MAX).unwrap_err();
        assert!(matches!(error, DemoError::Nothing(_)), "{error}");
        assert!(!contents(folder.path()).keys().any(|name| name.contains("00000")));
    }
}

#[test]
fn what_is_not_solved_is_left_out_and_made_up_for() {
    let fails = |id: &quintain_core::InstanceId, n_actions: u32| {
        let unlucky = id.pick.seed.is_some_and(|seed| seed % 3 == 0) && n_actions == 0;
        if unlucky { Err(WorldError::world("a mishap")) } else { Ok(()) }
    };
    let (world, task) = (Counter::with_mishap(fails), task(5, 50));
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let recipe = recipe(&world, &task, 25, 0);
    let made = make_in(a.path(), &recipe, 3, u64::MAX).unwrap();
    let count = &made.strata[0].count;
    assert_eq!((made.n, count.n), (25, 25));
    assert!(count.n_unsolved >= 12, "{count:?}");
    assert!(make_in(b.path(), &recipe, 1, 12).is_err());
    make_in(b.path(), &recipe, 1, u64::MAX).unwrap();
    assert_eq!(contents(a.path()), contents(b.path()));
}

#[test]
fn a_folder_that_was_tampered_with_is_found_out() {
    let (world, task) = (Counter::default(), task(1, 50));
    let folder = tempfile::tempdir().unwrap();
    let recipe = recipe(&world, &task, 10, 3);
    make_in(folder.path(), &recipe, 2, u64::MAX).unwrap();
    let path = folder.path().join("index/00000.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    let second = text.lines().nth(1).unwrap();
    let set = |line: &str| serde_json::from_str::<Value>(line).unwrap()["problem"].as_str().unwrap().to_owned();
    fs::write(&path, text.replace(&set(second), &set(first))).unwrap();
    let error = make_in(folder.path(), &recipe, 2, u64::MAX).unwrap_err();
    assert!(error.to_string().contains("two begin alike"), "{error}");
}

#[test]
fn what_came_of_a_stratum_is_stored_in_one_row() {
    let count = CandidateCount { n: 3, n_duplicate: 1, exhausted: true, ..CandidateCount::default() };
    let of = OfStratum { task: "test/count".parse().unwrap(), preset: Some("easy".to_owned()), stretch: None, count };
    let text = serde_json::to_string(&of).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"task":"test/count","preset":"easy","n":3,"n_duplicate":1,"n_in_evaluation":0,"n_unsolved":0,"#,
            r#""exhausted":true,"given_up":false}"#
        )
    );
    assert_eq!(serde_json::from_str::<OfStratum>(&text).unwrap(), of);
}
