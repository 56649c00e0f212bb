//! The files of a run that grow line by line beside its segments, and what is new in them.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};

use super::dir::RunDir;
use crate::error::StoreError;

/// A file of a run that grows line by line: what is in it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Book {
    /// Every call of a model, as it began and as it ended.
    #[serde(rename = "calls.jsonl")]
    Calls,
    /// What outside agents and their models said to each other.
    #[serde(rename = "proxy.jsonl")]
    Exchanges,
}

impl Book {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Calls, Self::Exchanges];

    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Calls => "calls.jsonl",
            Self::Exchanges => "proxy.jsonl",
        }
    }
}

impl RunDir {
    /// The whole lines of a book from a byte on. A line that is just being written is left for the next time.
    pub fn book_lines(&self, book: Book, from: u64) -> Result<Vec<u8>, StoreError> {
        let path = self.path().join(book.file_name());
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let mut lines = Vec::new();
        let read = file.seek(SeekFrom::Start(from)).and_then(|_from| file.read_to_end(&mut lines));
        read.map_err(StoreError::io("read", &path))?;
        let end = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline_idx| newline_idx + 1);
        lines.truncate(end);
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunHeader;

    #[test]
    fn only_whole_lines_that_are_new_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap();
        assert_eq!(run.book_lines(Book::Calls, 0).unwrap(), b"");
        std::fs::write(run.path().join("calls.jsonl"), "one\ntwo\nthr").unwrap();
        assert_eq!(run.book_lines(Book::Calls, 0).unwrap(), b"one\ntwo\n");
        assert_eq!(run.book_lines(Book::Calls, 4).unwrap(), b"two\n");
        assert_eq!(run.book_lines(Book::Calls, 8).unwrap(), b"");
        assert_eq!(run.book_lines(Book::Exchanges, 0).unwrap(), b"");
    }

    #[test]
    fn a_book_is_called_as_its_file() {
        for book in Book::ALL {
            assert_eq!(serde_json::to_value(book).unwrap(), book.file_name());
        }
    }
}
