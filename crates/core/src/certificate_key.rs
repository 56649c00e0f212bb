//! What a certificate holds for.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// What a certificate holds for: where one of these has changed, it proves nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateKey {
    /// The hash of the task's folder.
    pub task: Digest,
    /// The hash of the world.
    pub world: Digest,
    /// The hash of the code of its judge, its oracle and what makes its instances.
    pub code: Digest,
}

impl CertificateKey {
    /// What is not the same in two keys, in words.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("another task", self.task == other.task),
            ("another world", self.world == other.world),
            ("another judge", self.code == other.code),
        ];
        parts.into_iter().filter(|(_, is_same)| !is_same).map(|(what, _)| what).collect()
    }

    /// The whole key as one hash, for a person.
    pub fn short(&self) -> String {
        let parts = [("task", &self.task), ("world", &self.world), ("code", &self.code)];
        Digest::of_parts(parts.map(|(name, digest)| (name, &digest.bytes()[..]))).short()
    }
}
