//! Each dialect of screens, from the words of an agent to the canonical action.

mod tolerant;
mod tools;
mod words;

use quintain_core::Surface;
use quintain_core::action::Dialect;
use quintain_core::surface::ActionGroup;

fn surface() -> Surface {
    Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), screen: Some((1280, 720)), ..Surface::default() }
}

fn table(dialect: Dialect, raws: &[&str]) -> String {
    seen(dialect, None, raws)
}

fn seen(dialect: Dialect, seen: Option<(u32, u32)>, raws: &[&str]) -> String {
    let read = |raw: &&str| match dialect.read_seen(raw, &surface(), seen) {
        Ok(action) => format!("{raw}\n    {action}"),
        Err(misread) => format!("{raw}\n    ? {misread}"),
    };
    raws.iter().map(read).collect::<Vec<_>>().join("\n")
}
