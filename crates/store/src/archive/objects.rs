//! The objects of an archive: created once, read, listed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::signer::{HeaderName, HeaderValue, Method, SignedUrlOptions, Signer};
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};

use super::error::ArchiveError;
use crate::error::StoreError;

/// Whether an object was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteResult {
    /// It was.
    New,
    /// Another one was there, which was left as it is.
    AlreadyThere,
}

/// The objects under one prefix of a store.
pub(super) struct StoredObjects {
    url: String,
    store: Arc<dyn ObjectStore>,
    signer: Option<Arc<dyn Signer>>,
    prefix: Path,
}

impl fmt::Debug for StoredObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").field("url", &self.url).finish_non_exhaustive()
    }
}

impl StoredObjects {
    pub(super) fn new(url: &str, store: Arc<dyn ObjectStore>, signer: Option<Arc<dyn Signer>>, prefix: Path) -> Self {
        Self { url: url.to_owned(), store, signer, prefix }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn store(&self) -> &dyn ObjectStore {
        self.store.as_ref()
    }

    pub(super) fn can_sign(&self) -> bool {
        self.signer.is_some()
    }

    /// Where a path stands in the store.
    pub(super) fn at(&self, path: &str) -> Path {
        let whole = if self.prefix.is_root() { path.to_owned() } else { format!("{}/{path}", self.prefix) };
        Path::parse(whole).expect("paths are put together from parts that were looked at")
    }

    /// Creates an object, unless there is one.
    pub(super) async fn create(&self, path: &str, bytes: Bytes) -> Result<WriteResult, StoreError> {
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(&self.at(path), PutPayload::from_bytes(bytes), options).await {
            Ok(_) => Ok(WriteResult::New),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(WriteResult::AlreadyThere),
            Err(error) => Err(failed("write", path, &error)),
        }
    }

    /// Creates an object, or finds that it is there as it should be: after a crash, or after a reply was lost.
    pub(super) async fn create_same(
        &self,
        path: &str,
        bytes: Bytes,
        hint: &'static str,
    ) -> Result<WriteResult, StoreError> {
        if self.create(path, bytes.clone()).await? == WriteResult::New {
            return Ok(WriteResult::New);
        }
        if self.get(path).await? == bytes {
            return Ok(WriteResult::AlreadyThere);
        }
        Err(ArchiveError::Taken { what: path.to_owned(), hint }.into())
    }

    /// Writes an object over whatever is there.
    pub(super) async fn replace(&self, path: &str, bytes: Bytes) -> Result<(), StoreError> {
        let put = self.store.put(&self.at(path), PutPayload::from_bytes(bytes)).await;
        put.map(drop).map_err(|error| failed("write", path, &error))
    }

    /// Takes away an object of no worth. One that cannot be taken away does no harm.
    pub(super) async fn remove(&self, path: &str) {
        self.store.delete(&self.at(path)).await.ok();
    }

    /// An object, if there is one.
    pub(super) async fn find(&self, path: &str) -> Result<Option<Bytes>, StoreError> {
        let got = match self.store.get(&self.at(path)).await {
            Ok(got) => got.bytes().await,
            Err(error) => Err(error),
        };
        match got {
            Ok(bytes) => Ok(Some(bytes)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read", path, &error)),
        }
    }

    /// An object that should be there.
    pub(super) async fn get(&self, path: &str) -> Result<Bytes, StoreError> {
        let missing = || ArchiveError::Missing { what: path.to_owned(), archive: self.url.clone() };
        Ok(self.find(path).await?.ok_or_else(missing)?)
    }

    /// The names of the objects in a folder that come after one, in order.
    pub(super) async fn files(&self, folder: &str, after: Option<&str>) -> Result<Vec<String>, StoreError> {
        let prefix = self.at(folder);
        let listed = match after {
            None => self.store.list(Some(&prefix)),
            Some(after) => self.store.list_with_offset(Some(&prefix), &self.at(&format!("{folder}/{after}"))),
        };
        let file = |meta: object_store::ObjectMeta| async move { Ok(meta.location.filename().map(str::to_owned)) };
        let found: Result<Vec<String>, _> = listed.try_filter_map(file).try_collect().await;
        let mut names = found.map_err(|error| failed("list", folder, &error))?;
        names.sort_unstable();
        Ok(names)
    }

    /// The names of the folders in a folder, in order.
    pub(super) async fn folders(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        let listed = self.store.list_with_delimiter(Some(&self.at(folder))).await;
        let listed = listed.map_err(|error| failed("list", folder, &error))?;
        let last = |path: &Path| path.filename().map(str::to_owned);
        let mut names: Vec<String> = listed.common_prefixes.iter().filter_map(last).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// An address at which an object can be read for a while.
    pub(super) async fn sign_read(&self, path: &str, for_: Duration) -> Result<String, StoreError> {
        self.sign(Method::GET, path, for_, &SignedUrlOptions::default()).await
    }

    /// An address at which an object can be created for a while. The condition that there is none yet is part of the
    /// signature: whoever leaves it out is refused.
    pub(super) async fn sign_write(&self, path: &str, for_: Duration) -> Result<String, StoreError> {
        let only_new = (HeaderName::from_static("if-none-match"), HeaderValue::from_static("*"));
        let options = SignedUrlOptions::default().with_signed_header(only_new.0, only_new.1);
        self.sign(Method::PUT, path, for_, &options).await
    }

    async fn sign(
        &self,
        method: Method,
        path: &str,
        for_: Duration,
        options: &SignedUrlOptions,
    ) -> Result<String, StoreError> {
        let Some(signer) = &self.signer else {
            return Err(ArchiveError::CannotSign { url: self.url.clone() }.into());
        };
        let url = signer.signed_url_opts(method, &self.at(path), for_, options).await;
        url.map(String::from).map_err(|error| failed("sign an address for", path, &error))
    }
}

pub(super) fn failed(doing: &'static str, what: &str, error: &object_store::Error) -> StoreError {
    ArchiveError::Store { doing, what: what.to_owned(), why: error.to_string() }.into()
}
