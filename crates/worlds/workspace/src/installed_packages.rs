//! The packages of this host's system, as the system itself keeps account of them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use quintain_core::lock::LockAlways as _;

/// Where Debian and its kin keep what is installed.
const LIST: &str = "/var/lib/dpkg/status";

/// What is installed, by the system's own list.
#[derive(Debug)]
pub(crate) struct InstalledPackages {
    /// When the list was written; nothing where there is none.
    written: Option<SystemTime>,
    /// The versions by package.
    versions: BTreeMap<String, String>,
}

impl InstalledPackages {
    /// What is installed now. The list is of megabytes and asked for every program, so it is read once, and again only when
    /// another was written.
    pub(crate) fn now() -> Arc<Self> {
        static READ: Mutex<Option<Arc<InstalledPackages>>> = Mutex::new(None);
        let written = fs::metadata(LIST).and_then(|data| data.modified()).ok();
        let mut read = READ.lock().always();
        if let Some(known) = read.as_ref().filter(|known| known.written == written) {
            return Arc::clone(known);
        }
        let list = fs::read_to_string(LIST).unwrap_or_default();
        let packages = Arc::new(Self { written, versions: versions_in(&list) });
        *read = Some(Arc::clone(&packages));
        packages
    }

    /// Whether the system keeps no list that we can read.
    pub(crate) fn is_empty(&self) -> bool {
        self.versions.is_empty()
    }

    /// The name of a package with its version, if it is installed.
    pub(crate) fn told(&self, package: &str) -> Option<String> {
        self.versions.get(package).map(|version| format!("{package} {version}"))
    }
}

fn versions_in(list: &str) -> BTreeMap<String, String> {
    list.split("\n\n").filter_map(package_in).map(|(name, version)| (name.to_owned(), version.to_owned())).collect()
}

/// The name and the version of an installed package, from the paragraph about it.
fn package_in(paragraph: &str) -> Option<(&str, &str)> {
    let name = paragraph.lines().next()?.strip_prefix("Package: ")?;
    // A package that was removed may have left its settings, and is still listed.
    paragraph.lines().find(|line| *line == "Status: install ok installed")?;
    let version = paragraph.lines().find_map(|line| line.strip_prefix("Version: "))?;
    Some((name, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_systems_own_list() {
        let list = "Package: bwa\nStatus: install ok installed\nVersion: 0.7.17-7+b2\n\nPackage: bwa-doc\nStatus: deinstall ok config-files\nVersion: 2\n";
        let packages = InstalledPackages { written: None, versions: versions_in(list) };
        let told = ["bwa", "bwa-doc", "bw"].map(|package| packages.told(package));
        assert_eq!(told, [Some("bwa 0.7.17-7+b2".to_owned()), None, None]);
    }

    #[test]
    fn a_list_is_read_once_as_long_as_it_is_the_same() {
        assert!(Arc::ptr_eq(&InstalledPackages::now(), &InstalledPackages::now()));
    }
}
