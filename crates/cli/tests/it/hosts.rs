//! Puzzles and apps on three hosts: workers in network namespaces of their own, with no way to the archive but the
//! addresses that a steward signs for them. One is killed twice.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::path::Path;
use std::process::{Child, Stdio};

use quintain_core::variables;
use quintain_testkit::servers::{Nats, NatsOptions, Network, Weed};
use quintain_testkit::wait_for;

use crate::command::{Place, SIX, is_full};
use crate::fleet::verdicts;

/// A process that ends with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

struct Hosts {
    network: Network,
    nats: Nats,
    /// The one who hands in and stewards: knows the archive.
    home: Place,
}

impl Hosts {
    /// Starts a worker at the other end of a cable. It is told where the server is, and nothing else.
    fn worker(&self, cable: usize) -> Running {
        let program = Path::new(env!("CARGO_BIN_EXE_quintain"));
        let (name, slots) = (format!("host-{cable}"), "2");
        let words = std::fs::OpenOptions::new().append(true).create(true).open(self.home.path().join(&name)).unwrap();
        let mut command = self.network.command(cable, program);
        command.args(["worker", "--name", &name, "--slots", slots, "--nats", &self.nats.urls()]);
        command.current_dir(self.home.path()).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env(variables::NO_SANDBOX, "1").env(variables::LEASE, "6");
        Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(words).spawn().unwrap())
    }

    fn n_done(&self, run: &str) -> u64 {
        let status = self.home.json("fleet status");
        let runs = status["runs"].as_array().unwrap();
        runs.iter().find(|one| one["name"] == run).and_then(|run| run["n_done"].as_u64()).unwrap_or(0)
    }
}

#[test]
fn three_hosts_come_to_the_verdicts_of_a_laptop_though_one_is_killed_twice() {
    let network = Network::with_cables(3);
    let nats = Nats::with(&NatsOptions { host: network.host(), ..NatsOptions::default() });
    let weed = Weed::on(&network.host());
    let mut home = Place::new();
    for (name, value) in weed.environment() {
        home.set(name, value);
    }
    for (name, value) in [(variables::NATS, nats.urls()), (variables::STORE, "s3://quintain/hosts".to_owned())] {
        home.set(name, value);
    }
    home.set(variables::NO_SANDBOX, "1");
    home.set(variables::LEASE, "6");
    let hosts = Hosts { network, nats, home };
    let _steward = Running(hosts.home.start(&["steward", "--quiet"]));
    let mut workers: Vec<Running> = (0..3).map(|cable| hosts.worker(cable)).collect();

    let apps = if is_full() {
        "gauntlet"
    } else {
        "gauntlet/workflow-insert-wait gauntlet/circuit-not-from-nand gauntlet/workflow-insert-filter"
    };
    let run = format!("run {SIX} {apps} --agent oracle --name");
    let handed_in = hosts.home.quintain(&format!("{run} fleet --chunk 1 --detach"));
    assert_eq!(handed_in.code, 0, "{}", handed_in.text());
    for kill in 1..=2 {
        wait_for("outcomes", || hosts.n_done("fleet") >= 2 * kill);
        workers.remove(0);
        workers.insert(0, hosts.worker(0));
    }
    let done = hosts.home.quintain("resume fleet");
    assert_eq!(done.code, 0, "{}", done.text());
    let laptop = hosts.home.quintain(&format!("{run} laptop --here --quiet"));
    assert_eq!(laptop.code, 0, "{}", laptop.text());
    let (fleet, laptop) = (verdicts(&hosts.home, "fleet"), verdicts(&hosts.home, "laptop"));
    assert!(laptop.values().all(|(verdict, _)| verdict["solved"] == true));
    assert_eq!(fleet, laptop);
    println!("{} trials on three hosts, one killed twice: the verdicts of a laptop", fleet.len());
}
