//! A server that answers one request after the other as it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What it does with a request.
pub(super) enum Act {
    /// Says this and hangs up.
    Say(String),
    /// Never answers.
    Hang,
    /// Begins a stream and falls silent.
    Stall(String),
}

impl Act {
    pub(super) fn stream(events: &str) -> Self {
        Self::Say(format!("{HEAD}{events}"))
    }
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

pub(super) struct Server {
    pub(super) address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves as many requests as there are acts, in a thread that ends with the last.
    pub(super) fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let taken_down = Arc::clone(&seen);
        std::thread::spawn(move || {
            // Streams that hang stay open until the last act is done.
            let mut open = Vec::new();
            for act in acts {
                let Ok((stream, _)) = listener.accept() else { return };
                taken_down.lock().unwrap().push(request(&stream));
                open.extend(perform(&act, stream));
            }
            for mut stream in open {
                // Ends when the client has hung up.
                drop(stream.read(&mut [0]));
            }
        });
        Self { address, seen }
    }

    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// A server that answers everybody, but only so many at once; the others are told to come back.
pub(super) struct Crowd {
    pub(super) address: SocketAddr,
    is_closed: Arc<AtomicBool>,
}

impl Crowd {
    pub(super) fn start(most: usize, answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        std::thread::spawn(move || {
            let inside = Arc::new(AtomicUsize::new(0));
            while let Ok((stream, _)) = listener.accept()
                && !closed.load(Ordering::SeqCst)
            {
                let inside = Arc::clone(&inside);
                std::thread::spawn(move || admit(stream, &inside, most, answer));
            }
        });
        Self { address, is_closed }
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for the next request, so that it ends.
        drop(TcpStream::connect(self.address));
    }
}

fn admit(mut stream: TcpStream, inside: &AtomicUsize, most: usize, answer: &str) {
    let is_full = inside.fetch_add(1, Ordering::SeqCst) >= most;
    request(&stream);
    let full = "HTTP/1.1 429 Too Many Requests\r\nretry-after-ms: 5\r\nconnection: close\r\n\r\nfull";
    let said = if is_full { full.to_owned() } else { format!("{HEAD}{answer}") };
    inside.fetch_sub(1, Ordering::SeqCst);
    stream.write_all(said.as_bytes()).unwrap();
}

fn perform(act: &Act, mut stream: TcpStream) -> Option<TcpStream> {
    match act {
        Act::Say(text) => {
            stream.write_all(text.as_bytes()).unwrap();
            None
        }
        Act::Hang => Some(stream),
        Act::Stall(events) => {
            stream.write_all(format!("{HEAD}{events}").as_bytes()).unwrap();
            Some(stream)
        }
    }
}

/// The whole request as text.
fn request(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).unwrap();
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}
