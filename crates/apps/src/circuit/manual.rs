//! What tasks of the Circuit Designer can say, for the reference page.

use quintain_core::manual::{ManualChapter, ManualEntry};

use super::model::recipe::RECIPE;
use super::model::{KindSpec, PartKind, SettingSpec, catalogue};
use super::settle::SETTLED;

/// The chapters of the app.
pub(super) fn chapters() -> Vec<ManualChapter> {
    vec![words(), starts(), verifier(), recipe(), parts()]
}

fn chapter(title: &str, says: &str, entries: Vec<ManualEntry>) -> ManualChapter {
    ManualChapter { title: format!("Circuit Designer: {title}"), says: says.to_owned(), entries }
}

fn words() -> ManualChapter {
    let says = "What an instruction of its tasks can name besides the parameters.";
    let entries = vec![
        ManualEntry::plain("background", "How the app is used: every instruction begins with it."),
        ManualEntry::plain(
            "counts",
            "The list under *What counts*, made from the options that are judged by. What `only`, `exactly`, `at_most`, `chain`, \
             `steps` and `shared` ask for is left to the instruction.",
        ),
        ManualEntry::plain("formula", "`formula.y` is the expression of the output `y` in the labels of the inputs."),
    ];
    chapter("words", says, entries)
}

fn starts() -> ManualChapter {
    let blank =
        ManualEntry::plain("blank", "An empty canvas, the only start there is; so it is where `start` is left out.");
    chapter("starts", "`start` of `[world]`.", vec![blank])
}

fn verifier() -> ManualChapter {
    let says = "`[[derive]]` of `task.toml`: simulates the circuit that was left and the one that was wanted.";
    let entry = ManualEntry::plain(
        "kind = \"ngspice\"",
        "What `circuit-reading` compares with, under the name that it is given.",
    );
    let settle = format!("The simulated time at which is measured, in seconds; {SETTLED} unless told.");
    chapter("verifier", says, vec![entry.key("options.settle", settle)])
}

fn recipe() -> ManualChapter {
    let says = "`oracle.toml`: the circuit that is right, which the oracle draws and readings are compared with.";
    let entry = |(name, says, keys): &(&str, &str, &[(&str, &str)])| {
        keys.iter().fold(ManualEntry::plain(*name, *says), |entry, (key, says)| entry.key(*key, *says))
    };
    chapter("recipe", says, RECIPE.iter().map(entry).collect())
}

fn parts() -> ManualChapter {
    let says = "`kind` of a `[[part]]`, with its `pins` and `settings`. What the dialog calls a setting stands first, what a part \
                has when it is put on the canvas last.";
    chapter("parts", says, catalogue().kinds.iter().map(part).collect())
}

fn part(spec: &KindSpec) -> ManualEntry {
    let pins: Vec<String> = spec.pins.iter().map(|pin| format!("`{}`", pin.name)).collect();
    let more = if spec.pins_by.len() > 1 { ", more with `inputs`" } else { "" };
    let kind = serde_json::to_value(spec.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    let says = format!("{}: {} Pins: {}{more}.", spec.name, spec.about, pins.join(", "));
    let entry = ManualEntry::plain(kind.unwrap_or_default(), says);
    spec.settings.iter().fold(entry, |entry, setting| entry.key(&setting.key, holds(setting, spec)))
}

/// What a setting is called on the screen, what it holds, and what a new part has.
fn holds(setting: &SettingSpec, spec: &KindSpec) -> String {
    let what = match setting.kind.as_str() {
        "number" => number(setting),
        "choice" => format!("one of `{}`", setting.options.join("`, `")),
        "toggle" => "`true` or `false`".to_owned(),
        _ => "a text".to_owned(),
    };
    format!("*{}*: {what}; at first {}", setting.label, at_first(setting, spec))
}

/// What a new part has. The app counts the labels of a kind; grounds have none.
fn at_first(setting: &SettingSpec, spec: &KindSpec) -> String {
    match setting.key.as_str() {
        "label" if spec.kind != PartKind::Ground => format!("`{}1`, then counted on", spec.prefix),
        _ => format!("`{}`", setting.default),
    }
}

fn number(setting: &SettingSpec) -> String {
    let unit = if setting.unit.is_empty() { String::new() } else { format!(" of {}", setting.unit) };
    let range = match (setting.min, setting.max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" from {min} on"),
        (None, Some(max)) => format!(" up to {max}"),
        (None, None) => String::new(),
    };
    format!("a number{unit}{range}")
}
