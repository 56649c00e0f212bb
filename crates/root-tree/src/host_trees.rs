//! Where a host keeps its trees.

use std::env;
use std::path::PathBuf;

use crate::tree_store::TreeStore;

/// The variable that names another folder.
const VARIABLE: &str = "QUINTAIN_TREES";

impl TreeStore {
    /// The trees of this host: in the folder that `QUINTAIN_TREES` names, or in `quintain/trees` among the user's data. Nothing
    /// where a user has no such folder.
    pub fn of_host() -> Option<Self> {
        let told = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let of_user = || told("XDG_DATA_HOME").or_else(|| told("HOME").map(|home| home.join(".local/share")));
        let folder = told(VARIABLE).or_else(|| of_user().map(|data| data.join("quintain/trees")))?;
        Some(Self::at(folder))
    }
}
