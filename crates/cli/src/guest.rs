//! Guests: agents that play through a bridge, in the words of a run's header and of the command line.

use std::fs::File;
use std::io::Read;

use anyhow::{Context, bail};
use quintain_core::Digest;
use quintain_runner::{Cast, host};
use quintain_store::{RunDir, RunHeader};

use crate::printer::count;

/// How a run's header names an agent that came over a bridge.
pub(crate) const SPEC: &str = "guest";

/// Lets guests who are gone take part in a run that is gone on with: their half-done trials end as out of time.
pub(crate) fn join(mut cast: Cast, header: &RunHeader) -> Cast {
    for agent in header.agents.iter().filter(|agent| agent.spec == SPEC) {
        cast.agents.insert(agent.label.clone(), host::gone());
    }
    cast
}

/// Refuses what cannot be an agent's name in a trial's.
pub(crate) fn check_label(label: &str) -> anyhow::Result<()> {
    if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || "._-+:/".contains(c)) {
        return Ok(());
    }
    bail!("`{label}` cannot name an agent\nhint: letters, digits and `. _ - + : /`")
}

/// Something that nobody can guess.
pub(crate) fn token() -> anyhow::Result<String> {
    let mut secret = [0; 32];
    let drawn = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut secret));
    drawn.context("the system has no randomness to give")?;
    Ok(Digest::of(&secret).to_string().chars().take(32).collect())
}

/// What to do about trials that guests left half-done.
pub(crate) fn unfinished(run: &RunDir, n_left: u64) -> String {
    match n_left {
        0 => "nobody came".to_owned(),
        _ => format!(
            "{} half-done\nhint: quintain resume {} ends what is left as out of time and judges what was done",
            count(n_left, "trial"),
            run.header().name
        ),
    }
}
