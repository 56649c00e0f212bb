//! What tasks of the Workflow Builder can say, for the reference page.

use quintain_core::manual::{ManualChapter, ManualEntry};

use super::model::edit::EDITS;
use super::model::{NodeCatalogue, NodeKind, NodeSetting, SettingContent};
use super::starts;

/// The chapters of the app.
pub(super) fn chapters() -> Vec<ManualChapter> {
    vec![words(), starts(), edits(), nodes()]
}

fn chapter(title: &str, says: &str, entries: Vec<ManualEntry>) -> ManualChapter {
    ManualChapter { title: format!("Workflow Builder: {title}"), says: says.to_owned(), entries }
}

fn words() -> ManualChapter {
    let says = "What templates of its tasks can name besides the parameters.";
    let entries = vec![
        ManualEntry::plain("background", "How the app is used and what counts: every instruction begins with it."),
        ManualEntry::plain("start", "The words of the start, such as `start.title`: see the starts below."),
    ];
    chapter("words", says, entries)
}

fn starts() -> ManualChapter {
    let says = "`start` of `[world]`. The hub holds the workflow that is meant among others. Its words differ between seeds; a \
                task that has a parameter `content` puts words of its own in their place. Nodes are told by their ids, with \
                their kinds, the settings that are not empty and where their edges lead (from the output `main` unless it \
                says otherwise).";
    chapter("starts", says, starts::manual())
}

fn edits() -> ManualChapter {
    let says = "`[[edit]]` of `oracle.toml`, in the order in which they are made; the first one opens or creates a workflow. \
                Nodes are named by their id (`n4`: see the starts) or by the name they were added `as`.";
    let entry = |(name, says, keys): &(&str, &str, &[(&str, &str)])| {
        let entry = ManualEntry::plain(format!("do = \"{name}\""), *says);
        keys.iter().fold(entry, |entry, (key, says)| entry.key(*key, *says))
    };
    chapter("edits", says, EDITS.iter().map(entry).collect())
}

fn nodes() -> ManualChapter {
    let says = "`kind` of the edit `add`, and `key` of the edit `set`. A node has its kind's outputs; edges leave by `main` \
                unless an output is named. What the panel calls a setting stands first.";
    chapter("nodes", says, NodeCatalogue::shared().kinds.iter().map(node).collect())
}

fn node(kind: &NodeKind) -> ManualEntry {
    let outputs: Vec<String> = kind.outputs.iter().map(|output| format!("`{output}`")).collect();
    let outputs = match outputs.as_slice() {
        [] => "one for each case".to_owned(),
        outputs => outputs.join(", "),
    };
    let input = if kind.input { "" } else { " It takes no edges." };
    let about = kind.about.trim_end_matches('.');
    let entry = ManualEntry::plain(&kind.kind, format!("{}: {about}. Outputs: {outputs}.{input}", kind.name));
    kind.settings.iter().fold(entry, |entry, setting| entry.key(&setting.key, holds(setting)))
}

/// What a setting is called on the screen, what it holds, and what a new node has.
fn holds(setting: &NodeSetting) -> String {
    let what = match setting.holds {
        SettingContent::Text => "one line of text".to_owned(),
        SettingContent::Long => "text".to_owned(),
        SettingContent::Expression => "an expression over `item`".to_owned(),
        SettingContent::Number => "a number".to_owned(),
        SettingContent::Choice => format!("one of `{}`", setting.options.join("`, `")),
        SettingContent::Toggle => "`true` or `false`".to_owned(),
        SettingContent::Cases => "cases, by the edits `add_case` and `remove_case`".to_owned(),
        SettingContent::Fields => "fields, by the edit `add_field`".to_owned(),
    };
    format!("*{}*: {what}; at first `{}`", setting.label, setting.default)
}
