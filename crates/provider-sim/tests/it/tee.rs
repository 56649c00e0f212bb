//! Stands between a client and a server, passes every byte on and keeps the requests.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

type Conversations = Arc<Mutex<Vec<Arc<Mutex<Vec<u8>>>>>>;

/// What clients send, connection by connection.
pub(crate) struct Tee {
    address: String,
    heard: Conversations,
}

impl Tee {
    /// Listens in front of this server for as long as the test runs.
    pub(crate) fn before(url: &str) -> Self {
        let server = url.strip_prefix("http://").expect("an address").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let heard = Conversations::default();
        let kept = Arc::clone(&heard);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let said = Arc::default();
                kept.lock().expect("no panic").push(Arc::clone(&said));
                let server = TcpStream::connect(&server).expect("it listens");
                let (back_from, back_to) =
                    (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
                std::thread::spawn(move || pass(back_from, back_to, &Arc::default()));
                std::thread::spawn(move || pass(client, server, &said));
            }
        });
        Self { address, heard }
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.address
    }

    /// Every request so far: path, headers and body.
    pub(crate) fn taken(&self) -> Vec<Value> {
        let heard = self.heard.lock().expect("no panic");
        heard.iter().flat_map(|said| requests(&said.lock().expect("no panic"))).collect()
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, kept: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 16];
    let mut copy = || -> io::Result<()> {
        loop {
            let n = from.read(&mut buffer)?;
            if n == 0 {
                return to.shutdown(Shutdown::Write);
            }
            kept.lock().expect("no panic").extend_from_slice(&buffer[..n]);
            to.write_all(&buffer[..n])?;
        }
    };
    drop(copy()); // Whoever hangs up first has its reasons.
}

/// The requests of one connection, which say how long they are.
fn requests(mut said: &[u8]) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some(end) = said.windows(4).position(|window| window == b"\r\n\r\n") {
        let head = String::from_utf8_lossy(&said[..end]).into_owned();
        let mut lines = head.lines();
        let path = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a path").to_owned();
        let fields = lines.filter_map(|line| line.split_once(": "));
        let headers: Map<String, Value> =
            fields.map(|(name, value)| (name.to_ascii_lowercase(), value.into())).collect();
        let length: usize = headers["content-length"].as_str().and_then(|text| text.parse().ok()).expect("a length");
        let body: Value = serde_json::from_slice(&said[end + 4..end + 4 + length]).expect("JSON");
        found.push(
            json!({ "name": format!("captured, {}", body["model"]), "path": path, "headers": headers, "body": body }),
        );
        said = &said[end + 4 + length..];
    }
    found
}
