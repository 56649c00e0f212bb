//! Paths within an archived run, as they are signed and read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use quintain_core::{Digest, TaskId};

use super::error::ArchiveError;

/// The folder of runs.
pub(super) const RUNS: &str = "runs";

/// An object that is there to find out whether it would be overwritten, and that nobody else has.
pub(super) fn probe() -> String {
    static N_PROBES: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("probe-{}-{now}-{}.txt", std::process::id(), N_PROBES.fetch_add(1, Ordering::Relaxed))
}

/// What tells an archive from all others.
pub(super) const IDENTITY: &str = "archive.json";

/// What a run says of itself.
pub const HEADER: &str = "run.json";

/// A run's tasks, without the files of their references.
pub const TASKS: &str = "tasks.json";

/// On which terms a run is played.
pub const TERMS: &str = "terms.json";

/// How a run stood on the server: its direction, and what it may use.
pub const STANDING: &str = "standing.json";

/// What the tickets of a run's units are made with. No worker is given an address of it.
pub const KEY: &str = "key";

/// The folder of a plan's slices.
pub(super) const PLAN: &str = "plan";

/// The folder of packs.
pub(super) const PACKS: &str = "packs";

/// The folder of large files that agents left.
const FILES: &str = "files";

/// The folder of outcomes.
pub(super) const OUTCOMES: &str = "outcomes";

/// Lines that were recorded elsewhere, and gone on from, stand in segments `half-<unit>-<attempt>`.
pub const HALF: &str = "half-";

/// A slice of the plan.
pub fn slice(slice: u32) -> String {
    format!("{PLAN}/{slice:05}.jsonl")
}

/// The reference of a task.
pub fn reference(task: &TaskId) -> String {
    format!("references/{}/{}.json", task.suite(), task.name())
}

/// A pack.
pub fn pack(name: &str) -> Result<String, ArchiveError> {
    Ok(format!("{PACKS}/{}.pack", sound("a pack", name)?))
}

/// The manifest of a pack.
pub fn manifest(name: &str) -> Result<String, ArchiveError> {
    Ok(format!("{PACKS}/{}.json", sound("a pack", name)?))
}

/// A large file that a worker left, under a name of the worker's own: its session and the file's hash.
pub fn large(session: &str, digest: Digest) -> Result<String, ArchiveError> {
    Ok(format!("{FILES}/{}", sound("a file", &large_name(session, digest))?))
}

/// The same by its name alone, as a worker asks for it.
pub fn large_named(name: &str) -> Result<String, ArchiveError> {
    let is_digest = |(_, digest): (&str, &str)| digest.parse::<Digest>().is_ok();
    if name.rsplit_once('-').is_some_and(is_digest) {
        return Ok(format!("{FILES}/{}", sound("a file", name)?));
    }
    Err(ArchiveError::BadName { what: "a file", name: name.to_owned() })
}

/// The name of a large file that a worker left.
pub fn large_name(session: &str, digest: Digest) -> String {
    format!("{session}-{digest}")
}

/// A large file under `input/` of a task.
pub fn input(digest: Digest) -> String {
    format!("inputs/{digest}")
}

/// A large file under `reference/` of a task.
pub fn reference_file(task: &TaskId, digest: Digest) -> String {
    format!("references/{}/{}/{digest}", task.suite(), task.name())
}

/// A segment of outcomes.
pub(super) fn outcomes(first_seq: u64) -> String {
    format!("{OUTCOMES}/{first_seq:012}.parquet")
}

/// A name that is safe as one part of a path, on disks and in addresses.
pub(super) fn sound<'a>(what: &'static str, name: &'a str) -> Result<&'a str, ArchiveError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_.+~@=".contains(c);
    if !name.is_empty() && !name.starts_with('.') && name.len() <= 200 && name.chars().all(harmless) {
        return Ok(name);
    }
    Err(ArchiveError::BadName { what, name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_folder() {
        for wrong in ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a b", "a%2fb", "ä", "a#1", "a?b", "a\n"] {
            assert!(pack(wrong).is_err(), "{wrong}");
        }
        assert_eq!(pack("host-0001-7").unwrap(), "packs/host-0001-7.pack");
        assert_eq!(manifest("host=2e-0001-7").unwrap(), "packs/host=2e-0001-7.json");
    }

    #[test]
    fn slices_and_segments_sort_as_they_count() {
        assert!(slice(9) < slice(10) && slice(99) < slice(100));
        assert!(outcomes(999) < outcomes(1000));
        assert_eq!(outcomes(7), "outcomes/000000000007.parquet");
        assert_eq!(reference(&"gauntlet/adder".parse().unwrap()), "references/gauntlet/adder.json");
    }
}
