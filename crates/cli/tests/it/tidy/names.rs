//! A type's name is defined once, so that whoever meets it anywhere knows what is meant.
//!
//! Looked at is what makes the product. A test's own types stay in its file, where nobody meets them by accident.

use std::collections::BTreeMap;
use std::path::Path;

use super::{folders, sources};

/// Names that the trait of puzzles demands of every puzzle: what is told apart is the folder.
const OF_EVERY_PUZZLE: [&str; 4] = ["Parameters", "Start", "State", "Drawing"];

/// Nouns of the glossary that may name a type in more than one room. There is room for thirty; so far none is needed.
const DOMAIN_NOUNS: [&str; 0] = [];

#[test]
fn a_type_name_is_defined_once() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, folder) in folders().into_iter().filter(|(name, _)| name != "testkit") {
        for (path, text) in sources(&folder.join("src"), &[".rs"]) {
            let place = format!("{name}/{}", path.strip_prefix(folder.join("src")).expect("it lies there").display());
            let names = if is_test(&path) { Vec::new() } else { defined(&text) };
            let wanted = names.into_iter().filter(|defined| !may_repeat(&name, defined));
            wanted.for_each(|defined| places.entry(defined).or_default().push(place.clone()));
        }
    }
    assert!(places.len() > 1000, "only {} names were found: are they looked for where they are?", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "one name, several types: say with a second word what each does: {places:#?}");
}

fn may_repeat(room: &str, name: &str) -> bool {
    DOMAIN_NOUNS.contains(&name) || ["puzzles", "physics"].contains(&room) && OF_EVERY_PUZZLE.contains(&name)
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| ["tests", "tests.rs"].contains(&part.as_os_str().to_str().expect("UTF-8")))
}

/// The names of the types that a file defines, up to its tests.
fn defined(text: &str) -> Vec<String> {
    let mut lines = text.lines().peekable();
    let mut names = Vec::new();
    while let Some(line) = lines.next() {
        let is_module = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
        if line == "#[cfg(test)]" && lines.peek().is_some_and(is_module) {
            break;
        }
        names.extend(definition(line));
    }
    names
}

/// The name in a line such as `pub(crate) struct Name<T> {`. An indented `type` belongs to a trait and is none.
fn definition(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "unsafe");
    let keyword = words.next()?;
    let is_type = ["struct", "enum", "union", "trait"].contains(&keyword);
    let is_alias = keyword == "type" && !line.starts_with(' ');
    let name: String = words.next()?.chars().take_while(char::is_ascii_alphanumeric).collect();
    ((is_type || is_alias) && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn definitions_are_told_from_uses() {
    let text = "pub(super) struct First<T> {\n    type Inner = u8;\npub enum Second {\nunsafe trait Third: Sized {\ntype Fourth = u8;\n\
                // struct Comment\n    struct Local;\nfn struct_of() {}\n#[cfg(test)]\nmod tests {\nstruct Hidden;\n";
    assert_eq!(defined(text), ["First", "Second", "Third", "Fourth", "Local"]);
}
