//! Packs: many small things in one object.

use std::collections::BTreeSet;

use bytes::Bytes;
use quintain_core::Digest;

use super::error::ArchiveError;
use super::manifest::{
    BookPlace, LargeFile, MANIFEST_VERSION, PackManifest, PackedBook, PackedFile, PackedLines, ShippedAttempt,
    WITHOUT_LARGE,
};
use crate::run::LineRange;

/// What every pack begins with, for people who open the file by chance.
const GREETING: &[u8] = b"quintain pack 1\n";

/// Gathers lines, pictures and files into a pack.
#[derive(Clone, Debug)]
pub struct PackWriter {
    bytes: Vec<u8>,
    segments: Vec<PackedLines>,
    frames: Vec<PackedFile>,
    blobs: Vec<PackedFile>,
    known: BTreeSet<Digest>,
    large: Vec<LargeFile>,
    books: Vec<PackedBook>,
    attempts: Vec<ShippedAttempt>,
}

impl Default for PackWriter {
    fn default() -> Self {
        Self {
            bytes: GREETING.to_vec(),
            segments: Vec::new(),
            frames: Vec::new(),
            blobs: Vec::new(),
            known: BTreeSet::new(),
            large: Vec::new(),
            books: Vec::new(),
            attempts: Vec::new(),
        }
    }
}

impl PackWriter {
    /// A pack with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds whole lines of a segment. Lines that follow those added last are joined to them.
    pub fn lines(&mut self, place: &LineRange, lines: &[u8]) -> Result<(), ArchiveError> {
        if place.end.checked_sub(place.start) != Some(lines.len() as u64) {
            let why = format!("{} bytes were given for it", lines.len());
            return Err(ArchiveError::Unreadable { what: place.to_string(), why });
        }
        let offset = self.bytes.len() as u64;
        self.bytes.extend_from_slice(lines);
        match self.segments.last_mut() {
            Some(last) if last.goes_on_at(place, offset) => last.place.end = place.end,
            _ => self.segments.push(PackedLines { place: place.clone(), offset }),
        }
        Ok(())
    }

    /// Adds a picture. One that is in the pack already is not added again.
    pub fn frame(&mut self, digest: Digest, png: &[u8]) {
        if let Some(file) = self.file(digest, png) {
            self.frames.push(file);
        }
    }

    /// Adds a file. One that is in the pack already is not added again.
    pub fn blob(&mut self, digest: Digest, bytes: &[u8]) {
        if let Some(file) = self.file(digest, bytes) {
            self.blobs.push(file);
        }
    }

    /// Notes a large file, which is in the archive by itself already.
    pub fn large(&mut self, digest: Digest, len: u64) {
        if self.known.insert(digest) {
            self.large.push(LargeFile { digest, len });
        }
    }

    /// Adds whole lines of a book.
    pub fn book(&mut self, place: BookPlace, lines: &[u8]) -> Result<(), ArchiveError> {
        if place.len() != Some(lines.len() as u64) {
            let why = format!("{} bytes were given for {}-{}", lines.len(), place.start, place.end);
            return Err(ArchiveError::Unreadable { what: place.file.file_name().to_owned(), why });
        }
        let offset = self.bytes.len() as u64;
        self.bytes.extend_from_slice(lines);
        self.books.push(PackedBook { place, offset });
        Ok(())
    }

    /// Notes an attempt whose last lines are in the pack.
    pub fn attempt(&mut self, attempt: ShippedAttempt) {
        self.attempts.push(attempt);
    }

    /// How many bytes the pack has so far.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// How many attempts were noted.
    pub fn n_attempts(&self) -> usize {
        self.attempts.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == GREETING.len() && self.attempts.is_empty() && self.large.is_empty()
    }

    /// The pack and its manifest.
    pub fn finish(self) -> (Bytes, PackManifest) {
        let manifest = PackManifest {
            v: if self.large.is_empty() { WITHOUT_LARGE } else { MANIFEST_VERSION },
            len: self.bytes.len() as u64,
            digest: Digest::of(&self.bytes),
            segments: self.segments,
            frames: self.frames,
            blobs: self.blobs,
            large: self.large,
            books: self.books,
            attempts: self.attempts,
        };
        (Bytes::from(self.bytes), manifest)
    }

    fn file(&mut self, digest: Digest, bytes: &[u8]) -> Option<PackedFile> {
        self.known.insert(digest).then(|| {
            let offset = self.bytes.len() as u64;
            self.bytes.extend_from_slice(bytes);
            PackedFile { digest, offset, len: bytes.len() as u64 }
        })
    }
}

impl PackedLines {
    fn goes_on_at(&self, place: &LineRange, offset: u64) -> bool {
        self.place.segment == place.segment && self.place.end == place.start && self.offset + self.place.len() == offset
    }
}

/// A pack with its manifest, as it was read.
#[derive(Debug)]
pub(super) struct Pack {
    bytes: Bytes,
    manifest: PackManifest,
}

impl Pack {
    /// Checks that a pack is the one its manifest speaks of.
    pub(super) fn new(name: &str, bytes: Bytes, manifest: PackManifest) -> Result<Self, ArchiveError> {
        if bytes.len() as u64 == manifest.len && Digest::of(&bytes) == manifest.digest {
            return Ok(Self { bytes, manifest });
        }
        Err(ArchiveError::unreadable(name)("the pack is not the one that its manifest speaks of"))
    }

    /// How many bytes it has.
    pub(super) fn n_bytes(&self) -> u64 {
        self.manifest.len
    }

    /// The lines of segments, with their places.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&LineRange, &[u8])> {
        self.manifest.segments.iter().map(|lines| (&lines.place, self.cut(lines.offset, lines.place.len())))
    }

    /// The pictures, with their names.
    pub(super) fn frames(&self) -> impl Iterator<Item = (Digest, &[u8])> {
        self.manifest.frames.iter().map(|file| (file.digest, self.cut(file.offset, file.len)))
    }

    /// The files, with their names.
    pub(super) fn blobs(&self) -> impl Iterator<Item = (Digest, &[u8])> {
        self.manifest.blobs.iter().map(|file| (file.digest, self.cut(file.offset, file.len)))
    }

    /// The large files that are objects of their own.
    pub(super) fn large(&self) -> &[LargeFile] {
        &self.manifest.large
    }

    /// The lines of books, with their places.
    pub(super) fn books(&self) -> impl Iterator<Item = (&BookPlace, &[u8])> {
        let cut = |book: &PackedBook| self.cut(book.offset, book.place.end - book.place.start);
        self.manifest.books.iter().map(move |book| (&book.place, cut(book)))
    }

    /// Whether it brings an attempt at a unit.
    pub(super) fn tells_of(&self, idx: u32) -> bool {
        self.manifest.attempts.iter().any(|attempt| attempt.idx == idx)
    }

    fn cut(&self, offset: u64, len: u64) -> &[u8] {
        // A manifest that has been read names nothing outside of its pack.
        &self.bytes[offset as usize..(offset + len) as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::run::Book;

    /// Something to put into a pack.
    #[derive(Clone, Debug)]
    enum Thing {
        Lines(u8, Vec<u8>),
        Frame(Vec<u8>),
        Blob(Vec<u8>),
    }

    fn thing() -> impl Strategy<Value = Thing> {
        let bytes = || proptest::collection::vec(any::<u8>(), 0..40);
        prop_oneof![
            (0..3u8, bytes()).prop_map(|(segment, bytes)| Thing::Lines(segment, bytes)),
            bytes().prop_map(Thing::Frame),
            bytes().prop_map(Thing::Blob),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_packed_is_unpacked(things in proptest::collection::vec(thing(), 0..20)) {
            let mut writer = PackWriter::new();
            let mut segments = [Vec::new(), Vec::new(), Vec::new()];
            let mut files = BTreeSet::new();
            for thing in &things {
                match thing {
                    Thing::Lines(number, bytes) => {
                        let segment = &mut segments[usize::from(*number)];
                        let start = segment.len() as u64;
                        segment.extend_from_slice(bytes);
                        let place = LineRange { segment: format!("s-{number}"), start, end: segment.len() as u64 };
                        writer.lines(&place, bytes).unwrap();
                    }
                    Thing::Frame(bytes) => { files.insert(bytes.clone()); writer.frame(Digest::of(bytes), bytes); }
                    Thing::Blob(bytes) => { files.insert(bytes.clone()); writer.blob(Digest::of(bytes), bytes); }
                }
            }
            let (bytes, manifest) = writer.finish();
            let read = PackManifest::from_bytes("test", &manifest.to_bytes()).unwrap();
            prop_assert_eq!(&read, &manifest);
            let pack = Pack::new("test", bytes, read).unwrap();
            let mut again = [Vec::new(), Vec::new(), Vec::new()];
            for (place, lines) in pack.lines() {
                let segment = &mut again[usize::from(place.segment.as_bytes()[2] - b'0')];
                prop_assert_eq!(segment.len() as u64, place.start, "in order and without gaps");
                segment.extend_from_slice(lines);
            }
            prop_assert_eq!(again, segments);
            let unpacked: Vec<_> = pack.frames().chain(pack.blobs()).collect();
            prop_assert_eq!(unpacked.len(), files.len(), "each once");
            for (digest, bytes) in unpacked {
                prop_assert_eq!(digest, Digest::of(bytes));
                prop_assert!(files.contains(bytes));
            }
        }

        #[test]
        fn a_mangled_manifest_never_reaches_outside_of_its_pack(offset in any::<u64>(), len in any::<u64>()) {
            let mut writer = PackWriter::new();
            writer.blob(Digest::of(b"hello"), b"hello");
            let (bytes, mut manifest) = writer.finish();
            (manifest.blobs[0].offset, manifest.blobs[0].len) = (offset, len);
            if let Ok(read) = PackManifest::from_bytes("test", &manifest.to_bytes()) {
                let pack = Pack::new("test", bytes, read).unwrap();
                prop_assert_eq!(pack.blobs().count(), 1);
            }
        }
    }

    #[test]
    fn lines_that_follow_each_other_are_one_piece() {
        let mut writer = PackWriter::new();
        for (place, lines) in [("a:0-2", "x\n"), ("a:2-4", "y\n"), ("b:0-2", "z\n"), ("a:4-6", "q\n"), ("a:9-10", "\n")]
        {
            writer.lines(&place.parse().unwrap(), lines.as_bytes()).unwrap();
        }
        assert!(writer.lines(&"a:0-9".parse().unwrap(), b"short").is_err());
        let (_, manifest) = writer.finish();
        let places: Vec<String> = manifest.segments.iter().map(|lines| lines.place.to_string()).collect();
        assert_eq!(places, ["a:0-4", "b:0-2", "a:4-6", "a:9-10"]);
    }

    #[test]
    fn a_large_file_is_named_once_and_only_then_is_the_manifest_of_another_version() {
        let (_, small) = PackWriter::new().finish();
        assert_eq!(small.v, WITHOUT_LARGE);
        assert!(!String::from_utf8(small.to_bytes()).unwrap().contains("large"));
        let mut writer = PackWriter::new();
        writer.large(Digest::of(b"much"), 1 << 40);
        writer.large(Digest::of(b"much"), 1 << 40);
        assert!(!writer.is_empty());
        let (bytes, manifest) = writer.finish();
        let read = PackManifest::from_bytes("test", &manifest.to_bytes()).unwrap();
        assert_eq!((read.v, read.large.len()), (MANIFEST_VERSION, 1));
        assert_eq!(Pack::new("test", bytes, read).unwrap().large()[0].len, 1 << 40);
    }

    fn calls(session: &str, start: u64, end: u64) -> BookPlace {
        BookPlace { file: Book::Calls, session: session.to_owned(), start, end }
    }

    #[test]
    fn books_are_packed_and_unpacked() {
        let mut writer = PackWriter::new();
        writer.blob(Digest::of(b"hello"), b"hello");
        writer.book(calls("w-s1x0", 8, 12), b"one\n").unwrap();
        writer.book(BookPlace { file: Book::Exchanges, ..calls("w-s1x0", 0, 4) }, b"two\n").unwrap();
        for wrong in [calls("w-s1x0", 0, 9), calls("w-s1x0", 9, 5), calls("../x", 0, 4)] {
            assert!(writer.book(wrong, b"abc\n").is_err());
        }
        let (bytes, manifest) = writer.finish();
        insta::assert_snapshot!(serde_json::to_string(&manifest.books).unwrap(), @r#"[{"file":"calls.jsonl","session":"w-s1x0","start":8,"end":12,"offset":21},{"file":"proxy.jsonl","session":"w-s1x0","start":0,"end":4,"offset":25}]"#);
        let read = PackManifest::from_bytes("test", &manifest.to_bytes()).unwrap();
        let pack = Pack::new("test", bytes, read).unwrap();
        let found: Vec<_> = pack.books().map(|(place, lines)| (place.file, place.start, lines)).collect();
        assert_eq!(found, [(Book::Calls, 8, b"one\n".as_slice()), (Book::Exchanges, 0, b"two\n")]);
    }

    #[test]
    fn a_manifest_without_books_is_as_it_was_and_one_whose_books_lead_elsewhere_is_refused() {
        let (_, mut manifest) = PackWriter::new().finish();
        assert!(!String::from_utf8(manifest.to_bytes()).unwrap().contains("books"));
        for wrong in [calls("../x", 0, 1), calls("w-s1x0", 5, 4), calls("w-s1x0", 0, 1000)] {
            manifest.books = vec![PackedBook { place: wrong, offset: 0 }];
            assert!(PackManifest::from_bytes("p", &manifest.to_bytes()).is_err());
        }
    }

    #[test]
    fn a_manifest_of_another_pack_or_a_newer_program_is_refused() {
        let (bytes, manifest) = PackWriter::new().finish();
        let other = Bytes::from([&bytes[..], b"!"].concat());
        assert!(Pack::new("p", other, manifest.clone()).unwrap_err().to_string().contains("its manifest speaks of"));
        let newer = PackManifest { v: MANIFEST_VERSION + 1, ..manifest };
        assert!(PackManifest::from_bytes("p", &newer.to_bytes()).unwrap_err().to_string().contains("version 3"));
        let escape = br#"{"v":1,"len":9,"digest":"00","segments":[{"place":"../x:0-1","offset":0}]}"#;
        assert!(PackManifest::from_bytes("p", escape).is_err());
    }
}
