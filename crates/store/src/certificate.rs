//! The proofs that tasks are sound, kept outside the tasks' folders.

use std::path::PathBuf;

use quintain_core::{Digest, TaskId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::StoreError;
use crate::file::{read_if_there, write_whole};

/// A directory of certificates: `<suite>/<task>.json`. The same certificate gives the same bytes.
#[derive(Clone, Debug)]
pub struct CertificateStore {
    root: PathBuf,
}

/// What the store knows of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum Certified<T> {
    /// No certificate was ever made.
    Never,
    /// There is one, but the task or the world has changed since.
    Stale {
        /// The task as it was.
        task: Digest,
        /// The world as it was.
        world: Digest,
    },
    /// There is one for this task and this world.
    Valid(T),
}

/// A certificate file: what it is about, then what it says.
#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    task: Digest,
    world: Digest,
    certificate: T,
}

impl CertificateStore {
    /// The store in a directory, which is made when the first certificate is written.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where a task's certificate lies.
    pub fn path(&self, id: &TaskId) -> PathBuf {
        self.root.join(id.suite()).join(format!("{}.json", id.name()))
    }

    /// The certificate of a task, if it is for this task folder and this world.
    pub fn read<T: DeserializeOwned>(
        &self,
        id: &TaskId,
        task: Digest,
        world: Digest,
    ) -> Result<Certified<T>, StoreError> {
        let path = self.path(id);
        let Some(bytes) = read_if_there(&path)? else { return Ok(Certified::Never) };
        let sealed: Sealed<Value> = serde_json::from_slice(&bytes).map_err(StoreError::malformed(&path))?;
        if (sealed.task, sealed.world) != (task, world) {
            return Ok(Certified::Stale { task: sealed.task, world: sealed.world });
        }
        serde_json::from_value(sealed.certificate).map(Certified::Valid).map_err(StoreError::malformed(&path))
    }

    /// Writes the certificate of a task, in place of any older one.
    pub fn write<T: Serialize>(
        &self,
        id: &TaskId,
        task: Digest,
        world: Digest,
        certificate: &T,
    ) -> Result<(), StoreError> {
        let path = self.path(id);
        let mut bytes =
            serde_json::to_vec_pretty(&Sealed { task, world, certificate }).map_err(StoreError::malformed(&path))?;
        bytes.push(b'\n');
        write_whole(&path, &bytes)
    }
}
