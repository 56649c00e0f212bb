//! What kept a run's agents from the solution, in words.

use quintain_core::AgentIsolation;
use quintain_report::{isolation_warning, noted_line};
use quintain_store::RunHeader;

/// The agents of a run with what kept each from the solution, as many as a line holds.
pub fn agents_line(header: &RunHeader) -> String {
    noted_line(known(header))
}

/// What must be known of agents of a run whose own programs have no isolation; nothing where there are none.
pub fn unconfined(header: &RunHeader) -> Option<String> {
    isolation_warning(known(header))
}

fn known(header: &RunHeader) -> impl Iterator<Item = (&str, Option<AgentIsolation>)> {
    header.agents.iter().map(|agent| (agent.label.as_str(), agent.isolation))
}
