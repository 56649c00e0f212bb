//! Finding the files of a folder.

use std::fs;
use std::io;
use std::path::Path;

/// The files below a folder whose names end in one of some ways, by their place in it with `/` between the parts, in
/// order. Hidden files and linked folders are passed over.
pub(in crate::sources) fn files_below(folder: &Path, endings: &[&str]) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    list(folder, "", endings, &mut names)?;
    names.sort();
    Ok(names)
}

fn list(folder: &Path, prefix: &str, endings: &[&str], names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{prefix}{name}/"), endings, names)?;
        } else if ends_in(&name, endings) && entry.path().is_file() {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

fn ends_in(name: &str, endings: &[&str]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}
