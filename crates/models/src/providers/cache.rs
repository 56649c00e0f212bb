//! Answers that were paid for once: a directory of files, each named by the request it answers.
//!
//! The same request to the same model at the same place gets the same answer again, for nothing. That is what one wants
//! while building a set-up, and not what one wants when repeats of a trial should differ: it is off unless asked for.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use quintain_core::Digest;
use serde::{Deserialize, Serialize};

use super::codec::WireRequest;
use crate::model::{Message, StopReason};

/// The directory of kept answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// A kept answer.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptAnswer {
    /// The message.
    pub message: Message,
    /// Why it ended there.
    pub stop: StopReason,
}

#[derive(Serialize, Deserialize)]
struct OnDisk {
    message: Message,
    stop: CacheEnd,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CacheEnd {
    Finished,
    Called,
}

impl Cache {
    /// A cache in this folder, which need not be there yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The name of the answer to a request: everything that the answer depends on, and no key.
    pub fn name(model: &str, base_url: &str, wire: &WireRequest) -> Digest {
        let body = wire.body.bytes();
        let texts = [("model", model), ("base", base_url), ("path", &wire.path)];
        let parts = texts.map(|(name, text)| (name, text.as_bytes()));
        Digest::of_parts(parts.into_iter().chain([("body", body.as_slice())]))
    }

    /// The kept answer, if there is one that can be read.
    pub fn get(&self, name: &Digest) -> Option<KeptAnswer> {
        let text = fs::read_to_string(self.path(name)).ok()?;
        let OnDisk { message, stop } = serde_json::from_str(&text).ok()?;
        let stop = match stop {
            CacheEnd::Finished => StopReason::Finished,
            CacheEnd::Called => StopReason::Called,
        };
        Some(KeptAnswer { message, stop })
    }

    /// Keeps an answer. Only whole ones are kept: cut short or refused, another try may do better.
    pub fn put(&self, name: &Digest, message: &Message, stop: StopReason) -> io::Result<()> {
        let stop = match stop {
            StopReason::Finished => CacheEnd::Finished,
            StopReason::Called => CacheEnd::Called,
            StopReason::Length | StopReason::Refused => return Ok(()),
        };
        let text = serde_json::to_vec(&OnDisk { message: message.clone(), stop })?;
        write_whole(&self.path(name), &text)
    }

    fn path(&self, name: &Digest) -> PathBuf {
        let name = name.to_string();
        self.folder.join(&name[..2]).join(format!("{name}.json"))
    }
}

/// Writes under another name and renames, so that nobody ever reads half an answer.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".draft-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    fs::write(&draft, bytes)?;
    fs::rename(&draft, path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{MessageRole, Piece};
    use crate::providers::body::WireBody;

    fn wire(body: &str) -> WireRequest {
        WireRequest {
            path: "/v1/messages".to_owned(),
            headers: Vec::new(),
            body: WireBody::plain(json!({ "say": body })),
        }
    }

    #[test]
    fn the_same_request_gets_the_same_answer() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("not-yet-there"));
        let name = Cache::name("chat/sim", "http://a", &wire("hello"));
        assert_eq!(cache.get(&name), None);
        let message = Message { role: MessageRole::Assistant, pieces: vec![Piece::text("good day")] };
        cache.put(&name, &message, StopReason::Finished).unwrap();
        assert_eq!(cache.get(&name), Some(KeptAnswer { message, stop: StopReason::Finished }));
        for other in
            [("chat/other", "http://a", "hello"), ("chat/sim", "http://b", "hello"), ("chat/sim", "http://a", "bye")]
        {
            assert_eq!(cache.get(&Cache::name(other.0, other.1, &wire(other.2))), None, "{other:?}");
        }
    }

    #[test]
    fn half_answers_are_not_kept_and_torn_ones_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let name = Cache::name("chat/sim", "http://a", &wire("hello"));
        cache.put(&name, &Message::user("x"), StopReason::Length).unwrap();
        assert_eq!(cache.get(&name), None);
        cache.put(&name, &Message::user("x"), StopReason::Called).unwrap();
        fs::write(cache.path(&name), "{\"message\":").unwrap();
        assert_eq!(cache.get(&name), None);
    }
}
