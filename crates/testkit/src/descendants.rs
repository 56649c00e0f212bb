//! The processes that came of a process, to be found and killed by tests.

use std::collections::BTreeMap;
use std::fs;
use std::iter;

use rustix::process::{Pid, Signal, kill_process};

/// A process that another one started, or one that it started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Descendant {
    /// Its number.
    pub id: u32,
    /// The number of the one that started it.
    pub parent: u32,
    /// How its program is called, as far as the kernel keeps it: 15 letters.
    pub name: String,
}

impl Descendant {
    /// Whether it is still there.
    pub fn is_there(&self) -> bool {
        process(self.id).is_some_and(|found| found.name == self.name)
    }

    /// Ends it, without a chance to say anything; says whether it was there to be ended.
    pub fn kill(&self) -> bool {
        Pid::from_raw(self.id.cast_signed()).is_some_and(|id| kill_process(id, Signal::KILL).is_ok())
    }
}

/// All processes that came of this one and are still below it.
pub fn descendants(of: u32) -> Vec<Descendant> {
    let all: BTreeMap<u32, Descendant> = processes().map(|process| (process.id, process)).collect();
    let parent = |id: &u32| all.get(id).map(|process| process.parent);
    let is_below = |process: &&Descendant| iter::successors(Some(process.parent), parent).any(|above| above == of);
    all.values().filter(is_below).cloned().collect()
}

/// All processes of this host.
fn processes() -> impl Iterator<Item = Descendant> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?))
}

fn process(id: u32) -> Option<Descendant> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in brackets and may have brackets in it.
    let (before, after) = stat.rsplit_once(") ")?;
    let (_, name) = before.split_once(" (")?;
    Some(Descendant { id, parent: after.split(' ').nth(1)?.parse().ok()?, name: name.to_owned() })
}
