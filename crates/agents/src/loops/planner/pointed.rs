//! The point in a grounder's answer. Models that were taught to point write it in many ways: what names it is looked for
//! first, numbers that merely stand there last.

mod scan;
#[cfg(test)]
mod tests;

use quintain_models::model::{Message, ToolCall};

use scan::{bare, bracketed, named};

/// Which number of a point comes first where a model writes it as a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListOrder {
    /// From the left, then from the top.
    AcrossFirst,
    /// From the top, then from the left, as Gemini writes `point` and `box_2d`.
    DownFirst,
}

/// What points and boxes are called, the surest first.
const NAMES: [&str; 13] = [
    "point_2d",
    "bbox_2d",
    "coordinate",
    "coordinates",
    "start_box",
    "start_point",
    "click_point",
    "point",
    "points",
    "bbox",
    "box",
    "position",
    "p",
];
/// The same where the number from the top comes first, as Gemini writes it; but in double brackets it is GLM's, which
/// writes `[[xmin,ymin,xmax,ymax]]` (`zai-org/GLM-V`, `examples/gui-agent/glm-41v/agent.md`).
const DOWN_FIRST: &str = "box_2d";
/// The names of the two numbers of a point, and of the four of a box.
const SIDES: [&[&str]; 3] = [&["x1", "y1", "x2", "y2"], &["x", "y"], FIRST_POINT];
/// Several points of Molmo, numbered from one on: the first is taken.
const SEVERAL: &str = "<points";
const FIRST_POINT: &[&str] = &["x1", "y1"];
/// Marks of some models around a box. They say nothing that its numbers do not.
const MARKS: [&str; 4] = ["<|box_start|>", "<|box_end|>", "<|begin_of_box|>", "<|end_of_box|>"];
/// What stands around thoughts: most models', MAI-UI's, Kimi's.
const THOUGHTS: [(&str, &str); 3] =
    [("<think>", "</think>"), ("<grounding_think>", "</grounding_think>"), ("◁think▷", "◁/think▷")];

/// The point that a message gives; nothing where it gives none.
pub(super) fn pointed(message: &Message, order: ListOrder) -> Option<(f64, f64)> {
    if let Some(call) = message.calls().next() {
        return in_text(&called(call), order);
    }
    in_text(&message.text(), order)
}

/// The arguments of a call as a text: functions that were not offered are called with lists, or in words.
fn called(call: &ToolCall) -> String {
    call.input.to_string()
}

fn in_text(text: &str, order: ListOrder) -> Option<(f64, f64)> {
    let text = plain(text);
    let listed = |numbers: &[f64]| middle(numbers, order);
    if let Some(numbers) = named(&text, DOWN_FIRST) {
        let is_doubled = after_name(&text, DOWN_FIRST).starts_with("[[");
        return middle(&numbers, if is_doubled { ListOrder::AcrossFirst } else { ListOrder::DownFirst });
    }
    if let Some(numbers) = NAMES.iter().find_map(|name| named(&text, name)) {
        return listed(&numbers);
    }
    let several = text.contains(SEVERAL).then(|| sided(&text, FIRST_POINT)).flatten();
    if let Some(numbers) = several.or_else(|| SIDES.iter().find_map(|sides| sided(&text, sides))) {
        return middle(&numbers, ListOrder::AcrossFirst);
    }
    bracketed(&text).or_else(|| bare(&text)).and_then(|numbers| middle(&numbers, ListOrder::AcrossFirst))
}

/// What was said in the end, without marks.
fn plain(text: &str) -> String {
    let said = THOUGHTS.iter().fold(text, |text, (begins, ends)| {
        let said = text.rsplit_once(ends).map_or(text, |(_, said)| said);
        said.split_once(begins).map_or(said, |(before, _)| before)
    });
    MARKS.iter().fold(said.to_owned(), |text, mark| text.replace(mark, " "))
}

/// Numbers that each have a name.
fn sided(text: &str, sides: &[&str]) -> Option<Vec<f64>> {
    sides.iter().map(|side| scan::number_named(text, side)).collect()
}

/// What stands behind a name, without blanks and marks.
fn after_name(text: &str, name: &str) -> String {
    let after = text.split_once(name).map_or("", |(_, after)| after);
    after.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | ':' | '=')).take(2).collect()
}

/// A point, or the middle of a box. Two numbers below zero are how models say that it is not there.
fn middle(numbers: &[f64], order: ListOrder) -> Option<(f64, f64)> {
    let (first, second) = match *numbers {
        [x, y] if x < 0.0 && y < 0.0 => return None,
        [x, y] => (x, y),
        [x1, y1, x2, y2] => (x1.midpoint(x2), y1.midpoint(y2)),
        _ => return None,
    };
    Some(if order == ListOrder::AcrossFirst { (first, second) } else { (second, first) })
}
