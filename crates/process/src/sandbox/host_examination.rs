//! What this host gives for sandboxes.

use std::fmt;

/// What this host gives for sandboxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostExamination {
    /// What makes them, with its version.
    pub provider: String,
    /// Who holds them to their limits.
    pub enforcement: LimitEnforcement,
    /// Whether calls of the kernel are filtered.
    pub filters_calls: bool,
    /// The user that they run as outside; nothing where it is our own.
    pub user: Option<u32>,
    /// How many milliseconds it took to open one and run a program in it.
    pub start_millis: u64,
}

/// Who holds a sandbox to its memory, its processes and its cores. Results are not to be compared between kinds without
/// a thought: what is killed at a limit under one goes on for a while under another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitEnforcement {
    /// A control group of the unified hierarchy: a wall.
    ControlGroup2,
    /// Control groups, one for each thing that is counted: a wall.
    ControlGroup1,
    /// Limits of each process, and a watch over all of them that looks ten times a second. Cores are not limited.
    ProcessLimits,
}

impl fmt::Display for LimitEnforcement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::ControlGroup2 => "control groups (v2)",
            Self::ControlGroup1 => "control groups (v1)",
            Self::ProcessLimits => "process limits and a watch",
        })
    }
}
