//! How runs stand, kept in the archive by the leading steward: whether a run is handed out, and what it may use. A server
//! that has lost everything is told again from there.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use quintain_runner::engine::RunDirection;
use quintain_runner::engine::steered::RunStanding;
use quintain_store::archive::{Archive, ArchivedRun};
use serde::{Deserialize, Serialize};

use super::compactor::NotCompacted;
use crate::jetstream::heading;
use crate::limits::{KeptLimit, Rules};

/// The version of what is kept.
const VERSION: u32 = 1;

/// How a run stands, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptStanding {
    v: u32,
    /// Whether it is handed out.
    #[serde(with = "heading")]
    pub(super) direction: RunDirection,
    /// What it may use in all, with what is known of its use.
    #[serde(default)]
    pub(super) limits: BTreeMap<String, KeptLimit>,
}

impl Default for KeptStanding {
    /// A run of which nothing was kept goes, and has no limits.
    fn default() -> Self {
        Self { v: VERSION, direction: RunDirection::Go, limits: BTreeMap::new() }
    }
}

impl KeptStanding {
    /// What is kept of a run. What a newer program has written is read as far as it is known here.
    pub(super) async fn of(run: &ArchivedRun) -> Result<Self, NotCompacted> {
        let Some(text) = run.standing().await? else { return Ok(Self::default()) };
        Ok(serde_json::from_slice(&text).map_err(|error| run.unreadable_standing(&error))?)
    }
}

/// Keeps how runs stand.
pub(super) struct StandingKeeper {
    archive: Archive,
    rules: Rules,
    kept: BTreeMap<String, KeptStanding>,
    /// When limits were last looked at.
    looked: Option<Instant>,
}

impl StandingKeeper {
    /// One that has looked at nothing yet.
    pub(super) fn new(archive: Archive, rules: Rules) -> Self {
        Self { archive, rules, kept: BTreeMap::new(), looked: None }
    }

    /// Keeps what has changed. What was used of limits is looked at only so often. What fails is done the next time.
    pub(super) async fn keep(&mut self, runs: Vec<RunStanding>, every: Duration) -> Result<(), NotCompacted> {
        let is_due = self.looked.is_none_or(|looked| looked.elapsed() >= every);
        let mut failed = None;
        for run in runs {
            let kept = if is_due { self.keep_all(&run).await } else { self.keep_direction(&run).await };
            failed = failed.or(kept.err());
        }
        if is_due {
            self.looked = Some(Instant::now());
        }
        failed.map_or(Ok(()), Err)
    }

    async fn keep_all(&mut self, run: &RunStanding) -> Result<(), NotCompacted> {
        let limits = self.rules.kept_of(&run.run).await?;
        self.put(run, |before| KeptStanding { direction: run.direction, limits, ..before }).await
    }

    async fn keep_direction(&mut self, run: &RunStanding) -> Result<(), NotCompacted> {
        self.put(run, |before| KeptStanding { direction: run.direction, ..before }).await
    }

    async fn put(
        &mut self,
        run: &RunStanding,
        change: impl FnOnce(KeptStanding) -> KeptStanding,
    ) -> Result<(), NotCompacted> {
        let Ok(archived) = self.archive.run(&run.run) else { return Ok(()) };
        let before = match self.kept.get(&run.run) {
            Some(kept) => kept.clone(),
            // A run that is not in the archive is none of ours.
            None if !archived.exists().await? => return Ok(()),
            None => KeptStanding::of(&archived).await?,
        };
        let now = change(before.clone());
        if now != before {
            let text = serde_json::to_vec(&now).map_err(|error| archived.unreadable_standing(&error))?;
            archived.put_standing(&text).await?;
        }
        self.kept.insert(run.run.clone(), now);
        Ok(())
    }
}
