//! NATS servers with `JetStream`.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use quintain_core::variables;
use serde_json::Value;

use super::process::Process;
use super::{free_port, fresh_dir, http, program};
use crate::wait_long_for;

/// How long a server may take to begin. It waits for the disk, which may be busy with what was compiled a moment ago: one
/// server was not ready after two minutes, right after a build.
const READY_WITHIN: Duration = Duration::from_mins(4);

/// How servers are set up.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// How many nodes: one, or three that are a cluster.
    pub n_nodes: usize,
    /// Whether each message is on disk before it is acknowledged.
    pub sync_always: bool,
    /// On which address to listen.
    pub host: String,
    /// What else stands in each node's configuration: users, TLS.
    pub extra: String,
}

impl Default for NatsOptions {
    fn default() -> Self {
        Self { n_nodes: 1, sync_always: false, host: "127.0.0.1".to_owned(), extra: String::new() }
    }
}

/// One running server or a cluster of them. All end when this is dropped.
pub struct Nats {
    host: String,
    dir: PathBuf,
    nodes: Vec<Node>,
}

struct Node {
    port: u16,
    monitor: u16,
    cluster: u16,
    process: Option<Process>,
}

impl Nats {
    /// Starts so many nodes, and waits until they are ready.
    pub fn start(n_nodes: usize) -> Self {
        Self::with(&NatsOptions { n_nodes, ..NatsOptions::default() })
    }

    /// Starts nodes that are set up so, and waits until they are ready.
    pub fn with(options: &NatsOptions) -> Self {
        let node = |_| Node { port: free_port(), monitor: free_port(), cluster: free_port(), process: None };
        let nodes = (0..options.n_nodes).map(node).collect();
        let mut nats = Self { host: options.host.clone(), dir: fresh_dir("nats"), nodes };
        for i in 0..options.n_nodes {
            let config = nats.config(i, options);
            std::fs::create_dir_all(nats.node_dir(i)).expect("a directory can be made");
            std::fs::write(nats.config_file(i), config).expect("a configuration can be written");
            nats.launch(i);
        }
        (0..options.n_nodes).for_each(|i| nats.wait_until_ready(i));
        nats
    }

    /// The addresses of all nodes, with commas between.
    pub fn urls(&self) -> String {
        let urls: Vec<String> = (0..self.nodes.len()).map(|i| self.url(i)).collect();
        urls.join(",")
    }

    /// The address of one node.
    pub fn url(&self, i: usize) -> String {
        format!("nats://{}:{}", self.host, self.nodes[i].port)
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The process id of a node; nothing while it is killed.
    pub fn pid(&self, i: usize) -> Option<u32> {
        self.nodes[i].process.as_ref().map(Process::id)
    }

    /// Ends a node as `kill -9` does. Its files stay.
    pub fn kill(&mut self, i: usize) {
        self.nodes[i].process = None;
    }

    /// Starts a node that was killed, with the same configuration and files, and waits until it is ready: until it has
    /// caught up with the others, if there are enough of them.
    pub fn restart(&mut self, i: usize) {
        self.launch(i);
        self.wait_until_ready(i);
    }

    /// Starts a node that was killed without waiting: when all are down, none is ready before the next is started.
    pub fn launch(&mut self, i: usize) {
        let mut command = Command::new(program(variables::NATS_SERVER, "nats-server"));
        command.arg("-c").arg(self.config_file(i));
        self.nodes[i].process = Some(Process::start(&mut command, &self.node_dir(i), "server"));
    }

    /// Waits until a node answers and has caught up.
    pub fn wait_until_ready(&mut self, i: usize) {
        let log = self.log(i);
        let said = || std::fs::read_to_string(&log).unwrap_or_default();
        let node = fmt::from_fn(|line| write!(line, "NATS node {i}, which wrote: {}", said()));
        wait_long_for(node, READY_WITHIN, || {
            let ended = self.nodes[i].process.as_mut().is_none_or(Process::has_ended);
            assert!(!ended, "NATS node {i} ended: {}", said());
            self.is_ready(i)
        });
    }

    /// The node that leads a stream, where somebody does.
    pub fn leader_of(&self, stream: &str) -> Option<usize> {
        if self.nodes.len() == 1 {
            return Some(0);
        }
        (0..self.nodes.len()).find(|&i| self.leads(i, stream))
    }

    /// What a node says at a path of its monitoring, such as `/varz`; nothing if it is down.
    pub fn monitor(&self, i: usize, path: &str) -> Option<Value> {
        let (status, body) = http("GET", &self.host, self.nodes[i].monitor, path)?;
        (status == 200).then(|| serde_json::from_str(&body).ok())?
    }

    /// Where a node writes what it has to say.
    pub fn log(&self, i: usize) -> PathBuf {
        self.node_dir(i).join("server.log")
    }

    /// Where everything lies that the servers keep.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn is_ready(&self, i: usize) -> bool {
        let is_healthy = self.monitor(i, "/healthz").is_some_and(|answer| answer["status"] == "ok");
        is_healthy && (self.nodes.len() == 1 || self.knows_a_leader(i))
    }

    fn knows_a_leader(&self, i: usize) -> bool {
        let jsz = self.monitor(i, "/jsz").unwrap_or_default();
        jsz["meta_cluster"]["leader"].as_str().is_some_and(|leader| !leader.is_empty())
    }

    /// A node knows best of itself whether it leads.
    fn leads(&self, i: usize, stream: &str) -> bool {
        let jsz = self.monitor(i, "/jsz?accounts=true&streams=true").unwrap_or_default();
        let accounts = jsz["account_details"].as_array().cloned().unwrap_or_default();
        let mut streams = accounts.iter().filter_map(|account| account["stream_detail"].as_array()).flatten();
        streams.any(|detail| detail["name"] == stream && detail["cluster"]["leader"] == format!("n{i}"))
    }

    fn node_dir(&self, i: usize) -> PathBuf {
        self.dir.join(format!("n{i}"))
    }

    fn config_file(&self, i: usize) -> PathBuf {
        self.node_dir(i).join("server.conf")
    }

    fn config(&self, i: usize, options: &NatsOptions) -> String {
        let (node, host, store) = (&self.nodes[i], &self.host, self.node_dir(i).join("store"));
        let sync = if options.sync_always { ", sync_interval: always" } else { "" };
        let mut text = format!(
            "server_name: n{i}\nlisten: \"{host}:{}\"\nhttp: \"{host}:{}\"\njetstream {{ store_dir: \"{}\", max_mem: \
             256MB, max_file: 64GB{sync} }}\n",
            node.port,
            node.monitor,
            store.display()
        );
        if self.nodes.len() > 1 {
            let routes: Vec<_> = self.nodes.iter().map(|node| format!("nats://{host}:{}", node.cluster)).collect();
            let (port, routes) = (node.cluster, routes.join(", "));
            writeln!(text, "cluster {{ name: tests, listen: \"{host}:{port}\", routes: [{routes}] }}")
                .expect("a string takes what is written");
        }
        text.push_str(&options.extra);
        text
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.nodes.clear();
        std::fs::remove_dir_all(&self.dir).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn three_nodes_go_down_and_come_back_one_by_one() {
        let mut nats = Nats::start(3);
        let port = nats.nodes[1].port;
        nats.kill(1);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
        assert_eq!((nats.pid(1), nats.leader_of("nothing")), (None, None));
        nats.restart(1);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
        let dir = nats.dir().to_owned();
        drop(nats);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
        assert!(!dir.exists());
    }
}
