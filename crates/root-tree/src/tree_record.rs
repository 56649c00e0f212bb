//! What is written beside a tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of records. Others are not read.
pub(crate) const RECORD_VERSION: u32 = 1;

/// What is written beside a tree, in its `tree.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRecord {
    /// The version of this record.
    pub version: u32,
    /// What the tree is called.
    pub name: String,
    /// Of the recipe, of what it copies, of what is below it and of the code that built it.
    pub digest: String,
    /// The tree below it, as its folder is called; nothing for the base itself.
    pub below: Option<String>,
    /// What `FROM` named.
    pub from: String,
    /// The recipe, every variable put in.
    pub recipe: String,
    /// What was done otherwise than the recipe says.
    pub remarks: Vec<String>,
    /// The variables of whoever works in it.
    pub variables: BTreeMap<String, String>,
    /// The folder that whoever works in it begins in.
    pub folder: String,
    /// What `CMD` said.
    pub command: Option<Vec<String>>,
    /// What `ENTRYPOINT` said.
    pub entry_point: Option<Vec<String>>,
    /// Packages of the system with their versions, those below included.
    pub packages: BTreeMap<String, String>,
    /// Packages of Python beside them, those below not included.
    pub python_packages: BTreeMap<String, String>,
    /// The bytes on disk, without what is below.
    pub bytes: u64,
    /// The files, folders and links, without what is below.
    pub n_files: u64,
    /// When it was built, in seconds since 1970.
    pub built_at_unix_secs: u64,
    /// How long that took.
    pub build_millis: u64,
}

/// The packages that the list of a system names as installed.
pub(crate) fn installed_packages(status: &str) -> BTreeMap<String, String> {
    let field = |stanza: &str, name: &str| stanza.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    let stanzas = status.split("\n\n");
    let installed = stanzas.filter(|stanza| stanza.contains("\nStatus: install ok installed"));
    installed.filter_map(|stanza| Some((field(stanza, "Package: ")?, field(stanza, "Version: ")?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_packages_are_told_from_removed_ones() {
        let status = "Package: a\nStatus: install ok installed\nVersion: 1:2-3\nDepends: b\n\n\
                      Package: b\nStatus: deinstall ok config-files\nVersion: 4\n";
        assert_eq!(installed_packages(status), BTreeMap::from([("a".to_owned(), "1:2-3".to_owned())]));
    }
}
