//! Books in a pulled run: the lines of all sessions, one session after another, and behind them what was written here.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::file::{draft_in, write_whole};
use crate::run::Book;

/// Where the lines of one session's book are gathered.
pub(super) fn part(run: &Path, book: Book, session: &str) -> PathBuf {
    run.join("books").join(format!("{session}.{}", book.file_name()))
}

/// Takes a book away that is to be bound anew. What was written in it here, behind the bytes that were pulled, is kept
/// beside it first. Nothing is lost if this is cut off and done again.
pub(super) fn unbind(run: &Path, book: Book, n_pulled: u64) -> Result<(), StoreError> {
    let path = run.join(book.file_name());
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("read", &path)(error)),
    };
    let mut own = Vec::new();
    let read = file.seek(SeekFrom::Start(n_pulled)).and_then(|_from| file.read_to_end(&mut own));
    read.map_err(StoreError::io("read", &path))?;
    write_whole(&own_part(run, book), &own)?;
    fs::remove_file(&path).map_err(StoreError::io("remove", &path))
}

/// Makes a book of its parts, and of what was written in it here.
pub(super) fn bind(run: &Path, book: Book, parts: &[PathBuf]) -> Result<(), StoreError> {
    let (path, draft, own) = (run.join(book.file_name()), draft_in(run), own_part(run, book));
    let all = parts.iter().chain(own.exists().then_some(&own));
    let joined = join(&draft, all).and_then(|()| fs::rename(&draft, &path));
    joined.map_err(StoreError::io("write", &path))
}

/// How many bytes some files have together.
pub(super) fn n_bytes(parts: &[PathBuf]) -> Result<u64, StoreError> {
    let size = |part: &PathBuf| Ok(fs::metadata(part).map_err(StoreError::io("read", part))?.len());
    parts.iter().map(size).sum()
}

fn own_part(run: &Path, book: Book) -> PathBuf {
    run.join("books").join("own").join(book.file_name())
}

fn join<'a>(draft: &Path, parts: impl Iterator<Item = &'a PathBuf>) -> io::Result<()> {
    let mut whole = File::create(draft)?;
    for part in parts {
        io::copy(&mut File::open(part)?, &mut whole)?;
    }
    Ok(())
}
