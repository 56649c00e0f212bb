//! Scratch directories for verifiers: made when one is asked for, removed when the verifier is done.

use std::path::PathBuf;
use std::sync::Mutex;

use quintain_core::judge::ScratchRoom;
use quintain_core::lock::LockAlways as _;
use quintain_core::{VerifierCase, VerifierRunner};
use serde_json::Value;
use tempfile::TempDir;

/// A scratch directory that may never be needed.
#[derive(Debug, Default)]
struct ScratchFolder(Mutex<Option<TempDir>>);

impl ScratchRoom for ScratchFolder {
    fn folder(&self) -> Result<PathBuf, String> {
        let mut folder = self.0.lock().always();
        if let Some(made) = &*folder {
            return Ok(made.path().to_owned());
        }
        let made = TempDir::with_prefix("quintain-scratch-");
        let made = made.map_err(|error| format!("no scratch directory can be made: {error}"))?;
        Ok(folder.insert(made).path().to_owned())
    }
}

/// Verifiers that find room for their files.
#[derive(Clone, Copy)]
pub struct WithScratch<'a>(pub &'a dyn VerifierRunner);

impl VerifierRunner for WithScratch<'_> {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let scratch = ScratchFolder::default();
        self.0.derive(VerifierCase { scratch: &scratch, ..case })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_scratch_directory_is_there_when_it_is_asked_for_and_gone_afterwards() {
        let scratch = ScratchFolder::default();
        let path = scratch.folder().unwrap();
        assert_eq!(scratch.folder().unwrap(), path);
        fs::write(path.join("file"), "something").unwrap();
        assert_ne!(ScratchFolder::default().folder().unwrap(), path);
        drop(scratch);
        assert!(!path.exists());
    }
}
