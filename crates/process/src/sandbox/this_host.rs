//! The sandboxes of this host, found out once.

use std::sync::LazyLock;

use super::bubblewrap::Bubblewrap;
use super::fault::SandboxFault;
use super::host_examination::HostExamination;
use super::provider::SandboxProvider as _;

/// Who makes sandboxes here, and what they are.
#[derive(Clone, Debug)]
pub struct SandboxHost {
    /// Who makes them.
    pub provider: Bubblewrap,
    /// What they are.
    pub examination: HostExamination,
}

/// The sandboxes of this host, or why there are none. The first who asks waits until one was opened.
pub fn this_host() -> Result<&'static SandboxHost, SandboxFault> {
    static FOUND: LazyLock<Result<SandboxHost, SandboxFault>> = LazyLock::new(|| {
        let provider = Bubblewrap::find()?;
        Ok(SandboxHost { examination: provider.examine()?, provider })
    });
    FOUND.as_ref().map_err(Clone::clone)
}
