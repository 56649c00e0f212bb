//! What keeps a run's agents from the solution.

use anyhow::bail;
use quintain_core::AgentIsolation;
use quintain_process::sandbox::{ProgramAccess, this_host};
use quintain_report::{isolation_warning, noted_line};
use quintain_store::{AgentUsed, RunHeader};

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

/// Whether an agent's own program is kept in a sandbox.
pub(crate) fn is_sandboxed(agent: &AgentUsed) -> bool {
    agent.isolation == Some(AgentIsolation::Sandboxed)
}

/// Who holds the sandboxes of a run to their limits, for its fingerprint; nothing where it has none.
pub(crate) fn sandbox_fact(agents: &[AgentUsed]) -> Option<(String, String)> {
    agents.iter().find(|agent| is_sandboxed(agent))?;
    let found = &this_host().ok()?.examination;
    Some(("sandbox".to_owned(), format!("{}, {}", found.provider, found.enforcement)))
}

/// What an agent's own program may see, as the run says it. A run of an older program kept none in a sandbox.
pub(crate) fn program_access(agent: &AgentUsed) -> ProgramAccess {
    if is_sandboxed(agent) { ProgramAccess::Sandbox { files: agent.files.clone() } } else { ProgramAccess::Host }
}

/// Refuses a run whose agents' programs are to be kept in sandboxes where none can be made.
pub fn check_sandbox(header: &RunHeader) -> anyhow::Result<()> {
    let kept = header.agents.iter().find(|agent| is_sandboxed(agent));
    let Some(agent) = kept else { return Ok(()) };
    match this_host() {
        Ok(_) => Ok(()),
        Err(fault) => bail!(
            "agent `{}` is a program, to be kept in a sandbox: {fault}\nhint: --agent-access host lets it run without one; \
             it can then look up solutions, and reports say so",
            agent.label
        ),
    }
}
