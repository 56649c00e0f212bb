//! The verifier `deliverables`: reads the files that an agent left as tables and documents. No program is started.

use std::collections::BTreeMap;
use std::path::Path;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::words::count;
use quintain_core::{VerifierCase, VerifierRunner};
use serde_json::{Map, Value, json};

use crate::complaints;
use crate::json_reading::json_of;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;
/// The most rows and columns of a table.
const MOST_ROWS: usize = 200_000;
const MOST_COLUMNS: usize = 200;

/// The kind `deliverables`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeliverableReading;

/// Which files are read, by the names that checks know them by.
struct ReadFiles {
    name: String,
    files: BTreeMap<String, String>,
}

impl VerifierKind for DeliverableReading {
    fn kind(&self) -> &'static str {
        "deliverables"
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        let hint = "`options.files` must name files, for example { totals = \"totals.csv\" }";
        let files = spec.options.get("files").ok_or(hint)?.clone();
        let files: BTreeMap<String, String> = serde_json::from_value(files).map_err(|_why| hint.to_owned())?;
        if let Some(other) = spec.options.keys().find(|name| *name != "files") {
            return Err(format!("a verifier of kind `deliverables` has no option `{other}`"));
        }
        if let Some(path) = files.values().find(|path| FileFormat::of(path).is_none()) {
            return Err(format!("`{path}` ends in none of .csv, .tsv and .json"));
        }
        Ok(Box::new(ReadFiles { name: spec.name.clone(), files }))
    }
}

impl VerifierRunner for ReadFiles {
    /// A file that cannot be read is told as a problem: that is the agent's doing.
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let read = |(name, path): (&String, &String)| {
            let bytes = complaints::bytes_left(path, case.files.get(path), LARGEST);
            let content = bytes.and_then(|bytes| read(path, &bytes).map_err(|why| complaints::faulty(path, why)));
            (name.clone(), content.unwrap_or_else(complaints::problem))
        };
        let all: Map<String, Value> = self.files.iter().map(read).collect();
        Ok(vec![(self.name.clone(), Value::Object(all))])
    }
}

#[derive(Clone, Copy)]
enum FileFormat {
    Separated(u8),
    Json,
}

impl FileFormat {
    fn of(path: &str) -> Option<Self> {
        match Path::new(path).extension()?.to_str()? {
            "csv" => Some(Self::Separated(b',')),
            "tsv" => Some(Self::Separated(b'\t')),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

fn read(path: &str, bytes: &[u8]) -> Result<Value, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match FileFormat::of(path) {
        Some(FileFormat::Separated(separator)) => table(bytes, separator),
        Some(FileFormat::Json) => json_of(bytes).map_err(|why| format!("it is no JSON, or an ambiguous one: {why}")),
        None => Err("it is of no known format".to_owned()),
    }
}

/// A table as a list of rows by column, every cell a text.
fn table(bytes: &[u8], separator: u8) -> Result<Value, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(bytes);
    let columns: Vec<String> =
        reader.headers().map_err(|error| told(&error))?.iter().map(|name| name.trim().to_owned()).collect();
    if columns.len() > MOST_COLUMNS {
        return Err(format!("it has more than {MOST_COLUMNS} columns"));
    }
    if let Some(twice) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name)) {
        return Err(format!("it has two columns `{}`", twice.1));
    }
    let mut rows = Vec::new();
    for row in reader.records() {
        if rows.len() == MOST_ROWS {
            return Err(format!("it has more than {MOST_ROWS} rows"));
        }
        let row = row.map_err(|error| told(&error))?;
        let cells = columns.iter().cloned().zip(row.iter().map(|cell| json!(cell.trim())));
        rows.push(Value::Object(cells.collect()));
    }
    Ok(Value::Array(rows))
}

fn told(error: &csv::Error) -> String {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("line {line} has {}, and the first line has {expected_len}", count(*len, "cell"))
        }
        csv::ErrorKind::Utf8 { .. } => format!("line {line} is no UTF-8"),
        _ => error.to_string().chars().take(300).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(path: &str, bytes: &[u8]) -> String {
        read(path, bytes).map_or_else(|why| why, |value| value.to_string())
    }

    #[test]
    fn tables_are_read_however_they_are_written() {
        let wanted = r#"[{"file":"a","n":"1"},{"file":"b, c","n":"2"}]"#;
        assert_eq!(read_as("t.csv", b"file,n\na,1\n\"b, c\",2\n"), wanted);
        assert_eq!(read_as("t.csv", b"\xef\xbb\xbffile , n\r\na, 1\r\n\"b, c\",2"), wanted);
        assert_eq!(read_as("t.tsv", b"file\tn\na\t1\nb, c\t2\n"), wanted);
        assert_eq!(read_as("t.json", b"{\"a\": [1, 2.5]}"), r#"{"a":[1,2.5]}"#);
        assert_eq!(read_as("t.csv", b"file,n\n"), "[]");
    }

    #[test]
    fn what_is_no_table_is_told_and_breaks_nothing() {
        assert_eq!(read_as("t.csv", b"a,b\n1,2\n3\n"), "line 3 has 1 cell, and the first line has 2");
        assert!(read_as("t.csv", b"a,a\n1,2\n").contains("two columns `a`"));
        assert_eq!(read_as("t.csv", &[0xff, 0xfe, 0, b'\n', 0xff]), "line 1 is no UTF-8");
        assert!(read_as("t.json", b"{").contains("no JSON"));
        assert!(read_as("t.json", b"{\"a\": 1, \"a\": 2}").contains("`a` stands twice"));
        assert!(read_as("t.csv", vec![b','; 1000].as_slice()).contains("more than 200 columns"));
    }

    #[test]
    fn a_declaration_is_checked() {
        let make = |options: Value| {
            let options = serde_json::from_value(options).unwrap();
            DeliverableReading
                .make(&DeriveSpec { name: "t".to_owned(), kind: "deliverables".to_owned(), options })
                .err()
        };
        assert_eq!(make(json!({ "files": { "a": "a.csv" } })), None);
        assert!(make(json!({})).unwrap().contains("must name files"));
        assert!(make(json!({ "files": { "a": "a.xlsx" } })).unwrap().contains("ends in none of"));
        assert!(make(json!({ "files": {}, "more": 1 })).unwrap().contains("no option `more`"));
    }
}
