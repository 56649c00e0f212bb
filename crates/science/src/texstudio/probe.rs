//! What TeXstudio shows of its state: the files that are open, and its table of what is in them. The text of its editor is
//! not among its elements: what was written is told by the file, as it is saved.

use quintain_desktop::AppProbe;
use quintain_machine::AccessibleElement;
use serde_json::{Value, json};

use super::latex;
use super::project::MAIN;

/// How its title ends, after the file that is in front.
const TITLE: &str = " - TeXstudio";

/// Whether the paper is open, and its structure was read.
pub(super) fn is_ready(shown: &AppProbe<'_>) -> bool {
    front(shown).is_some() && !structure(shown).is_empty()
}

/// What it shows.
pub(super) fn document(shown: &AppProbe<'_>) -> Value {
    let titles: Vec<&str> = shown.windows.iter().map(|window| window.title.as_str()).collect();
    json!({
        "is_running": shown.is_running,
        "windows": titles,
        "front": front(shown),
        "structure": structure(shown),
        "saved": shown.files.get(MAIN).map(|source| latex::outlined(source)),
    })
}

/// The file that is in front, as the title tells it.
fn front<'a>(shown: &AppProbe<'a>) -> Option<&'a str> {
    let elements = shown.elements.map(AccessibleElement::all).unwrap_or_default();
    elements.into_iter().filter(|element| element.role == "frame").find_map(|frame| frame.name.strip_suffix(TITLE))
}

/// What its table of contents lists.
fn structure<'a>(shown: &AppProbe<'a>) -> Vec<&'a str> {
    let elements = shown.elements.map(AccessibleElement::all).unwrap_or_default();
    let trees = elements.into_iter().filter(|element| element.role == "tree");
    let cells = trees
        .flat_map(AccessibleElement::all)
        .filter(|element| element.role.contains("cell") || element.role.contains("item"));
    cells.map(|cell| cell.name.as_str()).filter(|name| !name.is_empty()).collect()
}
