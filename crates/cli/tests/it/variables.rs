//! Environment variables have one table, and everything that names one agrees with it.

use std::collections::BTreeSet;
use std::fmt::Write;

use quintain_core::variables::{ALL, VariableReader};

use crate::command::{generated, root};
use crate::tidy::sources;

/// What the names of all variables begin with.
const PREFIX: &str = "QUINTAIN_";

const SECTIONS: [(VariableReader, &str, &str); 5] = [
    (
        VariableReader::Product,
        "The command and the Python package",
        "An option on the command line, where there is one, goes before its variable.",
    ),
    (VariableReader::Agent, "Agents from outside", "Set for a program that plays."),
    (VariableReader::Deployment, "Deployment", "Read by files in `deploy`."),
    (VariableReader::Tests, "Tests", "Nothing of the product reads these."),
    (VariableReader::Child, "Parts of tests", "Tests and measurements that start themselves again set these."),
];

#[test]
fn the_page_of_variables_is_current() {
    let mut page = "# Environment variables\n\nMade by `just gen` from `crates/core/src/variables.rs`.\n".to_owned();
    for (reader, title, note) in SECTIONS {
        write!(page, "\n## {title}\n\n{note}\n\n| variable | what it says |\n|---|---|\n").expect("strings take text");
        for variable in ALL.iter().filter(|variable| variable.reader == reader) {
            writeln!(page, "| `{}` | {} |", variable.name, variable.says).expect("strings take text");
        }
    }
    let told = ALL.iter().filter(|variable| page.contains(&format!("`{}`", variable.name))).count();
    assert_eq!(told, ALL.len(), "every reader has a section");
    generated("docs/environment.md", &page);
}

/// Whoever writes a name out can misspell it, and the table would not know.
#[test]
fn only_the_table_spells_variables() {
    let table = root().join("crates/core/src/variables.rs");
    let folders = ["crates", "benches", "examples", "python/src"];
    let files = folders.iter().flat_map(|folder| sources(&root().join(folder), &[".rs"]));
    let literal = format!("\"{PREFIX}");
    let spelling: Vec<_> =
        files.filter(|(path, text)| *path != table && text.contains(&literal)).map(|(path, _)| path).collect();
    // This file spells what all of them begin with; the room for programs knows no crate of ours.
    let allowed = ["crates/cli/tests/it/variables.rs", "crates/process/src/sandbox/bubblewrap.rs"];
    assert_eq!(spelling, allowed.map(|path| root().join(path)), "use quintain_core::variables");
}

/// Wherever a variable is spoken of, it is one that there is.
#[test]
fn every_variable_that_is_spoken_of_exists() {
    let known: BTreeSet<&str> = ALL.iter().map(|variable| variable.name).collect();
    let endings = [".rs", ".py", ".md", ".sh", ".yaml", ".service", ".example", "justfile", "run"];
    for (path, text) in sources(&root(), &endings) {
        for name in named(&text) {
            assert!(known.contains(name), "{} speaks of `{name}`, which is not in the table", path.display());
        }
    }
}

/// The names in a text: the prefix and at least one more letter.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(PREFIX) && word.len() > PREFIX.len())
}
