//! Deliverables, altered: what is nearly right and must fail, and what is right in another way. Made of the bytes of files,
//! so that they go the way that an agent's own files go.

use std::path::Path;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet};
use serde_json::Value;

/// The largest file that is altered.
const LARGEST: u64 = 16 << 20;

/// What becomes of any deliverables: every file alone missing, empty, cut short and filled with nonsense is wrong; tables and
/// documents that are written otherwise are right. A task that cares for something of that leaves it out.
pub fn usual(left: &FileSet) -> AlteredFiles {
    let mut altered = AlteredFiles { wrong: vec![("nothing is left".to_owned(), FileSet::new())], right: Vec::new() };
    let mut beside = left.clone();
    beside.insert("notes-of-mine.txt".to_owned(), FileHandle::embedded(b"what I thought on the way\n"));
    altered.right.push(("another file beside them".to_owned(), beside));
    for (path, file) in left {
        let Ok(bytes) = file.whole(LARGEST) else { continue };
        let mut missing = left.clone();
        missing.remove(path);
        altered.wrong.push((format!("{path}: missing"), missing));
        let wrong = [
            ("empty", Vec::new()),
            ("cut in its middle", bytes[..bytes.len() / 2].to_vec()),
            ("nonsense", (0..=255).cycle().take(4096).collect()),
        ];
        let wrong = wrong.into_iter().map(|(how, bytes)| (how.to_owned(), bytes));
        altered.wrong.extend(wrong.map(|(how, bytes)| with(left, path, &how, bytes)));
        altered.right.extend(rewritten(path, &bytes).into_iter().map(|(how, bytes)| with(left, path, &how, bytes)));
    }
    altered
}

/// What a file says; nothing where it was not left or is too large to be altered.
pub fn text_of(left: &FileSet, path: &str) -> Option<String> {
    let bytes = left.get(path)?.whole(LARGEST).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// All files, with one that holds something else.
pub fn with(left: &FileSet, path: &str, how: &str, bytes: Vec<u8>) -> (String, FileSet) {
    let mut files = left.clone();
    files.insert(path.to_owned(), FileHandle::held(bytes));
    (format!("{path}: {how}"), files)
}

/// The same content, written otherwise.
fn rewritten(path: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let other = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("csv") => tables(bytes, b','),
        Some("tsv") => tables(bytes, b'\t'),
        Some("json") => documents(bytes),
        _ => Vec::new(),
    };
    other.into_iter().map(|(how, bytes)| (how.to_owned(), bytes)).collect()
}

/// A table as other programs write it, in another order, and with a column more.
fn tables(bytes: &[u8], separator: u8) -> Vec<(&'static str, Vec<u8>)> {
    let Some(rows) = records(bytes, separator) else { return Vec::new() };
    let mut turned = rows.clone();
    turned.get_mut(1..).unwrap_or_default().reverse();
    let wider: Vec<Vec<String>> = rows.iter().map(|row| [row.as_slice(), &["remark".to_owned()]].concat()).collect();
    let plain = || csv::WriterBuilder::new();
    let with_mark = |bytes: Vec<u8>| [b"\xef\xbb\xbf", bytes.as_slice()].concat();
    let all = [
        ("lines that end in CRLF", written(plain().terminator(csv::Terminator::CRLF), separator, &rows)),
        ("every cell in quotes", written(plain().quote_style(csv::QuoteStyle::Always), separator, &rows)),
        ("the rows the other way round", written(&mut plain(), separator, &turned)),
        ("a mark of byte order", written(&mut plain(), separator, &rows).map(with_mark)),
        ("a column more", written(&mut plain(), separator, &wider)),
    ];
    all.into_iter().filter_map(|(how, bytes)| Some((how, bytes?))).collect()
}

/// All rows, that of the names first.
fn records(bytes: &[u8], separator: u8) -> Option<Vec<Vec<String>>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(bytes);
    let cells = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader.records().map(|record| record.map(cells)).collect::<Result<_, _>>().ok()
}

fn written(how: &mut csv::WriterBuilder, separator: u8, rows: &[Vec<String>]) -> Option<Vec<u8>> {
    let mut writer = how.delimiter(separator).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.write_record(row)).ok()?;
    writer.into_inner().ok()
}

fn documents(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return Vec::new() };
    let all = [("on one line", serde_json::to_vec(&value)), ("with indents", serde_json::to_vec_pretty(&value))];
    all.into_iter().filter_map(|(how, bytes)| Some((how, bytes.ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliverables_are_altered_both_ways() {
        let left: FileSet = [
            ("a.csv".to_owned(), FileHandle::held(&b"k,v\na,1\nb,\"2,5\"\n"[..])),
            ("b.json".to_owned(), FileHandle::held(&b"{\"a\": 1}"[..])),
        ]
        .into();
        let altered = usual(&left);
        let told = |all: &[(String, FileSet)]| {
            let one = |(how, files): &(String, FileSet)| {
                let path = how.split(':').next().unwrap_or_default();
                let bytes = files.get(path).and_then(|file| file.whole(64).ok()).unwrap_or_default();
                format!("{how} {:?}", String::from_utf8_lossy(&bytes))
            };
            all.iter().map(one).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(format!("{}\n\n{}", told(&altered.wrong), told(&altered.right)));
    }
}
