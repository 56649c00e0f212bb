//! Hosts of their own for workers: network namespaces on a bridge, with cables that can be cut. Needs `ip` and the rights
//! of the superuser.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A bridge with an address that servers can listen on. It and all its cables are gone when this is dropped.
pub struct Network {
    number: u32,
    cables: Vec<Cable>,
}

/// A network namespace, joined to the bridge by a pair of virtual interfaces.
struct Cable {
    namespace: String,
    near: String,
}

impl Network {
    /// Lays so many cables, each to a namespace of its own.
    pub fn with_cables(n_cables: u32) -> Self {
        static N_BUILT: AtomicU32 = AtomicU32::new(0);
        let number = (std::process::id() * 7 + N_BUILT.fetch_add(1, Ordering::Relaxed)) % 250;
        let mut network = Self { number, cables: Vec::new() };
        let bridge = network.bridge();
        ip(&["link", "add", &bridge, "type", "bridge"]);
        ip(&["addr", "add", &format!("{}/24", network.host()), "dev", &bridge]);
        ip(&["link", "set", &bridge, "up"]);
        (0..n_cables).for_each(|n| network.lay(n));
        network
    }

    fn lay(&mut self, n: u32) {
        let (number, bridge) = (self.number, self.bridge());
        let (namespace, near) = (format!("qtn{number}-{n}"), format!("qtv{number}-{n}a"));
        let far = format!("qtv{number}-{n}b");
        ip(&["netns", "add", &namespace]);
        ip(&["link", "add", &near, "type", "veth", "peer", "name", &far]);
        ip(&["link", "set", &far, "netns", &namespace]);
        ip(&["link", "set", &near, "master", &bridge, "up"]);
        ip(&["-n", &namespace, "addr", "add", &format!("10.231.{number}.{}/24", n + 2), "dev", &far]);
        ip(&["-n", &namespace, "link", "set", &far, "up"]);
        ip(&["-n", &namespace, "link", "set", "lo", "up"]);
        self.cables.push(Cable { namespace, near });
    }

    fn bridge(&self) -> String {
        format!("qtb{}", self.number)
    }

    /// The address on this side.
    pub fn host(&self) -> String {
        format!("10.231.{}.1", self.number)
    }

    /// A command that runs a program at the other end of a cable.
    pub fn command(&self, cable: usize, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.cables[cable].namespace]).arg(program);
        command
    }

    /// Nothing passes through a cable any more.
    pub fn cut(&self, cable: usize) {
        ip(&["link", "set", &self.cables[cable].near, "down"]);
    }

    /// Everything passes again.
    pub fn mend(&self, cable: usize) {
        ip(&["link", "set", &self.cables[cable].near, "up"]);
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for Cable { namespace, near } in &self.cables {
            try_ip(&["link", "del", near]);
            try_ip(&["netns", "del", namespace]);
        }
        try_ip(&["link", "del", &self.bridge()]);
    }
}

#[track_caller]
fn ip(args: &[&str]) {
    let done = Command::new("ip").args(args).output().expect("`ip` can be run");
    assert!(done.status.success(), "ip {}: {}", args.join(" "), String::from_utf8_lossy(&done.stderr));
}

/// What is not there need not be taken away.
fn try_ip(args: &[&str]) {
    drop(Command::new("ip").args(args).output());
}
