//! Writes outcomes down in the archive, in segments that others can analyse.
//!
//! What has been written is known from the archive alone, unit by unit, so that it may be begun anew at any point: an
//! outcome that is there is not written again, whatever number the server gives it.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use quintain_core::TrialId;
use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::{SettledUnit, SteeredEngine};
use quintain_store::StoreError;
use quintain_store::archive::{Archive, ArchiveError, OutcomeRow, WriteResult};
use serde::{Deserialize, Serialize};

use super::bits::UnitBits;

/// So many outcomes are written in one segment at most.
pub(super) const SEGMENT: usize = 50_000;

/// How far outcomes have been written down. It lies on the server, so that it vanishes with the outcomes it speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CompactionMark {
    /// Outcomes with smaller sequence numbers on the server are in the archive.
    pub(super) from: u64,
    /// What is added to the server's sequence numbers in the archive. A server that lost everything counts from 1 again.
    pub(super) base: u64,
    /// The last outcome that was written: proof that the server is still the same.
    pub(super) last: Option<(String, u32)>,
    /// Runs of which every outcome is in the archive, with the number of their units.
    #[serde(default)]
    pub(super) over: BTreeMap<String, u32>,
}

/// Why outcomes could not be written down. It may help to try again.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotCompacted {
    /// The archive failed.
    #[error("the steward could not use the archive: {0}")]
    Archive(#[from] StoreError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl NotCompacted {
    /// Whether it is about one run whose objects are spoiled or gone: trying again does not help, and other runs go on.
    pub(super) fn is_of_the_run(&self) -> bool {
        matches!(
            self,
            Self::Archive(StoreError::Archive(ArchiveError::Unreadable { .. } | ArchiveError::Missing { .. }))
        )
    }
}

/// Writes outcomes down.
pub(super) struct Compactor {
    archive: Archive,
    /// The units of each run whose outcomes are in the archive, as far as it was looked at.
    written: BTreeMap<String, UnitBits>,
    mark: CompactionMark,
}

impl Compactor {
    /// A compactor that goes on where the mark says, if the mark can be believed.
    pub(super) async fn resume<F: SteeredEngine>(
        archive: Archive,
        floor: &F,
        mark: Option<CompactionMark>,
    ) -> Result<Self, NotCompacted> {
        let mut compactor = Self { archive, written: BTreeMap::new(), mark: CompactionMark::default() };
        compactor.mark = match mark {
            Some(mark) if is_proven(floor, &mark).await? => mark,
            _ => CompactionMark { base: compactor.next_seq(floor).await?, ..CompactionMark::default() },
        };
        Ok(compactor)
    }

    /// How far it is.
    pub(super) fn mark(&self) -> &CompactionMark {
        &self.mark
    }

    /// The units of a run whose outcomes are in the archive.
    pub(super) async fn written(&mut self, run: &str) -> Result<&mut UnitBits, StoreError> {
        if !self.written.contains_key(run) {
            let rows = self.archive.run(run)?.outcomes().await?;
            self.written.insert(run.to_owned(), rows.iter().map(|row| row.idx).collect());
        }
        Ok(self.written.entry(run.to_owned()).or_default())
    }

    /// Notes which runs are complete in the archive, given how many units each has.
    pub(super) fn close(&mut self, sizes: &BTreeMap<String, u32>) {
        for (run, n_units) in sizes.iter().filter(|(_, n_units)| **n_units > 0) {
            if self.written.get(run).is_some_and(|written| written.count() >= *n_units) {
                self.mark.over.insert(run.clone(), *n_units);
            }
        }
    }

    /// Writes down outcomes that follow those of earlier calls. Returns how many were not there yet.
    pub(super) async fn write(&mut self, settled: &[SettledUnit]) -> Result<u64, NotCompacted> {
        let mut n_written = 0;
        for part in settled.chunks(SEGMENT) {
            for (run, rows) in self.by_run(part) {
                n_written += match self.write_run(&run, rows).await.map_err(NotCompacted::from) {
                    // What cannot be added to stays on the server, and in the manifests of its packs.
                    Err(error) if error.is_of_the_run() => 0,
                    written => written?,
                };
            }
            if let Some(last) = part.last() {
                self.mark.from = last.recorded.seq + 1;
                self.mark.last = Some((last.run.clone(), last.idx));
            }
        }
        Ok(n_written)
    }

    /// Reads outcomes from the server, from a number on, and writes them down, until there are no more.
    pub(super) async fn catch_up<F: SteeredEngine>(&mut self, floor: &F, mut from: u64) -> Result<u64, NotCompacted> {
        let mut n_written = 0;
        loop {
            let mut settled = Vec::new();
            while settled.len() < SEGMENT {
                let more = floor.settled(from, 4_096).await?;
                let Some(last) = more.last() else { break };
                from = last.recorded.seq + 1;
                settled.extend(more);
            }
            if settled.is_empty() {
                return Ok(n_written);
            }
            n_written += self.write(&settled).await?;
        }
    }

    /// Where a server that counts anew has to begin, so that no number is used twice for one run.
    async fn next_seq<F: SteeredEngine>(&self, floor: &F) -> Result<u64, NotCompacted> {
        let mut next_seq = 0;
        for standing in floor.runs().await? {
            let Ok(archived) = self.archive.run(&standing.run) else { continue };
            match archived.compacted().await.map_err(NotCompacted::from) {
                Ok(compacted) => next_seq = compacted.next_seq.max(next_seq),
                Err(error) if error.is_of_the_run() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(next_seq)
    }

    fn by_run(&self, settled: &[SettledUnit]) -> BTreeMap<String, Vec<OutcomeRow>> {
        let mut by_run: BTreeMap<String, Vec<OutcomeRow>> = BTreeMap::new();
        for settled in settled {
            by_run.entry(settled.run.clone()).or_default().extend(row(settled, self.mark.base));
        }
        by_run
    }

    async fn write_run(&mut self, run: &str, mut rows: Vec<OutcomeRow>) -> Result<u64, StoreError> {
        // A run whose name cannot be a path is none of the archive's.
        let Ok(archived) = self.archive.run(run) else { return Ok(0) };
        let written = self.written(run).await?;
        rows.retain(|row| !written.has(row.idx));
        while !rows.is_empty() {
            if archived.put_outcomes(&rows).await? == WriteResult::New {
                for row in &rows {
                    written.put(row.idx);
                }
                return Ok(rows.len() as u64);
            }
            // Another steward wrote a segment that begins with the same outcome.
            let theirs: UnitBits = archived.outcome_segment(rows[0].seq).await?.iter().map(|row| row.idx).collect();
            for idx in theirs.all() {
                written.put(idx);
            }
            let n_before = rows.len();
            rows.retain(|row| !theirs.has(row.idx));
            if rows.len() == n_before {
                for row in &mut rows {
                    row.seq += 1;
                }
            }
        }
        Ok(0)
    }
}

/// Whether the server still has the outcome that was last written down, under the same number.
async fn is_proven<F: SteeredEngine>(floor: &F, mark: &CompactionMark) -> Result<bool, EngineError> {
    let Some((run, idx)) = &mark.last else { return Ok(mark.from == 0) };
    let seq = mark.from.saturating_sub(1);
    let found = floor.settled(seq, 1).await?;
    Ok(found.first().is_some_and(|found| (found.recorded.seq, &found.run, found.idx) == (seq, run, *idx)))
}

/// An outcome as a row. One whose unit is not named like a trial has no place in an archive.
fn row(settled: &SettledUnit, base: u64) -> Option<OutcomeRow> {
    let recorded = &settled.recorded;
    let trial: TrialId = recorded.unit.parse().ok()?;
    let (finished, place) = (recorded.outcome.clone().finished(), recorded.outcome.place.clone());
    Some(OutcomeRow::new(base + recorded.seq, settled.idx, trial, recorded.attempt, finished, place))
}
