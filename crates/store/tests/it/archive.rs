//! Runs in an archive: what is put in comes out, whoever dies on the way.

mod bucket;
mod killed;
mod large;
mod outcomes;
mod pulling;

use std::path::Path;

use quintain_core::trial::TrialResult;
use quintain_core::verdict::Digests;
use quintain_core::{Digest, Ending, Score, Spent, Task, Verdict};
use quintain_store::archive::{
    Archive, ArchivedRun, OutcomeRow, PackManifest, PackWriter, ShippedAttempt, paths, reference_for,
};
use quintain_store::{LineRange, PlannedTrial, RunDir};

use crate::dial::{files, header, planned, play_into, trial_id};

/// An archive in a directory of its own.
pub(crate) struct Shelf {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) archive: Archive,
}

pub(crate) fn shelf() -> Shelf {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::make(folder.path().join("archive").to_str().unwrap()).unwrap();
    Shelf { folder, archive }
}

impl Shelf {
    /// The file of an object.
    pub(crate) fn file(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join("archive/runs/tuesday").join(path)
    }
}

pub(crate) fn task() -> Task {
    Task::from_files("test", &files()).unwrap()
}

pub(crate) fn plan(n_trials: u32) -> Vec<PlannedTrial> {
    (0..n_trials).map(planned).collect()
}

pub(crate) async fn new_run(archive: &Archive) -> ArchivedRun {
    archive.create_run(&header(), &plan(3), &[task()]).await.unwrap()
}

pub(crate) fn verdict(solved: bool) -> Verdict {
    let digest = Digest::of(b"dial");
    Verdict {
        ending: Ending::Done,
        score: Score::of(solved),
        solved,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: Digests { task: digest, world: digest, instance: digest },
        source: None,
        fault: None,
        state_score: None,
        outside: false,
    }
}

pub(crate) fn row(seq: u64, idx: u32, attempt: u32) -> OutcomeRow {
    let finished = TrialResult { verdict: verdict(true), spent: Spent::default() };
    OutcomeRow::new(seq, idx, trial_id(idx), attempt, finished, format!("lab-7-0a1b-0000:{seq}-{}", seq + 1))
}

/// A worker's own copy of a run, from which packs are made.
pub(crate) struct Scratch {
    pub(crate) run: RunDir,
    pub(crate) places: Vec<LineRange>,
}

impl Scratch {
    /// Plays three attempts into one segment, the second of which turns the dial wrong.
    pub(crate) fn played(folder: &Path, session: &str) -> Self {
        let run = RunDir::create_as(session, &folder.join(session), &header()).unwrap();
        let mut writer = run.segment_writer().unwrap();
        let places = ["turn(3); ('stop', 'stop')", "turn(1); ('stop', 'stop')", "turn(2); turn(1); ('stop', 'stop')"]
            .iter()
            .enumerate()
            .map(|(idx, said)| {
                let mut attempt = writer.begin(&trial_id(idx as u32), 1).unwrap();
                play_into(&mut attempt, said, &[], usize::MAX).unwrap();
                attempt.place()
            });
        let places = places.collect();
        Self { run, places }
    }

    /// A pack with one attempt each, all pictures and files in the first.
    pub(crate) fn packs(&self) -> Vec<(bytes::Bytes, PackManifest)> {
        let fresh = self.run.take_fresh();
        let mut packs: Vec<PackWriter> = self.places.iter().map(|_| PackWriter::new()).collect();
        for digest in fresh.frames {
            packs[0].frame(digest, &std::fs::read(self.run.frame_file(digest)).unwrap());
        }
        for digest in fresh.blobs {
            packs[0].blob(digest, &std::fs::read(self.run.blob_file(digest)).unwrap());
        }
        for (idx, (pack, place)) in packs.iter_mut().zip(&self.places).enumerate() {
            pack.lines(place, &self.run.lines(place).unwrap()).unwrap();
            pack.attempt(ShippedAttempt {
                idx: idx as u32,
                trial: trial_id(idx as u32),
                attempt: 1,
                ticket: String::new(),
                place: place.to_string(),
                outcome: Some(TrialResult { verdict: verdict(idx != 1), spent: Spent::default() }),
                end: None,
            });
        }
        packs.into_iter().map(PackWriter::finish).collect()
    }

    /// Puts all packs into the archive.
    pub(crate) async fn ship(&self, to: &ArchivedRun, session: &str) {
        for (n, (bytes, manifest)) in self.packs().into_iter().enumerate() {
            to.put_pack(&format!("{session}-{n}"), bytes, &manifest).await.unwrap();
        }
    }
}

#[tokio::test]
async fn what_was_planned_comes_back() {
    let shelf = shelf();
    let planned = plan(4096 + 2);
    let run = shelf.archive.create_run(&header(), &planned, &[task()]).await.unwrap();
    assert_eq!(shelf.archive.runs().await.unwrap(), ["tuesday"]);
    assert_eq!(run.header().await.unwrap(), header());
    assert_eq!(run.n_slices().await.unwrap(), 2);
    assert_eq!(run.slice(1).await.unwrap(), planned[4096..]);
    assert_eq!(run.plan().await.unwrap(), planned);
    assert_eq!(quintain_store::archive::slice_of(4097), (1, 1));
    assert!(
        shelf.archive.run("monday").unwrap().header().await.unwrap_err().to_string().contains("not in the archive")
    );
}

#[tokio::test]
async fn a_reference_is_kept_apart_and_makes_the_judge_whole() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    let public = run.tasks().await.unwrap().remove(0);
    assert_eq!((public.digest, public.canary()), (task().digest, String::new()));
    let instance = quintain_core::Instance {
        id: trial_id(0).instance,
        instruction: String::new(),
        parameters: public.parameters(&trial_id(0).instance.pick),
        start: serde_json::json!({"at": 0}),
        secrets: Vec::new(),
        source: None,
    };
    let fetched = run.reference(&public.id).await.unwrap();
    assert_eq!(reference_for(&instance, &public, fetched), instance.reference(&task()));
}

#[tokio::test]
async fn a_run_is_made_once_and_finished_after_a_crash() {
    let shelf = shelf();
    let run = shelf.archive.run("tuesday").unwrap();
    new_run(&shelf.archive).await;
    new_run(&shelf.archive).await;
    std::fs::remove_file(shelf.file(paths::HEADER)).unwrap();
    std::fs::remove_file(shelf.file(&paths::slice(0))).unwrap();
    assert!(!run.exists().await.unwrap());
    new_run(&shelf.archive).await;
    assert_eq!(run.plan().await.unwrap(), plan(3));
    let another = shelf.archive.create_run(&header(), &plan(2), &[task()]).await.unwrap_err().to_string();
    assert!(another.contains("plan/00000.jsonl` is in the archive already"), "{another}");
    assert_eq!(run.plan().await.unwrap(), plan(3));
}

#[tokio::test]
async fn a_directory_refuses_to_overwrite() {
    let shelf = shelf();
    shelf.archive.check().await.unwrap();
    shelf.archive.check().await.unwrap();
    assert!(shelf.archive.runs().await.unwrap().is_empty());
}

#[tokio::test]
async fn terms_may_change() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    assert_eq!(run.terms().await.unwrap(), None);
    run.put_terms(b"{\"chunk\":1}").await.unwrap();
    run.put_terms(b"{\"chunk\":8}").await.unwrap();
    assert_eq!(run.terms().await.unwrap().unwrap(), "{\"chunk\":8}");
}

#[tokio::test]
async fn a_directory_cannot_sign() {
    let shelf = shelf();
    let run = new_run(&shelf.archive).await;
    assert!(!shelf.archive.can_sign());
    let why = run.sign_read(paths::TASKS, std::time::Duration::from_mins(1)).await.unwrap_err().to_string();
    assert!(why.contains("it is a directory\nhint: give each worker"), "{why}");
}

#[tokio::test]
async fn names_stay_in_their_folder() {
    let shelf = shelf();
    for name in ["", "..", "a/b", ".hidden", "a b"] {
        assert!(shelf.archive.run(name).is_err(), "{name}");
    }
    let run = new_run(&shelf.archive).await;
    let (bytes, manifest) = PackWriter::new().finish();
    assert!(run.put_pack("../monday", bytes, &manifest).await.is_err());
    assert!(run.sign_read("../monday/run.json", std::time::Duration::from_secs(1)).await.is_err());
}

#[tokio::test]
async fn an_archive_is_given_one_identity_and_keeps_it() {
    let shelf = shelf();
    assert_eq!(shelf.archive.identity().await.unwrap(), None, "one of an older program has none");
    assert_eq!(shelf.archive.identify("first").await.unwrap(), "first");
    assert_eq!(shelf.archive.identify("second").await.unwrap(), "first");
    assert_eq!(shelf.archive.identity().await.unwrap().as_deref(), Some("first"));
    let mark = shelf.folder.path().join("archive/archive.json");
    assert_eq!(std::fs::read_to_string(&mark).unwrap(), r#"{"v":1,"id":"first"}"#);
    std::fs::write(&mark, r#"{"v":2,"id":"first"}"#).unwrap();
    let newer = shelf.archive.identity().await.unwrap_err().to_string();
    assert!(newer.contains("`archive.json` in the archive cannot be read: it is of version 2"), "{newer}");
}
