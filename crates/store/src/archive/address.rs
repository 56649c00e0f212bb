//! Signed addresses, for those who have no credentials of their own.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{TryStreamExt, stream};
use quintain_core::FileHandle;
use tokio::sync::mpsc;

use super::error::ArchiveError;
use super::large::{kept, pieces_of};
use super::manifest::LargeFile;
use super::objects::WriteResult;
use crate::blobs::BlobStore;
use crate::error::StoreError;

/// A pack of many pictures takes its time on a slow line.
const WITHIN: Duration = Duration::from_mins(5);

/// A large file is given as long as it takes on a line of 8 Mbit/s.
const BYTES_PER_SECOND: u64 = 1 << 20;

/// The most that stores take in one piece.
pub const MAX_AT_ONCE: u64 = 5 << 30;

/// Reads and writes objects at signed addresses.
#[derive(Clone, Debug)]
pub struct Address {
    client: reqwest::Client,
}

impl Default for Address {
    fn default() -> Self {
        // That a provider is set already is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(5)).timeout(WITHIN).build();
        Self { client: client.expect("there is nothing in these settings that could be refused") }
    }
}

impl Address {
    /// Someone who uses addresses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads what is at an address.
    pub async fn read(&self, url: &str) -> Result<Bytes, StoreError> {
        let failed = |error: reqwest::Error| at(url, "read", error.without_url().to_string());
        let reply = self.client.get(url).send().await.map_err(failed)?;
        if !reply.status().is_success() {
            return Err(at(url, "read", reply.status().to_string()));
        }
        reply.bytes().await.map_err(failed)
    }

    /// Creates an object at an address, unless there is one.
    pub async fn write(&self, url: &str, bytes: Bytes) -> Result<WriteResult, StoreError> {
        self.send(url, self.client.put(url).body(bytes)).await
    }

    /// The same from a file, piece by piece.
    pub async fn write_file(&self, url: &str, file: &FileHandle) -> Result<WriteResult, StoreError> {
        if file.n_bytes() > MAX_AT_ONCE {
            let why = format!("it has {} bytes, and {MAX_AT_ONCE} fit through a signed address", file.n_bytes());
            return Err(at(url, "write", format!("{why}\nhint: give the worker --store and credentials of its own")));
        }
        let next = |mut pieces: mpsc::Receiver<_>| async { pieces.recv().await.map(|piece| (piece, pieces)) };
        let body = reqwest::Body::wrap_stream(stream::unfold(pieces_of(file), next));
        let request = self.client.put(url).timeout(within(file.n_bytes()));
        self.send(url, request.header("content-length", file.n_bytes()).body(body)).await
    }

    /// Reads what is at an address into a store of files, piece by piece, where it is held against its hash.
    pub async fn fetch(&self, url: &str, file: LargeFile, to: &BlobStore) -> Result<(), StoreError> {
        let failed = |error: reqwest::Error| at(url, "read", error.without_url().to_string());
        let reply = self.client.get(url).timeout(within(file.len)).send().await.map_err(failed)?;
        if !reply.status().is_success() {
            return Err(at(url, "read", reply.status().to_string()));
        }
        let pieces = reply.bytes_stream().map_err(failed);
        let what = url.split('?').next().unwrap_or_default();
        kept(what, file.digest, pieces, to.clone()).await
    }

    async fn send(&self, url: &str, request: reqwest::RequestBuilder) -> Result<WriteResult, StoreError> {
        let request = request.header("if-none-match", "*");
        let sent = request.send().await;
        let reply = sent.map_err(|error| at(url, "write", error.without_url().to_string()))?;
        match reply.status().as_u16() {
            200..=299 => Ok(WriteResult::New),
            // Not 409: that says that somebody is writing it just now, and may yet fail.
            304 | 412 => Ok(WriteResult::AlreadyThere),
            _ => Err(at(url, "write", reply.status().to_string())),
        }
    }
}

fn within(n_bytes: u64) -> Duration {
    WITHIN + Duration::from_secs(n_bytes / BYTES_PER_SECOND)
}

/// An error with the address's path; its signature is nobody's business.
fn at(url: &str, doing: &'static str, why: String) -> StoreError {
    let what = url.split('?').next().unwrap_or_default().to_owned();
    ArchiveError::Address { doing, what, why }.into()
}
