//! The verifier `catalogues`: reads the catalogues that an agent left and tells what became of each message that was broken,
//! and whether everything else is as it was. No program is started.

use std::collections::BTreeMap;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use serde_json::{Value, json};

use super::drawing::{CatalogueCase, FREE_FIELDS};
use super::po::{PoFile, PoMessage};

pub(super) const KIND: &str = "catalogues";
const LARGEST: u64 = 1 << 20;
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
        let mut fields = BTreeMap::new();
        for catalogue in super::cases_of(&case.reference.start["plan"])? {
            let path = format!("{}.po", catalogue.code);
            match case.files.get(&path).map_or_else(|| Err("it was not left".to_owned()), read) {
                Ok(file) => fields.extend(told(&catalogue, &file)),
                Err(problem) => drop(fields.insert("problem".to_owned(), format!("{path}: {problem}"))),
            }
        }
        Ok(vec![(self.name.clone(), json!(fields))])
    }
}

fn read(file: &FileHandle) -> Result<PoFile, String> {
    let bytes = file.whole(LARGEST).map_err(|error| error.to_string())?;
    let text = std::str::from_utf8(&bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    PoFile::read(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// What is told of a catalogue, each thing by its name.
pub(super) fn told(case: &CatalogueCase, file: &PoFile) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    for key in &case.repaired {
        let all: Vec<&PoMessage> = file.messages.iter().filter(|message| message.key() == *key).collect();
        let text = match all.as_slice() {
            [] => "it is not there".to_owned(),
            [one] => json!({ "flags": one.flags, "previous": one.previous, "text": one.strings }).to_string(),
            more => format!("it is there {} times", more.len()),
        };
        fields.insert(format!("{}: {}", case.code, key.trim_end()), text);
    }
    let header = file.header();
    for field in &case.header_fields {
        let value = header.iter().find(|(name, _)| name == field).map(|(_, value)| squeezed(value));
        fields.insert(format!("{}, header: {field}", case.code), value.unwrap_or_default());
    }
    let kept = kept(case, file).map_or_else(|what| what, |()| KEPT.to_owned());
    fields.insert(format!("{}: everything else", case.code), kept);
    fields
}

/// Blanks do not count in the fields of a header.
fn squeezed(value: &str) -> String {
    value.split_whitespace().collect()
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
    let fields = |file: &PoFile| {
        let is_fixed = |name: &str| !FREE_FIELDS.contains(&name) && !case.header_fields.contains(name);
        let mut fields = file.header();
        fields.retain(|(name, _)| is_fixed(name));
        fields.sort();
        fields
    };
    if fields(file) != fields(&case.right) {
        return Err("changed: other fields of the header".to_owned());
    }
    let (mut is, mut was) = (file.obsolete.clone(), case.right.obsolete.clone());
    is.sort();
    was.sort();
    if is == was { Ok(()) } else { Err("changed: what is obsolete".to_owned()) }
}

fn is_kept(case: &CatalogueCase, message: &PoMessage) -> bool {
    !message.id.is_empty() && !case.repaired.contains(&message.key())
}
