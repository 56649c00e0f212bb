//! Runs the real binary in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use quintain_core::variables;
use serde_json::Value;
use tempfile::TempDir;

/// Six puzzles that need nothing and are quick to play, as selectors.
pub(crate) const SIX: &str = "puzzles/jigsaw puzzles/matchstick-equation puzzles/matchstick-rotation puzzles/maze-2d \
                              puzzles/maze-3d puzzles/sliding-block";

/// A folder to work in.
pub(crate) struct Place {
    dir: TempDir,
    variables: Vec<(String, String)>,
}

/// What a command came to.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a folder"), variables: Vec::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Sets a variable of the environment that commands are run in.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// The variables that were set.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Runs the command with these arguments, split at spaces.
    pub(crate) fn quintain(&self, args: &str) -> Done {
        self.quintain_with(&args.split(' ').collect::<Vec<_>>(), "")
    }

    /// Starts the command with pipes to all its streams.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_quintain"))
            .args(args)
            .current_dir(self.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .envs(self.variables())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    }

    /// Runs the command with something to read.
    pub(crate) fn quintain_with(&self, args: &[&str], input: &str) -> Done {
        let mut child = self.start(args);
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("the writer ends");
        Done {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Runs the command, which must succeed, and reads the JSON it prints.
    pub(crate) fn json(&self, args: &str) -> Value {
        let done = self.quintain(&format!("--json --quiet {args}"));
        assert_eq!(done.code, 0, "{args}: {}", done.stderr);
        serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{args}: {error}: {}", done.stdout))
    }
}

/// Whether the long forms of the proofs are asked for.
pub(crate) fn is_full() -> bool {
    std::env::var_os(variables::FULL).is_some()
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is here")
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file can be copied");
        }
    }
}

/// All files below a folder, or the file that is meant itself, in order.
pub(crate) fn files_in(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.flat_map(|entry| files_in(&entry.path())).collect();
    files.sort();
    files
}

/// Compares a generated file of the workspace with what it should say. `QUINTAIN_WRITE=1` writes it anew.
pub(crate) fn generated(name: &str, text: &str) {
    let path = root().join(name);
    if std::env::var_os(variables::WRITE).is_some() {
        fs::write(&path, text).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{name} is out of date: `just gen`");
}

impl Done {
    /// Code, output and words as one text.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text = format!("{text}--- {name}\n{}\n", stream.trim_end());
            }
        }
        text
    }
}
