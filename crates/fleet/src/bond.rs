//! Which archive a fleet has: the first one that it was used with. Its identity stands in the archive and in the bucket
//! `ctl` of the server, so that nobody reads or writes another one by mistake.

use async_nats::Client;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::{self};
use quintain_runner::engine::EngineError;
use quintain_store::StoreError;
use quintain_store::archive::Archive;
use serde::{Deserialize, Serialize};

use crate::names::{FleetNames, new_secret};
use crate::server_failure::failed;

/// The key under which it stands.
const KEY: &str = "archive";

/// So many digits of an identity are shown: enough to tell two apart.
const SHOWN: usize = 12;

/// The archive of a fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveBond {
    /// What tells it from all others.
    pub id: String,
    /// Where whoever named it first found it. Others may reach it by another address.
    pub url: String,
}

/// Why an archive is not used with a fleet.
#[derive(Debug, thiserror::Error)]
pub enum NotBound {
    /// The fleet has another one.
    #[error(
        "`{url}` ({found}) is not the archive of fleet `{fleet}`, which is archive {} at `{}`\nhint: name that one with \
         --store or QUINTAIN_STORE; a fleet with another archive needs a name of its own (--fleet)",
        short(&bound.id), bound.url
    )]
    Other {
        /// The address that was named.
        url: String,
        /// What was found there, in words.
        found: String,
        /// The fleet.
        fleet: String,
        /// Its archive.
        bound: ArchiveBond,
    },
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] StoreError),
    /// The server cannot be asked.
    #[error(transparent)]
    Server(#[from] EngineError),
}

impl ArchiveBond {
    /// The archive of a fleet; nothing where none was ever named.
    pub async fn of(client: &Client, names: &FleetNames) -> Result<Option<Self>, EngineError> {
        let found = bucket(client, names).await?.get(KEY).await.map_err(failed("see which archive the fleet has"))?;
        Ok(found.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Makes sure that an archive is this one.
    pub async fn check(&self, archive: &Archive, names: &FleetNames) -> Result<(), NotBound> {
        match archive.identity().await? {
            Some(id) if id == self.id => Ok(()),
            Some(id) => Err(self.other(archive.url(), format!("archive {}", short(&id)), names)),
            None => Err(self.other(archive.url(), "nobody's archive yet".to_owned(), names)),
        }
    }

    /// Says that what is at an address is not this one.
    pub fn other(&self, url: &str, found: String, names: &FleetNames) -> NotBound {
        NotBound::Other { url: url.to_owned(), found, fleet: names.fleet().to_owned(), bound: self.clone() }
    }

    /// Notes it on the server, unless another one was noted before.
    async fn put_first(&self, client: &Client, names: &FleetNames) -> Result<(), EngineError> {
        let body = serde_json::to_vec(self).map_err(failed("note which archive the fleet has"))?;
        // That somebody was quicker shows when it is read back.
        drop(bucket(client, names).await?.create(KEY, body.into()).await);
        Ok(())
    }
}

/// Makes an archive the fleet's where it has none, and makes sure that it is otherwise. An archive without an identity is
/// given one where the fleet has none: it is new, or of an older program.
pub async fn bind(client: &Client, names: &FleetNames, archive: &Archive) -> Result<ArchiveBond, NotBound> {
    if let Some(bond) = ArchiveBond::of(client, names).await? {
        bond.check(archive, names).await?;
        return Ok(bond);
    }
    let id = match archive.identity().await? {
        Some(id) => id,
        None => archive.identify(&new_secret()[..32]).await?,
    };
    let bond = ArchiveBond { id, url: whole(archive.url()) };
    bond.put_first(client, names).await?;
    // One who may not write it leaves it to the steward.
    let bond = ArchiveBond::of(client, names).await?.unwrap_or(bond);
    bond.check(archive, names).await?;
    Ok(bond)
}

/// An address that means the same wherever it is read on this host.
fn whole(url: &str) -> String {
    let is_path = !url.contains("://");
    let path = is_path.then(|| std::path::absolute(url).ok()).flatten();
    path.map_or_else(|| url.to_owned(), |path| path.display().to_string())
}

fn short(id: &str) -> &str {
    id.get(..SHOWN).unwrap_or(id)
}

async fn bucket(client: &Client, names: &FleetNames) -> Result<Store, EngineError> {
    let found = jetstream::new(client.clone()).get_key_value(names.bucket("ctl")).await;
    found.map_err(failed("see which archive the fleet has"))
}
