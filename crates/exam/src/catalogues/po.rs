//! Catalogues of gettext: read as gettext reads them, written plainly.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::tokens::{PoToken, quoted, tokens};

/// A message with everything that stands with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PoMessage {
    /// What translators note (`#`).
    pub(super) notes: Vec<String>,
    /// What programmers note (`#.`).
    pub(super) hints: Vec<String>,
    /// Where it stands in the program (`#:`).
    pub(super) references: Vec<String>,
    pub(super) flags: BTreeSet<String>,
    /// What tells how the message was before (`#|`), line by line.
    pub(super) previous: Vec<String>,
    pub(super) context: Option<String>,
    pub(super) id: String,
    pub(super) plural: Option<String>,
    pub(super) strings: Vec<String>,
}

/// A catalogue: its messages, that of the header among them, and those that are obsolete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PoFile {
    pub(super) messages: Vec<PoMessage>,
    pub(super) obsolete: Vec<PoMessage>,
}

impl PoMessage {
    /// What tells it from others.
    pub(super) fn key(&self) -> String {
        self.context.as_ref().map_or_else(|| self.id.clone(), |context| format!("{context}|{}", self.id))
    }

    pub(super) fn is_header(&self) -> bool {
        self.id.is_empty() && self.context.is_none()
    }

    /// Everything of it, in one line.
    pub(super) fn whole(&self) -> String {
        let named = |name: &str, value: Value| (name.to_owned(), value);
        let all = [
            named("notes", json!(self.notes)),
            named("hints", json!(self.hints)),
            named("references", json!(self.references)),
            named("flags", json!(self.flags)),
            named("previous", json!(self.previous)),
            named("context", json!(self.context)),
            named("plural", json!(self.plural)),
            named("text", json!(self.strings)),
        ];
        let is_there = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
        Value::Object(all.into_iter().filter(|(_, value)| is_there(value)).collect()).to_string()
    }

    fn is_begun(&self) -> bool {
        *self != Self::default()
    }

    fn written(&self, before: &str) -> String {
        let mut out = String::new();
        for (sign, lines) in [("# ", &self.notes), ("#. ", &self.hints), ("#: ", &self.references)] {
            for line in lines {
                out.extend([sign, line, "\n"]);
            }
        }
        if !self.flags.is_empty() {
            let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
            out.extend(["#, ", &flags.join(", "), "\n"]);
        }
        self.previous.iter().for_each(|line| out.extend(["#| ", line, "\n"]));
        let mut text = |word: &str, text: &str| out.extend([before, word, " ", &on_lines(text, before), "\n"]);
        self.context.iter().for_each(|context| text("msgctxt", context));
        text("msgid", &self.id);
        self.plural.iter().for_each(|plural| text("msgid_plural", plural));
        for (at, string) in self.strings.iter().enumerate() {
            let word = if self.plural.is_some() { format!("msgstr[{at}]") } else { "msgstr".to_owned() };
            text(&word, string);
        }
        out
    }
}

impl PoFile {
    pub(super) fn written(&self) -> String {
        let messages = self.messages.iter().map(|message| message.written(""));
        let obsolete = self.obsolete.iter().map(|message| message.written("#~ "));
        messages.chain(obsolete).collect::<Vec<String>>().join("\n")
    }

    /// Reads a catalogue, or tells what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut reading = PoReading::default();
        for (at, line) in text.lines().enumerate() {
            reading.line(line.trim()).map_err(|why| format!("line {}: {why}", at + 1))?;
        }
        reading.end()?;
        Ok(reading.file)
    }
}

/// Which text a piece goes on with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PoPlace {
    #[default]
    Start,
    Context,
    Id,
    Plural,
    Text,
}

/// A catalogue while it is read.
#[derive(Default)]
struct PoReading {
    file: PoFile,
    message: PoMessage,
    is_obsolete: bool,
    place: PoPlace,
    /// Whether a word waits for its text.
    lacks_text: bool,
}

impl PoReading {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (line, is_obsolete) = line.strip_prefix("#~").map_or((line, false), |rest| (rest.trim_start(), true));
        if is_obsolete && line.starts_with('|') {
            return self.comment(line);
        }
        if let Some(comment) = line.strip_prefix('#') {
            return self.comment(comment);
        }
        for token in tokens(line)? {
            match token {
                PoToken::Word(word, index) => self.word(word, index, is_obsolete)?,
                PoToken::Piece(piece) => self.piece(&piece)?,
            }
        }
        Ok(())
    }

    /// Takes a comment without its `#`. One behind a whole message belongs to the next.
    fn comment(&mut self, comment: &str) -> Result<(), String> {
        match self.place {
            PoPlace::Text => self.end_message()?,
            PoPlace::Start => {}
            _ => return Err("a comment within a message".to_owned()),
        }
        let rest = comment.get(1..).unwrap_or_default().trim();
        match comment.chars().next() {
            Some('.') => self.message.hints.push(rest.to_owned()),
            Some(':') => self.message.references.extend(rest.split_whitespace().map(str::to_owned)),
            Some('|') => self.message.previous.push(rest.to_owned()),
            Some(',') => {
                let flags = rest.split(',').map(str::trim).filter(|flag| !flag.is_empty());
                self.message.flags.extend(flags.map(str::to_owned));
            }
            _ => self.message.notes.push(comment.trim().to_owned()),
        }
        Ok(())
    }

    fn word(&mut self, word: &str, index: Option<usize>, is_obsolete: bool) -> Result<(), String> {
        if self.lacks_text {
            return Err("a word without a text".to_owned());
        }
        if self.place == PoPlace::Text && matches!(word, "msgctxt" | "msgid") {
            self.end_message()?;
        }
        let n_strings = self.message.strings.len();
        self.place = match (word, index, self.place) {
            ("msgctxt", None, PoPlace::Start) => PoPlace::Context,
            ("msgid", None, PoPlace::Start | PoPlace::Context) => PoPlace::Id,
            ("msgid_plural", None, PoPlace::Id) => PoPlace::Plural,
            ("msgstr", None, PoPlace::Id) => PoPlace::Text,
            ("msgstr", Some(index), PoPlace::Plural | PoPlace::Text)
                if index == n_strings && self.message.plural.is_some() =>
            {
                PoPlace::Text
            }
            _ => {
                return Err(format!("`{}` stands where it does not belong", word.chars().take(40).collect::<String>()));
            }
        };
        match self.place {
            PoPlace::Context => self.message.context = Some(String::new()),
            PoPlace::Plural => self.message.plural = Some(String::new()),
            PoPlace::Text => self.message.strings.push(String::new()),
            _ => {}
        }
        (self.lacks_text, self.is_obsolete) = (true, is_obsolete);
        Ok(())
    }

    fn piece(&mut self, piece: &str) -> Result<(), String> {
        self.lacks_text = false;
        let text = match self.place {
            PoPlace::Start => None,
            PoPlace::Context => self.message.context.as_mut(),
            PoPlace::Id => Some(&mut self.message.id),
            PoPlace::Plural => self.message.plural.as_mut(),
            PoPlace::Text => self.message.strings.last_mut(),
        };
        text.ok_or("a text that belongs to nothing")?.push_str(piece);
        Ok(())
    }

    fn end_message(&mut self) -> Result<(), String> {
        if self.lacks_text {
            return Err("a word without a text".to_owned());
        }
        let message = std::mem::take(&mut self.message);
        let all = if self.is_obsolete { &mut self.file.obsolete } else { &mut self.file.messages };
        all.push(message);
        self.place = PoPlace::Start;
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        match self.place {
            PoPlace::Text => self.end_message(),
            PoPlace::Start if self.message.is_begun() => Err("it ends with comments that belong to nothing".to_owned()),
            PoPlace::Start => Ok(()),
            _ => Err("it ends within a message".to_owned()),
        }
    }
}

/// A text of several lines has each on a line of its own, below an empty one.
fn on_lines(text: &str, before: &str) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(quoted).collect();
    if lines.len() < 2 {
        return quoted(text);
    }
    lines.iter().fold("\"\"".to_owned(), |all, line| format!("{all}\n{before}{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n# note\n#. hint\n#: a.c:1 b.c:2\n#, c-format, fuzzy\n#| msgid \"x\"\nmsgctxt \"m\"\nmsgid \"%d \\\"a\\\"\"\nmsgid_plural \"%d b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"\"\n\"d\"\n\n# gone\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n";

    #[test]
    fn catalogues_are_read_and_written() {
        let file = PoFile::read(FILE).unwrap();
        assert!(file.messages[0].is_header() && file.messages[0].strings == ["Language: de\n"]);
        let message = &file.messages[1];
        assert_eq!(
            (message.key().as_str(), message.strings.as_slice()),
            ("m|%d \"a\"", &["c", "d"].map(str::to_owned)[..])
        );
        for part in ["\"m\"", "fuzzy", "hint", "note", "%d b", "msgid \\\"x", "b.c:2", "\"d\""] {
            assert!(message.whole().contains(part), "{part}: {}", message.whole());
        }
        assert_eq!((file.messages.len(), file.obsolete.len()), (2, 1));
        assert_eq!((file.obsolete[0].notes.len(), file.obsolete[0].strings.len()), (1, 1));
        assert_eq!(PoFile::read(&file.written()).unwrap(), file);
    }

    /// However the pieces of a catalogue are laid out, it is the same.
    #[test]
    fn layout_does_not_count() {
        let plain = PoFile::read(FILE).unwrap();
        let other = [
            FILE.replace('\n', "\r\n"),
            FILE.replace("msgstr[0] \"c\"", "msgstr [ 0 ]\n\t\"\" \"c\""),
            FILE.replace("\nmsgid \"", "\nmsgid\n\n\""),
            FILE.replace("\nmsgid \"", "\nmsgid\""),
            FILE.replace("\"d\"", "\"\"\"\\144\"").replace("\"alt\"", "\"\\x61\" \"lt\""),
            FILE.replace("#: a.c:1 b.c:2", "#:a.c:1\n#: b.c:2").replace("#, c-format, fuzzy", "#,fuzzy\n#, c-format"),
            FILE.replace("# note\n#. hint\n", "#. hint\n# note\n"),
            FILE.replace("\n\n", "\n"),
        ];
        for text in other {
            assert_eq!(PoFile::read(&text).as_ref(), Ok(&plain), "{text}");
        }
    }

    #[test]
    fn what_is_no_catalogue_is_told() {
        for (text, why) in [
            ("msgid \"a\"", "ends within"),
            ("msgstr \"a\"", "does not belong"),
            ("msgid \"a\"\nmsgstr[0] \"b\"", "does not belong"),
            ("msgid \"a\"\nmsgstr \"b\"\nmsgstr[1] \"c\"", "does not belong"),
            ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"", "does not belong"),
            ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"c\"", "does not belong"),
            ("msgid \"a\nmsgstr \"b\"", "does not end"),
            ("msgid \"a\\q\"\nmsgstr \"b\"", "escape"),
            ("msgid \"a\"\nmsgstr\nmsgid \"b\"\nmsgstr \"c\"", "without a text"),
            ("msgid \"a\"\nmsgstr", "without a text"),
            ("msgid \"a\"\n# within\nmsgstr \"b\"", "within a message"),
            ("msgid \"a\"\nmsgstr \"b\"\n# at the end", "belong to nothing"),
            ("\"a\"", "belongs to nothing"),
            ("hello", "does not belong"),
            ("domain \"a\"", "does not belong"),
            ("msgid \"a\" ; msgstr \"b\"", "means nothing"),
        ] {
            assert!(PoFile::read(text).unwrap_err().contains(why), "{text}: {:?}", PoFile::read(text));
        }
        assert_eq!(PoFile::read("").unwrap(), PoFile::default());
    }
}
