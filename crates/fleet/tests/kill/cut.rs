//! A network of its own for a worker, and the cable to it that can be cut.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A network namespace, joined to this one by a pair of virtual interfaces.
pub(crate) struct Cable {
    namespace: String,
    near: String,
    subnet: u32,
}

impl Cable {
    /// Lays a cable to a new namespace. Needs the rights of the superuser.
    pub(crate) fn lay() -> Self {
        static N_LAID: AtomicU32 = AtomicU32::new(0);
        let subnet = (std::process::id() * 7 + N_LAID.fetch_add(1, Ordering::Relaxed)) % 250;
        let cable = Self { namespace: format!("qtn{subnet}"), near: format!("qtv{subnet}a"), subnet };
        let far = format!("qtv{subnet}b");
        ip(&["netns", "add", &cable.namespace]);
        ip(&["link", "add", &cable.near, "type", "veth", "peer", "name", &far]);
        ip(&["link", "set", &far, "netns", &cable.namespace]);
        ip(&["addr", "add", &format!("10.231.{subnet}.1/24"), "dev", &cable.near]);
        ip(&["link", "set", &cable.near, "up"]);
        ip(&["-n", &cable.namespace, "addr", "add", &format!("10.231.{subnet}.2/24"), "dev", &far]);
        ip(&["-n", &cable.namespace, "link", "set", &far, "up"]);
        ip(&["-n", &cable.namespace, "link", "set", "lo", "up"]);
        cable
    }

    /// The address on this side.
    pub(crate) fn host(&self) -> String {
        format!("10.231.{}.1", self.subnet)
    }

    /// A command that runs a program on the other side.
    pub(crate) fn command(&self, program: &std::path::Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace]).arg(program);
        command
    }

    /// Nothing passes any more.
    pub(crate) fn cut(&self) {
        ip(&["link", "set", &self.near, "down"]);
    }

    /// Everything passes again.
    pub(crate) fn mend(&self) {
        ip(&["link", "set", &self.near, "up"]);
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        drop(Command::new("ip").args(["link", "del", &self.near]).status());
        drop(Command::new("ip").args(["netns", "del", &self.namespace]).status());
    }
}

#[track_caller]
fn ip(args: &[&str]) {
    let done = Command::new("ip").args(args).output().unwrap();
    assert!(done.status.success(), "ip {}: {}", args.join(" "), String::from_utf8_lossy(&done.stderr));
}
