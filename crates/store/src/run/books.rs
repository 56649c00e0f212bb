//! The books of a run: `calls.jsonl`, every call of a model as it begins and as it ends.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::Path;
use std::sync::Mutex;

use quintain_core::TrialId;
use quintain_core::books::{Bill, CallLine, Journal, Purpose, Totals};
use quintain_core::event::RecordError;
use quintain_core::lock::LockAlways as _;
use serde::{Deserialize, Serialize};

use super::dir::RunDir;
use crate::error::StoreError;
use crate::file::open_lines;
use crate::line_sum::{self, SumRule};

/// The version of a line. A newer one is refused.
const VERSION: u32 = 1;
const FILE: &str = "calls.jsonl";

/// Writes the books. Many threads may write at once; every line is one write at the end of the file.
#[derive(Debug)]
pub struct Books {
    file: Mutex<File>,
}

/// What the books say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BookedCalls {
    /// What all calls came to, those in flight when a process died included.
    pub totals: Totals,
    /// The calls of which nothing is known, in the order of their names.
    pub unknown: Vec<UnknownCall>,
    /// Lines that cannot be read: what a killed process was writing.
    pub n_torn: u64,
}

/// A call of which nothing is known: the provider may have billed it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnknownCall {
    /// Its name, by which the provider's books can be asked.
    pub id: String,
    /// For which trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialId>,
    /// In which attempt.
    pub attempt: u32,
    /// In which turn.
    pub step_idx: u32,
    /// What for.
    pub purpose: Purpose,
    /// Who was asked.
    pub model: String,
    /// Why nothing is known.
    pub why: String,
}

impl RunDir {
    /// Opens the books, to write in them behind what is there.
    pub fn books(&self) -> Result<Books, StoreError> {
        let path = self.path().join(FILE);
        let file = open_lines(&path).map_err(StoreError::io("open", &path))?;
        Ok(Books { file: Mutex::new(file) })
    }

    /// Reads the books, line by line: they may be long. A run without any has made no calls.
    pub fn calls(&self) -> Result<BookedCalls, StoreError> {
        let path = self.path().join(FILE);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BookedCalls::default()),
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let (mut reader, mut line, mut fold) = (BufReader::new(file), Vec::new(), BookFold::default());
        for line_number in 1.. {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(StoreError::io("read", &path))? == 0 {
                break;
            }
            let text = line.trim_ascii();
            match line_sum::complaint(text, SumRule::WhereThere) {
                Some(why) => {
                    self.note_line_beside(FILE, line_number, why);
                    fold.calls.n_torn += 1;
                }
                None if text.is_empty() => {}
                None => fold.line(text, &path)?,
            }
        }
        Ok(fold.finish())
    }
}

impl Journal for Books {
    fn write(&self, line: &CallLine) -> Result<(), RecordError> {
        let wrong = |why: String| RecordError(format!("{FILE}: {why}"));
        let fields = serde_json::to_string(line).map_err(|error| wrong(error.to_string()))?;
        // The version goes first and the sum last, as in every line of a run.
        let mut text = format!("{{\"v\":{VERSION},{}", &fields[1..]).into_bytes();
        line_sum::seal(&mut text, 0);
        text.push(b'\n');
        let mut file = self.file.lock().always();
        file.write_all(&text).map_err(|error| wrong(error.to_string()))
    }
}

#[derive(Default)]
struct BookFold {
    calls: BookedCalls,
    /// Calls that began and, so far, did not end.
    begun: BTreeMap<String, UnknownCall>,
}

impl BookFold {
    fn line(&mut self, line: &[u8], path: &Path) -> Result<(), StoreError> {
        #[derive(Deserialize)]
        struct BooksVersion {
            v: u32,
        }
        if let Ok(BooksVersion { v }) = serde_json::from_slice(line)
            && v > VERSION
        {
            return Err(StoreError::Newer { what: path.display().to_string(), found: v, known: VERSION });
        }
        match serde_json::from_slice(line) {
            Ok(CallLine::Began { id, trial, attempt, step_idx, purpose, model }) => {
                let why = "in flight when the process died".to_owned();
                let call = UnknownCall { id: id.clone(), trial, attempt, step_idx, purpose, model, why };
                self.begun.insert(id, call);
            }
            Ok(CallLine::Ended { id, bill, failed, .. }) => self.ended(&id, &bill, failed),
            Err(_torn) => self.calls.n_torn += 1,
        }
        Ok(())
    }

    fn ended(&mut self, id: &str, bill: &Bill, failed: Option<String>) {
        self.calls.totals.add(bill);
        let begun = self.begun.remove(id);
        if let (Some(call), Bill::Unknown) = (begun, bill) {
            let why = failed.unwrap_or_else(|| "the answer does not say what it used".to_owned());
            self.calls.unknown.push(UnknownCall { why, ..call });
        }
    }

    fn finish(mut self) -> BookedCalls {
        for call in self.begun.into_values() {
            self.calls.totals.add(&Bill::Unknown);
            self.calls.unknown.push(call);
        }
        self.calls.unknown.sort_by(|a, b| a.id.cmp(&b.id));
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::Usage;

    use super::*;
    use crate::run::RunHeader;

    fn run(folder: &tempfile::TempDir) -> RunDir {
        let header = RunHeader::new("test", "2026-01-01T00:00:00Z");
        RunDir::create(&folder.path().join("run"), &header, &[]).unwrap()
    }

    fn began(id: &str) -> CallLine {
        CallLine::Began {
            id: id.to_owned(),
            trial: Some("puzzles/maze-2d@easy#0~turns~0".parse().unwrap()),
            attempt: 1,
            step_idx: 4,
            purpose: Purpose::Act,
            model: "chat/sim".to_owned(),
        }
    }

    fn ended(id: &str, bill: Bill, failed: Option<&str>) -> CallLine {
        CallLine::Ended { id: id.to_owned(), bill, failed: failed.map(str::to_owned), ms: 12 }
    }

    fn told(cost_usd: Option<f64>) -> Bill {
        Bill::Told(Usage { input_tokens: 100, output_tokens: 20, cost_usd, ..Usage::default() })
    }

    fn summary(calls: &BookedCalls) -> String {
        let Totals { cost_usd, tokens, n_calls, n_free, n_unknown, n_unpriced, dearest_usd } = calls.totals;
        let mut lines = vec![format!(
            "{n_calls} calls: {n_free} free, {n_unknown} unknown, {n_unpriced} unpriced; {tokens} tokens, ${cost_usd:.2}, \
             dearest ${dearest_usd:.2}; {} torn",
            calls.n_torn
        )];
        lines.extend(calls.unknown.iter().map(|call| format!("{} {}: {}", call.id, call.model, call.why)));
        lines.join("\n")
    }

    #[test]
    fn the_books_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        assert_eq!(run.calls().unwrap(), BookedCalls::default());
        let books = run.books().unwrap();
        let lines = [
            began("a"),
            ended("a", told(Some(0.25)), None),
            began("b"),
            began("c"),
            ended("b", Bill::Free, Some("429")),
            ended("c", Bill::Unknown, Some("stream cut")),
            began("d"),
            ended("d", told(None), None),
            began("e"),
        ];
        for line in &lines {
            books.write(line).unwrap();
        }
        insta::assert_snapshot!(summary(&run.calls().unwrap()), @"
        5 calls: 1 free, 2 unknown, 1 unpriced; 240 tokens, $0.25, dearest $0.25; 0 torn
        c chat/sim: stream cut
        e chat/sim: in flight when the process died
        ");
    }

    #[test]
    fn a_torn_line_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let books = run.books().unwrap();
        books.write(&began("a")).unwrap();
        books.file.lock().unwrap().write_all(b"{\"v\":1,\"call\":\"ended\",\"id\":\"a\",\"bi").unwrap();
        drop(books);
        assert_eq!(run.calls().unwrap().n_torn, 1);
        let books = run.books().unwrap();
        books.write(&began("b")).unwrap();
        books.write(&ended("b", told(Some(0.5)), None)).unwrap();
        insta::assert_snapshot!(summary(&run.calls().unwrap()), @"
        2 calls: 0 free, 1 unknown, 0 unpriced; 120 tokens, $0.50, dearest $0.50; 1 torn
        a chat/sim: in flight when the process died
        ");
    }

    #[test]
    fn lines_are_as_documented() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let books = run.books().unwrap();
        books.write(&began("a")).unwrap();
        books.write(&ended("a", told(Some(0.5)), None)).unwrap();
        books.write(&ended("a", Bill::Unknown, Some("timed out"))).unwrap();
        insta::assert_snapshot!(std::fs::read_to_string(run.path().join(FILE)).unwrap(), @r#"
        {"v":1,"call":"began","id":"a","trial":"puzzles/maze-2d@easy#0~turns~0","attempt":1,"step_idx":4,"purpose":"act","model":"chat/sim","sum":"45203d89396dbfc0"}
        {"v":1,"call":"ended","id":"a","bill":{"bill":"told","input_tokens":100,"output_tokens":20,"cached_tokens":0,"cost_usd":0.5},"ms":12,"sum":"34f86880613c2f1f"}
        {"v":1,"call":"ended","id":"a","bill":{"bill":"unknown"},"failed":"timed out","ms":12,"sum":"a423808390bb81c5"}
        "#);
    }

    #[test]
    fn newer_books_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        std::fs::write(run.path().join(FILE), "{\"v\":2,\"call\":\"began\"}\n").unwrap();
        assert!(matches!(run.calls(), Err(StoreError::Newer { found: 2, .. })));
    }

    #[test]
    fn many_threads_write_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let books = run.books().unwrap();
        let call = |id: String| {
            books.write(&began(&id)).unwrap();
            books.write(&ended(&id, told(Some(0.01)), None)).unwrap();
        };
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || (0..50).map(|n| format!("{thread}-{n}")).for_each(call));
            }
        });
        let calls = run.calls().unwrap();
        assert_eq!((calls.totals.n_calls, calls.n_torn, calls.unknown.len()), (400, 0, 0));
    }
}
