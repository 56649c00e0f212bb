//! The trees of this host, each in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use quintain_process::sandbox::LayeredTree;

use crate::base_maker::{BaseMaker, PACKAGES, SUITE};
use crate::build_host::{BuildHost, check_root, find_bwrap};
use crate::build_place::BuildPlace;
use crate::context_files::{ContextFiles, has_ignore_list};
use crate::fault::TreeFault;
use crate::finished_root::{RootContents, finish};
use crate::recipe::TreeRecipe;
use crate::tree_build::{TreeBuild, packages, settle_base};
use crate::tree_record::{RECORD_VERSION, TreeRecord};
use crate::watched_run::BuildListener;

/// What the base is called.
const BASE: &str = "base";
/// Whatever changes how trees come out changes this, and with it every digest.
const CODE_VERSION: u32 = 1;
/// How much of a digest names a folder.
const DIGEST_LENGTH: usize = 12;
const RECORD: &str = "tree.json";

/// A folder of trees.
#[derive(Clone, Debug)]
pub struct TreeStore {
    folder: PathBuf,
}

/// A tree that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootTree {
    /// What is written beside it.
    pub record: TreeRecord,
    /// Its folder.
    pub folder: PathBuf,
    /// The systems to be seen over each other, the upper before the lower: what [`LayeredTree::trees`] wants.
    pub layers: Vec<PathBuf>,
}

/// A tree that is to be built.
#[derive(Clone, Copy, Debug)]
pub struct TreeOrder<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What it is made of.
    pub recipe: &'a TreeRecipe,
    /// Where the files lie that the recipe copies.
    pub context: Option<&'a Path>,
    /// How long the build may take.
    pub within: Duration,
}

impl TreeStore {
    /// The trees in a folder, which need not be there yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All trees, sorted by their names; of one name the newest first. What cannot be read is no tree.
    pub fn list(&self) -> Vec<RootTree> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut trees: Vec<RootTree> = entries.filter_map(|entry| self.read(&entry.path())).collect();
        trees.sort_by_key(|tree| (tree.record.name.clone(), u64::MAX - tree.record.built_at_unix_secs));
        trees
    }

    /// The newest tree of a name, or the one whose folder is called so.
    pub fn find(&self, name: &str) -> Option<RootTree> {
        let is_it = |tree: &RootTree| tree.record.name == name || folder_name(&tree.record) == name;
        self.list().into_iter().find(is_it)
    }

    /// Removes all trees of a name, or the one whose folder is called so. Says how many bytes that gave back.
    pub fn remove(&self, name: &str) -> Result<u64, TreeFault> {
        let all = self.list();
        let (gone, kept): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|tree| tree.record.name == name || folder_name(&tree.record) == name);
        if gone.is_empty() {
            return Err(TreeFault::Unknown(name.to_owned()));
        }
        let is_below =
            |tree: &&RootTree| gone.iter().any(|gone| tree.record.below.as_ref() == Some(&folder_name(&gone.record)));
        let needed: Vec<&str> = kept.iter().filter(is_below).map(|tree| tree.record.name.as_str()).collect();
        if !needed.is_empty() {
            return Err(TreeFault::Needed { name: name.to_owned(), needed_by: needed.join(", ") });
        }
        for tree in &gone {
            // First what makes it count: a removal that was cut short leaves no half of a tree.
            let record = tree.folder.join(RECORD);
            fs::remove_file(&record).map_err(TreeFault::io(&record))?;
            fs::remove_dir_all(&tree.folder).map_err(TreeFault::io(&tree.folder))?;
        }
        Ok(gone.iter().map(|tree| tree.record.bytes).sum())
    }

    /// The base: the one that is there, or a new one.
    pub fn base(
        &self,
        maker: &dyn BaseMaker,
        within: Duration,
        tell: &mut BuildListener<'_>,
    ) -> Result<RootTree, TreeFault> {
        let recipe = format!("debian {SUITE} {}", PACKAGES.join(" "));
        let digest = digest(&[&recipe]);
        if let Some(tree) = self.read(&self.folder.join(format!("{BASE}-{digest}"))) {
            return Ok(tree);
        }
        check_root()?;
        let (began, place) = (Instant::now(), self.place()?);
        let tree = place.inner("tree").map_err(TreeFault::io(&self.folder))?;
        let root = tree.join("root");
        fs::create_dir(&root).map_err(TreeFault::io(&root))?;
        maker.make(&root, began + within, tell)?;
        settle_base(&root)?;
        let contents = finish(&root).map_err(TreeFault::io(&root))?;
        let mut record = record(BASE, digest, &contents, began);
        record.packages = packages(&root).unwrap_or_default();
        record.recipe = recipe;
        self.keep(&tree, record)
    }

    /// A tree of this recipe: the one that is there, or a new one. It is there when it is whole, and not before.
    pub fn build(
        &self,
        order: &TreeOrder<'_>,
        maker: &dyn BaseMaker,
        tell: &mut BuildListener<'_>,
    ) -> Result<RootTree, TreeFault> {
        check_name(order.name)?;
        let bwrap = find_bwrap()?;
        check_root()?;
        let began = Instant::now();
        let base = self.base(maker, order.within, tell)?;
        let place = self.place()?;
        let io = |error| TreeFault::io(&self.folder)(error);
        let aside = place.inner("aside").map_err(io)?;
        let files = ContextFiles::stage(order.recipe, order.context, &aside)?;
        let below = folder_name(&base.record);
        let digest = digest(&[&order.recipe.canonical(), files.digest.to_hex().as_str(), &below]);
        if let Some(tree) = self.read(&self.folder.join(format!("{}-{digest}", order.name))) {
            return Ok(tree);
        }
        let (tree, changes) = (place.inner("tree").map_err(io)?, place.inner("changes").map_err(io)?);
        let layered = LayeredTree { trees: base.layers.clone(), changes, max_bytes: u64::MAX, max_files: u64::MAX };
        let host = BuildHost::look(&place.inner("host").map_err(io)?).map_err(io)?;
        let deadline = began + order.within;
        let mut build = TreeBuild { bwrap, layered, host, aside, deadline, tell: &mut |progress| tell(progress) };
        build.run(order.recipe, &files.by_step)?;
        let root = tree.join("root");
        fs::rename(build.layered.upper(), &root).map_err(TreeFault::io(&root))?;
        let contents = finish(&root).map_err(TreeFault::io(&root))?;
        let record = record(order.name, digest, &contents, began).of(order, &base, packages(&root));
        self.keep(&tree, record)
    }

    fn place(&self) -> Result<BuildPlace, TreeFault> {
        BuildPlace::new(&self.folder).map_err(TreeFault::io(&self.folder))
    }

    /// A tree with its record, where it is found from now on. Somebody else may have been faster.
    fn keep(&self, tree: &Path, record: TreeRecord) -> Result<RootTree, TreeFault> {
        let file = tree.join(RECORD);
        let text = serde_json::to_string_pretty(&record).map_err(|error| TreeFault::io(&file)(error.into()))?;
        fs::write(&file, text + "\n").map_err(TreeFault::io(&file))?;
        let folder = self.folder.join(folder_name(&record));
        if let Err(error) = fs::rename(tree, &folder) {
            return self.read(&folder).ok_or_else(|| TreeFault::io(&folder)(error));
        }
        self.read(&folder).ok_or(TreeFault::Unknown(record.name))
    }

    fn read(&self, folder: &Path) -> Option<RootTree> {
        let text = fs::read_to_string(folder.join(RECORD)).ok()?;
        let record: TreeRecord = serde_json::from_str(&text).ok()?;
        let is_ours = record.version == RECORD_VERSION && folder.file_name()?.to_str()? == folder_name(&record);
        let below = record.below.as_ref().map(|below| self.folder.join(below).join("root"));
        let layers: Vec<PathBuf> = [folder.join("root")].into_iter().chain(below).collect();
        let is_whole = is_ours && layers.iter().all(|layer| layer.is_dir());
        is_whole.then(|| RootTree { record, folder: folder.to_owned(), layers })
    }
}

impl TreeRecord {
    fn of(self, order: &TreeOrder<'_>, base: &RootTree, packages: Option<BTreeMap<String, String>>) -> Self {
        let recipe = order.recipe;
        let mut remarks = recipe.remarks.clone();
        if has_ignore_list(order.context) {
            remarks.push("the context has a .dockerignore, which is not read".to_owned());
        }
        Self {
            below: Some(folder_name(&base.record)),
            from: recipe.base.clone(),
            recipe: recipe.canonical(),
            remarks,
            variables: variables(recipe),
            folder: recipe.folder().to_owned(),
            command: recipe.command.clone(),
            entry_point: recipe.entry_point.clone(),
            packages: packages.unwrap_or_else(|| base.record.packages.clone()),
            ..self
        }
    }
}

fn record(name: &str, digest: String, contents: &RootContents, began: Instant) -> TreeRecord {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    TreeRecord {
        version: RECORD_VERSION,
        name: name.to_owned(),
        digest,
        below: None,
        from: String::new(),
        recipe: String::new(),
        remarks: Vec::new(),
        variables: [].into(),
        folder: "/".to_owned(),
        command: None,
        entry_point: None,
        packages: [].into(),
        python_packages: contents.python_packages.clone(),
        bytes: contents.bytes,
        n_files: contents.n_files,
        built_at_unix_secs: since_1970.as_secs(),
        build_millis: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// The variables of whoever works in a tree. There is one user in it: as root, tar would give files to others, and fail.
fn variables(recipe: &TreeRecipe) -> BTreeMap<String, String> {
    let own = BTreeMap::from([("TAR_OPTIONS".to_owned(), "--no-same-owner".to_owned())]);
    own.into_iter().chain(recipe.variables()).collect()
}

fn folder_name(record: &TreeRecord) -> String {
    format!("{}-{}", record.name, record.digest)
}

fn digest(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&CODE_VERSION.to_le_bytes());
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(DIGEST_LENGTH).collect()
}

fn check_name(name: &str) -> Result<(), TreeFault> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_name = begins && name.len() <= 64 && name.chars().all(is_plain) && name != BASE;
    if is_name { Ok(()) } else { Err(TreeFault::Name(name.to_owned())) }
}
