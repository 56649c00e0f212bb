//! Files on a laptop: inputs go in, what agents leave comes out, verifiers look at it, and no world is asked for more than
//! it can do.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use quintain_checks::{Palette, Panel};
use quintain_core::task::{ClockSpec, ResultKind};
use quintain_core::world::OracleStyle;
use quintain_core::{AgentError, Digest, Task, Verdict};
use quintain_runner::{Cast, Grid, Job, Ledger, PlanError, RunOptions, plan, rescore, run_here};
use quintain_store::{AgentUsed, RunDir, RunHeader, Selection};
use quintain_testkit::{Counter, FileFacts, Workspace, counter_task, workspace_task};

fn cast() -> Cast {
    let palette = Palette::standard();
    let mut cast = Cast::judged_by(move |task| match Panel::new(task, &palette) {
        Ok(panel) => Ok(Box::new(panel)),
        Err(problems) => Err(problems.join("; ")),
    });
    cast.verifiers = Arc::new(|task| Ok(Box::new(FileFacts::new(&task.spec.derive[0]))));
    let worlds = cast.with_world(Arc::new(Workspace)).with_world(Arc::new(Counter::default()));
    worlds.with_agent("oracle", |context| {
        let oracle = context.world.oracle(context.instance, &OracleStyle::default());
        oracle.map_err(|error| AgentError::harness(error.to_string()))
    })
}

fn planned(task: &Task, cast: &Cast) -> Result<Vec<quintain_store::PlannedTrial>, PlanError> {
    let selections = [Selection { task: task.clone(), preset: None, seed: None, stretch: None }];
    plan(&Grid { selections: &selections, seeds: &[], agents: &["oracle".to_owned()], repeats: 1, after: &[] }, cast)
}

/// Plays the one trial of a task.
fn played(path: &Path, task: &Task, cast: &Cast) -> RunDir {
    let agent = AgentUsed { label: "oracle".to_owned(), spec: "oracle".to_owned(), ..AgentUsed::default() };
    let header = RunHeader { agents: vec![agent], ..RunHeader::new("files", "now") };
    let run = RunDir::create(path, &header, &planned(task, cast).unwrap()).unwrap();
    let (options, stop) = (RunOptions { n_workers: 1, ..RunOptions::default() }, AtomicBool::new(false));
    let tasks = [task.clone()];
    run_here(&Job { run: &run, tasks: &tasks, cast, options: &options, stop: &stop, emit: &|_| {} }).unwrap();
    run
}

fn told(verdict: &Verdict) -> String {
    let findings: Vec<String> = verdict.findings.iter().map(|finding| finding.because.clone()).collect();
    format!(
        "{}, {}: {}",
        verdict.ending,
        verdict.score.value(),
        if findings.is_empty() { "nothing".to_owned() } else { findings.join("; ") }
    )
}

#[test]
fn inputs_go_in_and_files_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let task = workspace_task("deliver", 2);
    let run = played(&folder.path().join("run"), &task, &cast());
    let entry = &Ledger::of(&run).unwrap().entries[0];
    insta::assert_snapshot!(told(&entry.finished.verdict), @"done, 1: out/report.txt is as it should be; derived/facts/large: it is 2");
    let evidence = run.trajectory(&entry.place).unwrap().evidence().unwrap();
    assert_eq!(evidence.files["out/report.txt"], Digest::of(b"what was noted\n"));
    insta::assert_snapshot!(evidence.derived["facts"], @r#"{"large":2,"report":"what was noted"}"#);
    let files = run.files_of(&evidence).unwrap();
    assert_eq!(files["out/large.bin"].n_bytes(), 2 << 20);
    files["out/large.bin"].copy_to(&mut std::io::sink()).unwrap();
    let again = rescore(&run, &[task], &cast()).unwrap();
    assert!(!again[0].changed());
}

#[test]
fn a_verifier_that_could_not_run_then_is_given_the_same_files_later() {
    let folder = tempfile::tempdir().unwrap();
    let task = workspace_task("deliver", 2);
    let mut without = cast();
    without.verifiers = Arc::new(|_| Err("the verifier is not installed".to_owned()));
    let run = played(&folder.path().join("run"), &task, &without);
    assert!(!rescore(&run, std::slice::from_ref(&task), &without).unwrap()[0].changed());
    let again = &rescore(&run, &[task], &cast()).unwrap()[0];
    insta::assert_snapshot!(format!("{}\n{}", told(&again.old), told(&again.new)), @r"
    judge fault, 0: nothing
    done, 1: out/report.txt is as it should be; derived/facts/large: it is 2
    ");
}

#[test]
fn a_world_is_not_asked_for_what_it_cannot_do() {
    let mut task = counter_task("count", 1, 1);
    task.input.insert("notes.txt".to_owned(), b"a note".to_vec().into());
    task.spec.result.kind = ResultKind::Files;
    task.spec.world.clock = ClockSpec::Wall;
    insta::assert_snapshot!(planned(&task, &cast()).unwrap_err(), @r#"
    task `test/count` cannot be played: input/: worlds of kind `counter` take no input files
    hint: take the folder out, and put what the agent needs into the parameters or the start of the world
    task.toml: result.kind = "files": agents leave no files in worlds of kind `counter`
    hint: judge the state of the world (result.kind = "state") or an answer ("fields")
    task.toml: world.clock = "wall": time passes only with steps in worlds of kind `counter`
    hint: write clock = "stepped", or leave it out
    "#);
}
