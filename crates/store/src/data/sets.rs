//! The list of data.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::DataError;

/// The version of the list. A newer one is refused.
pub const DATA_FORMAT: u32 = 1;

/// The options of `quintain` that take data.
const OPTIONS: [&str; 4] = ["photos", "labels", "clips", "meshes"];

/// The list that comes with the program.
const BUILT_IN: &str = include_str!("sets.toml");

/// A list of data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataManifest {
    /// Its version.
    pub format: u32,
    /// What there is.
    #[serde(rename = "set", default)]
    pub sets: Vec<DataSet>,
}

/// Files that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSet {
    /// Its name, which is that of its folder.
    pub name: String,
    /// What it is.
    pub what: String,
    /// Its licence.
    pub licence: String,
    /// Where the licence can be read.
    pub licence_url: String,
    /// Who has to be named.
    pub credit: String,
    /// The option of `quintain` that takes it: `photos`, `labels`, `clips` or `meshes`.
    pub feeds: String,
    /// The files.
    pub files: Vec<DataFile>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Where it lies in the folder of its set.
    pub path: String,
    /// Where it is published.
    pub url: String,
    /// How many bytes it has.
    pub size: u64,
    /// Its SHA-256, as 64 hexadecimal digits.
    pub sha256: String,
    /// Its licence, where files of a set have several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Where it is from originally, for whoever has to name its maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl DataManifest {
    /// The list that comes with the program.
    pub fn built_in() -> Result<Self, DataError> {
        Self::parse(BUILT_IN, "the built-in list")
    }

    /// Reads a list.
    pub fn parse(text: &str, from: &str) -> Result<Self, DataError> {
        let wrong = |why: String| DataError::Manifest { from: from.to_owned(), why };
        let manifest: Self = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if manifest.format > DATA_FORMAT {
            return Err(wrong(format!("it is of version {}, and this program reads {DATA_FORMAT}", manifest.format)));
        }
        manifest.check().map_err(wrong)?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for set in &self.sets {
            if !names.insert(&set.name) {
                return Err(format!("there are two sets `{}`", set.name));
            }
            if !is_plain(&set.name) || set.name.contains('/') {
                return Err(format!("`{}` cannot be the name of a folder", set.name));
            }
            if !OPTIONS.contains(&set.feeds.as_str()) {
                let known = OPTIONS.map(|option| format!("`{option}`")).join(", ");
                return Err(format!("{}: it feeds `{}`, which is none of {known}", set.name, set.feeds));
            }
            set.files.iter().try_for_each(|file| file.check().map_err(|why| format!("{}: {why}", set.name)))?;
        }
        Ok(())
    }
}

impl DataSet {
    /// How many bytes its files have together.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// What its option takes, within the folder of data: the first label file of labels, the folder of anything else.
    pub fn given(&self) -> PathBuf {
        let is_json = |file: &DataFile| Path::new(&file.path).extension().is_some_and(|extension| extension == "json");
        let folder = Path::new(&self.name);
        match self.files.iter().find(|file| is_json(file)) {
            Some(file) if self.feeds == "labels" => folder.join(&file.path),
            _ => folder.to_owned(),
        }
    }

    /// What whoever uses the data has to know, as text.
    pub fn notice(&self) -> String {
        let Self { name, what, licence, licence_url, credit, .. } = self;
        let mut notice = format!("{name}: {what}\nlicence: {licence}, {licence_url}\ncredit: {credit}\n");
        for file in self.files.iter().filter(|file| file.licence.is_some() || file.from.is_some()) {
            let told = [file.licence.as_deref(), file.from.as_deref()];
            let told: Vec<&str> = told.into_iter().flatten().collect();
            notice = format!("{notice}{}: {}\n", file.path, told.join(", "));
        }
        notice
    }
}

impl DataFile {
    fn check(&self) -> Result<(), String> {
        let Self { path, url, sha256, .. } = self;
        if !is_plain(path) {
            return Err(format!("`{path}` is no path within a folder"));
        }
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(format!("`{url}` is no address"));
        }
        let is_sum = sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !is_sum {
            return Err(format!("the SHA-256 of `{path}` is not 64 small hexadecimal digits"));
        }
        Ok(())
    }
}

/// Whether a path is that of a file that is still being fetched.
fn is_part(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "part")
}

/// Whether a path stays where it is put.
fn is_plain(path: &str) -> bool {
    let stays = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    stays && !path.is_empty() && !path.contains('\\') && !is_part(path)
}
