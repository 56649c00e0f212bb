//! What an agent's own program may see of the host that it runs on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::fault::SandboxFault;
use super::host_relay::HostRelay;
use super::plan::SandboxPlan;
use super::this_host::this_host;
use crate::options::SpawnOptions;

/// What an agent's own program may see of the host that it runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramAccess {
    /// Itself, what interprets it, and these files and folders; nothing else, and no network.
    Sandbox {
        /// What it sees besides.
        files: Vec<PathBuf>,
    },
    /// Whatever we see.
    Host,
}

/// What a program is given besides its command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramSurroundings<'a> {
    /// Variables of its environment. On the host it has ours besides.
    pub variables: &'a [(String, String)],
    /// Variables of ours that it does not have.
    pub unset: &'a [&'a str],
    /// The one port of our loopback that it reaches from a sandbox.
    pub relay: Option<&'a HostRelay>,
}

impl ProgramAccess {
    /// A command line, ready to be started.
    pub fn options(&self, argv: &[String], given: ProgramSurroundings<'_>) -> Result<SpawnOptions, SandboxFault> {
        let files = match self {
            Self::Host => {
                let options = SpawnOptions::of_argv(argv).map_err(SandboxFault::broken)?;
                let variables = given.variables.iter().map(|(name, value)| (name, value));
                return Ok(options.unset(given.unset).env(variables));
            }
            Self::Sandbox { files } => files,
        };
        let mut plan = SandboxPlan::for_program(argv, files).map_err(SandboxFault::broken)?;
        plan.variables.extend(given.variables.iter().cloned());
        let relay = given.relay.map(|relay| (relay.port(), relay.socket().to_owned()));
        plan.relays = BTreeMap::from_iter(relay);
        this_host()?.provider.options(&plan, argv)
    }

    /// Whether it is kept in a sandbox.
    pub fn is_sandbox(&self) -> bool {
        matches!(self, Self::Sandbox { .. })
    }
}

/// What a program in a sandbox may have missed, to be told where its last words sound like it.
pub fn sandbox_hint(last_words: &str) -> Option<&'static str> {
    const SIGNS: [&str; 9] = [
        "No such file",
        "not found",
        "NotFound",
        "Cannot find module",
        "Read-only file system",
        "Permission denied",
        "unreachable",
        "Connection refused",
        "name resolution",
    ];
    let sounds_so = SIGNS.iter().any(|sign| last_words.contains(sign));
    sounds_so.then_some(
        "it ran in a sandbox: no network, and of files its program, its interpreter and what its command line names\n\
         hint: --agent-files PATH shows it more, --agent-access host lifts the sandbox (docs/isolation.md)",
    )
}
