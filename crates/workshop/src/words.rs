//! Words that users of every front know, as values: seeds, parts, groups of actions, effort.

use anyhow::{Context, bail};
use quintain_core::agent::Effort;
use quintain_core::observation::ObservationPart;
use quintain_core::suggest;
use quintain_core::surface::ActionGroup;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::play_surface::PlaySurface;
use crate::wrong_word::WrongWord;

/// Seeds as typed: `5` means 0 to 4, `10..20` means 10 to 19, `3,7` means those.
pub fn seeds(text: &str) -> anyhow::Result<Vec<u64>> {
    let wrong =
        || WrongWord(format!("`{text}` names no seeds\nhint: `5` for 0 to 4, `10..20` for 10 to 19, `3,7` for those"));
    let seeds: Vec<u64> = if let Some((from, to)) = text.split_once("..") {
        (from.parse().with_context(wrong)?..to.parse().with_context(wrong)?).collect()
    } else if text.contains(',') {
        text.split(',').map(|seed| seed.trim().parse().with_context(wrong)).collect::<Result<_, _>>()?
    } else {
        (0..text.parse().with_context(wrong)?).collect()
    };
    if seeds.is_empty() {
        bail!(wrong());
    }
    Ok(seeds)
}

/// A part that can be shown.
pub fn part(name: &str) -> anyhow::Result<ObservationPart> {
    let names = ["screen", "tree", "marks", "dom", "ascii", "text", "goal", "feedback", "remaining"];
    named(name, "part", &names)
}

/// A group of actions.
pub fn group(name: &str) -> anyhow::Result<ActionGroup> {
    named(name, "group of actions", &["call", "gui", "browser", "shell", "code", "api"])
}

/// How an agent meets a web.
pub fn surface(name: &str) -> anyhow::Result<PlaySurface> {
    named(name, "surface", &PlaySurface::NAMES)
}

/// How hard models should think.
pub fn effort(name: &str) -> anyhow::Result<Effort> {
    named(name, "effort", &["none", "low", "medium", "high"])
}

/// What goes by this name, or those that there are.
fn named<T: DeserializeOwned>(name: &str, what: &str, known: &[&str]) -> anyhow::Result<T> {
    serde_json::from_value(Value::String(name.to_owned())).map_err(|_cause| {
        let hint = suggest::hint(name, known.iter().copied());
        WrongWord(format!("there is no {what} `{name}`\nhint: {hint}")).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_in_three_forms() {
        assert_eq!(seeds("3").unwrap(), [0, 1, 2]);
        assert_eq!(seeds("10..12").unwrap(), [10, 11]);
        assert_eq!(seeds("3, 7").unwrap(), [3, 7]);
        for wrong in ["", "0", "x", "5..5", "1,,2"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
