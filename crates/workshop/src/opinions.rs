//! What models think of trials, as it is kept beside a run.

use quintain_core::TrialId;
use quintain_report::opinion::HeardOpinion;
use quintain_store::RunDir;
use serde::{Deserialize, Serialize};

/// What a model thinks of a trial.
#[derive(Debug, Serialize, Deserialize)]
pub struct OpinionLine {
    /// The version of the line.
    pub v: u32,
    /// Which trial.
    pub trial: TrialId,
    /// Who was asked.
    pub model: String,
    /// What it said.
    pub heard: HeardOpinion,
}

/// What models think of the trials of a run: the last line about a trial by a model counts. Lines of a newer program that
/// cannot be read are left out.
pub fn kept(run: &RunDir) -> anyhow::Result<Vec<OpinionLine>> {
    let mut kept: Vec<OpinionLine> = Vec::new();
    for line in run.opinions()?.into_iter().filter_map(|line| serde_json::from_value::<OpinionLine>(line).ok()) {
        kept.retain(|earlier| (&earlier.trial, &earlier.model) != (&line.trial, &line.model));
        kept.push(line);
    }
    Ok(kept)
}
