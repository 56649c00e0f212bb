//! The trees of this host, systems that agents work in as root: built of recipes, listed, removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use quintain_container::host_trees;
use quintain_root_tree::{Mmdebstrap, RootTree, TreeFault, TreeOrder, TreeRecipe, TreeStore, examine_host};
use serde::Serialize;

use crate::wrong_word::WrongWord;

pub use quintain_root_tree::BuildProgress;

/// The longest Dockerfile that is read.
const MAX_RECIPE: u64 = 1 << 20;

/// The trees in a folder of this host.
#[derive(Clone, Debug)]
pub struct HostTrees {
    store: TreeStore,
}

impl HostTrees {
    /// Those in a folder, which need not be there yet.
    pub fn at(folder: &Path) -> Self {
        Self { store: TreeStore::at(folder) }
    }

    /// Those that tasks are played in here; nothing where the user has no folder that they could be kept in.
    pub fn of_host() -> Option<Self> {
        Some(Self { store: host_trees()? })
    }

    /// Why no tree can be built here, if that is so.
    pub fn check_building() -> anyhow::Result<()> {
        Ok(examine_host()?)
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        self.store.folder()
    }

    /// All of them, sorted by their names; of one name the newest first.
    pub fn list(&self) -> Vec<ListedTree> {
        self.store.list().into_iter().map(ListedTree::of).collect()
    }

    /// A tree of this name and recipe: the one that is there, or a new one.
    pub fn build(
        &self,
        name: &str,
        recipe: &ReadRecipe,
        within: Duration,
        tell: &mut dyn FnMut(BuildProgress<'_>),
    ) -> anyhow::Result<ListedTree> {
        let order = TreeOrder { name, recipe: &recipe.recipe, context: recipe.context.as_deref(), within };
        self.store.build(&order, &Mmdebstrap, tell).map(ListedTree::of).map_err(told)
    }

    /// Removes all trees of a name, or the one whose folder is called so. Says how many bytes that gave back.
    pub fn remove(&self, name: &str) -> anyhow::Result<u64> {
        self.store.remove(name).map_err(told)
    }
}

/// What a tree is made of, and where the files lie that it copies.
#[derive(Clone, Debug)]
pub struct ReadRecipe {
    recipe: TreeRecipe,
    context: Option<PathBuf>,
}

impl ReadRecipe {
    /// What a Dockerfile says. It copies from the folder that is given, or else from the one that it lies in.
    pub fn of_dockerfile(file: &Path, context: Option<&Path>) -> anyhow::Result<Self> {
        let cannot = || format!("cannot read {}", file.display());
        let size = fs::metadata(file).with_context(cannot)?.len();
        ensure!(size <= MAX_RECIPE, "{} is no recipe: it has {size} bytes", file.display());
        let text = fs::read_to_string(file).with_context(cannot)?;
        let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let recipe = TreeRecipe::read(&text).map_err(TreeFault::from)?;
        Ok(Self { recipe, context: Some(context.unwrap_or(beside).to_owned()) })
    }

    /// Packages of Debian on the base.
    pub fn of_packages(packages: &[String]) -> anyhow::Result<Self> {
        let recipe = TreeRecipe::of_packages(packages).map_err(TreeFault::from)?;
        Ok(Self { recipe, context: None })
    }

    /// What will be done otherwise than it says, in sentences.
    pub fn remarks(&self) -> &[String] {
        &self.recipe.remarks
    }
}

/// A tree as it is listed: all that is written of it but its packages, of which there are hundreds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedTree {
    /// What it is called.
    pub name: String,
    /// The digest of what it is made of, and of the code that built it.
    pub digest: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The systems to be seen over each other, the upper before the lower.
    pub layers: Vec<PathBuf>,
    /// The tree below it, as its folder is called; nothing for the base itself.
    pub below: Option<String>,
    /// What `FROM` named.
    pub from: String,
    /// What was done otherwise than the recipe says.
    pub remarks: Vec<String>,
    /// The bytes on disk, without what is below.
    pub bytes: u64,
    /// The files, folders and links, without what is below.
    pub n_files: u64,
    /// The packages of the system, those below included.
    pub n_packages: usize,
    /// When it was built, in seconds since 1970.
    pub built_at_unix_secs: u64,
    /// How long that took.
    pub build_millis: u64,
}

impl ListedTree {
    fn of(tree: RootTree) -> Self {
        let RootTree { record, folder, layers } = tree;
        Self {
            name: record.name,
            digest: record.digest,
            folder,
            layers,
            below: record.below,
            from: record.from,
            remarks: record.remarks,
            bytes: record.bytes,
            n_files: record.n_files,
            n_packages: record.packages.len(),
            built_at_unix_secs: record.built_at_unix_secs,
            build_millis: record.build_millis,
        }
    }
}

/// With what helps, and as a wrong word where it is one.
fn told(fault: TreeFault) -> anyhow::Error {
    let mend = fault.mend().map(|mend| format!("\nhint: {mend}")).unwrap_or_default();
    match fault {
        TreeFault::Name(_) | TreeFault::Unknown(_) => WrongWord(fault.to_string()).into(),
        _ if mend.is_empty() => fault.into(),
        _ => anyhow::anyhow!("{fault}{mend}"),
    }
}
