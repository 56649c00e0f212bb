//! Worlds that were made already: several instances live in the same one.

use std::sync::{Arc, Mutex};

use quintain_atlas::{Atlas, Edition, Size};
use quintain_core::lock::LockAlways as _;
use quintain_sites::{Web, WebSetup};
use serde::{Deserialize, Serialize};

/// Which world: everything in it follows from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldAddress {
    /// The edition.
    pub edition: Edition,
    /// The seed.
    pub seed: u64,
    /// The size.
    pub size: Size,
}

impl WorldAddress {
    /// The world that the document of an instance names.
    pub fn of_document(document: &serde_json::Value) -> Result<Self, String> {
        let key: Self = serde_json::from_value(document.clone()).map_err(|error| format!("no world: {error}"))?;
        if key.edition == Edition::FIRST {
            Ok(key)
        } else {
            Err(format!("there is no edition {} of worlds", key.edition.0))
        }
    }
}

/// The sites of the last few worlds that were asked for. Worlds take 30 MB and a tenth of a second each.
#[derive(Debug, Default)]
pub struct WorldShelf {
    kept: Mutex<Vec<(WorldAddress, Arc<Web>)>>,
}

/// The worlds of this process. What is kept here follows from its key, so nobody can tell whether it was.
pub static WORLDS: WorldShelf = WorldShelf::new();

/// So many worlds are kept.
const N_KEPT: usize = 4;

impl WorldShelf {
    /// An empty shelf.
    pub const fn new() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }

    /// The sites of a world, made now or kept from before.
    pub fn web(&self, key: WorldAddress) -> Arc<Web> {
        if let Some((_, web)) = self.kept.lock().always().iter().find(|(known, _)| *known == key) {
            return Arc::clone(web);
        }
        // Nobody waits for a world that is being made: whoever is second makes it too, and one of both is kept.
        let atlas = Arc::new(Atlas::new(key.edition, key.seed, key.size));
        let web = Arc::new(Web::new(atlas, WebSetup::of_seed(key.seed)));
        let mut kept = self.kept.lock().always();
        kept.retain(|(known, _)| *known != key);
        kept.insert(0, (key, Arc::clone(&web)));
        kept.truncate(N_KEPT);
        web
    }
}
