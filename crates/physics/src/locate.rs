//! Where MuJoCo's library lies on this machine.
//!
//! The user names it, or a Python has the package `mujoco`, or the system's own search finds it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The variable that names the library, or a folder that holds it.
pub(crate) const VARIABLE: &str = "QUINTAIN_MUJOCO";

/// The only version that is used: the same actions lead to the same states in no other.
pub const VERSION: &str = "3.17.0";

/// How to get the library.
pub const HINT: &str = "pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO";

/// What the file is called, the surest name first. The system's own search takes these too.
#[cfg(target_os = "macos")]
const NAMES: [&str; 2] = ["libmujoco.3.17.0.dylib", "libmujoco.dylib"];
#[cfg(target_os = "windows")]
const NAMES: [&str; 1] = ["mujoco.dll"];
#[cfg(not(any(target_os = "macos", target_os = "windows")))]
const NAMES: [&str; 2] = ["libmujoco.so.3.17.0", "libmujoco.so"];

/// How any version's file begins.
const STEMS: [&str; 2] = ["libmujoco", "mujoco.dll"];

/// Prints the folder of the package `mujoco` without running the package.
const ASK: &str = "import importlib.util as u; s = u.find_spec('mujoco'); print(s.submodule_search_locations[0])";

/// Files to try in turn, where the user has not said which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The user has named it: nothing else will do.
    Named(PathBuf),
    /// The first that can be loaded.
    Any(Vec<PathBuf>),
}

/// Where to look, given what the environment says.
pub(crate) fn places(named: Option<PathBuf>, virtual_env: Option<PathBuf>) -> Place {
    if let Some(path) = named.filter(|path| !path.as_os_str().is_empty()) {
        return Place::Named(in_folder(&path).unwrap_or(path));
    }
    let own = virtual_env.map(|folder| folder.join("bin").join("python3"));
    let pythons = own.into_iter().chain([PathBuf::from("python3")]);
    let mut files: Vec<PathBuf> =
        pythons.filter_map(|python| package_of(&python)).filter_map(|folder| in_folder(&folder)).collect();
    files.dedup();
    Place::Any(files.into_iter().chain(NAMES.map(PathBuf::from)).collect())
}

/// The library in a folder, in the package in it, or in its `lib`.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let folders = [folder.to_owned(), folder.join("mujoco"), folder.join("lib")];
    let sure = folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|file| file.is_file());
    sure.or_else(|| folders.iter().find_map(|folder| of_another_version(folder)))
}

/// Any file that looks like the library, so that its version can be told.
fn of_another_version(folder: &Path) -> Option<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.into_iter().find(|file| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.is_file() && STEMS.iter().any(|stem| name.starts_with(stem))
    })
}

/// The folder of the package `mujoco` that a Python would import.
fn package_of(python: &Path) -> Option<PathBuf> {
    let asked = Command::new(python).args(["-c", ASK]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8(asked.stdout).ok()?;
    let folder = said.trim();
    (asked.status.success() && !folder.is_empty()).then(|| PathBuf::from(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"").unwrap();
    }

    #[test]
    fn what_the_user_names_is_all_that_is_tried() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("package/mujoco").join(NAMES[0]);
        touch(&file);
        let named = |path: PathBuf| places(Some(path), None);
        assert_eq!(named(file.clone()), Place::Named(file.clone()));
        assert_eq!(named(home.path().join("package/mujoco")), Place::Named(file.clone()));
        assert_eq!(named(home.path().join("package")), Place::Named(file));
        let nowhere = home.path().join("nowhere");
        assert_eq!(named(nowhere.clone()), Place::Named(nowhere));
    }

    #[test]
    fn a_folder_with_another_version_gives_that_one() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("lib/libmujoco.so.3.3.2");
        touch(&file);
        assert_eq!(in_folder(home.path()), Some(file));
    }

    #[test]
    fn an_empty_name_is_no_name() {
        let Place::Any(files) = places(Some(PathBuf::new()), None) else { panic!("nothing was named") };
        assert!(files.ends_with(&NAMES.map(PathBuf::from)), "{files:?}");
    }
}
