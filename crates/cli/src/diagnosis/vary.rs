//! What is varied, as typed.

use anyhow::bail;
use quintain_core::suggest;
use quintain_workshop::WrongWord;

/// A setting that can be varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariedSetting {
    /// How many turns the agent has in view.
    History,
    /// What it sees the world by.
    View,
    /// Whether it is told what came of its actions.
    Feedback,
    /// Whether it is shown the solved state.
    Goal,
    /// Which groups of actions it may use.
    Groups,
    /// How it meets a web: by its screen, its elements or its text.
    Surface,
    /// How large its pictures are.
    Resolution,
    /// How hard its model thinks.
    Effort,
}

/// A setting to vary, with the levels that were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VariationWish {
    /// The setting.
    pub(crate) vary: VariedSetting,
    /// What it is set to, as typed; none where the usual levels are meant.
    pub(crate) levels: Vec<String>,
    /// Whether it was asked for, so that it is an error where it cannot be had.
    pub(crate) is_named: bool,
}

impl VariedSetting {
    const ALL: [Self; 8] = [
        Self::History,
        Self::View,
        Self::Feedback,
        Self::Goal,
        Self::Groups,
        Self::Surface,
        Self::Resolution,
        Self::Effort,
    ];
    /// Those that are varied where none are named.
    const USUAL: [Self; 4] = [Self::History, Self::View, Self::Feedback, Self::Goal];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::View => "view",
            Self::Feedback => "feedback",
            Self::Goal => "goal",
            Self::Groups => "groups",
            Self::Surface => "surface",
            Self::Resolution => "resolution",
            Self::Effort => "effort",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vary| vary.name() == name)
    }
}

/// What is meant by the words of `--vary`, which were split at commas: a word that is no setting is a further level of the
/// setting before it.
pub(crate) fn read(words: &[String]) -> anyhow::Result<Vec<VariationWish>> {
    if words.is_empty() {
        let usual = |vary| VariationWish { vary, levels: Vec::new(), is_named: false };
        return Ok(VariedSetting::USUAL.map(usual).to_vec());
    }
    let mut wishes: Vec<VariationWish> = Vec::new();
    for word in words.iter().map(|word| word.trim()) {
        let (name, level) = word.split_once('=').map_or((word, None), |(name, level)| (name, Some(level)));
        match (VariedSetting::named(name), level, wishes.last_mut()) {
            (Some(vary), level, _) => add(&mut wishes, vary, level)?,
            (None, None, Some(wish)) if !wish.levels.is_empty() => wish.levels.push(word.to_owned()),
            _ => {
                let hint = suggest::hint(name, VariedSetting::ALL.map(VariedSetting::name));
                bail!(WrongWord(format!("there is no setting `{name}` to vary\nhint: {hint}")))
            }
        }
    }
    Ok(wishes)
}

fn add(wishes: &mut Vec<VariationWish>, vary: VariedSetting, level: Option<&str>) -> anyhow::Result<()> {
    if wishes.iter().any(|wish| wish.vary == vary) {
        bail!(WrongWord(format!("`{}` is varied twice\nhint: name it once, with all its levels", vary.name())));
    }
    wishes.push(VariationWish { vary, levels: level.map(str::to_owned).into_iter().collect(), is_named: true });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> String {
        let words: Vec<String> = text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        match read(&words) {
            Ok(wishes) => {
                let said = |wish: &VariationWish| format!("{}[{}]", wish.vary.name(), wish.levels.join(" "));
                wishes.iter().map(said).collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string().replace('\n', "; "),
        }
    }

    #[test]
    fn settings_and_their_levels_are_told_apart() {
        let said = [
            "",
            "feedback",
            "history=1,8,all,goal",
            "groups=gui,gui+browser,resolution=64",
            "feedbak",
            "goal,goal",
            "goal,3",
        ];
        insta::assert_snapshot!(said.map(meant).join("\n"), @"
        history[] view[] feedback[] goal[]
        feedback[]
        history[1 8 all] goal[]
        groups[gui gui+browser] resolution[64]
        there is no setting `feedbak` to vary; hint: did you mean `feedback`?
        `goal` is varied twice; hint: name it once, with all its levels
        there is no setting `3` to vary; hint: there is `history`, `view`, `feedback`, `goal`, `groups`, `surface`, `resolution`, `effort`
        ");
    }
}
