//! Outcomes in an archive: segments that are written once each, and what manifests know of those that were lost.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_core::TrialId;
use quintain_core::trial::TrialResult;

use super::columns;
use super::error::ArchiveError;
use super::manifest::ShippedAttempt;
use super::objects::WriteResult;
use super::paths;
use super::pull::damaged;
use super::run::{AT_ONCE, ArchivedRun};
use super::ticket::ticket;
use crate::damage::Damage;
use crate::error::StoreError;

/// So many manifests are looked at in one go.
const PAGE: usize = 256;

/// An outcome that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRow {
    /// Its place in the order of outcomes; 0 where it has none yet.
    pub seq: u64,
    /// The trial's place in the plan.
    pub idx: u32,
    /// The trial.
    pub trial: TrialId,
    /// The attempt that brought it.
    pub attempt: u32,
    /// What the trial came to.
    pub finished: TrialResult,
    /// Where the record stands, as the outcome says it.
    pub place: String,
    /// Who played it, where the place says so.
    pub worker: Option<String>,
}

/// How far a run's outcomes have been written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactedUpTo {
    /// How many segments there are.
    pub n_segments: usize,
    /// Outcomes with smaller sequence numbers are written down.
    pub next_seq: u64,
}

impl OutcomeRow {
    /// An outcome; the place says who played.
    pub fn new(seq: u64, idx: u32, trial: TrialId, attempt: u32, finished: TrialResult, place: String) -> Self {
        let worker = worker_of(&place);
        Self { seq, idx, trial, attempt, finished, place, worker }
    }
}

/// Who wrote the segment of a place: `<worker>-<session>-<number>:<start>-<end>`.
pub fn worker_of(place: &str) -> Option<String> {
    let (segment, _) = place.split_once(':')?;
    segment.rsplitn(3, '-').nth(2).map(str::to_owned)
}

impl ArchivedRun {
    /// Writes down outcomes as one segment, named by the first of them, in the order of their sequence numbers. Where
    /// another compactor wrote that segment first, nothing is written, and [`Self::compacted`] says where to go on.
    pub async fn put_outcomes(&self, rows: &[OutcomeRow]) -> Result<WriteResult, StoreError> {
        let Some(first) = rows.first() else { return Ok(WriteResult::AlreadyThere) };
        let path = self.at(&paths::outcomes(first.seq));
        if !rows.is_sorted_by(|one, next| one.seq < next.seq) {
            return Err(ArchiveError::unreadable(&path)("outcomes are not in the order of their numbers").into());
        }
        let bytes = Bytes::from(columns::encode(rows).map_err(ArchiveError::unreadable(&path))?);
        if self.objects.create(&path, bytes.clone()).await? == WriteResult::New {
            return Ok(WriteResult::New);
        }
        // The reply to an earlier try may have been lost: what is there may be ours.
        let ours = self.objects.get(&path).await? == bytes;
        Ok(if ours { WriteResult::New } else { WriteResult::AlreadyThere })
    }

    /// The first sequence numbers of all segments of outcomes, in order.
    pub async fn outcome_segments(&self) -> Result<Vec<u64>, StoreError> {
        let files = self.objects.files(&self.at(paths::OUTCOMES), None).await?;
        Ok(files.iter().filter_map(|file| file.strip_suffix(".parquet")?.parse().ok()).collect())
    }

    /// One segment of outcomes.
    pub async fn outcome_segment(&self, first_seq: u64) -> Result<Vec<OutcomeRow>, StoreError> {
        let path = paths::outcomes(first_seq);
        let bytes = self.get(&path).await?;
        Ok(columns::decode(bytes).map_err(ArchiveError::unreadable(&path))?)
    }

    /// How far outcomes have been written down.
    pub async fn compacted(&self) -> Result<CompactedUpTo, StoreError> {
        let segments = self.outcome_segments().await?;
        let Some(last) = segments.last() else { return Ok(CompactedUpTo::default()) };
        let path = paths::outcomes(*last);
        let last_seq = columns::last_seq(self.get(&path).await?).map_err(ArchiveError::unreadable(&path))?;
        Ok(CompactedUpTo { n_segments: segments.len(), next_seq: last_seq + 1 })
    }

    /// All outcomes that were written down, in order. Where a unit has several, the first counts.
    pub async fn outcomes(&self) -> Result<Vec<OutcomeRow>, StoreError> {
        let segments = stream::iter(self.outcome_segments().await?).map(|first| self.outcome_segment(first));
        let segments: Vec<Vec<OutcomeRow>> = segments.buffered(AT_ONCE).try_collect().await?;
        Ok(first_of_each(segments.into_iter().flatten().collect()))
    }

    /// The same without the segments that are damaged or gone, which are told: what they held can be
    /// [recovered](Self::recovered).
    pub async fn readable_outcomes(&self) -> Result<(Vec<OutcomeRow>, Vec<Damage>), StoreError> {
        let (mut rows, mut broken) = (Vec::new(), Vec::new());
        for first in self.outcome_segments().await? {
            match self.outcome_segment(first).await {
                Ok(segment) => rows.extend(segment),
                Err(error) => broken.push(damaged(&paths::outcomes(first), error)?),
            }
        }
        Ok((first_of_each(rows), broken))
    }

    /// The outcomes of units that are not among the known ones, as their manifests tell them, in the order of the plan.
    /// Where several attempts at a unit brought one, the earliest attempt counts. Where the key of the run was kept, only
    /// those are believed that were given the unit.
    pub async fn recovered(&self, known: &BTreeSet<u32>) -> Result<Vec<OutcomeRow>, StoreError> {
        let (names, key) = (self.pack_names(None).await?, self.key().await?);
        let is_genuine =
            |attempt: &ShippedAttempt| key.as_ref().is_none_or(|key| ticket(key, attempt.idx) == attempt.ticket);
        let mut found = BTreeMap::new();
        for page in names.chunks(PAGE) {
            let manifests = self.readable_manifests(page).await?;
            let attempts = manifests.iter().flat_map(|manifest| &manifest.attempts);
            let wanted = attempts.filter(|attempt| !known.contains(&attempt.idx) && is_genuine(attempt));
            wanted.for_each(|attempt| earliest(&mut found, attempt));
        }
        Ok(found.into_values().collect())
    }
}

/// The first outcome of each unit, in order.
fn first_of_each(mut rows: Vec<OutcomeRow>) -> Vec<OutcomeRow> {
    rows.sort_by_key(|row| row.seq);
    let mut seen = BTreeSet::new();
    rows.retain(|row| seen.insert(row.idx));
    rows
}

/// Keeps the outcome of the earliest attempt.
fn earliest(found: &mut BTreeMap<u32, OutcomeRow>, attempt: &ShippedAttempt) {
    let Some(finished) = &attempt.outcome else { return };
    if found.get(&attempt.idx).is_none_or(|kept| attempt.attempt < kept.attempt) {
        let ShippedAttempt { idx, trial, attempt, place, .. } = attempt.clone();
        found.insert(idx, OutcomeRow::new(0, idx, trial, attempt, finished.clone(), place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_who_played() {
        for (place, worker) in [
            ("lab-7-0a1b2c-0003:0-99", Some("lab-7")),
            ("w-s-0000:5-9", Some("w")),
            ("0001-0000:0-1", None),
            ("", None),
            ("w-s-0000", None),
        ] {
            assert_eq!(worker_of(place).as_deref(), worker, "{place}");
        }
    }
}
