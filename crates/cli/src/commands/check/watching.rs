//! Examines tasks again whenever a file of theirs changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use quintain_workshop::Workshop;

use super::check_once;
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::printer::Printer;

/// How often is looked.
const BETWEEN_LOOKS: Duration = Duration::from_millis(300);

/// What is known of files without reading them.
type FileStamps = BTreeMap<PathBuf, (SystemTime, u64)>;

/// Examines, waits for a change and examines again, until somebody ends it.
pub(super) fn watch(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let suites = workshop.suites()?;
    let folders: Vec<PathBuf> = args.tasks.iter().filter_map(|selector| suites.folder_of(selector)).collect();
    if folders.is_empty() {
        bail!("nothing of this can change: the tasks are part of the program\nhint: name a task of a folder of yours");
    }
    // Nobody ever sends: a wait for it is a wait for the time to pass.
    let (_keep, ticks) = mpsc::channel::<()>();
    loop {
        let before = stamps(&folders);
        if let Err(error) = check_once(args, workshop, printer) {
            printer.error(&error);
        }
        printer.say("watching for changes; Ctrl-C ends it");
        while stamps(&folders) == before {
            let _nothing_was_sent = ticks.recv_timeout(BETWEEN_LOOKS);
        }
    }
}

fn stamps(folders: &[PathBuf]) -> FileStamps {
    let mut found = FileStamps::new();
    for folder in folders {
        walk(folder, &mut found);
    }
    found
}

/// What cannot be read now is looked at again the next time.
fn walk(folder: &Path, found: &mut FileStamps) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            walk(&entry.path(), found);
        } else if let Ok(changed) = metadata.modified() {
            found.insert(entry.path(), (changed, metadata.len()));
        }
    }
}
