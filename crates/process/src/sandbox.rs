//! A fence around a program: it sees a read-only system, the files that it is given and nothing else of the host, has no
//! network, and can use up no more than it may.
//!
//! [`SandboxPlan`] says what is inside; a [`SandboxProvider`] makes it so. The provider that is there is [`Bubblewrap`]:
//! namespaces of the kernel, for which no privileges are needed. It keeps out accidents and cheats, not those who know of
//! a hole in the kernel.

mod bubblewrap;
mod fault;
mod host_examination;
mod host_relay;
mod init_guest;
mod init_talk;
mod layered_tree;
mod open;
mod plan;
mod program_access;
mod program_plan;
mod provider;
mod remote_guest;
mod resource_group;
mod seccomp;
mod start;
mod this_host;
mod usage_watch;
mod view_inside;
mod work_folder;

pub use bubblewrap::Bubblewrap;
pub use fault::SandboxFault;
pub use host_examination::{HostExamination, LimitEnforcement};
pub use host_relay::HostRelay;
pub use layered_tree::LayeredTree;
pub use plan::{Binding, SandboxLimits, SandboxPlan, SystemTree, WorkFolder};
pub use program_access::{ProgramAccess, ProgramSurroundings, sandbox_hint};
pub use provider::{Sandbox, SandboxCommand, SandboxProvider, StartedNumber};
pub use quintain_sandbox_init::protocol::{
    CommandEnd, CommandReport, FolderEntry, FolderEntryKind, KeptOutput, ProgramState,
};
pub use remote_guest::RemoteGuest;
pub(crate) use start::{Fence, FencedStart};
pub use this_host::{SandboxHost, this_host};
