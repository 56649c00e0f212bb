//! Processor time of processes and everything they started, as the kernel counts it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Whose processor time is counted: whole trees of processes, and perhaps this process alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) roots: Vec<u32>,
    pub(crate) with_own: bool,
}

impl Account {
    /// All that was used so far, to a hundredth of a second for each process.
    pub(crate) fn used(&self) -> Duration {
        let all = processes();
        let own = all.get(&std::process::id()).filter(|_| self.with_own).map_or(0, |own| own.ticks);
        let others: u64 = all
            .iter()
            .filter(|(pid, _)| self.roots.iter().any(|root| descends(&all, **pid, *root)))
            .map(|(_, process)| process.ticks)
            .sum();
        Duration::from_millis((own + others) * 10)
    }
}

/// The processes that this one has started, in the order of their numbers.
pub(crate) fn children() -> Vec<u32> {
    let own = std::process::id();
    processes().iter().filter(|(_, process)| process.parent == own).map(|(pid, _)| *pid).collect()
}

struct Process {
    parent: u32,
    ticks: u64,
}

fn processes() -> BTreeMap<u32, Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, process(pid)?))).collect()
}

/// A process that is gone by now counts nothing.
fn process(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // User and system time, of the process and of its children that have ended.
    let ticks = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Process { parent: fields.get(1)?.parse().ok()?, ticks })
}

fn descends(all: &BTreeMap<u32, Process>, pid: u32, root: u32) -> bool {
    let mut at = pid;
    while at != root {
        match all.get(&at) {
            Some(process) if process.parent != 0 => at = process.parent,
            _ => return false,
        }
    }
    true
}
