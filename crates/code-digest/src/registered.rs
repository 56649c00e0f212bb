//! Which modules of a crate are apps, by the lines that register them.

use crate::code_tree::CodeApp;

/// How a puzzle is registered.
const REGISTRATION: &str = "PuzzleEntry::of::<";

/// The apps that a file registers: `maze_2d` of `PuzzleEntry::of::<crate::maze_2d::Maze2d>()`.
pub fn registered(text: &str) -> Vec<CodeApp> {
    let paths = text.split(REGISTRATION).skip(1);
    let module =
        |path: &'_ str| path.strip_prefix("crate::").unwrap_or(path).split("::").next().map(CodeApp::of_module);
    paths.filter_map(module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_known_by_the_lines_that_register_them() {
        let text = "&[PuzzleEntry::of::<crate::maze_2d::Maze2d>(),\n    PuzzleEntry::of::<fetch_reach::FetchReach>()];\nfn other() {}";
        assert_eq!(registered(text), ["maze_2d", "fetch_reach"].map(CodeApp::of_module));
        assert!(registered("nothing of the kind").is_empty());
    }
}
