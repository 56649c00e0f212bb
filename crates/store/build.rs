//! Puts the suites and the certificates that are kept of them into the binary, so that it works alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/suites/ignored.rs"]
mod ignored;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/suites/ignored.rs");
    embed("suites", |_name| true)?;
    // Only the small ones: the name of a whole one, `<task>.whole.json`, has a dot more.
    embed("certificates", |name| name.strip_suffix(".json").is_some_and(|task| !task.contains('.')))
}

/// Writes a list of the files in a folder of the repository, for the crate to include.
fn embed(folder: &str, is_meant: fn(&str) -> bool) -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../..").join(folder);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        walk(&root, "", &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files.iter().filter(|(name, _)| is_meant(name)) {
        writeln!(code, "    ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    code.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join(format!("{folder}.rs")), code)
}

/// All files below a folder, by their path from that folder.
fn walk(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        if ignored::is_ignored(&name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            walk(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else {
            let path = entry.path().canonicalize()?;
            let path = path.to_str().ok_or_else(|| io::Error::other(format!("{} is not UTF-8", path.display())))?;
            files.push((format!("{prefix}{name}"), path.to_owned()));
        }
    }
    Ok(())
}
