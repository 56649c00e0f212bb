//! Files on a fleet: inputs and references come from the archive, what agents leave goes there, and none is held whole.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::world::OracleStyle;
use quintain_core::{AgentError, FileHandle, Task};
use quintain_fleet::jetstream::{NatsEngine, ProcessRole};
use quintain_fleet::worker::ArchiveAccess;
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, Unit};
use quintain_runner::{Cast, Grid, plan};
use quintain_store::archive::Archive;
use quintain_store::{PlannedTrial, RunDir, RunHeader, Selection};
use quintain_testkit::servers::Weed;
use quintain_testkit::{FileFacts, FilesJudge, Workspace, workspace_task};

use crate::fleet::{Fleet, Served, connected_as, worker};

/// Large for a task: such a file is no part of what workers read first.
const LARGE_INPUT: usize = 3 << 20;

/// Everyone whom a run of files needs.
pub(crate) fn files_cast() -> Cast {
    let mut cast = Cast::judged_by(|_| Ok(Box::new(FilesJudge)));
    cast.verifiers = Arc::new(|task| Ok(Box::new(FileFacts::new(&task.spec.derive[0]))));
    cast.with_world(Arc::new(Workspace)).with_agent("oracle", |context| {
        let oracle = context.world.oracle(context.instance, &OracleStyle::default());
        oracle.map_err(|error| AgentError::harness(error.to_string()))
    })
}

/// A plan of so many trials of a task, and the header of their run.
pub(crate) fn planned(run: &str, task: &Task, n_trials: u32) -> (RunHeader, Vec<PlannedTrial>) {
    let selections = [Selection { task: task.clone(), preset: None, seed: None, stretch: None }];
    let grid =
        Grid { selections: &selections, seeds: &[], agents: &["oracle".to_owned()], repeats: n_trials, after: &[] };
    let mut header = RunHeader::new(run, "now");
    header.fingerprint.insert("quintain".to_owned(), "1".to_owned());
    (header, plan(&grid, &files_cast()).unwrap())
}

/// Hands in a run of files.
pub(crate) async fn hand_in(archive: &Archive, engine: &NatsEngine, run: &str, task: &Task, n_trials: u32) {
    let (header, planned) = planned(run, task, n_trials);
    let unit = |id| Unit { run: run.to_owned(), id, class: "workspace".to_owned(), n_before: 0 };
    let units: Vec<Unit> = planned.iter().map(|planned| unit(planned.trial.to_string())).collect();
    archive.create_run(&header, &planned, std::slice::from_ref(task)).await.unwrap();
    engine.set_terms(run, &RunTerms { chunk: 1, ..RunTerms::default() }).await.unwrap();
    assert_eq!(engine.enqueue(&units).await.unwrap(), u64::from(n_trials));
}

/// A task whose input and reference are too large to travel with it.
fn task() -> Task {
    let mut task = workspace_task("deliver", 9);
    let large = FileHandle::held(vec![b'n'; LARGE_INPUT]);
    task.input.insert("notes.txt".to_owned(), large.clone());
    task.reference.insert("report.txt".to_owned(), large);
    task
}

/// Every trial left its files, and they came back from the archive.
fn check(fleet: &Fleet, run: &str, n_trials: usize) {
    let pulled: RunDir = fleet.check_records(run, n_trials);
    for recorded in fleet.outcomes(run) {
        let record = pulled.trajectory(&recorded.outcome.place.parse().unwrap()).unwrap();
        let evidence = record.evidence().unwrap();
        let files = pulled.files_of(&evidence).unwrap();
        let sizes: Vec<(&str, u64)> = files.iter().map(|(name, file)| (name.as_str(), file.n_bytes())).collect();
        assert_eq!(sizes, [("out/large.bin", 9 << 20), ("out/report.txt", LARGE_INPUT as u64)]);
        for file in files.values() {
            file.copy_to(&mut std::io::sink()).unwrap();
        }
        assert_eq!(evidence.derived["facts"]["large"], 9);
    }
}

#[test]
fn files_pass_through_a_directory() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.runtime.block_on(hand_in(&fleet.archive, &fleet.engine, "files", &task(), 3));
    let mut worker = worker(&fleet, "one", files_cast(), &|_| {});
    worker.options.classes = vec!["workspace".to_owned()];
    let summary = fleet.with_worker(&worker, || fleet.wait_until_done("files", 3));
    assert_eq!((summary.n_won, summary.n_refused), (3, 0), "{}", worker.log.lock().unwrap());
    check(&fleet, "files", 3);
    let large = std::fs::read_dir(fleet.folder.path().join("archive/runs/files/files")).unwrap().count();
    assert_eq!(large, 1, "the same file is shipped once a session");
    let left = std::fs::read_dir(fleet.folder.path().join("scratch")).unwrap().count();
    assert_eq!(left, 0, "nothing is left on disk");
}

#[test]
fn files_pass_through_addresses_that_a_worker_is_given() {
    let weed = Weed::start();
    let archive = Archive::open_with(&format!("s3://{}/files", weed.bucket), weed.environment()).unwrap();
    let fleet = Fleet::over(archive, tempfile::tempdir().unwrap(), Duration::from_mins(1));
    let _steward = Served::by_steward(&fleet);
    fleet.runtime.block_on(hand_in(&fleet.archive, &fleet.engine, "files", &task(), 2));
    let mut worker = worker(&fleet, "one", files_cast(), &|_| {});
    worker.options.classes = vec!["workspace".to_owned()];
    let role = ProcessRole::Worker { name: "one".to_owned() };
    let connected = connected_as(role, &fleet.runtime, &fleet.nats.urls(), "one", fleet.lease_for);
    let summary =
        Fleet::with_connected(&worker, connected, ArchiveAccess::Signed, || fleet.wait_until_done("files", 2));
    assert_eq!((summary.n_won, summary.n_refused), (2, 0), "{}", worker.log.lock().unwrap());
    check(&fleet, "files", 2);
}
