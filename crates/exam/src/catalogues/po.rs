//! Catalogues of gettext: read strictly, written plainly.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A message with everything that stands with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PoMessage {
    /// Comments and references, as they are written.
    pub(super) comments: Vec<String>,
    pub(super) flags: BTreeSet<String>,
    /// Lines that tell what the message was before.
    pub(super) previous: Vec<String>,
    pub(super) context: Option<String>,
    pub(super) id: String,
    pub(super) plural: Option<String>,
    pub(super) strings: Vec<String>,
}

/// A catalogue: its messages, that of the header among them, and the lines of what is obsolete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PoFile {
    pub(super) messages: Vec<PoMessage>,
    pub(super) obsolete: Vec<String>,
}

impl PoMessage {
    /// What tells it from others.
    pub(super) fn key(&self) -> String {
        self.context.as_ref().map_or_else(|| self.id.clone(), |context| format!("{context}|{}", self.id))
    }

    fn written(&self) -> String {
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").ok();
        for comment in &self.comments {
            line(comment.clone());
        }
        if !self.flags.is_empty() {
            line(format!("#, {}", self.flags.iter().map(String::as_str).collect::<Vec<_>>().join(", ")));
        }
        for previous in &self.previous {
            line(previous.clone());
        }
        if let Some(context) = &self.context {
            line(format!("msgctxt {}", quoted(context)));
        }
        line(format!("msgid {}", quoted(&self.id)));
        if let Some(plural) = &self.plural {
            line(format!("msgid_plural {}", quoted(plural)));
        }
        for (at, text) in self.strings.iter().enumerate() {
            let word = if self.plural.is_some() { format!("msgstr[{at}]") } else { "msgstr".to_owned() };
            line(format!("{word} {}", on_lines(text)));
        }
        out
    }
}

impl PoFile {
    pub(super) fn written(&self) -> String {
        let mut parts: Vec<String> = self.messages.iter().map(PoMessage::written).collect();
        parts.push(self.obsolete.iter().flat_map(|line| [line.as_str(), "\n"]).collect());
        parts.join("\n")
    }

    /// Reads a catalogue, or tells what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (mut file, mut message) = (Self::default(), PoMessage::default());
        let mut place = PoPlace::Start;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            let wrong = |why: &str| format!("line {}: {why}", at + 1);
            if line.starts_with("#~") {
                file.obsolete.push(line.to_owned());
                continue;
            }
            let begins = line.starts_with('#') || line.starts_with("msgctxt ") || line.starts_with("msgid ");
            if begins && matches!(place, PoPlace::Text(_)) {
                file.messages.push(std::mem::take(&mut message));
                place = PoPlace::Start;
            }
            if line.starts_with('#') {
                message.comment(line);
            } else if !line.is_empty() {
                place = message.take(line, place).map_err(|why| wrong(&why))?;
            }
        }
        match place {
            PoPlace::Text(_) => file.messages.push(message),
            PoPlace::Start => {}
            _ => return Err("it ends within a message".to_owned()),
        }
        Ok(file)
    }

    /// The fields of the header, by name.
    pub(super) fn header(&self) -> Vec<(String, String)> {
        let header = self.messages.iter().find(|message| message.id.is_empty() && message.context.is_none());
        let text = header.and_then(|header| header.strings.first()).map(String::as_str).unwrap_or_default();
        let fields = text.lines().filter_map(|line| line.split_once(':'));
        fields.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
    }
}

/// Which text a line goes on with.
#[derive(Clone, Copy)]
enum PoPlace {
    Start,
    Context,
    Id,
    Plural,
    Text(usize),
}

impl PoMessage {
    fn comment(&mut self, line: &str) {
        if let Some(flags) = line.strip_prefix("#,") {
            self.flags.extend(flags.split(',').map(|flag| flag.trim().to_owned()).filter(|flag| !flag.is_empty()));
        } else if line.starts_with("#|") {
            self.previous.push(line.to_owned());
        } else {
            self.comments.push(line.to_owned());
        }
    }

    /// Takes a line with a text; tells where that text belongs.
    fn take(&mut self, line: &str, place: PoPlace) -> Result<PoPlace, String> {
        if line.starts_with('"') {
            self.text_at(place)?.push_str(&unquoted(line)?);
            return Ok(place);
        }
        let (word, text) = line.split_once(char::is_whitespace).ok_or("a word without a text")?;
        let text = unquoted(text.trim())?;
        let next = match (word, place) {
            ("msgctxt", PoPlace::Start) => PoPlace::Context,
            ("msgid", PoPlace::Start | PoPlace::Context) => PoPlace::Id,
            ("msgid_plural", PoPlace::Id) => PoPlace::Plural,
            ("msgstr", PoPlace::Id) => PoPlace::Text(0),
            (word, PoPlace::Plural | PoPlace::Text(_)) if word == format!("msgstr[{}]", self.strings.len()) => {
                PoPlace::Text(self.strings.len())
            }
            _ => {
                return Err(format!("`{}` stands where it does not belong", word.chars().take(40).collect::<String>()));
            }
        };
        match next {
            PoPlace::Context => self.context = Some(text),
            PoPlace::Id => self.id = text,
            PoPlace::Plural => self.plural = Some(text),
            _ => self.strings.push(text),
        }
        Ok(next)
    }

    fn text_at(&mut self, place: PoPlace) -> Result<&mut String, String> {
        let text = match place {
            PoPlace::Start => None,
            PoPlace::Context => self.context.as_mut(),
            PoPlace::Id => Some(&mut self.id),
            PoPlace::Plural => self.plural.as_mut(),
            PoPlace::Text(at) => self.strings.get_mut(at),
        };
        text.ok_or_else(|| "a text that belongs to nothing".to_owned())
    }
}

/// A text of several lines has each on a line of its own, below an empty one.
fn on_lines(text: &str) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(quoted).collect();
    if lines.len() < 2 { quoted(text) } else { format!("\"\"\n{}", lines.join("\n")) }
}

pub(super) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

fn unquoted(text: &str) -> Result<String, String> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).filter(|_| text.len() > 1);
    let mut rest = inner.ok_or("a text without quotes")?.chars();
    let mut out = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => return Err("a quote within a text".to_owned()),
            '\\' => out.push(match rest.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(c @ ('"' | '\\')) => c,
                _ => return Err("an escape that is not known".to_owned()),
            }),
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n# note\n#: a.c:1\n#, c-format, fuzzy\n#| msgid \"x\"\nmsgctxt \"m\"\nmsgid \"%d \\\"a\\\"\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"\"\n\"d\"\n\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n";

    #[test]
    fn catalogues_are_read_and_written() {
        let file = PoFile::read(FILE).unwrap();
        assert_eq!(file.header(), [("Language".to_owned(), "de".to_owned())]);
        let message = &file.messages[1];
        assert_eq!(
            (message.key().as_str(), message.strings.as_slice()),
            ("m|%d \"a\"", &["c".to_owned(), "d".to_owned()][..])
        );
        assert_eq!((message.flags.len(), message.previous.len(), file.obsolete.len()), (2, 1, 2));
        assert_eq!(PoFile::read(&file.written()).unwrap(), file);
    }

    #[test]
    fn what_is_no_catalogue_is_told() {
        for (text, why) in [
            ("msgid \"a\"", "ends within"),
            ("msgstr \"a\"", "does not belong"),
            ("msgid \"a\"\nmsgstr[0] \"b\"", "does not belong"),
            ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"", "does not belong"),
            ("msgid \"a\nmsgstr \"b\"", "without quotes"),
            ("msgid \"a\\q\"\nmsgstr \"b\"", "escape"),
            ("\"a\"", "belongs to nothing"),
            ("hello", "without a text"),
        ] {
            assert!(PoFile::read(text).unwrap_err().contains(why), "{text}: {:?}", PoFile::read(text));
        }
        assert_eq!(PoFile::read("").unwrap(), PoFile::default());
    }
}
