//! The proofs that tasks are sound, kept outside the tasks' folders.

mod kept_files;

use std::path::PathBuf;

use quintain_core::{CertificateKey, Digest, TaskId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::StoreError;
use crate::file::{read_if_there, write_whole};

pub use kept_files::KeptFiles;

/// A directory of certificates: `<suite>/<task>.whole.json`. The same certificate gives the same bytes. Small ones that are
/// kept have other names, so that both can be in one directory.
#[derive(Clone, Debug)]
pub struct CertificateStore {
    root: PathBuf,
}

/// What the store knows of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum CertifiedState<T> {
    /// No certificate was ever made.
    Never,
    /// There is one, but the task, the world or the judge has changed since.
    Stale,
    /// There is one with this key.
    Valid(T),
}

/// A certificate file: what it is about, then what it says.
#[derive(Serialize, Deserialize)]
struct CertificateFile<T> {
    task: Digest,
    world: Digest,
    /// Missing in files of older programs, which did not look at the code.
    #[serde(default)]
    code: Option<Digest>,
    certificate: T,
}

impl CertificateStore {
    /// The store in a directory, which is made when the first certificate is written.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where a task's certificate lies.
    pub fn path(&self, id: &TaskId) -> PathBuf {
        self.root.join(id.suite()).join(format!("{}.whole.json", id.name()))
    }

    /// The certificate of a task, if it has this key.
    pub fn read<T: DeserializeOwned>(
        &self,
        id: &TaskId,
        key: &CertificateKey,
    ) -> Result<CertifiedState<T>, StoreError> {
        let path = self.path(id);
        let Some(bytes) = read_if_there(&path)? else { return Ok(CertifiedState::Never) };
        let sealed: CertificateFile<Value> = serde_json::from_slice(&bytes).map_err(StoreError::malformed(&path))?;
        if (sealed.task, sealed.world, sealed.code) != (key.task, key.world, Some(key.code)) {
            return Ok(CertifiedState::Stale);
        }
        serde_json::from_value(sealed.certificate).map(CertifiedState::Valid).map_err(StoreError::malformed(&path))
    }

    /// Writes the certificate of a task, in place of any older one.
    pub fn write<T: Serialize>(&self, id: &TaskId, key: &CertificateKey, certificate: &T) -> Result<(), StoreError> {
        let path = self.path(id);
        let CertificateKey { task, world, code } = *key;
        let sealed = CertificateFile { task, world, code: Some(code), certificate };
        let mut bytes = serde_json::to_vec_pretty(&sealed).map_err(StoreError::malformed(&path))?;
        bytes.push(b'\n');
        write_whole(&path, &bytes)
    }
}
