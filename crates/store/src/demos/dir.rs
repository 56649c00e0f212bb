//! The folder of demonstrations.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::facts::dataset_info;
use super::shard::ShardWriter;
use super::{DemoFacts, DemoFormat, Demonstration, PictureForm};
use crate::blobs::BlobStore;
use crate::error::StoreError;
use crate::file::{read_if_there, write_whole};

/// The version of the folder. A newer one is refused.
pub const DEMOS_FORMAT: u32 = 1;

/// The manifest.
const MANIFEST: &str = "demos.json";
/// Which start states are left out, because they are those of evaluation seeds.
const EVALUATION: &str = "evaluation.jsonl";
/// Held by whoever writes.
const LOCK: &str = ".lock";

/// A folder of demonstrations that is being made. While it lives, nobody else can write to the folder.
#[derive(Debug)]
pub struct DemoDir {
    root: PathBuf,
    plan: Value,
    formats: Vec<DemoFormat>,
    pictures: PictureForm,
    images: BlobStore,
    lock: File,
}

/// What is kept of a finished shard, for whoever goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardMark<S> {
    /// How many demonstrations it holds.
    pub n: u64,
    /// Where things stood after it.
    pub state: S,
}

impl DemoDir {
    /// Opens a folder to make what a plan says, or to go on with it. A folder that was made by another plan is refused.
    pub fn open(root: &Path, plan: Value, formats: &[DemoFormat], pictures: PictureForm) -> Result<Self, StoreError> {
        fs::create_dir_all(root).map_err(StoreError::io("create", root))?;
        let lock = lock(root)?;
        let images = BlobStore::new(root.join("images"));
        let dir = Self { root: root.to_owned(), plan, formats: formats.to_vec(), pictures, images, lock };
        match read_if_there(&root.join(MANIFEST))? {
            Some(bytes) => dir.check(&bytes)?,
            None => dir.begin()?,
        }
        dir.sweep()?;
        Ok(dir)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The formats that are written.
    pub fn formats(&self) -> &[DemoFormat] {
        &self.formats
    }

    /// The marks of the shards that are whole, from the first on.
    pub fn marks<S: for<'de> Deserialize<'de>>(&self) -> Result<Vec<ShardMark<S>>, StoreError> {
        let mut marks = Vec::new();
        while let Some(bytes) = read_if_there(&self.mark_path(marks.len()))? {
            marks.push(parsed(&self.mark_path(marks.len()), &bytes)?);
        }
        Ok(marks)
    }

    /// What is known of the demonstrations of a shard that is whole.
    pub fn facts(&self, shard_idx: usize) -> Result<Vec<DemoFacts>, StoreError> {
        let path = self.index_path(shard_idx);
        let bytes = fs::read(&path).map_err(StoreError::io("read", &path))?;
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(|line| parsed(&path, line)).collect()
    }

    /// Begins a shard. What an earlier attempt left of it is overwritten.
    pub fn shard(&self, shard_idx: usize, version: &str) -> Result<ShardWriter<'_>, StoreError> {
        ShardWriter::begin(self, shard_idx, version)
    }

    /// Stores the pictures of a demonstration, where a format names them by path. May be called from several threads.
    pub fn keep_pictures(&self, demo: &Demonstration) -> Result<(), StoreError> {
        if !self.links() {
            return Ok(());
        }
        let ending = demo.packing.ending();
        demo.pictures
            .iter()
            .try_for_each(|(digest, file)| self.images.put_named(*digest, ending, || Ok(file.to_vec())).map(drop))
    }

    /// Whether any format names pictures by path.
    fn links(&self) -> bool {
        self.formats.iter().any(|format| format.links(self.pictures))
    }

    /// Whether pictures have to be at hand when a shard is written.
    pub fn embeds(&self) -> bool {
        self.formats.iter().any(|format| !format.links(self.pictures))
    }

    pub(super) fn pictures(&self) -> PictureForm {
        self.pictures
    }

    /// The start states of evaluation seeds, if they were written down.
    pub fn evaluation<T: for<'de> Deserialize<'de>>(&self) -> Result<Option<Vec<T>>, StoreError> {
        let path = self.root.join(EVALUATION);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| parsed(&path, line)).collect::<Result<_, _>>().map(Some)
    }

    /// Writes down the start states of evaluation seeds.
    pub fn write_evaluation<T: Serialize>(&self, lines: &[T]) -> Result<(), StoreError> {
        let lines: String = lines.iter().map(|line| json!(line).to_string() + "\n").collect();
        write_whole(&self.root.join(EVALUATION), lines.as_bytes())
    }

    /// Writes the manifest of the whole, after the last shard.
    pub fn finish(self, result: &Value) -> Result<(), StoreError> {
        self.write_manifest(Some(result))?;
        let lock = self.root.join(LOCK);
        drop(self.lock);
        fs::remove_file(&lock).map_err(StoreError::io("remove", &lock))
    }

    /// Removes the drafts that a killed process left: nobody else writes here now.
    fn sweep(&self) -> Result<(), StoreError> {
        let mut folders = vec![self.root.clone(), self.root.join("shards")];
        folders.extend(entries(&self.root.join("images"))?.into_iter().filter(|path| path.is_dir()));
        for folder in &folders {
            for draft in entries(folder)?.iter().filter(|path| is_draft(path)) {
                fs::remove_file(draft).map_err(StoreError::io("remove", draft))?;
            }
        }
        Ok(())
    }

    fn begin(&self) -> Result<(), StoreError> {
        let info = dataset_info(&self.formats);
        if !info.is_empty() {
            write_whole(&self.root.join("dataset_info.json"), info.as_bytes())?;
        }
        self.write_manifest(None)
    }

    fn write_manifest(&self, result: Option<&Value>) -> Result<(), StoreError> {
        let mut manifest = json!({
            "format": DEMOS_FORMAT,
            "about": "Demonstrations made by `quintain demos`: docs/demos.md describes the files.",
            "plan": self.plan,
        });
        if let Some(result) = result {
            manifest["result"] = result.clone();
        }
        write_whole(&self.root.join(MANIFEST), format!("{manifest:#}\n").as_bytes())
    }

    /// Refuses a folder that was made by another plan.
    fn check(&self, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.root.join(MANIFEST);
        let manifest: Value = parsed(&path, bytes)?;
        let found = manifest["format"].as_u64().unwrap_or_default() as u32;
        if found > DEMOS_FORMAT {
            return Err(StoreError::Newer { what: path.display().to_string(), found, known: DEMOS_FORMAT });
        }
        match difference(&manifest["plan"], &self.plan) {
            None => Ok(()),
            Some(key) => Err(StoreError::Malformed {
                path,
                why: format!(
                    "the folder holds demonstrations of another plan: `{key}` differs\nhint: give another --out, or \
                     the same command as before to go on"
                ),
            }),
        }
    }

    pub(super) fn mark_path(&self, shard_idx: usize) -> PathBuf {
        self.root.join("shards").join(format!("{shard_idx:05}.json"))
    }

    pub(super) fn index_path(&self, shard_idx: usize) -> PathBuf {
        self.root.join("index").join(format!("{shard_idx:05}.jsonl"))
    }

    pub(super) fn shard_path(&self, format: DemoFormat, shard_idx: usize) -> PathBuf {
        self.root.join(format.name()).join(format!("{shard_idx:05}.{}", format.ending()))
    }
}

fn lock(root: &Path) -> Result<File, StoreError> {
    let path = root.join(LOCK);
    let lock = File::create(&path).map_err(StoreError::io("write", &path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::Error(source)) => Err(StoreError::io("lock", &path)(source)),
        Err(TryLockError::WouldBlock) => {
            let why = "another process is making these demonstrations\nhint: let it finish, or give another --out";
            Err(StoreError::Malformed { path: root.to_owned(), why: why.to_owned() })
        }
    }
}

/// What a folder holds; nothing where there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let found = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.map_err(StoreError::io("read", folder))?,
    };
    found.map(|entry| Ok(entry.map_err(StoreError::io("read", folder))?.path())).collect()
}

/// Whether a file was being written under another name when its process ended.
fn is_draft(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".draft-"))
}

/// The first key whose values differ.
fn difference(a: &Value, b: &Value) -> Option<String> {
    let empty = serde_json::Map::new();
    let (a, b) = (a.as_object().unwrap_or(&empty), b.as_object().unwrap_or(&empty));
    a.keys().chain(b.keys()).find(|key| a.get(*key) != b.get(*key)).cloned()
}

fn parsed<T: for<'de> Deserialize<'de>>(path: &Path, bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::Malformed { path: path.to_owned(), why: error.to_string() })
}
