//! The verifier `catalogues`: reads the catalogues that an agent left and tells what became of each message that was broken,
//! and whether everything else is as it was. `msgfmt -c` has to accept each of them, in a sandbox.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileSet, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Value, json};

use super::drawing::{CatalogueCase, FREE_FIELDS};
use super::po::{PoFile, PoMessage};

pub(super) const KIND: &str = "catalogues";
const LARGEST: u64 = 1 << 20;
/// Names the catalogues that gettext refuses, one a line.
const GATE: &str = "for file in *.po; do msgfmt -c -o /dev/null \"$file\" >/dev/null 2>&1 || echo \"$file\"; done";
/// Far longer than it takes.
const LONGEST: Duration = Duration::from_mins(2);
const REFUSED: &str = "msgfmt -c refuses it";
/// What is told of a catalogue in which nothing else was touched.
const KEPT: &str = "as it was";

/// The kind `catalogues`.
pub(super) struct CatalogueReading;

struct ReadCatalogues {
    name: String,
}

impl VerifierKind for CatalogueReading {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        if let Some(option) = spec.options.keys().next() {
            return Err(format!("a verifier of kind `{KIND}` has no option `{option}`"));
        }
        Ok(Box::new(ReadCatalogues { name: spec.name.clone() }))
    }
}

impl VerifierRunner for ReadCatalogues {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let catalogues = super::cases_of(&case.reference.start["plan"])?;
        let paths: Vec<String> = catalogues.iter().map(|catalogue| format!("{}.po", catalogue.code)).collect();
        let refused = refused(case.files, &paths)?;
        let (mut fields, mut problems) = (BTreeMap::new(), Vec::new());
        for (catalogue, path) in catalogues.iter().zip(paths) {
            let bytes = complaints::bytes_left(&path, case.files.get(&path), LARGEST);
            let file = bytes.and_then(|bytes| {
                let file = read(&bytes);
                let file = if refused.contains(&path) { file.and(Err(REFUSED.to_owned())) } else { file };
                file.map_err(|why| complaints::faulty(&path, why))
            });
            match file {
                Ok(file) => fields.extend(told(catalogue, &file)),
                Err(complaint) => problems.push(complaint),
            }
        }
        if !problems.is_empty() {
            fields.insert("problem".to_owned(), complaints::all(&problems));
        }
        Ok(vec![(self.name.clone(), json!(fields))])
    }
}

/// The catalogues that gettext refuses.
fn refused(files: &FileSet, paths: &[String]) -> Result<BTreeSet<String>, String> {
    let mut room = VerifierRoom::open()?;
    let mut is_empty = true;
    for path in paths {
        if let Some(file) = files.get(path) {
            // What is too large is refused by the reader.
            is_empty &= room.put_left(path, file, LARGEST)?.is_err();
        }
    }
    if is_empty {
        return Ok(BTreeSet::new());
    }
    let report = room.run(&["sh", "-c", GATE], LONGEST)?;
    if !report.succeeded {
        // Whatever is left that keeps it busy is no catalogue.
        return Ok(paths.iter().cloned().collect());
    }
    Ok(report.output.lines().map(str::to_owned).collect())
}

fn read(bytes: &[u8]) -> Result<PoFile, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    if text.starts_with('\u{feff}') {
        return Err("it begins with a byte order mark".to_owned());
    }
    PoFile::read(text)
}

/// What is told of a catalogue, each thing by its name.
pub(super) fn told(case: &CatalogueCase, file: &PoFile) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    for key in &case.repaired {
        let all: Vec<&PoMessage> = file.messages.iter().filter(|message| message.key() == *key).collect();
        let text = match all.as_slice() {
            [] => "it is not there".to_owned(),
            [one] => one.whole(),
            more => format!("it is there {} times", more.len()),
        };
        fields.insert(format!("{}: {}", case.code, key.trim_end()), text);
    }
    let header = CatalogueHeader::read(file);
    for field in &case.header_fields {
        let value = header.as_ref().map_or_else(Clone::clone, |header| header.told(field));
        fields.insert(format!("{}, header: {field}", case.code), value);
    }
    let kept = kept(case, file).map_or_else(|what| what, |()| KEPT.to_owned());
    fields.insert(format!("{}: everything else", case.code), kept);
    fields
}

/// The header of a catalogue: its fields by name, and what else stands with it.
struct CatalogueHeader {
    fields: BTreeMap<String, String>,
    beside: PoMessage,
}

impl CatalogueHeader {
    /// The one header of a catalogue, or what is wrong with it.
    fn read(file: &PoFile) -> Result<Self, String> {
        let mut all = file.messages.iter().filter(|message| message.is_header());
        let (Some(header), None) = (all.next(), all.next()) else { return Err("there is not one header".to_owned()) };
        let mut beside = header.clone();
        let texts = std::mem::take(&mut beside.strings);
        let mut fields = BTreeMap::new();
        for line in texts.iter().flat_map(|text| text.lines()) {
            let (name, value) = line.split_once(':').ok_or("a line of the header is no field")?;
            if fields.insert(name.trim().to_owned(), value.trim().to_owned()).is_some() {
                return Err("a field of the header stands twice".to_owned());
            }
        }
        Ok(Self { fields, beside })
    }

    /// A field; blanks do not count in the rule of plurals.
    fn told(&self, field: &str) -> String {
        let value = self.fields.get(field).cloned().unwrap_or_default();
        if field == "Plural-Forms" { value.split_whitespace().collect() } else { value }
    }

    /// The fields that have to be as they were.
    fn fixed(&self, case: &CatalogueCase) -> BTreeMap<String, String> {
        let mut fields = self.fields.clone();
        fields.retain(|name, _| !FREE_FIELDS.contains(&name.as_str()) && !case.header_fields.contains(name.as_str()));
        fields
    }
}

/// Whether everything that was right is as it was, or what is not.
fn kept(case: &CatalogueCase, file: &PoFile) -> Result<(), String> {
    for message in case.right.messages.iter().filter(|message| is_kept(case, message)) {
        let key = message.key();
        let all: Vec<&PoMessage> = file.messages.iter().filter(|other| other.key() == key).collect();
        match all.as_slice() {
            [one] if *one == message => {}
            [] => return Err(format!("lost: {key}")),
            _ => return Err(format!("changed: {key}")),
        }
    }
    let known: Vec<String> = case.right.messages.iter().map(PoMessage::key).collect();
    if let Some(new) = file.messages.iter().find(|message| !known.contains(&message.key())) {
        return Err(format!("added: {}", new.key().chars().take(80).collect::<String>()));
    }
    let (is, was) = (CatalogueHeader::read(file)?, CatalogueHeader::read(&case.right)?);
    if is.fixed(case) != was.fixed(case) {
        return Err("changed: other fields of the header".to_owned());
    }
    if is.beside != was.beside {
        return Err("changed: what stands with the header".to_owned());
    }
    let obsolete = |file: &PoFile| file.obsolete.iter().map(PoMessage::whole).collect::<BTreeSet<String>>();
    let is_kept = file.obsolete.len() == case.right.obsolete.len() && obsolete(file) == obsolete(&case.right);
    if is_kept { Ok(()) } else { Err("changed: what is obsolete".to_owned()) }
}

fn is_kept(case: &CatalogueCase, message: &PoMessage) -> bool {
    !message.is_header() && !case.repaired.contains(&message.key())
}

#[cfg(test)]
mod tests {
    use super::super::drawing::drawn;
    use super::*;

    /// Whether a catalogue, written and changed, is told as the right one.
    fn is_right(case: &CatalogueCase, change: impl FnOnce(String) -> String) -> bool {
        let text = change(case.right.written());
        let right = told(case, &case.right);
        PoFile::read(&text).is_ok_and(|file| told(case, &file) == right)
    }

    #[test]
    fn every_part_of_every_entry_counts() {
        let cases = drawn(7, 3, 1);
        let case = &cases[0];
        assert!(is_right(case, |text| text));
        let entries = case.right.messages.iter().filter(|message| !message.is_header());
        for at in 1..=entries.count() {
            let changes: [fn(&mut PoMessage); 6] = [
                |message| message.references.clear(),
                |message| message.references.push("src/legacy.c:1".to_owned()),
                |message| message.notes.push("new".to_owned()),
                |message| message.hints.push("new".to_owned()),
                |message| {
                    message.flags.insert("no-wrap".to_owned());
                },
                |message| message.plural = Some("others".to_owned()),
            ];
            for change in changes {
                let mut file = case.right.clone();
                change(&mut file.messages[at]);
                assert_ne!(told(case, &file), told(case, &case.right), "{}", case.right.messages[at].key());
            }
        }
    }

    #[test]
    fn the_header_counts_too() {
        let cases = drawn(7, 3, 1);
        let case = &cases[0];
        let header = "msgid \"\"\nmsgstr \"\"\n";
        for (from, to) in [
            (header, "#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n"),
            (header, "# by me\nmsgid \"\"\nmsgstr \"\"\n"),
            (header, "#| msgid \"a\"\nmsgid \"\"\nmsgstr \"\"\n"),
            (header, "msgid \"\"\nmsgstr \"no field\\n\"\n"),
            (header, "msgid \"\"\nmsgstr \"Language: de\\n\"\n"),
            (header, "msgid \"\"\nmsgstr \"Language-Team: de\\n\"\n"),
            ("Language: de", "Language: d e"),
            ("MIME-Version: 1.0\\n", "\\n"),
            ("#~ msgid", "msgid \"\"\nmsgstr \"Language: de\\n\"\n\n#~ msgid"),
            ("#~ msgstr", "#~ msgid_plural \"a\"\n#~ msgstr[0]"),
        ] {
            assert!(case.right.written().contains(from), "{from}");
            assert!(!is_right(case, |text| text.replacen(from, to, 1)), "{to}");
        }
        assert!(is_right(case, |text| text.replace("nplurals=2; plural=(n != 1);", "nplurals=2;plural=(n!=1) ;")));
        assert!(is_right(case, |text| text.replace(header, "msgid \"\"\nmsgstr \"X-Generator: vim\\n\"\n")));
    }
}
