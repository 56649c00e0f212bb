//! From an address to a store.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::signer::Url;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use super::error::ArchiveError;
use super::objects::StoredObjects;

/// Settings by the names they have in the environment.
pub(super) type ArchiveSettings = Vec<(String, String)>;

/// Opens what an address names. A directory has to exist.
pub(super) fn open(url: &str, settings: ArchiveSettings) -> Result<StoredObjects, ArchiveError> {
    match place(url)? {
        StorePlace::Directory(path) if path.is_dir() => directory(url, &path),
        StorePlace::Directory(_) => Err(ArchiveError::Absent { url: url.to_owned() }),
        StorePlace::Bucket(rest) => bucket(url, rest, settings),
    }
}

/// Makes the directory that an address names, where there is none. A bucket is there, or it is somebody else's to make.
pub(super) fn make(url: &str) -> Result<(), ArchiveError> {
    match place(url)? {
        StorePlace::Directory(path) => std::fs::create_dir_all(path).map_err(|error| no_archive(url, &error)),
        StorePlace::Bucket(_) => Ok(()),
    }
}

/// What an address names.
enum StorePlace<'a> {
    Directory(PathBuf),
    /// The bucket's name, and perhaps a prefix behind a slash.
    Bucket(&'a str),
}

fn place(url: &str) -> Result<StorePlace<'_>, ArchiveError> {
    match url.split_once("://") {
        None if url.is_empty() => Err(no_archive(url, "it is empty")),
        None => Ok(StorePlace::Directory(PathBuf::from(url))),
        Some(("file", _)) => Ok(StorePlace::Directory(file_path(url)?)),
        Some(("s3", rest)) => Ok(StorePlace::Bucket(rest)),
        Some((other, _)) => Err(no_archive(url, &format!("`{other}` is no kind of store that is known"))),
    }
}

fn no_archive(url: &str, why: &(impl ToString + ?Sized)) -> ArchiveError {
    ArchiveError::NoArchive { url: url.to_owned(), why: why.to_string() }
}

fn file_path(url: &str) -> Result<PathBuf, ArchiveError> {
    let parsed = Url::parse(url).map_err(|error| no_archive(url, &error))?;
    parsed.to_file_path().map_err(|()| no_archive(url, "its path is not whole: it begins with file:///"))
}

fn directory(url: &str, path: &FilePath) -> Result<StoredObjects, ArchiveError> {
    let store = LocalFileSystem::new_with_prefix(path).map_err(|error| no_archive(url, &error))?;
    Ok(StoredObjects::new(url, Arc::new(store), None, Path::default()))
}

fn bucket(url: &str, rest: &str, settings: ArchiveSettings) -> Result<StoredObjects, ArchiveError> {
    // The client makes no choice of its own between providers; that one is set already is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    if name.is_empty() {
        return Err(no_archive(url, "it names no bucket"));
    }
    let prefix = Path::parse(prefix).map_err(|error| no_archive(url, &error))?;
    let patient = AmazonS3Builder::new().with_retry(retries()).with_client_options(patience());
    let builder = settings.into_iter().fold(patient, with_setting).with_bucket_name(name);
    let store = Arc::new(builder.build().map_err(|error| no_archive(url, &error))?);
    Ok(StoredObjects::new(url, Arc::clone(&store) as _, Some(store), prefix))
}

/// A store that is being started again is worth waiting for; one that is gone is reported while it still matters.
fn retries() -> RetryConfig {
    let backoff =
        BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2.0 };
    RetryConfig { backoff, max_retries: 10, retry_timeout: Duration::from_secs(20) }
}

/// A pack of many pictures takes its time on a slow line.
fn patience() -> ClientOptions {
    ClientOptions::new().with_connect_timeout(Duration::from_secs(5)).with_timeout(Duration::from_mins(5))
}

/// Takes over a setting that the client knows. An endpoint without TLS is meant that way by whoever writes `http://`.
fn with_setting(builder: AmazonS3Builder, (name, value): (String, String)) -> AmazonS3Builder {
    let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() else { return builder };
    let is_plain = matches!(key, AmazonS3ConfigKey::Endpoint) && value.starts_with("http://");
    let builder = builder.with_config(key, value);
    if is_plain { builder.with_allow_http(true) } else { builder }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(url: &str) -> String {
        open(url, Vec::new()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_archive_is_refused_with_a_hint() {
        for (url, part) in [
            ("gs://bucket", "`gs` is no kind of store"),
            ("s3:///prefix", "names no bucket"),
            ("", "is empty"),
            ("file://relative/path", "file:///"),
        ] {
            assert!(why(url).contains(part), "{url}: {}", why(url));
            assert!(why(url).contains("hint: a directory, or s3://"), "{url}");
        }
    }

    #[test]
    fn a_directory_is_made_only_where_that_is_meant_and_a_bucket_needs_no_server_to_be_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        assert!(why(path.to_str().unwrap()).contains("does not exist\nhint: is it written right"));
        assert!(!folder.path().join("a").exists(), "whoever looks for it does not make it");
        make(path.to_str().unwrap()).unwrap();
        assert!(!open(path.to_str().unwrap(), Vec::new()).unwrap().can_sign());
        assert!(open(&format!("file://{}", path.display()), Vec::new()).is_ok());
        let endpoint = ("AWS_ENDPOINT_URL".to_owned(), "http://127.0.0.1:1".to_owned());
        assert!(open("s3://bucket/a/b", vec![endpoint]).unwrap().can_sign());
    }
}
