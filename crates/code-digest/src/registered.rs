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

/// The apps that a file lists in its constant `ALL`: `alerts` of `&alerts::AlertingRules`.
///
/// # Panics
///
/// Where there is no such list, or nothing in it: certificates would hold whatever happens to the code.
pub fn listed(text: &str) -> Vec<CodeApp> {
    let list = text.split_once("const ALL:").and_then(|(_, rest)| rest.split_once("&[")?.1.split_once("];"));
    let entries = list.map(|(list, _)| list.split('&')).into_iter().flatten();
    let apps: Vec<CodeApp> = entries.filter_map(|entry| Some(CodeApp::of_module(entry.split_once("::")?.0))).collect();
    assert!(!apps.is_empty(), "no apps are listed as `const ALL: ... = &[&module::Type, ...];`");
    apps
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

    #[test]
    fn modules_are_known_by_the_list_that_they_stand_in() {
        let one = "const ALL: DesktopApps = &[&grass::Grass, &kalgebra::KAlgebra];\nconst OTHER: &[u8] = &[1];";
        let lines =
            "mod mail;\nconst ALL: Assignments = &[\n    &alerts::AlertingRules,\n    &mail::MailThreads,\n];\n";
        assert_eq!(listed(one), ["grass", "kalgebra"].map(CodeApp::of_module));
        assert_eq!(listed(lines), ["alerts", "mail"].map(CodeApp::of_module));
    }
}
