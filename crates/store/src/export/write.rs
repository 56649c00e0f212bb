//! Writing an export.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quintain_core::{Digest, TrialEvent, TrialId};
use serde_json::{Value, json};

use super::{ExportFormat, ExportPictures, Filter, atif, messages, sharegpt};
use crate::error::StoreError;
use crate::file::write_whole;
use crate::run::{AttemptRecord, LineRange, RunDir};

/// What to export and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The format.
    pub format: ExportFormat,
    /// Which trials.
    pub filter: Filter,
    /// How pictures are given.
    pub pictures: ExportPictures,
}

/// What an export came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportResult {
    /// How many trials were written.
    pub n_trials: u64,
    /// How many trials the filter left out, those without a verdict included.
    pub n_left_out: u64,
    /// The trials among them that lack pictures: half of what was shown would teach what never was.
    pub damaged: Vec<TrialId>,
    /// How many picture files were written.
    pub n_pictures: u64,
    /// The files that hold the trials.
    pub files: Vec<PathBuf>,
}

/// Writes the trials whose counting attempts stand at these places into a directory:
/// `trajectories/<trial>.json` (ATIF), `sharegpt.json` with a `dataset_info.json` (`ShareGPT`) or `messages.jsonl`, and
/// the pictures in `images/`.
pub fn export(
    run: &RunDir,
    places: &[LineRange],
    options: ExportOptions,
    into: &Path,
) -> Result<ExportResult, StoreError> {
    fs::create_dir_all(into).map_err(StoreError::io("create", into))?;
    let mut out = ExportOutput::open(options.format, into)?;
    let mut exported = ExportResult::default();
    let mut copied = BTreeSet::new();
    for place in places {
        let Some(record) = run.salvaged(place)? else {
            exported.n_left_out += 1;
            continue;
        };
        if !record.verdict().is_some_and(|verdict| options.filter.takes(verdict)) {
            exported.n_left_out += 1;
            continue;
        }
        let Some(gallery) = Gallery::of(run, &record, options, out.to_root())? else {
            exported.n_left_out += 1;
            exported.damaged.push(record.trial.clone());
            continue;
        };
        gallery.copy(into, &mut copied)?;
        let link = |digest| gallery.link(digest);
        let trial = match options.format {
            ExportFormat::Atif => atif(run.header(), &record, &link),
            ExportFormat::ShareGpt => sharegpt(&record, &link),
            ExportFormat::Messages => messages(&record, &link),
        };
        out.put(&record, &trial)?;
        exported.n_trials += 1;
    }
    exported.n_pictures = copied.len() as u64;
    exported.files = out.close()?;
    Ok(exported)
}

/// The pictures of one trial, as the export names them.
struct Gallery {
    pngs: BTreeMap<Digest, Vec<u8>>,
    is_inline: bool,
    to_root: &'static str,
}

impl Gallery {
    /// Nothing where a picture is missing or damaged.
    fn of(
        run: &RunDir,
        record: &AttemptRecord,
        options: ExportOptions,
        to_root: &'static str,
    ) -> Result<Option<Self>, StoreError> {
        let digests: BTreeSet<Digest> = record.events.iter().flat_map(shown_in).collect();
        let is_inline = options.format == ExportFormat::Messages && options.pictures == ExportPictures::Inline;
        let mut pngs = BTreeMap::new();
        for digest in digests {
            let Some(png) = run.picture_png(digest)? else { return Ok(None) };
            pngs.insert(digest, png);
        }
        Ok(Some(Self { pngs, is_inline, to_root }))
    }

    fn link(&self, digest: Digest) -> String {
        match self.pngs.get(&digest) {
            Some(png) if self.is_inline => format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)),
            _ => format!("{}images/{digest}.png", self.to_root),
        }
    }

    fn copy(&self, into: &Path, copied: &mut BTreeSet<Digest>) -> Result<(), StoreError> {
        for (digest, png) in self.pngs.iter().filter(|_| !self.is_inline) {
            if copied.insert(*digest) {
                write_whole(&into.join("images").join(format!("{digest}.png")), png)?;
            }
        }
        Ok(())
    }
}

fn shown_in(event: &TrialEvent) -> Vec<Digest> {
    match event {
        TrialEvent::Turn { shown, .. } => shown.pictures.values().copied().collect(),
        _ => Vec::new(),
    }
}

/// Where trials are written to.
enum ExportOutput {
    /// A file for each.
    Apart { folder: PathBuf, files: Vec<PathBuf> },
    /// One file for all: an array, or a line for each.
    Together { path: PathBuf, file: BufWriter<File>, format: ExportFormat, n: u64 },
}

impl ExportOutput {
    fn open(format: ExportFormat, into: &Path) -> Result<Self, StoreError> {
        let path = match format {
            ExportFormat::Atif => return Ok(Self::Apart { folder: into.join("trajectories"), files: Vec::new() }),
            ExportFormat::ShareGpt => into.join("sharegpt.json"),
            ExportFormat::Messages => into.join("messages.jsonl"),
        };
        if format == ExportFormat::ShareGpt {
            write_whole(&into.join("dataset_info.json"), dataset_info().as_bytes())?;
        }
        let file = BufWriter::new(File::create(&path).map_err(StoreError::io("write", &path))?);
        Ok(Self::Together { path, file, format, n: 0 })
    }

    /// The way from a written file to the directory of the export.
    fn to_root(&self) -> &'static str {
        match self {
            Self::Apart { .. } => "../",
            Self::Together { .. } => "",
        }
    }

    fn put(&mut self, record: &AttemptRecord, trial: &Value) -> Result<(), StoreError> {
        match self {
            Self::Apart { folder, files } => {
                let path = folder.join(format!("{}.json", file_name(record, files.len())));
                write_whole(&path, format!("{trial:#}\n").as_bytes())?;
                files.push(path);
                Ok(())
            }
            Self::Together { path, file, format, n } => {
                let before = match (*format, *n) {
                    (ExportFormat::ShareGpt, 0) => "[\n",
                    (ExportFormat::ShareGpt, _) => ",\n",
                    _ => "",
                };
                let after = if *format == ExportFormat::ShareGpt { "" } else { "\n" };
                *n += 1;
                write!(file, "{before}{trial}{after}").map_err(StoreError::io("write", path))
            }
        }
    }

    fn close(self) -> Result<Vec<PathBuf>, StoreError> {
        match self {
            Self::Apart { files, .. } => Ok(files),
            Self::Together { path, mut file, format, n } => {
                let end = match (format, n) {
                    (ExportFormat::ShareGpt, 0) => "[]\n",
                    (ExportFormat::ShareGpt, _) => "\n]\n",
                    _ => "",
                };
                let ended: io::Result<()> = file.write_all(end.as_bytes()).and_then(|()| file.flush());
                ended.map_err(StoreError::io("write", &path))?;
                Ok(vec![path])
            }
        }
    }
}

/// A trial's name with only letters that every file system takes; the number keeps two of them apart.
fn file_name(record: &AttemptRecord, trial_idx: usize) -> String {
    let harmless = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '.' { c } else { '_' };
    let name: String = record.trial.to_string().chars().map(harmless).take(150).collect();
    format!("{trial_idx:05}-{name}")
}

/// What LLaMA-Factory needs to know to take the export as a dataset.
fn dataset_info() -> String {
    let tags = json!({"role_tag": "from", "content_tag": "value", "user_tag": "human", "assistant_tag": "gpt"});
    let columns = json!({"messages": "conversations", "images": "images"});
    let dataset = json!({"file_name": "sharegpt.json", "formatting": "sharegpt", "columns": columns, "tags": tags});
    format!("{:#}\n", json!({"quintain": dataset}))
}
