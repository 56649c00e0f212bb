use super::*;

/// A crate of two puzzles and what they share, in a folder of its own.
fn written(changes: &[(&str, &str)]) -> CodeTree {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("lib.rs", "mod canvas;"),
        ("canvas.rs", "draw"),
        ("maze.rs", "judge"),
        ("maze/solve.rs", "oracle"),
        ("maze/tests.rs", "assert"),
        ("maze/tests/more.rs", "assert"),
        ("maze_wide.rs", "another judge"),
    ];
    for (path, text) in files.iter().chain(changes) {
        let path = folder.path().join("src").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    CodeTree::default().with("src", &folder.path().join("src")).unwrap()
}

fn apps() -> Vec<CodeApp> {
    ["maze", "maze_wide"].map(CodeApp::of_module).into()
}

/// Which hashes a change alters.
fn altered(changes: &[(&str, &str)]) -> String {
    let (before, after, apps) = (written(&[]), written(changes), apps());
    let own = apps.iter().filter(|app| before.own(app) != after.own(app)).map(|app| app.name.as_str());
    let shared = (before.shared(&apps) != after.shared(&apps)).then_some("shared");
    own.chain(shared).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_changed_judge_changes_the_hash_of_its_app_alone() {
    assert_eq!(altered(&[]), "");
    assert_eq!(altered(&[("maze.rs", "lenient judge")]), "maze");
    assert_eq!(altered(&[("maze/solve.rs", "another oracle")]), "maze");
    assert_eq!(altered(&[("maze/generate.rs", "a new file")]), "maze");
    assert_eq!(altered(&[("maze_wide.rs", "lenient judge")]), "maze_wide");
    assert_eq!(altered(&[("canvas.rs", "draw otherwise")]), "shared");
    assert_eq!(altered(&[("maze/tests.rs", "assert more"), ("maze/tests/more.rs", "")]), "", "tests judge nothing");
}

#[test]
fn the_same_files_have_the_same_hashes_wherever_they_lie() {
    let text = written(&[]).digests(&apps()[..1]);
    assert_eq!(text, written(&[]).digests(&apps()[..1]));
    let (head, rest) = text.split_once('[').unwrap();
    assert_eq!(head, "quintain_core::offering::CodeDigests { shared: ");
    assert!(rest.contains("], apps: &[(\"maze\", ["), "{rest}");
    assert_eq!(written(&[]).text("src/canvas.rs"), Some("draw"));
}
