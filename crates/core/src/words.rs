//! Words for a person.

use std::borrow::Cow;

/// A count with its noun: `1 trial`, `3 trials`.
pub fn count(n: impl TryInto<u64>, noun: &str) -> String {
    match n.try_into() {
        Ok(1) => format!("1 {noun}"),
        Ok(n) => format!("{n} {noun}s"),
        Err(_) => format!("very many {noun}s"),
    }
}

/// A text broken at words into lines of at most `width` characters, all but the first behind `indent` spaces. A word that
/// is longer than a line has one of its own; line breaks of the text stay.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in text.lines() {
        let mut line = String::new();
        for word in part.split_whitespace() {
            let room = width.saturating_sub(if lines.is_empty() { 0 } else { indent });
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// The beginning of a text, and how much more there is.
pub fn beginning(text: &str, most: usize) -> String {
    let n_more = text.chars().count().saturating_sub(most);
    if n_more == 0 {
        return text.to_owned();
    }
    let begun: String = text.chars().take(most).collect();
    format!("{begun}... ({} more)", count(n_more, "character"))
}

/// A text that only writes: what would move the cursor, colour, retitle or turn the reading direction of a terminal is
/// shown as an escape instead. Whatever agents, pages and files say passes through here before it is printed.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|c| if is_steering(c) { c.escape_default().to_string() } else { c.to_string() });
    Cow::Owned(shown.collect())
}

fn is_steering(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_said_steers_a_terminal() {
        assert_eq!(printable("a\tb\nc é 漢"), "a\tb\nc é 漢");
        assert_eq!(printable("\u{1b}]0;title\u{7} \u{9b}2J\r\u{202e}x"), r"\u{1b}]0;title\u{7} \u{9b}2J\r\u{202e}x");
    }

    #[test]
    fn texts_are_broken_at_words() {
        let text = "  net 2: expected the longest-of-all-words here,\nfound none";
        assert_eq!(wrapped(text, 20, 2), "net 2: expected the\n  longest-of-all-words\n  here,\n  found none");
        assert_eq!(wrapped("", 20, 2), "");
        assert_eq!(beginning("abcdef", 4), "abcd... (2 characters more)");
        assert_eq!(beginning("abcd", 4), "abcd");
    }
}
