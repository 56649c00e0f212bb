//! The lines of a Dockerfile as they are meant: comments away, continued lines joined, texts in place refused.

use std::iter::{Enumerate, Peekable};
use std::str::Lines;

use super::RecipeProblem;

/// An instruction with all its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogicalLine {
    /// Where it begins, from one.
    pub(super) line: usize,
    /// Its name, in capitals.
    pub(super) name: String,
    /// The rest.
    pub(super) text: String,
}

/// All instructions, and what is wrong with lines as such.
pub(super) fn read(text: &str) -> (Vec<LogicalLine>, Vec<RecipeProblem>) {
    let mut problems = directives(text);
    let mut lines = text.lines().enumerate().peekable();
    let mut found = Vec::new();
    while let Some((idx, raw)) = lines.next() {
        let first = raw.trim_matches(is_blank);
        if is_passed_by(first) {
            continue;
        }
        let whole = joined(first, &mut lines);
        let (name, rest) = whole.split_once(is_blank).unwrap_or((&whole, ""));
        let line = LogicalLine {
            line: idx + 1,
            name: name.to_ascii_uppercase(),
            text: rest.trim_matches(is_blank).to_owned(),
        };
        let mut refuse = |what: &str| problems.push(RecipeProblem { line: idx + 1, what: what.to_owned() });
        if let Some(mark) = heredoc(&line) {
            pass_heredoc(&mark, &mut lines);
            refuse("a text in place (`<<`) is not read; put it into a file and COPY that");
        } else if whole.contains('\0') {
            refuse("there is a zero byte in it");
        } else {
            found.push(line);
        }
    }
    (found, problems)
}

/// What divides words.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{b}' | '\u{c}')
}

/// The flags before everything else, without their dashes, and the rest.
pub(super) fn split_flags(text: &str) -> (Vec<(&str, &str)>, &str) {
    let (mut flags, mut rest) = (Vec::new(), text);
    while let Some(after) = rest.strip_prefix("--") {
        let (flag, left) = after.split_once(is_blank).unwrap_or((after, ""));
        flags.push(flag.split_once('=').unwrap_or((flag, "")));
        rest = left.trim_start_matches(is_blank);
    }
    (flags, rest)
}

fn is_passed_by(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Comments before everything else that tell the reader something.
fn directives(text: &str) -> Vec<RecipeProblem> {
    let mut problems = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let Some((name, value)) = line.trim().strip_prefix('#').and_then(|rest| rest.split_once('=')) else { break };
        match (name.trim().to_ascii_lowercase().as_str(), value.trim()) {
            ("escape", "\\") | ("syntax" | "check", _) => {}
            ("escape", other) => problems.push(RecipeProblem {
                line: idx + 1,
                what: format!("`{other}` as the sign that continues lines is not read; write `\\`"),
            }),
            _ => break,
        }
    }
    problems
}

/// A line with those that continue it. Comments and empty lines between them are passed by.
fn joined(first: &str, lines: &mut Peekable<Enumerate<Lines<'_>>>) -> String {
    let mut whole = String::new();
    let mut part = first;
    while let Some(begun) = part.trim_end_matches(is_blank).strip_suffix('\\') {
        whole.push_str(begun);
        part = "";
        while lines.next_if(|(_, next)| is_passed_by(next.trim_matches(is_blank))).is_some() {}
        if let Some((_, next)) = lines.next() {
            part = next;
        }
    }
    whole.push_str(part);
    whole.trim_matches(is_blank).to_owned()
}

/// The end of a text in place, and whether tabs may stand before it.
struct HeredocMark {
    word: String,
    has_tabs: bool,
}

/// A word such as `<<EOF`, `<<-"EOF"` or `2<<'EOF'` in an instruction that could take one.
fn heredoc(line: &LogicalLine) -> Option<HeredocMark> {
    let text = split_flags(&line.text).1;
    if !["RUN", "COPY", "ADD"].contains(&line.name.as_str()) || text.starts_with('[') {
        return None;
    }
    let words = shlex::split(text).unwrap_or_else(|| text.split(is_blank).map(str::to_owned).collect());
    words.iter().find_map(|word| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix("<<")?;
        let (has_tabs, word) = rest.strip_prefix('-').map_or((false, rest), |rest| (true, rest));
        let word = word.trim_matches(['"', '\'']);
        let is_name = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
        is_name.then(|| HeredocMark { word: word.to_owned(), has_tabs })
    })
}

fn pass_heredoc(mark: &HeredocMark, lines: &mut Peekable<Enumerate<Lines<'_>>>) {
    for (_, line) in lines {
        let line = if mark.has_tabs { line.trim_start_matches('\t') } else { line };
        if line == mark.word {
            return;
        }
    }
}
