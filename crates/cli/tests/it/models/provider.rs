//! A provider of our own, started as its users start it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use quintain_provider_sim::BilledCall;
use serde_json::Value;

use crate::command::Place;

/// A key that must turn up nowhere.
pub(crate) const KEY: &str = "sk-live-4f1c9a77e2b84d0c";

/// `quintain provider-sim`, and who listens to it.
pub(crate) struct Provider {
    child: Child,
    host: String,
}

impl Provider {
    /// Starts it, and lets every provider's name in this place mean it.
    pub(crate) fn start(place: &mut Place, args: &str) -> Self {
        let all = format!("provider-sim --json --port 0 {args}");
        let mut child = place.start(&all.split(' ').collect::<Vec<_>>());
        let told = said(&mut child);
        let base = told["base_url"].as_str().expect("a base URL").to_owned();
        let names = [("ANTHROPIC", "ANTHROPIC"), ("OPENAI", "OPENAI"), ("CHAT", "CHAT"), ("GEMINI", "GOOGLE_GEMINI")];
        for (key, url) in names {
            place.set(&format!("{key}_API_KEY"), KEY);
            place.set(&format!("{url}_BASE_URL"), &base);
        }
        let host = told["url"].as_str().and_then(|url| url.strip_prefix("http://")).expect("a URL").to_owned();
        Self { child, host }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.host)
    }

    /// Every call that it billed.
    pub(crate) fn billed(&self) -> Vec<BilledCall> {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let request = format!("GET /ledger HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.host);
        stream.write_all(request.as_bytes()).expect("it takes requests");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let books: Value = serde_json::from_str(body).expect("JSON");
        serde_json::from_value(books["calls"].clone()).expect("calls")
    }
}

/// What it says of itself when it is ready.
fn said(child: &mut Child) -> Value {
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while serde_json::from_str::<Value>(&text).is_err() {
        assert_ne!(out.read_line(&mut text).expect("readable"), 0, "it ended before it was ready: {text}");
    }
    serde_json::from_str(&text).expect("JSON")
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
