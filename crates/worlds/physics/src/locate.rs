//! Where MuJoCo's library lies on this machine.
//!
//! The user names it, or a Python has the package `mujoco`, or the system's own search finds it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_process::SpawnOptions;

/// The only version that is used: the same actions lead to the same states in no other.
pub const VERSION: &str = "3.17.0";

/// How to get the library.
pub const HINT: &str = "pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO";

/// What the file is called, the surest name first. The system's own search takes these too.
#[cfg(target_os = "macos")]
const NAMES: [&str; 2] = ["libmujoco.3.17.0.dylib", "libmujoco.dylib"];
#[cfg(not(target_os = "macos"))]
const NAMES: [&str; 2] = ["libmujoco.so.3.17.0", "libmujoco.so"];

/// How any version's file begins.
const STEM: &str = "libmujoco";

/// Prints the folder of the package `mujoco` without running the package. What lies in the current folder does not count,
/// under whatever name that is searched: a folder that somebody else filled must not choose the library. That is settled
/// before anything is imported that Python has not loaded by itself.
const ASK: &str = "\
import os, sys
here = os.path.realpath('.')
sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder) != here]
import importlib.util
print(importlib.util.find_spec('mujoco').submodule_search_locations[0])
";

/// A Python that has not answered by then has none.
const PATIENCE: Duration = Duration::from_secs(10);

/// As many bytes of its answer as are kept, which no path is longer than.
const LONGEST_PATH: usize = 64 << 10;

/// Files to try in turn, where the user has not said which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LibraryPlace {
    /// The user has named it: nothing else will do.
    Named(PathBuf),
    /// The first that can be loaded.
    Any(Vec<PathBuf>),
}

/// Where to look, given what the environment says.
pub(crate) fn places(named: Option<PathBuf>, virtual_env: Option<PathBuf>) -> LibraryPlace {
    if let Some(path) = named.filter(|path| !path.as_os_str().is_empty()) {
        return LibraryPlace::Named(in_folder(&path).unwrap_or(path));
    }
    let own = virtual_env.map(|folder| folder.join("bin").join("python3"));
    let pythons = own.into_iter().chain([PathBuf::from("python3")]);
    let mut files: Vec<PathBuf> =
        pythons.filter_map(|python| answer(question(&python), PATIENCE)).filter_map(|at| in_folder(&at)).collect();
    files.dedup();
    LibraryPlace::Any(files.into_iter().chain(NAMES.map(PathBuf::from)).collect())
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
        file.is_file() && name.starts_with(STEM)
    })
}

/// Asks a Python for the folder of the package `mujoco` that it would import.
fn question(python: &Path) -> SpawnOptions {
    SpawnOptions::new(python).args(["-c", ASK])
}

/// The folder that a program prints. One that takes too long is ended.
fn answer(question: SpawnOptions, within: Duration) -> Option<PathBuf> {
    let answer = question.ask(within, LONGEST_PATH).ok()?;
    let folder = PathBuf::from(answer.output.trim());
    (answer.status?.success() && !folder.as_os_str().is_empty()).then_some(folder)
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
        assert_eq!(named(file.clone()), LibraryPlace::Named(file.clone()));
        assert_eq!(named(home.path().join("package/mujoco")), LibraryPlace::Named(file.clone()));
        assert_eq!(named(home.path().join("package")), LibraryPlace::Named(file));
        let nowhere = home.path().join("nowhere");
        assert_eq!(named(nowhere.clone()), LibraryPlace::Named(nowhere));
    }

    #[test]
    fn a_folder_with_another_version_gives_that_one() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("lib/libmujoco.so.3.3.2");
        touch(&file);
        assert_eq!(in_folder(home.path()), Some(file));
    }

    /// Whoever starts the program in a folder of somebody else must not load a library from there.
    #[test]
    fn a_package_in_the_current_folder_is_not_taken() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let elsewhere = home.join("elsewhere");
        touch(&home.join("mujoco/__init__.py"));
        std::fs::create_dir(&elsewhere).unwrap();
        let found = |current: &Path, path: &str| {
            answer(question(Path::new("python3")).folder(current).env([("PYTHONPATH", path)]), PATIENCE)
        };
        let named = home.to_str().unwrap();
        assert_eq!(found(&elsewhere, named), Some(home.join("mujoco")), "another folder that the user names counts");
        for path in ["", ".", ":", named] {
            let found = found(&home, path);
            assert!(!found.as_ref().is_some_and(|folder| folder.starts_with(&home)), "{path:?}: {found:?}");
        }
    }

    #[test]
    fn a_python_that_never_answers_is_not_waited_for() {
        let never = SpawnOptions::new("tail").args(["-f", "/dev/null"]);
        assert_eq!(answer(never, Duration::from_millis(20)), None);
    }

    #[test]
    fn an_empty_name_is_no_name() {
        let LibraryPlace::Any(files) = places(Some(PathBuf::new()), None) else { panic!("nothing was named") };
        assert!(files.ends_with(&NAMES.map(PathBuf::from)), "{files:?}");
    }
}
