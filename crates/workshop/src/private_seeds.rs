//! Instances that are kept back: their seeds are derived from a key in a file, and from nothing else.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::seed_key::SeedKey;
use quintain_store::{PrivateSeedsUsed, Selection};

use crate::plan::N_USUAL_SEEDS;

/// Which private seeds are meant: those with these numbers, of every task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateSeeds {
    /// The key.
    pub key: SeedKey,
    /// The numbers, counted from 0.
    pub numbers: Vec<u64>,
    /// The edition of an exam that they are of.
    pub edition: Option<String>,
}

impl PrivateSeeds {
    /// The seeds of the key in a file with these numbers, or as many as are usual.
    pub fn of(key: &Path, numbers: Option<Vec<u64>>) -> anyhow::Result<Self> {
        let numbers = numbers.unwrap_or_else(|| (0..N_USUAL_SEEDS).collect());
        Ok(Self { key: read_seed_key(key)?, numbers, edition: None })
    }

    /// What a run says of them: which key, by its id, and which numbers.
    pub fn used(&self) -> PrivateSeedsUsed {
        PrivateSeedsUsed { key: self.key.id(), numbers: self.numbers.clone(), edition: self.edition.clone() }
    }

    /// What was selected, once for every seed. A seed that was typed is no private one.
    pub fn drawn(&self, selections: &[Selection]) -> anyhow::Result<Vec<Selection>> {
        if let Some(named) = selections.iter().find(|selection| selection.seed.is_some()) {
            bail!(
                "private seeds are derived and not named\nhint: leave out `#` behind `{}`, or --private",
                named.task.id
            );
        }
        let seeded = |selection: &Selection| {
            let seeds: Vec<u64> =
                self.numbers.iter().map(|number| self.key.seed(&selection.task.id, *number)).collect();
            let selection = selection.clone();
            seeds.into_iter().map(move |seed| Selection { seed: Some(seed), ..selection.clone() })
        };
        Ok(selections.iter().flat_map(seeded).collect())
    }
}

/// Makes a key of private seeds in a file that only its owner can read and that was not there before.
pub fn make_seed_key(path: &Path) -> anyhow::Result<SeedKey> {
    let mut secret = [0; 32];
    let drawn = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut secret));
    drawn.context("the system has no randomness to give")?;
    let key = SeedKey::of(secret);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| file.write_all(key.secret_text().as_bytes()));
    written.with_context(|| {
        format!("{} cannot be made\nhint: a key is never written over; choose another file", path.display())
    })?;
    Ok(key)
}

/// Reads a key of private seeds.
pub fn read_seed_key(path: &Path) -> anyhow::Result<SeedKey> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read\nhint: `quintain seeds new FILE` makes a key", path.display()))?;
    text.parse().with_context(|| format!("{} holds no key", path.display()))
}
