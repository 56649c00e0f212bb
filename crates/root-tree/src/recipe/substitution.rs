//! Words with variables, quotes and escapes in them, as Dockerfiles have them.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

use super::logical_lines::is_blank;

/// How deep one variable may stand in for another.
const MAX_DEPTH: usize = 16;

/// A word with its variables put in and its quotes taken away.
pub(super) fn expanded(word: &str, variables: &BTreeMap<String, String>) -> Result<String, String> {
    WordReader { rest: word.chars().peekable(), variables, depth: 0 }.all(None)
}

/// A text that reads as itself between double quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, "\\\"$"))
}

/// A text that reads as itself without quotes around it.
pub(super) fn bare(text: &str) -> String {
    escaped(text, "\\\"'$")
}

fn escaped(text: &str, signs: &str) -> String {
    let escape = |c: char| if signs.contains(c) { vec!['\\', c] } else { vec![c] };
    text.chars().flat_map(escape).collect()
}

/// Words as they stand, divided where neither quotes nor an escape keep them together.
pub(super) fn raw_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quote, mut chars) = (None, text.chars());
    while let Some(c) = chars.next() {
        if quote.is_none() && is_blank(c) {
            words.push(String::new());
            continue;
        }
        let word = words.last_mut().expect("there is one from the start");
        word.push(c);
        match (c, quote) {
            ('\\', None | Some('"')) => word.extend(chars.next()),
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if open == c => quote = None,
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

struct WordReader<'a> {
    rest: Peekable<Chars<'a>>,
    variables: &'a BTreeMap<String, String>,
    depth: usize,
}

impl WordReader<'_> {
    /// Everything up to a sign, or to the end.
    fn all(&mut self, until: Option<char>) -> Result<String, String> {
        let mut text = String::new();
        while let Some(c) = self.rest.next() {
            match c {
                _ if Some(c) == until => return Ok(text),
                '\'' => text.extend(self.rest.by_ref().take_while(|c| *c != '\'')),
                '"' => self.quoted(&mut text)?,
                '\\' => text.push(self.rest.next().unwrap_or('\\')),
                '$' => text.push_str(&self.variable()?),
                _ => text.push(c),
            }
        }
        if until.is_some() { Err("`${` is not closed".to_owned()) } else { Ok(text) }
    }

    fn quoted(&mut self, text: &mut String) -> Result<(), String> {
        while let Some(c) = self.rest.next() {
            match c {
                '"' => return Ok(()),
                '$' => text.push_str(&self.variable()?),
                '\\' => match self.rest.next() {
                    Some(next @ ('"' | '$' | '\\')) => text.push(next),
                    Some(next) => text.extend(['\\', next]),
                    None => text.push('\\'),
                },
                _ => text.push(c),
            }
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<String, String> {
        let is_braced = self.rest.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        let value = self.variables.get(&name);
        if !is_braced {
            // A dollar before anything else is itself.
            return Ok(if name.is_empty() { "$".to_owned() } else { value.cloned().unwrap_or_default() });
        }
        match self.rest.next() {
            Some('}') if !name.is_empty() => Ok(value.cloned().unwrap_or_default()),
            Some(':') => {
                let sign = self.rest.next();
                self.otherwise(&name, sign, value.filter(|value| !value.is_empty()))
            }
            sign @ Some('-' | '+') => self.otherwise(&name, sign, value),
            _ => Err(format!("what follows `${{{name}` is not read")),
        }
    }

    /// `-` gives a word where there is no value, `+` where there is one.
    fn otherwise(&mut self, name: &str, sign: Option<char>, value: Option<&String>) -> Result<String, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("variables stand in for each other too deep".to_owned());
        }
        let word = self.all(Some('}'))?;
        self.depth -= 1;
        match sign {
            Some('-') => Ok(value.cloned().unwrap_or(word)),
            Some('+') => Ok(if value.is_some() { word } else { String::new() }),
            _ => Err(format!("what follows `${{{name}:` is not read")),
        }
    }
}
