//! Who holds a lease: a process, so that another process on the same machine can see whether it is gone.

use std::fs;

/// A process, told apart from any other that ever had its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    /// The boot of the machine and the process namespace; empty where the system does not tell.
    pub(crate) realm: String,
    /// The process.
    pub(crate) pid: u32,
    /// When it started, in the system's own ticks.
    pub(crate) started: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn current() -> Self {
        let pid = std::process::id();
        Self { realm: realm().unwrap_or_default(), pid, started: started(pid).unwrap_or(0) }
    }

    /// Whether the process is surely gone. Of a process elsewhere nothing is sure.
    pub(crate) fn is_gone(&self, here: &Self) -> bool {
        !self.realm.is_empty() && self.realm == here.realm && started(self.pid) != Some(self.started)
    }
}

fn realm() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), namespace.display()))
}

/// When a living process started; nothing if there is none, or if it is dead and only waits to be reaped.
fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_gone_when_its_number_belongs_to_another() {
        let here = Owner::current();
        assert!(!here.is_gone(&here));
        assert!(Owner { started: here.started + 1, ..here.clone() }.is_gone(&here));
        assert!(!Owner { realm: "elsewhere".to_owned(), pid: 1, started: 0 }.is_gone(&here));
    }

    #[test]
    fn a_dead_child_is_gone_even_before_it_is_reaped() {
        let here = Owner::current();
        let mut child = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let owner = Owner { pid: child.id(), started: started(child.id()).unwrap(), ..here.clone() };
        assert!(!owner.is_gone(&here));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(owner.is_gone(&here));
    }
}
