//! What tells an archive from all others.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::error::ArchiveError;
use super::{Archive, paths};
use crate::error::StoreError;

/// The version of the object that holds the identity.
const VERSION: u32 = 1;

/// What stands in the object.
#[derive(Debug, Serialize, Deserialize)]
struct ArchiveMark {
    v: u32,
    id: String,
}

impl Archive {
    /// What tells this archive from all others; nothing where nobody has given it an identity yet.
    pub async fn identity(&self) -> Result<Option<String>, StoreError> {
        let Some(bytes) = self.objects.find(paths::IDENTITY).await? else { return Ok(None) };
        let mark: ArchiveMark = serde_json::from_slice(&bytes).map_err(ArchiveError::unreadable(paths::IDENTITY))?;
        if mark.v > VERSION {
            let why = format!("it is of version {}, and this program reads up to {VERSION}", mark.v);
            return Err(ArchiveError::unreadable(paths::IDENTITY)(why).into());
        }
        Ok(Some(mark.id))
    }

    /// Gives this archive an identity, unless it has one. Returns the one that it has from now on: of two who give it one at
    /// the same time, one wins.
    pub async fn identify(&self, fresh: &str) -> Result<String, StoreError> {
        let mark = ArchiveMark { v: VERSION, id: fresh.to_owned() };
        let bytes = serde_json::to_vec(&mark).map_err(ArchiveError::unreadable(paths::IDENTITY))?;
        self.objects.create(paths::IDENTITY, Bytes::from(bytes)).await?;
        let missing = || ArchiveError::Missing { what: paths::IDENTITY.to_owned(), archive: self.url().to_owned() };
        Ok(self.identity().await?.ok_or_else(missing)?)
    }
}
