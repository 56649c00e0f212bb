//! The session in the book is a session that happens.

use std::collections::BTreeSet;
use std::fs;

use quintain_agents::Subprocess;
use quintain_process::sandbox::ProgramAccess;
use serde_json::Value;

use crate::maze::Game;

const BOOK: &str = include_str!("../../../../docs/agent-protocol.md");

/// Answers with its arguments, one a turn, and writes down all it is told.
const READER: &str = r#"
import json, sys
notebook, answers = open(sys.argv[1], "w"), iter(sys.argv[2:])
for line in sys.stdin:
    notebook.write(line)
    if json.loads(line)["type"] == "turn":
        print(next(answers), flush=True)
"#;

fn session(mark: &str) -> Vec<&'static str> {
    let block =
        BOOK.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the book has a session");
    block.lines().filter_map(|line| line.strip_prefix(mark)).collect()
}

/// The paths of all values, save those within the actions a world publishes.
fn shape(line: &str) -> BTreeSet<String> {
    fn walk(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
        paths.insert(path.to_owned());
        for (key, inner) in value.as_object().into_iter().flatten() {
            walk(inner, &format!("{path}/{key}"), paths);
        }
    }
    let mut paths = BTreeSet::new();
    walk(&serde_json::from_str(line).expect("a line of the session is JSON"), "", &mut paths);
    paths
}

#[test]
fn the_session_in_the_book_is_a_real_one() {
    let folder = tempfile::tempdir().unwrap();
    let notebook = folder.path().join("notebook");
    let start = ["python3", "-c", READER, notebook.to_str().unwrap()];
    let argv = start.into_iter().chain(session("< ")).map(str::to_owned);
    let outcome = Game::new().play(&mut Subprocess::new(argv, ProgramAccess::Host));

    assert_eq!(outcome.story(), "move(0) done | done, score 0");
    assert_eq!(outcome.steps[0].spent.tokens, 821);
    let told = fs::read_to_string(&notebook).unwrap();
    let told: Vec<BTreeSet<String>> = told.lines().map(shape).collect();
    let in_the_book: Vec<BTreeSet<String>> = session("> ").into_iter().map(shape).collect();
    assert_eq!(told, in_the_book);
}
