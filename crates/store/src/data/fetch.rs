//! Fetching a file: where it broke off, and only if it is what is listed.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::header::RANGE;
use reqwest::{Client, Response, StatusCode};

use super::{Condition, DataError, DataFile, DataSet, io_error, path_of, sum, verify};

/// How long it may take to be connected, and to be sent something.
const WITHIN: Duration = Duration::from_secs(30);

/// Whatever fetches.
pub fn client() -> reqwest::Result<Client> {
    // Only the first of several providers of cryptography counts; it does not matter who set it.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder().connect_timeout(WITHIN).read_timeout(WITHIN).build()
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchResult {
    /// It was there already.
    AlreadyThere,
    /// It was fetched: so many bytes now, the others earlier.
    New {
        /// How many bytes.
        n_bytes: u64,
    },
}

/// Fetches a file of a set into the folder of data. `told` is told of bytes as they come.
pub async fn fetch(
    client: &Client,
    folder: &Path,
    set: &DataSet,
    file: &DataFile,
    told: &(dyn Fn(u64) + Sync),
) -> Result<FetchResult, DataError> {
    if verify(folder, set, file)? == Condition::Sound {
        return Ok(FetchResult::AlreadyThere);
    }
    let path = path_of(folder, set, file);
    let part = part_of(&path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io_error("create", parent))?;
    }
    let n_bytes = bring(client, file, &part, told).await?;
    let found = sum(&part)?;
    if found != file.sha256 {
        fs::remove_file(&part).map_err(io_error("remove", &part))?;
        return Err(mismatch(file, &format!("its SHA-256 is {found}")));
    }
    fs::rename(&part, &path).map_err(io_error("write", &path))?;
    Ok(FetchResult::New { n_bytes })
}

/// Brings what is missing of the part that is there, and says how many bytes that was.
async fn bring(client: &Client, file: &DataFile, part: &Path, told: &(dyn Fn(u64) + Sync)) -> Result<u64, DataError> {
    let there = fs::metadata(part).map_or(0, |metadata| metadata.len());
    if there == file.size && there > 0 {
        return Ok(0);
    }
    // More than there should be is of something else.
    let there = if there < file.size { there } else { 0 };
    let response = ask(client, file, there).await?;
    let goes_on = response.status() == StatusCode::PARTIAL_CONTENT;
    let mut out = if goes_on && there > 0 { open_to_go_on(part) } else { open_anew(part) }?;
    let (had, mut n_bytes) = (if goes_on { there } else { 0 }, 0);
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| refused(file, &error))?;
        n_bytes += chunk.len() as u64;
        if had + n_bytes > file.size {
            drop(out);
            fs::remove_file(part).map_err(io_error("remove", part))?;
            let why = format!("it has more than {} bytes", file.size);
            return Err(DataError::Mismatch { url: file.url.clone(), why });
        }
        out.write_all(&chunk).map_err(io_error("write", part))?;
        told(chunk.len() as u64);
    }
    if had + n_bytes < file.size {
        let why = format!("it ended after {} of {} bytes", had + n_bytes, file.size);
        return Err(DataError::Fetch { url: file.url.clone(), why });
    }
    Ok(n_bytes)
}

async fn ask(client: &Client, file: &DataFile, there: u64) -> Result<Response, DataError> {
    let mut request = client.get(&file.url);
    if there > 0 {
        request = request.header(RANGE, format!("bytes={there}-"));
    }
    let response = request.send().await.map_err(|error| refused(file, &error))?;
    response.error_for_status().map_err(|error| refused(file, &error))
}

fn open_to_go_on(part: &Path) -> Result<File, DataError> {
    OpenOptions::new().create(true).append(true).open(part).map_err(io_error("write", part))
}

fn open_anew(part: &Path) -> Result<File, DataError> {
    File::create(part).map_err(io_error("write", part))
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn refused(file: &DataFile, error: &reqwest::Error) -> DataError {
    DataError::Fetch { url: file.url.clone(), why: error.to_string() }
}

fn mismatch(file: &DataFile, why: &str) -> DataError {
    DataError::Mismatch { url: file.url.clone(), why: format!("{why}, not {}", file.sha256) }
}
