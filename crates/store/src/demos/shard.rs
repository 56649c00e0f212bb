//! One shard, being written.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use super::columns::DemoFile;
use super::dir::{DemoDir, ShardMark};
use super::{DemoFormat, Demonstration, talk};
use crate::error::StoreError;
use crate::file::write_whole;

/// A shard that is being written. Until it is finished, nothing of it counts.
pub struct ShardWriter<'a> {
    dir: &'a DemoDir,
    shard_idx: usize,
    version: String,
    index: ShardDraft,
    files: Vec<ShardOutput>,
    n: u64,
}

enum ShardOutput {
    Text(DemoFormat, ShardDraft),
    Rows(Box<DemoFile>, PathBuf),
}

impl<'a> ShardWriter<'a> {
    pub(super) fn begin(dir: &'a DemoDir, shard_idx: usize, version: &str) -> Result<Self, StoreError> {
        let open = |format: &DemoFormat| {
            let path = dir.shard_path(*format, shard_idx);
            Ok(match format {
                DemoFormat::Parquet => ShardOutput::Rows(Box::new(DemoFile::create(create(&path)?, &path)?), path),
                format => ShardOutput::Text(*format, ShardDraft::create(path)?),
            })
        };
        let files = dir.formats().iter().map(open).collect::<Result<_, StoreError>>()?;
        let index = ShardDraft::create(dir.index_path(shard_idx))?;
        Ok(Self { dir, shard_idx, version: version.to_owned(), index, files, n: 0 })
    }

    /// Adds a demonstration.
    pub fn add(&mut self, demo: &Demonstration) -> Result<(), StoreError> {
        for file in &mut self.files {
            match file {
                ShardOutput::Rows(rows, _) => rows.add(demo)?,
                ShardOutput::Text(DemoFormat::ShareGpt, draft) => {
                    let before = if self.n == 0 { "[\n" } else { ",\n" };
                    draft.write(&format!("{before}{}", talk::conversation(demo)))?;
                }
                ShardOutput::Text(DemoFormat::Atif, draft) => draft.line(&talk::trajectory(demo, &self.version))?,
                ShardOutput::Text(_, draft) => draft.line(&talk::chat(demo, self.dir.pictures()))?,
            }
        }
        self.index.line(&json!(demo.facts))?;
        self.n += 1;
        Ok(())
    }

    /// Finishes it: from now on it counts. The state is what whoever goes on has to know.
    pub fn finish<S: Serialize>(self, state: &S) -> Result<(), StoreError> {
        for file in self.files {
            match file {
                ShardOutput::Rows(rows, path) => rows.close().and_then(|()| rename(&path))?,
                ShardOutput::Text(DemoFormat::ShareGpt, mut draft) => {
                    draft.write(if self.n == 0 { "[]\n" } else { "\n]\n" })?;
                    draft.finish()?;
                }
                ShardOutput::Text(_, draft) => draft.finish()?,
            }
        }
        self.index.finish()?;
        let mark = json!(ShardMark { n: self.n, state });
        write_whole(&self.dir.mark_path(self.shard_idx), format!("{mark}\n").as_bytes())
    }

    /// Lets go of it: nothing of it stays.
    pub fn discard(self) -> Result<(), StoreError> {
        let path = |file: &ShardOutput| match file {
            ShardOutput::Rows(_, path) => part(path),
            ShardOutput::Text(_, draft) => part(&draft.path),
        };
        let mut parts: Vec<PathBuf> = self.files.iter().map(path).collect();
        parts.push(part(&self.index.path));
        // Closed first: some systems remove no file that is open.
        drop(self);
        parts.iter().try_for_each(|part| fs::remove_file(part).map_err(StoreError::io("remove", part)))
    }
}

/// A file that has its name once it is whole.
struct ShardDraft {
    path: PathBuf,
    file: BufWriter<File>,
}

impl ShardDraft {
    fn create(path: PathBuf) -> Result<Self, StoreError> {
        Ok(Self { file: BufWriter::new(create(&path)?), path })
    }

    fn line(&mut self, value: &Value) -> Result<(), StoreError> {
        writeln!(self.file, "{value}").map_err(StoreError::io("write", &self.path))
    }

    fn write(&mut self, text: &str) -> Result<(), StoreError> {
        self.file.write_all(text.as_bytes()).map_err(StoreError::io("write", &self.path))
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.file.flush().map_err(StoreError::io("write", &self.path))
    }

    fn finish(mut self) -> Result<(), StoreError> {
        self.flush()?;
        rename(&self.path)
    }
}

fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn create(path: &Path) -> Result<File, StoreError> {
    let part = part(path);
    if let Some(folder) = part.parent() {
        fs::create_dir_all(folder).map_err(StoreError::io("create", folder))?;
    }
    File::create(&part).map_err(StoreError::io("write", &part))
}

fn rename(path: &Path) -> Result<(), StoreError> {
    fs::rename(part(path), path).map_err(StoreError::io("write", path))
}
