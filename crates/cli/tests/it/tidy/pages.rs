//! Pages: every one is led to from another, and the page of the command line names every command.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::sources;
use crate::command::{Place, root};

/// Where somebody begins to read.
const FRONT: &str = "README.md";

#[test]
fn every_page_can_be_reached_from_the_readme() {
    let mut reached = BTreeSet::new();
    let mut left = vec![root().join(FRONT)];
    while let Some(page) = left.pop() {
        if reached.insert(page.clone()) {
            left.extend(links(&page));
        }
    }
    let pages = sources(&root().join("docs"), &[".md"]).into_iter().map(|(page, _)| page);
    let lost: Vec<PathBuf> = pages.filter(|page| !reached.contains(page)).collect();
    assert!(lost.is_empty(), "no page that is read from {FRONT} on leads to {lost:?}");
}

/// The pages that a page links to.
fn links(page: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("a link leads to {}: {error}", page.display()));
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let folder = page.parent().expect("a page lies in a folder");
    let is_page = |target: &&str| Path::new(target).extension().is_some_and(|it| it == "md");
    targets.filter(is_page).filter(|target| !target.contains("://")).map(|to| plain(folder, to)).collect()
}

/// A path without the dots of the link that it comes from.
fn plain(folder: &Path, link: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

#[test]
fn the_page_of_the_command_line_names_every_command() {
    let help = Place::new().quintain("help").stdout;
    let listed = help.split("Commands:\n").nth(1).expect("help lists the commands").split("\n\n").next().unwrap_or("");
    // What goes on from the line above is indented further.
    let commands: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let commands: Vec<&str> = commands.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(commands.len() > 30, "only {} commands were found: {commands:?}", commands.len());
    let page = fs::read_to_string(root().join("docs/cli.md")).expect("the page");
    let missing: Vec<&&str> = commands.iter().filter(|name| !page.contains(&format!("`quintain {name}"))).collect();
    assert!(missing.is_empty(), "docs/cli.md does not name {missing:?}");
}
