//! What of a selection can be played on this machine.

use anyhow::bail;
use quintain_physics::Missing;
use quintain_store::{Selection, Suites};

use crate::printer::Printer;

/// Everything that the selectors name and that can be played here. Where a selector names other tasks too, those that
/// need MuJoCo are left out with a word if there is none; where it names nothing else, that is an error.
pub(crate) fn selected(suites: &Suites, selectors: &[String], printer: Printer) -> anyhow::Result<Vec<Selection>> {
    let mut selections = Vec::new();
    for selector in selectors {
        let (playable, words) = without_physics(suites.select(selector)?, || quintain_physics::found().map(drop))?;
        if let Some(words) = words {
            printer.say(words);
        }
        selections.extend(playable);
    }
    Ok(selections)
}

fn needs_physics(selection: &Selection) -> bool {
    selection.task.spec.world.kind == quintain_physics::KIND
}

/// What is left without MuJoCo, and what was left out, in words. Whether it is found is asked only if a task needs it,
/// since looking for it starts a Python and loads a library.
fn without_physics<'a>(
    selections: Vec<Selection>,
    found: impl FnOnce() -> Result<(), &'a Missing>,
) -> anyhow::Result<(Vec<Selection>, Option<String>)> {
    if !selections.iter().any(needs_physics) {
        return Ok((selections, None));
    }
    let Err(missing) = found() else { return Ok((selections, None)) };
    let (physical, playable): (Vec<_>, Vec<_>) = selections.into_iter().partition(needs_physics);
    let mut names: Vec<String> = physical.iter().map(|selection| selection.task.id.to_string()).collect();
    names.dedup();
    if playable.is_empty() {
        bail!("{} cannot be played here: {missing}", names.join(" and "));
    }
    Ok((playable, Some(format!("left out: {}: {missing}", names.join(" and ")))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_does_without_what_cannot_be_played_and_a_task_named_itself_does_not() {
        let suites = Suites::embedded();
        let outcome = |selector: &str, found: Result<(), &Missing>| {
            let selections = suites.select(selector).unwrap();
            let n_all = selections.len();
            let mut asked = "not asked";
            let outcome = without_physics(selections, || {
                asked = "asked";
                found
            });
            match outcome {
                Ok((left, words)) => format!("{asked}; {} left out; {words:?}", n_all - left.len()),
                Err(error) => format!("{asked}; error: {error}"),
            }
        };
        let missing = Missing::NotFound;
        let said = [
            outcome("puzzles", Ok(())),
            outcome("puzzles", Err(&missing)),
            outcome("puzzles/maze-2d", Err(&missing)),
            outcome("puzzles/fetch-reach@hard#3", Err(&missing)),
        ];
        insta::assert_snapshot!(said.join("\n"), @r#"
        asked; 0 left out; None
        asked; 2 left out; Some("left out: puzzles/fetch-pick-and-place and puzzles/fetch-reach: MuJoCo is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO")
        not asked; 0 left out; None
        asked; error: puzzles/fetch-reach cannot be played here: MuJoCo is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO
        "#);
    }
}
