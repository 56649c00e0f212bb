//! Content hashes: BLAKE3, written as 64 hexadecimal digits.

use std::fmt;
use std::io;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The BLAKE3 hash of some content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// Hashes a JSON value in its canonical form: sorted keys, no spaces, shortest numbers.
    pub fn of_json(value: &Value) -> Self {
        Self::of(value.to_string().as_bytes())
    }

    /// Hashes what something is written as in JSON, piece by piece, with the fields of structures in their own order: to tell
    /// things of one kind apart, not to name them.
    pub fn of_written(value: &impl Serialize) -> serde_json::Result<Self> {
        let mut hasher = io::BufWriter::new(blake3::Hasher::new());
        serde_json::to_writer(&mut hasher, value)?;
        let hasher = hasher.into_inner().map_err(|error| serde_json::Error::io(error.into_error()))?;
        Ok(Self(*hasher.finalize().as_bytes()))
    }

    /// Hashes named parts. Lengths are hashed too, so that no two lists of parts look alike.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut digest = PartsDigest::default();
        for (name, bytes) in parts {
            digest.part(name, bytes.len() as u64);
            digest.feed(bytes);
        }
        digest.finish()
    }

    /// The raw hash.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve digits: enough for a person, not for a machine.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

/// Hashes named parts as [`Digest::of_parts`] does, for those who have them only piece by piece.
#[derive(Clone, Debug, Default)]
pub struct PartsDigest(blake3::Hasher);

impl PartsDigest {
    /// Begins a part. So many bytes are to be fed before the next one begins.
    pub fn part(&mut self, name: &str, n_bytes: u64) {
        self.0.update(&(name.len() as u64).to_le_bytes());
        self.0.update(name.as_bytes());
        self.0.update(&n_bytes.to_le_bytes());
    }

    /// Takes in a piece of the part.
    pub fn feed(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The hash of all parts.
    pub fn finish(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

impl From<[u8; 32]> for Digest {
    fn from(hash: [u8; 32]) -> Self {
        Self(hash)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a digest: 64 hexadecimal digits are wanted")]
pub struct NotADigest(String);

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let hash = blake3::Hash::from_hex(text).map_err(|_cause| NotADigest(text.to_owned()))?;
        Ok(Self(*hash.as_bytes()))
    }
}

impl TryFrom<String> for Digest {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Self, NotADigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_survives_the_trip_through_text() {
        let digest = Digest::of(b"quintain");
        assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
        for wrong in ["xyz", &"g".repeat(64), &"+f".repeat(32), &"0".repeat(63), &"0".repeat(65)] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_do_not_run_together() {
        let one = Digest::of_parts([("a", &b"bc"[..]), ("d", b"")]);
        let two = Digest::of_parts([("a", &b"b"[..]), ("cd", b"")]);
        assert_ne!(one, two);
    }
}
