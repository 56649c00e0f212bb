//! Guests: agents that play through a bridge, in the words of a run's header.

use anyhow::bail;
use quintain_core::AgentIsolation;
use quintain_runner::{Cast, host};
use quintain_store::{AgentUsed, RunHeader};

/// How a run's header names an agent that came over a bridge.
pub const SPEC: &str = "guest";

/// Lets guests who are gone take part in a run that is gone on with: their half-done trials end as out of time.
pub(crate) fn join(mut cast: Cast, header: &RunHeader) -> Cast {
    for agent in header.agents.iter().filter(|agent| agent.spec == SPEC) {
        cast.agents.insert(agent.label.clone(), host::gone());
    }
    cast
}

/// A guest as a run's header names it.
pub fn used(label: &str) -> AgentUsed {
    AgentUsed {
        label: label.to_owned(),
        spec: SPEC.to_owned(),
        isolation: Some(AgentIsolation::Outside),
        ..AgentUsed::default()
    }
}

/// Refuses what cannot be an agent's name in a trial's.
pub fn check_label(label: &str) -> anyhow::Result<()> {
    if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || "._-+:/".contains(c)) {
        return Ok(());
    }
    bail!("`{label}` cannot name an agent\nhint: letters, digits and `. _ - + : /`")
}
