//! What counts in a document and what does not: told in every task's instruction, and held to by the comparison.
//!
//! The sentences stand here, next to what they speak of, and nowhere else. A test holds each against the variations
//! that show that something does not count and the near misses that show that something does.

use quintain_checks::fold::Folding;

use crate::workflow::model::{NodeCatalogue, NodeSetting, SettingContent};

/// The key of the settings that name a field of an item. The app looks for that very field.
const FIELD: &str = "field";

/// Everything that is told, a sentence or a few each.
const RULES: [fn() -> String; 5] = [identity, order, texts, numbers, expressions];

/// What counts and what does not, as a list for instructions.
pub(in crate::workflow) fn what_counts() -> String {
    RULES.map(|rule| format!("- {}", rule())).join("\n")
}

fn identity() -> String {
    "**What is there at the start stays the thing it is.** A workflow or a node that is deleted and made again (from a \
     template, say) is another one, even where it looks the same; undo brings back the one that was there. A \
     connection is known by its two ends alone: deleted and drawn again, it is the same."
        .to_owned()
}

fn order() -> String {
    "**Order.** A \"Switch\" tries its cases from top to bottom, so their order counts: a new case comes last, where the app \
     puts it. The order of the fields of an \"Edit Fields (Set)\" node does not count, nor does the order in which nodes, \
     connections and workflows are made, where nodes stand, or which page is open at the end."
        .to_owned()
}

fn texts() -> String {
    let labels: Vec<String> = exact_labels().iter().map(|label| format!("\"{label}\"")).collect();
    format!(
        "**Texts** count letter by letter, upper and lower case too. Only white space at the ends of a name, a text or an \
         expression does not count, except where the app minds it as well: in labels of cases, in names of fields and in \
         the settings {}. A case whose expression is nothing but white space has one that the app cannot read.",
        labels.join(" and ")
    )
}

fn numbers() -> String {
    "**Numbers** count by their value, exactly: `1.0` is `1`. A field for a number keeps the last number it could read, \
     so that it keeps 1 when `1 s` is typed."
        .to_owned()
}

fn expressions() -> String {
    "**Expressions** count by what they do, not by how they are written: `10 < item.value` is `item.value > 10`. Yours has \
     to come out the same as the one in the task for every item; of a condition counts only whether it holds, and where \
     the one in the task cannot be computed it does not hold. Items have something in common: a field that the task \
     compares by `==` or `===` holds no list and no record, so that either does, and one that it adds a number to holds \
     neither of them and no text but an empty one. The app reads names, texts in single or double quotes, \
     decimal numbers, lists, the usual operators, `?.`, `? :` and calls. It does not read comments, semicolons, other \
     kinds of numbers or quotes, or anything else of JavaScript: what it cannot read is no expression."
        .to_owned()
}

/// Whether white space at the ends of a text setting counts, because the app minds it.
pub(super) fn keeps_blanks(setting: &NodeSetting) -> bool {
    setting.holds == SettingContent::Text && setting.key == FIELD
}

/// What the panel calls the settings whose white space counts.
fn exact_labels() -> Vec<&'static str> {
    let settings = NodeCatalogue::shared().kinds.iter().flat_map(|kind| &kind.settings);
    let mut labels: Vec<&str> =
        settings.filter(|setting| keeps_blanks(setting)).map(|setting| setting.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// A text as it is compared: without white space at its ends, letters composed, lines ended in one way.
pub(super) fn text(text: &str) -> String {
    Folding::default().fold(text.replace("\r\n", "\n").trim())
}

#[cfg(test)]
mod tests;
