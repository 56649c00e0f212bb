//! `quintain check --states`: whether judges accept the end states that people say are right, and refuse the wrong ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use quintain_core::FileSet;
use quintain_runner::certify::{CertificateSubject, Claim, ClaimedState, JudgedState, judge_state};
use quintain_runner::{in_parallel, n_cores};
use quintain_store::files_below;
use quintain_workshop::Workshop;

use super::progress::bar;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::{first_lines, table};

/// The most disputed states that are listed.
const N_LISTED: usize = 40;

/// The states of one task: `<suite>/<check kind>/<task>.jsonl`, one a line.
struct StatesFile {
    path: PathBuf,
    task: String,
    kind: String,
}

/// The states of one file, judged.
type JudgedFile = anyhow::Result<Vec<JudgedState>>;

pub(super) fn tell(folder: &Path, wanted: &[String], workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut files = found(folder)?;
    files.retain(|file| wanted.is_empty() || wanted.iter().any(|task| file.task.starts_with(task)));
    if files.is_empty() {
        bail!("there are no states in {}\nhint: they are in <suite>/<check kind>/<task>.jsonl", folder.display());
    }
    let bar = bar(printer);
    bar.inc_length(files.len() as u64);
    let work = |idx: usize| judged(&files[idx], workshop);
    let judged: Vec<JudgedFile> = in_parallel(files.len(), n_cores(), &work, &mut |idx, _| {
        bar.inc(1);
        bar.set_message(files[idx].task.clone());
    });
    bar.finish_and_clear();
    let judged = judged.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let states: Vec<&JudgedState> = judged.iter().flatten().collect();
    printer.data(&states, || text(&files, &judged))?;
    Ok(if states.iter().any(|state| state.is_disputed()) { Exit::Refused } else { Exit::Success })
}

/// The files under `<folder>/<suite>/<check kind>`, in order.
fn found(folder: &Path) -> anyhow::Result<Vec<StatesFile>> {
    let mut files = Vec::new();
    for suite in folders(folder)? {
        for kind in folders(&suite)? {
            for path in listed(&kind)?.into_iter().filter(|path| path.extension().is_some_and(|it| it == "jsonl")) {
                let task = format!("{}/{}", name(&suite), path.file_stem().unwrap_or_default().to_string_lossy());
                files.push(StatesFile { path, task, kind: name(&kind) });
            }
        }
    }
    Ok(files)
}

fn folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    Ok(listed(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn listed(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: Result<BTreeSet<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    Ok(paths?.into_iter().collect())
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn judged(file: &StatesFile, workshop: &Workshop) -> JudgedFile {
    let place = file.path.display();
    let tasks = workshop.suites()?.tasks(&file.task).with_context(|| place.to_string())?;
    let [task] = &tasks[..] else { bail!("{place}: `{}` is not one task", file.task) };
    if !task.spec.checks.iter().any(|check| check.kind == file.kind) {
        bail!("{place}: `{}` has no check of kind `{}`", task.id, file.kind);
    }
    let offerings = workshop.offerings()?;
    let (world, document) = (offerings.world_for(task)?.as_ref(), (offerings.of(task)?.document)(task));
    let (panel, verifiers) = workshop.judges(task)?;
    let subject = CertificateSubject { task, world, panel: &panel, derive: verifiers.as_ref() };
    let text = fs::read_to_string(&file.path).with_context(|| format!("cannot read {place}"))?;
    let mut names = BTreeSet::new();
    let lines = text.lines().enumerate().map(|(idx, line)| {
        let at = || format!("{place}:{}", idx + 1);
        let state: ClaimedState = serde_json::from_str(line).with_context(at)?;
        if !names.insert(state.name.clone()) {
            bail!("{}: `{}` is there twice", at(), state.name);
        }
        let left = |folder: &String| files_below(&file.path.with_file_name(folder));
        let files = state.files.as_ref().map_or_else(|| Ok(FileSet::new()), left).with_context(at)?;
        judge_state(subject, &document, (state, &files)).map_err(|why| anyhow!("{}: {why}", at()))
    });
    lines.collect()
}

/// How many states of a kind there are, and how many are disputed.
#[derive(Default)]
struct ClaimTally {
    wrong: usize,
    accepted: usize,
    right: usize,
    refused: usize,
}

fn text(files: &[StatesFile], judged: &[Vec<JudgedState>]) -> String {
    let mut kinds: BTreeMap<&str, ClaimTally> = BTreeMap::new();
    for (file, states) in files.iter().zip(judged) {
        let tally = kinds.entry(&file.kind).or_default();
        for state in states {
            let (n_all, n_disputed) = match state.is {
                Claim::Wrong => (&mut tally.wrong, &mut tally.accepted),
                Claim::Right => (&mut tally.right, &mut tally.refused),
            };
            *n_all += 1;
            *n_disputed += usize::from(state.is_disputed());
        }
    }
    let mut rows = vec![["check", "wrong", "accepted", "right", "refused"].map(str::to_owned).to_vec()];
    for (kind, ClaimTally { wrong, accepted, right, refused }) in kinds {
        let counts = [wrong, accepted, right, refused].map(|count| count.to_string());
        rows.push([kind.to_owned()].into_iter().chain(counts).collect());
    }
    format!("{}\n{}", table(&rows), disputed(judged))
}

fn disputed(judged: &[Vec<JudgedState>]) -> String {
    let line = |state: &JudgedState| {
        let what = if state.accepted { "wrong and accepted" } else { "right and refused" };
        format!("{what}: {}, `{}`: {}", state.instance, state.name, state.why)
    };
    let disputed = judged.iter().flatten().filter(|state| state.is_disputed());
    first_lines(&disputed.map(line).collect::<Vec<_>>(), N_LISTED)
}
