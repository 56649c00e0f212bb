//! The files that code rests on, and their hashes by app.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The file that a build script leaves for its crate to include.
const CODE: &str = "code.rs";

/// The files that judges, oracles and generators rest on, by their paths from the crate's folder.
#[derive(Clone, Debug, Default)]
pub struct CodeTree {
    files: BTreeMap<String, Vec<u8>>,
    watched: Vec<PathBuf>,
}

/// One app, and which files are its own: those whose paths begin like one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeApp {
    /// The name of its module.
    pub name: String,
    /// How the paths of its own files begin.
    pub own: Vec<String>,
}

impl CodeApp {
    /// The app of a module: `src/maze_2d.rs`, and whatever lies in `src/maze_2d/`.
    pub fn of_module(name: &str) -> Self {
        Self { name: name.to_owned(), own: vec![format!("src/{name}.rs"), format!("src/{name}/")] }
    }

    fn has(&self, path: &str) -> bool {
        self.own.iter().any(|beginning| path.starts_with(beginning.as_str()))
    }
}

impl CodeTree {
    /// With all files in a folder, except those of tests. They are called `name/...`, wherever the folder lies.
    pub fn with(self, name: &str, folder: &Path) -> io::Result<Self> {
        self.with_only("", name, folder)
    }

    /// With the files in a folder whose names end like this.
    pub fn with_only(mut self, ending: &str, name: &str, folder: &Path) -> io::Result<Self> {
        self.walk(folder, name, ending)?;
        self.watched.push(folder.to_owned());
        Ok(self)
    }

    fn walk(&mut self, folder: &Path, prefix: &str, ending: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_of_tests(&name) {
                continue;
            }
            let path = format!("{prefix}/{name}");
            if entry.file_type()?.is_dir() {
                self.walk(&entry.path(), &path, ending)?;
            } else if path.ends_with(ending) {
                self.files.insert(path, fs::read(entry.path())?);
            }
        }
        Ok(())
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.files.get(path)?).ok()
    }

    /// The hash of what all apps rest on: the files that are no app's own.
    pub fn shared(&self, apps: &[CodeApp]) -> [u8; 32] {
        self.hash(|path| !apps.iter().any(|app| app.has(path)))
    }

    /// The hash of what is an app's own.
    pub fn own(&self, app: &CodeApp) -> [u8; 32] {
        self.hash(|path| app.has(path))
    }

    /// Lengths are hashed too, so that no two trees look alike.
    fn hash(&self, is_meant: impl Fn(&str) -> bool) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for (path, bytes) in self.files.iter().filter(|(path, _)| is_meant(path)) {
            for part in [path.as_bytes(), bytes] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Leaves the hashes for the crate to include, as a value of `CodeDigests`, and tells cargo what they depend on.
    pub fn leave(&self, apps: &[CodeApp]) -> io::Result<()> {
        let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("only a build script has a place for this"))?;
        fs::write(PathBuf::from(out).join(CODE), self.digests(apps))?;
        let mut told = String::from("cargo::rerun-if-changed=build.rs\n");
        for folder in &self.watched {
            writeln!(told, "cargo::rerun-if-changed={}", folder.display()).map_err(io::Error::other)?;
        }
        io::stdout().write_all(told.as_bytes())
    }

    /// The hashes as an expression of Rust.
    fn digests(&self, apps: &[CodeApp]) -> String {
        let own = apps.iter().map(|app| format!("({:?}, {:?})", app.name, self.own(app)));
        let own = own.collect::<Vec<_>>().join(", ");
        let shared = self.shared(apps);
        format!("quintain_core::offering::CodeDigests {{ shared: {shared:?}, apps: &[{own}] }}")
    }
}

/// Whether a file or folder is there for tests alone.
fn is_of_tests(name: &str) -> bool {
    matches!(name, "tests" | "tests.rs" | "snapshots") || name.starts_with('.')
}

#[cfg(test)]
mod tests;
