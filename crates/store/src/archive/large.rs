//! Large files as objects of their own: they are written and read in parts, and never held whole.

use std::io::{self, Read};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use object_store::{ObjectStoreExt, WriteMultipart};
use quintain_core::{Digest, FileHandle};
use tokio::sync::mpsc;

use super::error::ArchiveError;
use super::manifest::LargeFile;
use super::objects::{StoredObjects, WriteResult, failed};
use super::run::ArchivedRun;
use super::{aside, paths};
use crate::blobs::BlobStore;
use crate::error::StoreError;

/// What is larger travels alone. Packs stay small enough to be held whole.
pub const LARGE: u64 = 8 << 20;

/// Parts are at least so large, and no file has more parts than stores allow.
const PART: u64 = 8 << 20;
const MAX_PARTS: u64 = 5_000;

/// Parts are read in smaller ones: what allocators keep of those that are done with counts too, once for each thread.
const READ: u64 = 4 << 20;

/// So many parts are on their way at once.
const PARTS_AT_ONCE: usize = 3;

/// So many pieces wait between the disk and the network.
const N_PIECES: usize = 16;

/// Bytes on their way between something that blocks and something that waits.
type ByteChannel = mpsc::Receiver<io::Result<Bytes>>;

impl StoredObjects {
    /// Creates an object from a file, unless there is one of that length. Its name says what it holds, so whoever writes
    /// it over writes the same.
    async fn create_large(&self, path: &str, file: &FileHandle) -> Result<WriteResult, StoreError> {
        let at = self.at(path);
        match self.store().head(&at).await {
            Ok(found) if found.size == file.n_bytes() => return Ok(WriteResult::AlreadyThere),
            Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(failed("read", path, &error)),
        }
        let part = PART.max(file.n_bytes().div_ceil(MAX_PARTS)) as usize;
        let upload = self.store().put_multipart(&at).await.map_err(|error| failed("write", path, &error))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, part);
        if let Err(error) = send_parts(&mut upload, pieces_of(file)).await {
            // What the store does not clear away now it clears away some day.
            drop(upload.abort().await);
            return Err(match error {
                PartError::File(why) => ArchiveError::unreadable(path)(why).into(),
                PartError::Store(error) => failed("write", path, &error),
            });
        }
        upload.finish().await.map(|_put| WriteResult::New).map_err(|error| failed("write", path, &error))
    }

    /// Reads an object part by part into a store of files, where it is held against its hash.
    async fn fetch_large(&self, path: &str, file: LargeFile, to: BlobStore) -> Result<(), StoreError> {
        let at = self.at(path);
        let ends = (0..file.len.div_ceil(READ)).map(|idx| idx * READ..((idx + 1) * READ).min(file.len));
        let store = self.store();
        let parts = stream::iter(ends).map(|range| store.get_range(&at, range)).buffered(PARTS_AT_ONCE);
        let parts = parts.map_err(|error| failed("read", path, &error));
        kept(path, file.digest, parts, to).await
    }
}

impl ArchivedRun {
    /// Puts in a large file at one of [`paths`]. It may be tried again.
    pub async fn put_large(&self, path: &str, file: &FileHandle) -> Result<WriteResult, StoreError> {
        self.objects.create_large(&self.at(path), file).await
    }

    /// Fetches a large file from one of [`paths`] into a store of files, unless it is there.
    pub async fn fetch_large(&self, path: &str, file: LargeFile, to: &BlobStore) -> Result<(), StoreError> {
        if to.has(file.digest) {
            return Ok(());
        }
        self.objects.fetch_large(&self.at(path), file, to.clone()).await
    }

    /// Fetches the large files that a pack names, and returns how many bytes they have.
    pub(super) async fn fetch_left(&self, pack: &str, files: &[LargeFile], to: &BlobStore) -> Result<u64, StoreError> {
        let (session, _number) = pack.rsplit_once('-').unwrap_or((pack, ""));
        let mut n_bytes = 0;
        for file in files.iter().filter(|file| !to.has(file.digest)) {
            self.fetch_large(&paths::large(session, file.digest)?, *file, to).await?;
            n_bytes += file.len;
        }
        Ok(n_bytes)
    }
}

/// Why the parts of a file were not sent.
enum PartError {
    File(io::Error),
    Store(object_store::Error),
}

/// Sends a file in parts, a few at a time.
async fn send_parts(upload: &mut WriteMultipart, mut pieces: ByteChannel) -> Result<(), PartError> {
    while let Some(piece) = pieces.recv().await {
        let piece = piece.map_err(PartError::File)?;
        upload.wait_for_capacity(PARTS_AT_ONCE).await.map_err(PartError::Store)?;
        upload.put(piece);
    }
    Ok(())
}

/// Reads a file on a thread of its own. If it turns out to be another one, the last piece is an error.
pub(super) fn pieces_of(file: &FileHandle) -> ByteChannel {
    let (sender, receiver) = mpsc::channel(N_PIECES);
    let file = file.clone();
    tokio::task::spawn_blocking(move || {
        let gone = |_nobody| io::Error::other("nobody wants it any more");
        let mut to = |piece: &[u8]| sender.blocking_send(Ok(Bytes::copy_from_slice(piece))).map_err(gone);
        let mut hashed = HashedPieces(&mut to);
        if let Err(error) = file.copy_to(&mut hashed) {
            // If nobody listens, nobody needs to be told.
            drop(sender.blocking_send(Err(io::Error::other(error.to_string()))));
        }
    });
    receiver
}

/// Passes on what is written to it.
struct HashedPieces<'a>(&'a mut dyn FnMut(&[u8]) -> io::Result<()>);

impl io::Write for HashedPieces<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        (self.0)(piece).map(|()| piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes what comes into a store of files on a thread of its own, and holds it against its hash.
pub(super) async fn kept(
    what: &str,
    digest: Digest,
    parts: impl Stream<Item = Result<Bytes, StoreError>>,
    to: BlobStore,
) -> Result<(), StoreError> {
    let (sender, receiver) = mpsc::channel(1);
    let name = what.to_owned();
    let writing = aside(move || {
        to.put_checked(digest, &mut PieceReader { pieces: receiver, rest: Bytes::new() })
            .map_err(|error| ArchiveError::unreadable(&name)(error).into())
    });
    let (sent, written) = tokio::join!(send_all(parts, sender), writing);
    sent.and(written)
}

/// Sends what comes. What breaks off is told to both sides: nobody is to take the half of a file for all of it.
async fn send_all(
    parts: impl Stream<Item = Result<Bytes, StoreError>>,
    to: mpsc::Sender<io::Result<Bytes>>,
) -> Result<(), StoreError> {
    let mut parts = std::pin::pin!(parts);
    while let Some(part) = parts.next().await {
        let (part, broke_off) = match part {
            Ok(part) => (Ok(part), None),
            Err(error) => (Err(io::Error::other("it broke off")), Some(error)),
        };
        let is_wanted = to.send(part).await.is_ok();
        if let Some(error) = broke_off {
            return Err(error);
        }
        if !is_wanted {
            break; // The writer tells why it has gone.
        }
    }
    Ok(())
}

/// Reads what others send.
struct PieceReader {
    pieces: ByteChannel,
    rest: Bytes,
}

impl Read for PieceReader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => self.rest = piece?,
                None => return Ok(0),
            }
        }
        let n_bytes = to.len().min(self.rest.len());
        to[..n_bytes].copy_from_slice(&self.rest.split_to(n_bytes));
        Ok(n_bytes)
    }
}
