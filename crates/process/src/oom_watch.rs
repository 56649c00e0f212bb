//! Whether the host killed programs for want of memory.

use std::fs;
use std::process::ExitStatus;

use crate::ProcessEnd;

/// Remembers how many programs the kernel had killed for want of memory when it was made. An exit status does not tell
/// who killed; that the kernel killed somebody meanwhile is the nearest thing to a proof that an unprivileged program gets.
#[derive(Clone, Copy, Debug)]
pub struct OomWatch {
    n_before: Option<u64>,
}

impl OomWatch {
    /// Begins to watch.
    pub fn begin() -> Self {
        Self { n_before: n_killed() }
    }

    /// Whether a program that left with this status was, as far as can be told, killed by the host.
    pub fn explains(self, status: ExitStatus) -> bool {
        ProcessEnd::of(status) == ProcessEnd::Killed && n_killed() > self.n_before
    }
}

/// How many programs the kernel has killed for want of memory since it was started; nothing where it does not tell.
fn n_killed() -> Option<u64> {
    count_in(&fs::read_to_string("/proc/vmstat").ok()?)
}

fn count_in(vmstat: &str) -> Option<u64> {
    vmstat.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn a_kill_is_the_hosts_only_if_the_host_has_killed_since() {
        assert_eq!(count_in("pgfault 7\noom_kill 3\ndrop 1\n"), Some(3));
        assert_eq!(count_in("pgfault 7\n"), None);
        let killed = ExitStatus::from_raw(9);
        assert!(!OomWatch { n_before: Some(u64::MAX) }.explains(killed));
        assert!(!OomWatch { n_before: None }.explains(ExitStatus::from_raw(1 << 8)));
        // Where the kernel tells of kills at all, any number is more than none.
        assert_eq!(OomWatch { n_before: None }.explains(killed), n_killed().is_some());
    }
}
