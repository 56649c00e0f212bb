//! The plan of a run: one line for each trial, written with the run or, where trials come as they please, one by one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::header::PlannedTrial;
use crate::error::{BadLine, StoreError};
use crate::line_sum::{self, SumRule};

/// Its name in the run's folder.
pub(super) const FILE: &str = "plan.jsonl";

/// How much of the end is looked at to find the last whole line. Lines of a plan are far shorter.
const TAIL: u64 = 1 << 16;

/// Reads a plan, and says which lines are damaged. Half a line at the end is left out.
pub(super) fn read(path: &Path, sums: SumRule) -> Result<(Vec<PlannedTrial>, Vec<BadLine>), StoreError> {
    let mut file = BufReader::new(File::open(path).map_err(StoreError::io("read", path))?);
    let (mut plan, mut bad) = (Vec::new(), Vec::new());
    let mut line = Vec::new();
    for line_number in 1.. {
        line.clear();
        file.read_until(b'\n', &mut line).map_err(StoreError::io("read", path))?;
        if line.pop() != Some(b'\n') {
            break;
        }
        match planned(&line, sums) {
            Ok(planned) => plan.push(planned),
            Err(why) => bad.push(BadLine { file: FILE.to_owned(), line: line_number, why }),
        }
    }
    Ok((plan, bad))
}

fn planned(line: &[u8], sums: SumRule) -> Result<PlannedTrial, String> {
    match line_sum::complaint(line, sums) {
        Some(why) => Err(why.to_owned()),
        None => serde_json::from_slice(line).map_err(|error| error.to_string()),
    }
}

/// Writes trials, one a line.
pub(super) fn write(out: &mut impl Write, plan: &[PlannedTrial]) -> io::Result<()> {
    plan.iter().try_for_each(|planned| out.write_all(&line(planned)))
}

/// The line of a trial.
pub(crate) fn line(planned: &PlannedTrial) -> Vec<u8> {
    let mut line = serde_json::to_vec(planned).expect("a planned trial is names and hashes");
    line_sum::seal(&mut line, 0);
    line.push(b'\n');
    line
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

    fn trial(repeat: u32) -> PlannedTrial {
        let digest = Digest::of(b"");
        let trial = format!("test/dial~guest~{repeat}").parse().unwrap();
        PlannedTrial { trial, task: digest, world: digest, instance: digest, identity: None }
    }

    fn read_back(path: &Path) -> Vec<PlannedTrial> {
        let (trials, bad) = read(path, SumRule::Always).unwrap();
        assert_eq!(bad, []);
        trials
    }

    #[test]
    fn a_plan_grows_over_what_a_crash_left_of_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        File::create(&path).unwrap();
        extend(&path, &[trial(0)]).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"trial\":\"test/di").unwrap();
        assert_eq!(read_back(&path), [trial(0)], "half a line is left out");
        extend(&path, &[trial(1), trial(2)]).unwrap();
        assert_eq!(read_back(&path), [trial(0), trial(1), trial(2)]);
    }
}
