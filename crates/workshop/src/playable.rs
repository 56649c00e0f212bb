//! What of a selection can be played on this machine.

use std::collections::BTreeMap;

use anyhow::bail;
use quintain_core::{Offerings, Task};
use quintain_store::Selection;

use crate::workshop::Workshop;

impl Workshop {
    /// Everything that the selectors name and that can be played here. Where a selector names other tasks too, those that
    /// need what is not there are left out with a word; where it names nothing else, that is an error.
    pub fn playable(&self, selectors: &[String], say: &dyn Fn(&str)) -> anyhow::Result<Vec<Selection>> {
        let mut selections = Vec::new();
        let mut machine = ThisMachine { offerings: self.offerings()?, missing: BTreeMap::new() };
        for selector in selectors {
            let (playable, words) = machine.split(self.suites()?.select(selector)?)?;
            for words in words {
                say(&words);
            }
            selections.extend(playable);
        }
        Ok(selections)
    }
}

/// This machine, as far as it was looked at.
struct ThisMachine<'a> {
    offerings: &'a Offerings,
    /// What is missing, by the name of a need, and nothing where it is there. Looking may start a program or load a
    /// library: it is done only if a task needs it, and once.
    missing: BTreeMap<&'static str, Option<String>>,
}

impl ThisMachine<'_> {
    /// What is left without tasks that cannot be played, and what was left out, in words.
    fn split(&mut self, selections: Vec<Selection>) -> anyhow::Result<(Vec<Selection>, Vec<String>)> {
        let (mut playable, mut left_out) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
        for selection in selections {
            match self.lacks(&selection.task) {
                None => playable.push(selection),
                Some(why) => left_out.entry(why).or_default().push(selection.task.id.to_string()),
            }
        }
        let told = left_out.into_iter().map(|(why, mut names)| {
            names.dedup();
            (names.join(" and "), why)
        });
        if playable.is_empty() {
            let told: Vec<String> = told.map(|(names, why)| format!("{names} cannot be played here: {why}")).collect();
            bail!(told.join("\n"));
        }
        Ok((playable, told.map(|(names, why)| format!("left out: {names}: {why}")).collect()))
    }

    /// What a task needs that is not there. That its world is not known is told by whoever looks for the world.
    fn lacks(&mut self, task: &Task) -> Option<String> {
        let offering = self.offerings.of(task).ok()?;
        offering
            .needs_of(task)
            .find_map(|need| self.missing.entry(need.name).or_insert_with(|| need.found().err()).clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use quintain_store::Suites;

    use super::*;
    use crate::worlds;

    /// All worlds, of which one needs something that is there or is not; and how often that was looked for.
    fn worlds_with(name: &'static str, is_there: bool) -> (Offerings, Arc<AtomicU32>) {
        let n_looks = Arc::new(AtomicU32::new(0));
        let mut all: Vec<_> = worlds::built_in().unwrap().iter().cloned().collect();
        for need in all.iter_mut().flat_map(|offering| &mut offering.needs) {
            let (counted, is_it) = (Arc::clone(&n_looks), need.name == name);
            need.look = Arc::new(move || {
                counted.fetch_add(u32::from(is_it), Ordering::Relaxed);
                if is_it && !is_there { Err("it is not found".to_owned()) } else { Ok("here".to_owned()) }
            });
        }
        (Offerings::new(all), n_looks)
    }

    fn outcome(selector: &str, (need, is_there): (&'static str, bool)) -> String {
        let selections = Suites::embedded().select(selector).unwrap();
        let (n_all, (offerings, n_looks)) = (selections.len(), worlds_with(need, is_there));
        let outcome = ThisMachine { offerings: &offerings, missing: BTreeMap::new() }.split(selections);
        let n_looks = n_looks.load(Ordering::Relaxed);
        match outcome {
            Ok((left, words)) => format!("looked {n_looks} times; {} left out; {words:?}", n_all - left.len()),
            Err(error) => format!("looked {n_looks} times; error: {error}"),
        }
    }

    #[test]
    fn a_suite_does_without_what_cannot_be_played_and_a_task_named_itself_does_not() {
        let mujoco = ("mujoco", false);
        let said = [
            outcome("puzzles", ("mujoco", true)),
            outcome("puzzles", mujoco),
            outcome("puzzles/maze-2d", mujoco),
            outcome("puzzles/fetch-reach@hard#3", mujoco),
        ];
        insta::assert_snapshot!(said.join("\n"), @r#"
        looked 1 times; 0 left out; []
        looked 1 times; 2 left out; ["left out: puzzles/fetch-pick-and-place and puzzles/fetch-reach: it is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO"]
        looked 0 times; 0 left out; []
        looked 1 times; error: puzzles/fetch-reach cannot be played here: it is not found; pip install mujoco==3.17.0, or name the library or its folder in QUINTAIN_MUJOCO
        "#);
    }

    #[test]
    fn only_circuits_need_a_simulator() {
        let ngspice = ("ngspice", false);
        insta::assert_snapshot!(outcome("gauntlet/workflow-loop", ngspice), @"looked 0 times; 0 left out; []");
        insta::assert_snapshot!(outcome("gauntlet/circuit-parity", ngspice), @"looked 1 times; error: gauntlet/circuit-parity cannot be played here: it is not found; apt install ngspice");
        assert!(outcome("gauntlet", ngspice).starts_with("looked 1 times; 20 left out; "));
    }
}
