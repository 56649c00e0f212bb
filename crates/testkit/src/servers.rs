//! Real servers for tests: NATS with `JetStream`, on one node or three, and an S3-compatible object store.
//!
//! Each listens on loopback, on ports of its own, keeps its files in a directory of its own, and ends with the value that
//! stands for it, or at the latest with the process.

mod nats;
mod network;
mod ports;
mod process;
mod weed;

pub use nats::{Nats, NatsOptions};
pub use network::Network;
pub use ports::free_port;
pub use weed::Weed;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A server's program: what the environment names, else what is on the path, else where images have it.
pub fn program(variable: &str, name: &str) -> PathBuf {
    if let Some(named) = std::env::var_os(variable) {
        return named.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
    on_path.unwrap_or_else(|| PathBuf::from("/opt/fleet/bin").join(name))
}

/// The status and the body that a plain HTTP server answers with; nothing if it does not answer.
pub fn http(method: &str, host: &str, port: u16, path: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect((host, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    write!(stream, "{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

/// A directory that nobody else uses.
fn fresh_dir(name: &str) -> PathBuf {
    static N_MADE: AtomicU32 = AtomicU32::new(0);
    let n = N_MADE.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("quintain-{name}-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory can be made");
    dir
}
