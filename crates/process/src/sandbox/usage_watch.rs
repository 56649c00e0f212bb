//! Looks after what the kernel does not limit for us: the size of folders, and where there are no control groups
//! the memory of all processes together.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, kill_process_group};

use super::work_folder::{self, BoundedFolder, FolderUse};
use crate::tail::locked;

/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What is watched.
#[derive(Clone, Debug)]
pub(super) struct WatchedUse {
    /// The folders that can be written in.
    pub(super) folders: Vec<BoundedFolder>,
    /// The bytes that all processes together may have, where nobody else looks after that.
    pub(super) memory_bytes: Option<u64>,
    /// The first process, whose descendants all the others are.
    pub(super) first_process: u32,
    /// The group that is killed when something is used up.
    pub(super) group: Pid,
}

/// A thread that looks. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct UsageWatch {
    found: Arc<Mutex<Option<String>>>,
    _end: Sender<()>,
}

impl UsageWatch {
    /// Begins to watch.
    pub(super) fn begin(watched: WatchedUse) -> io::Result<Self> {
        let found = Arc::new(Mutex::new(None));
        let (end, ended) = channel();
        let tell = Arc::clone(&found);
        thread::Builder::new().name("sandbox-use".to_owned()).spawn(move || watched.watch(&tell, &ended))?;
        Ok(Self { found, _end: end })
    }

    /// What was used up, if something was. The sandbox was ended by it.
    pub(super) fn used_up(&self) -> Option<String> {
        locked(&self.found).clone()
    }
}

impl WatchedUse {
    fn watch(&self, found: &Mutex<Option<String>>, ended: &Receiver<()>) {
        let mut most_room = vec![FolderUse { bytes: u64::MAX, files: u64::MAX }; self.folders.len()];
        while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
            if let Some(what) = self.too_much_in_folders(&mut most_room).or_else(|| self.too_much_memory()) {
                *locked(found) = Some(what);
                // One that has left already needs no ending.
                kill_process_group(self.group, Signal::KILL).ok();
                return;
            }
        }
    }

    fn too_much_in_folders(&self, most_room: &mut [FolderUse]) -> Option<String> {
        self.folders.iter().zip(most_room).find_map(|(folder, most)| self.too_much_in_folder(folder, most))
    }

    /// Counts only when the file system has less room than when it was last counted, by a share of what is allowed: to
    /// look at every file ten times a second would cost more than the work that is watched.
    fn too_much_in_folder(&self, work: &BoundedFolder, most: &mut FolderUse) -> Option<String> {
        let room = work_folder::room(&work.host).ok()?;
        let has_less = room.bytes.saturating_add(work.max_bytes / 16) < most.bytes
            || room.files.saturating_add(work.max_files / 16) < most.files;
        *most = if has_less {
            room
        } else {
            FolderUse { bytes: room.bytes.max(most.bytes), files: room.files.max(most.files) }
        };
        if has_less { self.counted(work) } else { None }
    }

    /// What is in the folder, and what was removed from it and is still held open.
    fn counted(&self, work: &BoundedFolder) -> Option<String> {
        if let Some(what) = work_folder::exceeded(work).ok()? {
            return Some(what);
        }
        // Files of a layered tree are of its own device where its layers are of one, and of theirs elsewhere.
        let root = fs::metadata(format!("/proc/{}/root", self.first_process)).ok();
        let devices: Vec<u64> =
            fs::metadata(&work.host).ok().into_iter().chain(root).map(|folder| folder.dev()).collect();
        let held = held_bytes(self.first_process, &devices);
        (held > work.max_bytes).then(|| format!("removed files of more than {} MB are held open", work.max_bytes >> 20))
    }

    fn too_much_memory(&self) -> Option<String> {
        let max_bytes = self.memory_bytes?;
        let resident = resident_bytes(self.first_process)?;
        (resident > max_bytes).then(|| format!("its processes have more than {} MB of memory", max_bytes >> 20))
    }
}

/// The memory of a process and all its descendants. Pages that several share are counted for each.
fn resident_bytes(first: u32) -> Option<u64> {
    let pages: u64 = descendants(first)?.values().sum();
    Some(pages * rustix::param::page_size() as u64)
}

/// A process and all its descendants, with their resident pages.
fn descendants(first: u32) -> Option<BTreeMap<u32, u64>> {
    let mut all: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // Whoever is gone meanwhile has no memory.
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        all.extend(parent_and_pages(&stat).map(|found| (id, found)));
    }
    let is_of_first = |id: u32| {
        let line = std::iter::successors(Some(id), |id| all.get(id).map(|(parent, _pages)| *parent));
        // Processes come and go while they are listed: a line of parents could close to a ring.
        line.take(all.len() + 1).any(|id| id == first)
    };
    Some(all.iter().filter(|(id, _)| is_of_first(**id)).map(|(id, (_, pages))| (*id, *pages)).collect())
}

/// Whether a child of a process was stopped by a signal.
pub(super) fn has_stopped_child(parent: u32) -> bool {
    let is_stopped = |id: &u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let is_child = parent_and_pages(&stat).is_some_and(|(found, _pages)| found == parent);
        is_child && stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
    };
    descendants(parent).unwrap_or_default().keys().any(is_stopped)
}

/// The bytes of files of some devices that have no name any more and are held open by a process or its descendants.
fn held_bytes(first: u32, devices: &[u64]) -> u64 {
    let mut held: BTreeMap<u64, u64> = BTreeMap::new();
    for id in descendants(first).unwrap_or_default().keys() {
        let open = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        for file in open.filter_map(|entry| fs::metadata(entry.path()).ok()) {
            if file.is_file() && file.nlink() == 0 && devices.contains(&file.dev()) {
                held.insert(file.ino(), file.blocks() * 512);
            }
        }
    }
    held.values().sum()
}

/// The parent and the resident pages, from a line of `/proc/PID/stat`. The name in brackets may hold anything.
fn parent_and_pages(stat: &str) -> Option<(u32, u64)> {
    let words: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    Some((words.get(1)?.parse().ok()?, words.get(21)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_counted_over_all_descendants() {
        let own = resident_bytes(std::process::id()).unwrap();
        assert!(own > 1 << 20, "{own}");
        assert!(descendants(1).unwrap().contains_key(&std::process::id()));
        assert_eq!(parent_and_pages("7 (a) b) S 3 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 100 42 99"), Some((3, 42)));
    }
}
