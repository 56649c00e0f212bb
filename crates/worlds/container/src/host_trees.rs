//! Where a host keeps its trees.

use std::env;
use std::path::PathBuf;

use quintain_core::variables;
use quintain_root_tree::TreeStore;

/// The trees of this host: in the folder that its variable names, or in `quintain/trees` among the user's data. Nothing where
/// a user has no such folder.
pub fn host_trees() -> Option<TreeStore> {
    let told = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let of_user = || told("XDG_DATA_HOME").or_else(|| told("HOME").map(|home| home.join(".local/share")));
    let folder = told(variables::TREES).or_else(|| of_user().map(|data| data.join("quintain/trees")))?;
    Some(TreeStore::at(folder))
}
