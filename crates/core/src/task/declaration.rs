//! Reads `task.toml` with everything that is wrong with it: what is refused is left out and the rest read again.

use std::collections::BTreeSet;

use super::TaskSpec;
use super::parse::{TaskProblem, from_toml};

/// So many problems are told at most.
const MOST_TOLD: usize = 20;

/// What a declaration says, and what is wrong with it.
pub(super) struct ReadDeclaration {
    /// What it says, as far as it can be read; nothing where it cannot without what was refused.
    pub(super) spec: Option<TaskSpec>,
    /// What was refused.
    pub(super) problems: Vec<TaskProblem>,
}

pub(super) fn read(text: &str) -> ReadDeclaration {
    let mut read = read_on(text);
    read.problems.sort_by_key(|problem| problem.place);
    read
}

fn read_on(text: &str) -> ReadDeclaration {
    let mut reading = Reading { left: text.to_owned(), problems: Vec::new(), follows: BTreeSet::new(), is_whole: true };
    loop {
        match toml::from_str::<TaskSpec>(&reading.left) {
            Ok(spec) => {
                let spec = Some(spec).filter(|_| reading.is_whole);
                return ReadDeclaration { spec, problems: reading.problems };
            }
            Err(error) if reading.go_on(&error) => {}
            Err(_) => return ReadDeclaration { spec: None, problems: reading.problems },
        }
    }
}

struct Reading {
    /// What is left of the text. Lines stay where they were.
    left: String,
    problems: Vec<TaskProblem>,
    /// Fields that are missing only because what stood for them was left out.
    follows: BTreeSet<String>,
    /// Whether nothing was left out that other parts may speak of.
    is_whole: bool,
}

impl Reading {
    /// Takes down what is wrong and mends it or leaves it out; false where nothing more can be found out.
    fn go_on(&mut self, error: &toml::de::Error) -> bool {
        // A line that was part of something longer leaves behind what nobody wrote.
        let is_read = self.left.parse::<toml::Table>().is_ok();
        let missing = quoted(error.message(), "missing field `");
        if missing.is_some_and(|field| self.follows.contains(field)) || !(is_read || self.problems.is_empty()) {
            return false;
        }
        let problem = from_toml("task.toml", &self.left, error);
        let meant = problem.hint.as_deref().and_then(|hint| quoted(hint, "`")).map(str::to_owned);
        self.problems.push(problem);
        let start = error.span().map(|span| span.start).filter(|_| is_read && missing.is_none());
        let Some(start) = start.filter(|_| self.problems.len() < MOST_TOLD) else { return false };
        let wrong = quoted(error.message(), "unknown field `").or_else(|| quoted(error.message(), "unknown variant `"));
        if !wrong.zip(meant.as_deref()).is_some_and(|(wrong, meant)| self.rename(start, wrong, meant)) {
            self.leave_out(start);
        }
        true
    }

    /// Takes what was probably meant for what was said, if that can be read.
    fn rename(&mut self, start: usize, wrong: &str, meant: &str) -> bool {
        let Some(place) = self.left[start..].find(wrong).map(|place| start + place) else { return false };
        let mut renamed = self.left.clone();
        renamed.replace_range(place..place + wrong.len(), meant);
        let can_be = renamed.parse::<toml::Table>().is_ok();
        if can_be {
            self.left = renamed;
        }
        can_be
    }

    fn leave_out(&mut self, start: usize) {
        let refused = entry_at(&self.left, start);
        let words = self.left[refused.clone()].to_owned();
        self.is_whole &= !words.contains(['{', '[']);
        self.follows.extend(words.split('=').next().map(|key| key.trim().to_owned()));
        self.left.replace_range(refused, &blank(&words));
    }
}

/// What stands between a mark and the next back quote.
fn quoted<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark)?.1.split('`').next()
}

/// The line at a place; of a table that is refused by its name, all of it.
fn entry_at(text: &str, place: usize) -> std::ops::Range<usize> {
    let start = text[..place].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[place..].find('\n').map_or(text.len(), |newline| place + newline);
    if !text[start..line_end].trim_start().starts_with('[') {
        return start..line_end;
    }
    start..text[line_end..].find("\n[").map_or(text.len(), |next| line_end + next)
}

/// As many bytes without a word, so that every place stays where it is.
fn blank(words: &str) -> String {
    words.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}
