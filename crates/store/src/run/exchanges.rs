//! What passed between outside agents and their models: `proxy.jsonl`, one call a line; what was said is in `blobs/`.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use quintain_core::event::RecordError;
use quintain_core::exchange::{Exchange, Exchanges};
use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, TrialId};
use serde::{Deserialize, Serialize};

use super::body_parts;
use super::dir::{RunDir, RunFiles};
use crate::error::StoreError;
use crate::file::open_lines;
use crate::line_sum;

/// The version of a line whose request is one blob, and of one whose request is in parts.
const WHOLE: u32 = 1;
const IN_PARTS: u32 = 2;
const FILE: &str = "proxy.jsonl";

/// One call as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptExchange {
    /// The version of the line.
    pub v: u32,
    /// Its name in the books.
    pub call: String,
    /// For which trial.
    pub trial: TrialId,
    /// In which attempt.
    pub attempt: u32,
    /// The path it was sent to.
    pub path: String,
    /// The status of the answer; nothing where none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What was sent: the blob that holds it or, where it is in parts, the hash of all of it.
    pub request: Digest,
    /// The blobs that make up what was sent, one after another, where it is in parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub request_parts: Vec<Digest>,
    /// The blob that holds what came back.
    pub response: Digest,
}

/// Keeps what passes. Many threads may keep at once; every line is one write at the end of the file, which is made with
/// the first.
#[derive(Debug)]
pub struct ExchangeBook {
    path: PathBuf,
    shelves: Arc<RunFiles>,
    file: Mutex<Option<File>>,
}

impl RunDir {
    /// Keeps what passes between outside agents and their models.
    pub fn exchange_book(&self) -> ExchangeBook {
        ExchangeBook { path: self.path().join(FILE), shelves: self.shelves(), file: Mutex::new(None) }
    }

    /// What has passed, in order. A line that a killed process did not finish is passed over.
    pub fn exchanges(&self) -> Result<Vec<KeptExchange>, StoreError> {
        self.lines_beside(FILE)
    }

    /// What was sent in a call, byte for byte.
    pub fn sent(&self, exchange: &KeptExchange) -> Result<Vec<u8>, StoreError> {
        let one = [exchange.request];
        let parts = if exchange.request_parts.is_empty() { &one[..] } else { &exchange.request_parts };
        let mut body = Vec::new();
        for part in parts {
            let path = self.blob_file(*part);
            body.extend(std::fs::read(&path).map_err(StoreError::io("read", &path))?);
        }
        if Digest::of(&body) == exchange.request {
            return Ok(body);
        }
        let why = format!("what was sent in call {} has changed", exchange.call);
        Err(StoreError::malformed(&self.path().join(FILE))(why))
    }
}

impl Exchanges for ExchangeBook {
    fn keep(&self, exchange: &Exchange<'_>) -> Result<(), RecordError> {
        self.put(exchange).map_err(|error| RecordError(error.to_string()))
    }
}

impl ExchangeBook {
    fn put(&self, exchange: &Exchange<'_>) -> Result<(), StoreError> {
        let request_parts = self.put_parts(exchange.request)?;
        let kept = KeptExchange {
            v: if request_parts.is_empty() { WHOLE } else { IN_PARTS },
            call: exchange.call.to_owned(),
            trial: exchange.trial.clone(),
            attempt: exchange.attempt,
            path: exchange.path.to_owned(),
            status: exchange.status,
            request: if request_parts.is_empty() {
                self.shelves.put_blob(exchange.request)?
            } else {
                Digest::of(exchange.request)
            },
            request_parts,
            response: self.shelves.put_blob(exchange.response)?,
        };
        let path = &self.path;
        let mut line = serde_json::to_vec(&kept).map_err(StoreError::malformed(path))?;
        line_sum::seal(&mut line, 0);
        line.push(b'\n');
        let mut file = self.file.lock().always();
        if file.is_none() {
            *file = Some(open_lines(path).map_err(StoreError::io("open", path))?);
        }
        let open = file.as_mut().expect("it was opened above");
        open.write_all(&line).map_err(StoreError::io("write", path))
    }

    /// Stores what was sent in parts, unless it is so short that it is kept whole.
    fn put_parts(&self, body: &[u8]) -> Result<Vec<Digest>, StoreError> {
        if body.len() <= body_parts::KEPT_WHOLE {
            return Ok(Vec::new());
        }
        body_parts::parts(body).map(|part| self.shelves.put_blob(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunHeader;

    #[test]
    fn a_torn_line_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap();
        std::fs::write(run.path().join(FILE), b"{\"v\":1,\"call\":\"a").unwrap();
        let trial = "puzzles/maze-2d@easy#0~outside~0".parse().unwrap();
        let exchange = Exchange {
            call: "b",
            trial: &trial,
            attempt: 1,
            path: "/v1/messages",
            status: Some(200),
            request: b"?",
            response: b"!",
        };
        run.exchange_book().keep(&exchange).unwrap();
        let kept: Vec<String> = run.exchanges().unwrap().into_iter().map(|kept| kept.call).collect();
        assert_eq!(kept, ["b"]);
    }
}
