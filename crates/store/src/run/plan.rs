//! The plan of a run: one line for each trial, written with the run or, where trials come as they please, one by one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::header::PlannedTrial;
use crate::error::{BadLine, StoreError};

/// Its name in the run's folder.
pub(super) const FILE: &str = "plan.jsonl";

/// How much of the end is looked at to find the last whole line. Lines of a plan are far shorter.
const TAIL: u64 = 1 << 16;

/// Reads a plan. Half a line at the end is left out.
pub(super) fn read(path: &Path) -> Result<Vec<PlannedTrial>, StoreError> {
    let mut file = BufReader::new(File::open(path).map_err(StoreError::io("read", path))?);
    let (mut plan, mut bad) = (Vec::new(), Vec::new());
    let mut line = Vec::new();
    for line_number in 1.. {
        line.clear();
        file.read_until(b'\n', &mut line).map_err(StoreError::io("read", path))?;
        if line.pop() != Some(b'\n') {
            break;
        }
        match serde_json::from_slice(&line) {
            Ok(planned) => plan.push(planned),
            Err(error) => bad.push(BadLine { file: FILE.to_owned(), line: line_number, why: error.to_string() }),
        }
    }
    if bad.is_empty() { Ok(plan) } else { Err(StoreError::BadLines(bad)) }
}

/// Writes trials, one a line.
pub(super) fn write(out: &mut impl Write, plan: &[PlannedTrial]) -> io::Result<()> {
    plan.iter().try_for_each(|planned| {
        serde_json::to_writer(&mut *out, planned)?;
        out.write_all(b"\n")
    })
}

/// Adds trials to a plan, in one write and down to the disk.
pub(super) fn extend(path: &Path, more: &[PlannedTrial]) -> Result<(), StoreError> {
    let append = || {
        let mut lines = Vec::new();
        write(&mut lines, more)?;
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let end = whole_len(&mut file)?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        file.write_all(&lines)?;
        file.sync_data()
    };
    append().map_err(StoreError::io("write", path))
}

/// Where the last whole line ends: what follows was cut off by a crash.
fn whole_len(file: &mut File) -> io::Result<u64> {
    let len = file.metadata()?.len();
    let from = len.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    Ok(tail.iter().rposition(|byte| *byte == b'\n').map_or(from, |newline_idx| from + newline_idx as u64 + 1))
}

#[cfg(test)]
mod tests {
    use quintain_core::Digest;

    use super::*;

    fn planned(repeat: u32) -> PlannedTrial {
        let digest = Digest::of(b"");
        let trial = format!("test/dial~guest~{repeat}").parse().unwrap();
        PlannedTrial { trial, task: digest, world: digest, instance: digest, identity: None }
    }

    #[test]
    fn a_plan_grows_over_what_a_crash_left_of_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        File::create(&path).unwrap();
        extend(&path, &[planned(0)]).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"trial\":\"test/di").unwrap();
        assert_eq!(read(&path).unwrap(), [planned(0)], "half a line is left out");
        extend(&path, &[planned(1), planned(2)]).unwrap();
        assert_eq!(read(&path).unwrap(), [planned(0), planned(1), planned(2)]);
    }
}
