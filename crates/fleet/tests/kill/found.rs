//! What is found when a run is over.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use quintain_fleet::jetstream::NatsEngine;
use quintain_runner::engine::{AttemptEnd, EndedAttempt, Engine, RecordedOutcome};
use quintain_store::PlannedTrial;
use quintain_store::archive::Archive;

use crate::ordeal::RUN;

/// What is found when a run is over.
pub(crate) struct Found {
    outcomes: Vec<RecordedOutcome>,
    attempts: Vec<EndedAttempt>,
    /// The rows of the archive, by trial and attempt.
    archived: Vec<(String, u32)>,
    /// What those who played wrote down by themselves: trial and attempt.
    played: Vec<(String, u32)>,
}

impl Found {
    pub(crate) async fn of(engine: &NatsEngine, archive: &Archive, folder: &Path) -> Self {
        let run = archive.run(RUN).unwrap();
        let rows = in_the_end(|| run.outcomes()).await;
        Self {
            outcomes: in_the_end(|| engine.outcomes(RUN, 0, usize::MAX)).await,
            attempts: in_the_end(|| engine.attempts(RUN)).await,
            archived: rows.into_iter().map(|row| (row.trial.to_string(), row.attempt)).collect(),
            played: played(folder),
        }
    }

    pub(crate) fn check(&self, plan: &[PlannedTrial]) {
        let planned: BTreeSet<String> = plan.iter().map(|planned| planned.trial.to_string()).collect();
        self.each_has_one_outcome(&planned);
        self.the_archive_has_the_same();
        self.each_attempt_is_accounted_for();
    }

    fn each_has_one_outcome(&self, planned: &BTreeSet<String>) {
        let done: BTreeSet<String> = self.outcomes.iter().map(|recorded| recorded.unit.clone()).collect();
        assert_eq!(self.outcomes.len(), done.len(), "trials are counted twice");
        assert_eq!(&done, planned, "trials are lost");
        let unsolved = self.outcomes.iter().filter(|recorded| !recorded.outcome.verdict.solved).count();
        assert_eq!(unsolved, 0, "trials ended otherwise than undisturbed ones");
    }

    /// The archive may lag behind; what it has is what counts, each once.
    fn the_archive_has_the_same(&self) {
        let counts: BTreeMap<&str, u32> =
            self.outcomes.iter().map(|recorded| (recorded.unit.as_str(), recorded.attempt)).collect();
        let mut seen = BTreeSet::new();
        for (trial, attempt) in &self.archived {
            assert!(seen.insert(trial), "{trial} stands twice in the archive");
            assert_eq!(counts.get(trial.as_str()), Some(attempt), "the archive counts another attempt at {trial}");
        }
    }

    /// Attempts are numbered without gaps, one of each trial won, and the engine knows all that were played.
    fn each_attempt_is_accounted_for(&self) {
        let mut by_unit: BTreeMap<&str, Vec<&EndedAttempt>> = BTreeMap::new();
        for attempt in &self.attempts {
            by_unit.entry(&attempt.unit).or_default().push(attempt);
        }
        for (unit, attempts) in &by_unit {
            let numbers: BTreeSet<u32> = attempts.iter().map(|attempt| attempt.attempt).collect();
            assert_eq!(numbers.len(), attempts.len(), "{unit} has attempts of the same number: {attempts:?}");
            let won = attempts.iter().filter(|attempt| attempt.end == AttemptEnd::Won).count();
            assert_eq!(won, 1, "{unit}: {attempts:?}");
        }
        let unknown = self.unknown();
        let known = unknown.first().and_then(|(trial, _)| by_unit.get(trial));
        assert!(unknown.is_empty(), "attempts were played and nobody knows: {unknown:?}; of the first: {known:?}");
    }

    /// The attempts that were played and of which the engine knows nothing.
    pub(crate) fn unknown(&self) -> Vec<(&str, u32)> {
        let known: BTreeSet<(&str, u32)> =
            self.attempts.iter().map(|attempt| (attempt.unit.as_str(), attempt.attempt)).collect();
        let played = self.played.iter().map(|(trial, attempt)| (trial.as_str(), *attempt));
        played.filter(|attempt| !known.contains(attempt)).collect()
    }

    pub(crate) fn summary(&self) -> String {
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for attempt in &self.attempts {
            let end = match attempt.end {
                AttemptEnd::Won => "won",
                AttemptEnd::Late => "late",
                AttemptEnd::Faulted { .. } => "faulted",
                AttemptEnd::PutDown => "put down",
                AttemptEnd::Lost => "lost",
            };
            *ends.entry(end).or_default() += 1;
        }
        let ends: Vec<String> = ends.into_iter().map(|(end, n)| format!("{n} {end}")).collect();
        let (n_played, n_archived) = (self.played.len(), self.archived.len());
        format!(
            "{} trials, 0 lost, 0 counted twice; {n_played} attempts begun: {}; {n_archived} archived",
            self.outcomes.len(),
            ends.join(", ")
        )
    }
}

/// What is read in the end: a server that has just come back may need a moment.
async fn in_the_end<T, E: std::fmt::Debug, F: Future<Output = Result<T, E>>>(read: impl Fn() -> F) -> T {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        match read().await {
            Ok(found) => return found,
            Err(error) => assert!(Instant::now() < until, "{error:?}"),
        }
    }
}

fn played(folder: &Path) -> Vec<(String, u32)> {
    let mut played = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "played") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let (attempt, trial) = line.split_once(' ').unwrap();
            played.push((trial.to_owned(), attempt.parse().unwrap()));
        }
    }
    played
}
