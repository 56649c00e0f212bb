//! The reference page tells of everything that can be written, and of nothing else.

use std::collections::BTreeSet;

use quintain_browser::App;
use quintain_core::Pick;
use quintain_core::manual::ManualChapter;
use serde::Deserialize;
use serde_json::json;

use super::tasks;
use crate::ALL;
use crate::circuit::model::recipe::{CircuitRecipe, RECIPE};
use crate::workflow::WorkflowBuilder;
use crate::workflow::model::edit::{EDITS, Edit};

/// What an error says was expected.
fn expected(error: &str) -> BTreeSet<String> {
    let (_, rest) = error.split_once("expected ").expect("it says what was expected");
    rest.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_edit_and_every_key_of_it_is_told() {
    let refused = |edit: serde_json::Value| Edit::deserialize(edit).expect_err("it is not one").to_string();
    assert_eq!(expected(&refused(json!({"do": "?"}))), names(EDITS.iter().map(|(name, ..)| *name)));
    for (name, _, keys) in EDITS {
        let known = expected(&refused(json!({"do": name, "?": 1})));
        assert_eq!(known, names(keys.iter().map(|(key, _)| *key)), "{name}");
    }
}

#[test]
fn every_key_of_a_recipe_is_told() {
    let refused = |text: &str| expected(&CircuitRecipe::read(text).expect_err("it is none"));
    let bare = |name: &'static str| name.trim_matches(['[', ']']);
    assert_eq!(refused("zz = 1"), names(RECIPE.iter().map(|(name, ..)| bare(name))));
    for (name, says, keys) in RECIPE {
        if keys.is_empty() {
            let known = refused(&format!("{name} = 'zz'"));
            assert!(known.iter().all(|word| says.contains(&format!("`{word}`"))), "{name}: {known:?}");
            continue;
        }
        assert_eq!(
            refused(&format!("{} = [{{ zz = 1 }}]", bare(name))),
            names(keys.iter().map(|(key, _)| *key)),
            "{name}"
        );
    }
    let quantities = refused("reading = [{ field = 'f', part = 'p', quantity = 'zz' }]");
    let (_, says) = RECIPE.iter().flat_map(|(.., keys)| *keys).find(|(key, _)| *key == "quantity").expect("it is told");
    assert!(quantities.iter().all(|word| says.contains(&format!("`{word}`"))), "{quantities:?}");
}

#[test]
fn nothing_is_told_without_words() {
    for ManualChapter { title, says, entries } in ALL.iter().flat_map(|app| app.manual()) {
        assert!(!says.is_empty() && !entries.is_empty(), "{title}");
        for entry in entries {
            assert!(!entry.name.is_empty() && entry.says.ends_with('.'), "{title}: {entry:?}");
            assert!(entry.keys.iter().all(|(key, says)| !key.is_empty() && !says.is_empty()), "{title}: {entry:?}");
        }
    }
}

#[test]
fn everything_that_is_wrong_with_a_solution_is_told_with_its_line() {
    let mut task = tasks("workflow-remove-node").remove(0);
    let parameters = task.parameters(&quintain_core::Pick::default());
    let mut told = |solution: &str| {
        task.solution = Some(solution.to_owned());
        WorkflowBuilder.prepare(&task, &Pick::default(), &parameters, None).expect_err("it is wrong")
    };
    let open = "[[edit]]\ndo = \"open\"\nworkflow = \"{{ start.title }}\"\n";
    let both = format!(
        "{open}\n[[edit]]\ndo = \"delet\"\nnode = \"n4\"\n[[edit]]\ndo = \"delete\"\nnode = \"{{{{ gon }}}}\"\n"
    );
    let lines: Vec<String> = [
        told(&both),
        told(&format!("{open}[[edit]]\ndo = \"delete\"\nnode = \"n9\"\n")),
        told("[[edit]]\ndo = open\n"),
    ]
    .into();
    insta::assert_snapshot!(lines.join("\n"), @"
    oracle.toml:5: edit 2: unknown variant `delet`, expected one of `open`, `create`, `add`, `delete`, `connect`, `disconnect`, `set`, `add_case`, `remove_case`, `add_field`, `rename`
    oracle.toml:8: edit 3: `{{ gon }}`: there is no `gon`; did you mean `gone`?
    oracle.toml:4: edit 2: there is no node `n9` in the open workflow; there is `n1`, `n2`, `n3`, `n4`, `n5`
    oracle.toml:2:6: string values must be quoted, expected literal string
    ");
}
