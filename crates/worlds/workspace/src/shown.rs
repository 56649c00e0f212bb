//! What an agent is shown of what was printed, read and listed: always bounded, and what is left out is said.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quintain_core::words::count;
use quintain_process::sandbox::{CommandEnd, CommandReport, FolderEntry, FolderEntryKind};

/// How many bytes of the start and of the end of an output are shown, each.
pub(crate) const KEPT_BYTES: u64 = 8 << 10;
/// How many bytes of a file are shown.
const READ_BYTES: usize = 16 << 10;
/// How many entries of a folder are shown.
pub(crate) const MOST_ENTRIES: u64 = 200;

/// What a command printed, and how it ended.
pub(crate) fn command(report: &CommandReport, limit_secs: u64) -> String {
    let mut text = on_paper(&report.output.text());
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let end = match report.end {
        CommandEnd::Exited(code) => format!("[exit status {code}]"),
        CommandEnd::Signalled(9) => "[killed; it may have wanted too much memory]".to_owned(),
        CommandEnd::Signalled(signal) => format!("[ended by signal {signal}]"),
        CommandEnd::OutOfTime => format!("[killed after {limit_secs} seconds, the longest that a command may take]"),
    };
    text + &end
}

/// The text as a terminal shows it in the end: what goes back and writes over itself, as progress does, is there once.
fn on_paper(printed: &str) -> String {
    let line_on_paper = |line: &str| {
        let (mut letters, mut at) = (Vec::new(), 0);
        for letter in line.strip_suffix('\r').unwrap_or(line).chars() {
            match letter {
                '\r' => at = 0,
                '\u{8}' => at = usize::saturating_sub(at, 1),
                letter => {
                    if at < letters.len() {
                        letters[at] = letter;
                    } else {
                        letters.push(letter);
                    }
                    at += 1;
                }
            }
        }
        letters.into_iter().collect::<String>()
    };
    printed.split('\n').map(line_on_paper).collect::<Vec<_>>().join("\n")
}

/// Lines of a file from one on, as many as are shown at once; or why there are none.
pub(crate) fn lines(bytes: &[u8], from_line: usize, is_whole: bool) -> Result<String, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err("it is not a text file in UTF-8; look at it with a program".to_owned());
    };
    let n_lines = text.lines().count();
    let (mut shown, mut n_shown) = (String::new(), 0);
    for line in text.lines().skip(from_line - 1) {
        if !shown.is_empty() && shown.len() + line.len() >= READ_BYTES {
            break;
        }
        shown.extend(line.chars().take(READ_BYTES));
        shown.push('\n');
        n_shown += 1;
    }
    if n_shown == 0 {
        return Err(format!("it has {n_lines} lines"));
    }
    let of = if is_whole { n_lines.to_string() } else { format!("more than {n_lines}") };
    write!(shown, "[lines {from_line} to {} of {of}]", from_line + n_shown - 1).map_err(|error| error.to_string())?;
    Ok(shown)
}

/// What an agent is given: files with their sizes, and folders with how many files are below them.
pub(crate) fn inputs<'a>(files: impl Iterator<Item = (&'a String, u64)>) -> String {
    let mut top: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (path, n_bytes) in files {
        let name = path.split_once('/').map_or_else(|| path.clone(), |(folder, _)| format!("{folder}/"));
        let (n_files, all_bytes) = top.entry(name).or_default();
        (*n_files, *all_bytes) = (*n_files + 1, *all_bytes + n_bytes);
    }
    let line = |(name, (n_files, n_bytes)): (&String, &(u64, u64))| {
        let below = if name.ends_with('/') { format!("  {}", count(*n_files as usize, "file")) } else { String::new() };
        format!("{n_bytes:>12}  {name}{below}")
    };
    let lines: Vec<String> = top.iter().take(MOST_ENTRIES as usize).map(line).collect();
    let left = top.len() - lines.len();
    let more = if left > 0 { format!("\n[... {left} more ...]") } else { String::new() };
    lines.join("\n") + &more
}

/// What is in a folder, a line each.
pub(crate) fn entries(entries: &[FolderEntry], n_all: u64) -> String {
    let line = |entry: &FolderEntry| {
        let name = String::from_utf8_lossy(&entry.name);
        match entry.kind {
            FolderEntryKind::File => format!("{:>12}  {name}\n", entry.size),
            FolderEntryKind::Folder => format!("{:>12}  {name}/\n", "-"),
            FolderEntryKind::Link => format!("{:>12}  {name} (a link)\n", "-"),
            FolderEntryKind::Other => format!("{:>12}  {name} (neither file nor folder)\n", "-"),
        }
    };
    let listed: String = entries.iter().map(line).collect();
    let left = n_all - entries.len() as u64;
    match (n_all, left) {
        (0, _) => "[empty]".to_owned(),
        (_, 0) => format!("{listed}[{n_all} in all]"),
        _ => format!("{listed}[... {left} more of {n_all} ...]"),
    }
}

#[cfg(test)]
mod tests {
    use quintain_process::sandbox::KeptOutput;

    use super::*;

    #[test]
    fn outputs_are_told_with_what_is_left_out_and_how_they_ended() {
        let report = |end, head: &str, n_left_out, tail: &str| CommandReport {
            end,
            output: KeptOutput { head: head.into(), n_left_out, tail: tail.into() },
            errors: KeptOutput::default(),
            millis: 1,
        };
        let told = |end, head, n, tail| command(&report(end, head, n, tail), 60);
        assert_eq!(told(CommandEnd::Exited(0), "", 0, ""), "[exit status 0]");
        assert_eq!(told(CommandEnd::Exited(2), "a\nb", 0, ""), "a\nb\n[exit status 2]");
        assert_eq!(
            told(CommandEnd::OutOfTime, "a\n", 7, "z\n"),
            "a\n\n[... 7 bytes left out ...]\nz\n[killed after 60 seconds, the longest that a command may take]"
        );
        assert!(told(CommandEnd::Signalled(9), "", 0, "").contains("memory"));
    }

    #[test]
    fn what_writes_over_itself_is_told_once() {
        let progress = "reading:\n  3%\u{8}\u{8}\u{8}\u{8} 50%\u{8}\u{8}\u{8}\u{8}100%\rid|owner\r\ndone\r\n";
        assert_eq!(on_paper(progress), "reading:\nid|owner\ndone\n");
        assert_eq!(on_paper("\u{8}ä\u{8}b\n\n"), "b\n\n");
    }

    #[test]
    fn files_are_shown_by_lines_and_never_without_bound() {
        assert_eq!(lines(b"a\nb\nc\n", 2, true).unwrap(), "b\nc\n[lines 2 to 3 of 3]");
        assert_eq!(lines(b"a\n", 5, true).unwrap_err(), "it has 1 lines");
        assert!(lines(&[0xff, 0], 1, true).unwrap_err().contains("not a text file"));
        let long = "x".repeat(100_000);
        let shown = lines(format!("{long}\n{long}\n").as_bytes(), 1, false).unwrap();
        assert!(shown.len() < 17_000 && shown.ends_with("[lines 1 to 1 of more than 2]"));
        let many = "line\n".repeat(100_000);
        assert!(lines(many.as_bytes(), 1, true).unwrap().len() < 17_000);
    }

    #[test]
    fn folders_are_listed_with_what_is_left_out() {
        let entry = |name: &str, kind, size| FolderEntry { name: name.into(), kind, size };
        let found = [entry("a.txt", FolderEntryKind::File, 12), entry("b", FolderEntryKind::Folder, 0)];
        assert_eq!(entries(&found, 2), "          12  a.txt\n           -  b/\n[2 in all]");
        assert!(entries(&found, 9).ends_with("[... 7 more of 9 ...]"));
        assert_eq!(entries(&[], 0), "[empty]");
    }
}
