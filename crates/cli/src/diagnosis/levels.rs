//! The levels of a setting that is varied: each is the run's settings with this one thing changed.

use std::collections::BTreeSet;

use anyhow::{Context, bail};
use quintain_core::Settings;
use quintain_core::agent::Effort;
use quintain_core::observation::ObservationPart;
use quintain_core::surface::ActionGroup;
use quintain_workshop::{PlaySurface, VIEWS, words};

use super::vary::{VariationWish, VariedSetting};

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SettingLevel {
    /// In words.
    pub(crate) name: String,
    /// As a part of names.
    pub(crate) slug: String,
    /// The run's settings with it.
    pub(crate) settings: Settings,
}

/// What the setting is set to, one after the other; the run's own setting is one of them.
pub(crate) fn levels(wish: &VariationWish, base: &Settings) -> anyhow::Result<Vec<SettingLevel>> {
    let mut levels = match wish.vary {
        VariedSetting::History => each(wish, &["1", "2", "4", "all"], |level| history(level, base))?,
        VariedSetting::View => each(wish, &["screen", "ascii"], |level| view(level, base))?,
        VariedSetting::Feedback => switch(wish, ObservationPart::Feedback, base)?,
        VariedSetting::Goal => switch(wish, ObservationPart::Goal, base)?,
        VariedSetting::Groups => each(wish, &[], |level| groups(level, base))?,
        VariedSetting::Surface => each(wish, &PlaySurface::NAMES, |level| surface(level, base))?,
        VariedSetting::Resolution => each(wish, &["512", "256", "128"], |level| resolution(level, base))?,
        VariedSetting::Effort => each(wish, &["low", "medium", "high"], |level| effort(level, base))?,
    };
    if !levels.iter().any(|level| level.settings == *base) {
        levels.insert(0, own(wish.vary, base));
    }
    if levels.len() < 2 {
        bail!(
            "`{0}` has only one level: the one the run has anyway\nhint: name others, as in `--vary {0}=A,B`",
            wish.vary.name()
        );
    }
    Ok(levels)
}

fn each(
    wish: &VariationWish,
    usual: &[&str],
    level: impl Fn(&str) -> anyhow::Result<SettingLevel>,
) -> anyhow::Result<Vec<SettingLevel>> {
    let named: Vec<&str> = match wish.levels.as_slice() {
        [] if usual.is_empty() => {
            bail!("`{0}` needs its levels\nhint: `--vary {0}=gui,gui+browser`", wish.vary.name())
        }
        [] => usual.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let mut sets: Vec<SettingLevel> = Vec::new();
    for name in named {
        let set = level(name).with_context(|| format!("`{name}` is no level of `{}`", wish.vary.name()))?;
        if !sets.iter().any(|known| known.settings == set.settings) {
            sets.push(set);
        }
    }
    Ok(sets)
}

fn set(name: String, slug: &str, settings: Settings) -> SettingLevel {
    SettingLevel { name, slug: slug.replace('+', "."), settings }
}

/// As the paper counts: the turn that is answered is one of those in view.
fn history(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    let n_turns: Option<u32> = match level {
        "all" => None,
        text => Some(text.parse().ok().filter(|n| *n > 0).context("`all`, or a number of turns from 1, is wanted")?),
    };
    Ok(set(turns(n_turns), level, Settings { history: n_turns.map(|n| n - 1), ..base.clone() }))
}

fn turns(n_turns: Option<u32>) -> String {
    match n_turns {
        None => "all".to_owned(),
        Some(1) => "1 turn".to_owned(),
        Some(n) => format!("{n} turns"),
    }
}

fn view(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    let parts = level.split('+').map(words::part).collect::<Result<BTreeSet<ObservationPart>, _>>()?;
    if let Some(other) = parts.iter().find(|part| !VIEWS.contains(part)) {
        bail!("`{other}` shows nothing of the world: screen, ascii, tree, marks and dom do");
    }
    let kept = base.show.iter().filter(|part| !VIEWS.contains(part)).copied();
    let show = kept.chain(parts.iter().copied()).collect();
    Ok(set(level.to_owned(), level, Settings { show, ..base.clone() }))
}

/// A part that is shown or not: first as the run has it, then the other way.
fn switch(wish: &VariationWish, part: ObservationPart, base: &Settings) -> anyhow::Result<Vec<SettingLevel>> {
    if !wish.levels.is_empty() {
        bail!("`{0}` is on or off and takes no levels\nhint: `--vary {0}`", wish.vary.name());
    }
    let mut other = base.clone();
    let is_on = !other.show.remove(&part);
    if is_on {
        other.show.insert(part);
    }
    Ok(vec![set(on(!is_on), &on(!is_on), base.clone()), set(on(is_on), &on(is_on), other)])
}

fn on(is_on: bool) -> String {
    if is_on { "on" } else { "off" }.to_owned()
}

fn groups(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    let groups = level.split('+').map(words::group).collect::<Result<BTreeSet<ActionGroup>, _>>()?;
    Ok(set(level.to_owned(), level, Settings { groups: Some(groups), ..base.clone() }))
}

fn surface(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    Ok(set(level.to_owned(), level, words::surface(level)?.over(base)))
}

fn resolution(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    let longest = match level {
        "full" => None,
        text => Some(text.parse().ok().filter(|px| *px >= 16).context("`full`, or pixels from 16, is wanted")?),
    };
    Ok(set(pixels(longest), level, Settings { resolution: longest, ..base.clone() }))
}

fn pixels(longest: Option<u32>) -> String {
    longest.map_or_else(|| "full".to_owned(), |longest| format!("{longest} px"))
}

fn effort(level: &str, base: &Settings) -> anyhow::Result<SettingLevel> {
    let effort: Option<Effort> = if level == "usual" { None } else { Some(words::effort(level)?) };
    Ok(set(level.to_owned(), level, Settings { effort, ..base.clone() }))
}

/// The run's own setting, in words.
fn own(vary: VariedSetting, base: &Settings) -> SettingLevel {
    let list = |words: Vec<String>, none: &str| if words.is_empty() { none.to_owned() } else { words.join("+") };
    let name = match vary {
        VariedSetting::History => turns(base.history.map(|n| n + 1)),
        VariedSetting::View => {
            list(VIEWS.iter().filter(|part| base.show.contains(part)).map(ToString::to_string).collect(), "nothing")
        }
        VariedSetting::Groups => {
            let word = |group: &ActionGroup| format!("{group:?}").to_lowercase();
            list(base.groups.iter().flatten().map(word).collect(), "all")
        }
        VariedSetting::Surface => "as shown".to_owned(),
        VariedSetting::Resolution => pixels(base.resolution),
        VariedSetting::Effort => {
            base.effort.map_or_else(|| "usual".to_owned(), |effort| format!("{effort:?}").to_lowercase())
        }
        VariedSetting::Feedback => on(base.show.contains(&ObservationPart::Feedback)),
        VariedSetting::Goal => on(base.show.contains(&ObservationPart::Goal)),
    };
    SettingLevel { slug: String::new(), name, settings: base.clone() }
}

#[cfg(test)]
mod tests;
