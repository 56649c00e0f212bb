//! Editions of an exam: which tasks are played with which private seeds of which key. Anybody may have the file; the key is
//! kept until the edition is retired, and is then published in it, so that anybody can make the instances again.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::seed_key::SeedKey;
use serde::{Deserialize, Serialize};

use crate::private_seeds::PrivateSeeds;

/// An edition of an exam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamEdition {
    /// What it is called.
    pub name: String,
    /// What is played.
    pub tasks: Vec<String>,
    /// How many instances of each.
    pub count: u64,
    /// The id of the key.
    pub key: String,
    /// The day on which it was made.
    pub opened: String,
    /// The day on which its key was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<String>,
    /// The key itself, once it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// The most instances of each task.
const MOST: u64 = 10_000;

impl ExamEdition {
    /// Reads an edition.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| {
            format!("{} cannot be read\nhint: `quintain seeds edition FILE` makes one", path.display())
        })?;
        let edition: Self = toml::from_str(&text).with_context(|| format!("{} is no edition", path.display()))?;
        if !(1..=MOST).contains(&edition.count) || edition.tasks.is_empty() {
            bail!("{} is no edition: it has no tasks, or not from 1 to {MOST} instances of each", path.display());
        }
        Ok(edition)
    }

    /// Writes it to a file that is not there yet.
    pub fn write_new(&self, path: &Path) -> anyhow::Result<()> {
        if path.exists() {
            bail!("{} is there already\nhint: an edition is never written over; choose another file", path.display());
        }
        self.write(path)
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = toml::to_string(self).context("an edition can be written")?;
        fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Publishes its key in its file.
    pub fn retire(mut self, key: &SeedKey, day: &str, path: &Path) -> anyhow::Result<Self> {
        self.check(key)?;
        self.retired = Some(day.to_owned());
        self.secret = Some(key.secret_text().trim().to_owned());
        self.write(path)?;
        Ok(self)
    }

    /// The seeds that are played: by the key that is given, or by its own where that is published.
    pub fn seeds(&self, given: Option<SeedKey>) -> anyhow::Result<PrivateSeeds> {
        let key = match (given, &self.secret) {
            (Some(key), _) => key,
            (None, Some(secret)) => secret.parse().context("its `secret` is no key")?,
            (None, None) => bail!(
                "the edition `{}` is not retired: its key {} is not published\nhint: who has the key names it with --private",
                self.name,
                self.key
            ),
        };
        self.check(&key)?;
        Ok(PrivateSeeds { key, numbers: (0..self.count).collect(), edition: Some(self.name.clone()) })
    }

    fn check(&self, key: &SeedKey) -> anyhow::Result<()> {
        if key.id() != self.key {
            bail!("the edition `{}` has the key {}, and this is {}", self.name, self.key, key.id());
        }
        Ok(())
    }
}
