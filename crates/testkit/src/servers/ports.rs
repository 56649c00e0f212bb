//! Ports that are free, and stay so until a server takes them.

use std::net::TcpListener;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// Below the ports that systems give to outgoing connections: one of those could take a port while its server is down.
const PORTS: std::ops::Range<u16> = 10_240..32_000;

/// A port on which nobody listens, and which this process gives out once.
pub fn free_port() -> u16 {
    static NEXT: Mutex<Option<u16>> = Mutex::new(None);
    let mut next = NEXT.lock().expect("nobody panics with it");
    for _ in PORTS {
        let port = next.unwrap_or_else(somewhere);
        *next = Some(if port + 1 < PORTS.end { port + 1 } else { PORTS.start });
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free between {} and {}", PORTS.start, PORTS.end);
}

/// Where to begin: far from where other processes began.
fn somewhere() -> u16 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    let mixed = u64::from(std::process::id()).wrapping_mul(7919).wrapping_add(u64::from(nanos / 1000));
    PORTS.start + (mixed % u64::from(PORTS.end - PORTS.start)) as u16
}
