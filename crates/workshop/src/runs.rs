//! From what a user calls a run to its folder.

use std::path::{Path, PathBuf};

use anyhow::bail;
use quintain_core::suggest;
use quintain_store::RunDir;

use crate::workshop::Workshop;

impl Workshop {
    /// The folder of a run: a name under the folder of runs, or a path.
    pub fn run_path(&self, run: &str) -> PathBuf {
        let named = self.runs().join(run);
        if !named.exists() && Path::new(run).exists() { PathBuf::from(run) } else { named }
    }

    /// A name that no run has yet: this one, or this one with a number.
    pub fn free_name(&self, stem: &str, joint: char) -> String {
        let (mut name, mut n) = (stem.to_owned(), 1_u32);
        while self.runs().join(&name).exists() {
            n += 1;
            name = format!("{stem}{joint}{n}");
        }
        name
    }

    /// Opens a run by name or path. What is found broken in it while it is read is remembered, see [`Self::damage`].
    pub fn open_run(&self, run: &str) -> anyhow::Result<RunDir> {
        let opened = self.open_unwatched(run)?;
        self.watch(run, &opened);
        Ok(opened)
    }

    /// Opens a run for one who tells himself what is broken in it.
    pub fn open_unwatched(&self, run: &str) -> anyhow::Result<RunDir> {
        let path = self.run_path(run);
        if !path.exists() {
            let known = self.run_names();
            let hint = match known.as_slice() {
                [] => format!("no runs are kept in `{}` yet; --runs names another folder", self.runs().display()),
                _ => suggest::hint(run, known.iter().map(String::as_str)),
            };
            bail!("there is no run `{run}`\nhint: {hint}");
        }
        Ok(RunDir::open(&path)?)
    }

    /// The names of all runs.
    pub fn run_names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.runs()).into_iter().flatten().flatten();
        let runs = entries.filter(|entry| RunDir::is_at(&entry.path()));
        let mut names: Vec<String> = runs.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

/// Refuses what cannot name a run: names are folders, and `@` and `~` mean something elsewhere.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._-+".contains(c));
    if plain && !name.is_empty() && !name.starts_with(['.', '-']) {
        return Ok(());
    }
    bail!("`{name}` cannot name a run\nhint: letters, digits and `. _ - +`; --runs says where runs are kept")
}

/// How many trials of a run have an outcome, of how many.
pub fn progress(run: &RunDir) -> anyhow::Result<(u64, u64)> {
    let ledger = quintain_runner::Ledger::of(run)?;
    Ok((ledger.entries.len() as u64, ledger.n_planned))
}
