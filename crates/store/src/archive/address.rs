//! Signed addresses, for those who have no credentials of their own.

use std::time::Duration;

use bytes::Bytes;

use super::error::ArchiveError;
use super::objects::Wrote;
use crate::error::StoreError;

/// A pack of many pictures takes its time on a slow line.
const WITHIN: Duration = Duration::from_mins(5);

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
    pub async fn write(&self, url: &str, bytes: Bytes) -> Result<Wrote, StoreError> {
        let request = self.client.put(url).header("if-none-match", "*").body(bytes);
        let sent = request.send().await;
        let reply = sent.map_err(|error| at(url, "write", error.without_url().to_string()))?;
        match reply.status().as_u16() {
            200..=299 => Ok(Wrote::New),
            // Not 409: that says that somebody is writing it just now, and may yet fail.
            304 | 412 => Ok(Wrote::AlreadyThere),
            _ => Err(at(url, "write", reply.status().to_string())),
        }
    }
}

/// An error with the address's path; its signature is nobody's business.
fn at(url: &str, doing: &'static str, why: String) -> StoreError {
    let what = url.split('?').next().unwrap_or_default().to_owned();
    ArchiveError::Address { doing, what, why }.into()
}
