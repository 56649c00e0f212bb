//! `run.json` and its copy. Each ends with a sum of itself, so that one of them can be told to be right when the other is
//! damaged or gone: without a header nothing of a run can be read.

use std::path::Path;
use std::{fs, io};

use super::header::{RUN_FORMAT, RunHeader};
use crate::damage::Damage;
use crate::error::StoreError;
use crate::file::{read_if_there, write_whole};
use crate::line_sum::{self, LineSum, SumRule};

pub(super) const FILE: &str = "run.json";
pub(super) const COPY: &str = "run.copy.json";

/// What a damaged header is told to be cured by.
const CURE: &str = "its copy is used; `quintain doctor RUN --mend` restores it";

/// What a damaged copy is told to be cured by.
const RESTORED: &str = "`quintain doctor RUN --mend` restores it";

/// Whether a folder has a header, readable or not.
pub(super) fn is_in(folder: &Path) -> bool {
    folder.join(FILE).exists() || folder.join(COPY).exists()
}

/// The bytes of both files.
pub(super) fn text(header: &RunHeader) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = serde_json::to_vec_pretty(header)?;
    line_sum::seal_pretty(&mut text);
    text.push(b'\n');
    Ok(text)
}

/// Writes a header anew. The copy comes first: whoever is cut off in between leaves the new one to be read.
pub(super) fn write(folder: &Path, header: &RunHeader) -> Result<(), StoreError> {
    let text = text(header).map_err(StoreError::malformed(&folder.join(FILE)))?;
    [COPY, FILE].into_iter().try_for_each(|name| write_whole(&folder.join(name), &text))
}

/// Removes the header: the folder is no run until there is one again.
pub(crate) fn remove(folder: &Path) -> Result<(), StoreError> {
    for path in [folder.join(COPY), folder.join(FILE)] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("remove", &path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads the header of a run, from the copy where `run.json` is not as it was written. Says what is damaged.
pub(super) fn read(folder: &Path) -> Result<(RunHeader, Vec<Damage>), StoreError> {
    let (file, copy) = (HeaderText::read(&folder.join(FILE))?, HeaderText::read(&folder.join(COPY))?);
    let (Some(file), Some(copy)) = (&file, &copy) else {
        let gone = |file: &str, cure: &str| vec![Damage::of_file(file, "it is not there", cure)];
        return match (file, copy) {
            (Some(file), None) => {
                let header = file.header(folder)?;
                // Older programs kept no copy, and no sums.
                let damage = if header.sums == SumRule::Always { gone(COPY, RESTORED) } else { Vec::new() };
                Ok((header, damage))
            }
            (None, Some(copy)) => Ok((copy.header(folder)?, gone(FILE, CURE))),
            _ => Err(StoreError::NotARun(folder.to_owned())),
        };
    };
    if file.sum == LineSum::Right || copy.sum != LineSum::Right {
        let broken = (copy.bytes != file.bytes && copy.sum != LineSum::Right)
            .then(|| Damage::of_file(COPY, "it is not as it was written", RESTORED));
        return Ok((file.header(folder)?, broken.into_iter().collect()));
    }
    Ok((copy.header(folder)?, vec![Damage::of_file(FILE, "it is not as it was written", CURE)]))
}

struct HeaderText {
    bytes: Vec<u8>,
    sum: LineSum,
}

impl HeaderText {
    fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        Ok(read_if_there(path)?.map(|bytes| Self { sum: line_sum::check_pretty(&bytes), bytes }))
    }

    fn header(&self, folder: &Path) -> Result<RunHeader, StoreError> {
        #[derive(serde::Deserialize)]
        struct RunFormat {
            format: u32,
        }
        let file = folder.join(FILE);
        let RunFormat { format } = serde_json::from_slice(&self.bytes).map_err(StoreError::malformed(&file))?;
        if format > RUN_FORMAT {
            return Err(StoreError::Newer { what: file.display().to_string(), found: format, known: RUN_FORMAT });
        }
        serde_json::from_slice(&self.bytes).map_err(StoreError::malformed(&file))
    }
}
