//! What a run was made with, in its header: enough to say why two runs differ.

use std::collections::{BTreeMap, BTreeSet};

use quintain_agents::loops::prompts;
use quintain_core::Task;
use quintain_core::offering::{HostFact, Offering, Offerings};
use quintain_store::{ClassUsed, Selection};

use crate::models;

/// What stands for something that is not there.
const NOT_FOUND: &str = "not found";

/// The fingerprint of this binary on this machine, with what the worlds of these tasks ask for. Holds no secrets and no
/// user names.
pub fn here(offerings: &Offerings, selections: &[Selection]) -> BTreeMap<String, String> {
    let tasks = selections.iter().map(|selection| &selection.task);
    of(offerings, tasks.filter_map(|task| Some(offerings.of(task).ok()?.facts_of(task))).flatten())
}

/// The fingerprint of a host that plays in these kinds of world, whatever the agents.
pub fn of_host(offerings: &Offerings, kinds: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let played = offerings.iter().filter(|offering| kinds.contains(offering.kind()));
    let mut fingerprint = of(offerings, played.flat_map(|offering| &offering.facts));
    fingerprint.insert(models::PROMPTS.to_owned(), prompts::digest().short());
    fingerprint.retain(|_, value| value != NOT_FOUND);
    fingerprint
}

fn of<'a>(offerings: &Offerings, facts: impl Iterator<Item = &'a HostFact>) -> BTreeMap<String, String> {
    let n_cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let own = [
        ("quintain", env!("CARGO_PKG_VERSION").to_owned()),
        ("build", if cfg!(debug_assertions) { "debug".to_owned() } else { "release".to_owned() }),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cores", n_cores.to_string()),
    ];
    let sources = offerings.iter().flat_map(|offering| &offering.sources);
    // Many tasks share a fact, and each is looked up once.
    let facts: BTreeMap<&str, &HostFact> = facts.map(|fact| (fact.name, fact)).collect();
    own.into_iter()
        .chain(sources.map(|source| (source.name, source.from.to_owned())))
        .chain(facts.into_values().map(|fact| (fact.name, (fact.value)().unwrap_or_else(|| NOT_FOUND.to_owned()))))
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// What hosts of a fleet must be able to do to play these tasks, and what of this fingerprint they must have too. What is
/// not here cannot be asked of others.
pub fn classes(offerings: &Offerings, tasks: &[Task], here: &BTreeMap<String, String>) -> Vec<ClassUsed> {
    let mut classes: BTreeMap<String, ClassUsed> = BTreeMap::new();
    for task in tasks {
        let class = offerings.class_of(task);
        let used = classes.entry(class.clone()).or_insert_with(|| {
            let equal = offerings.of(task).map_or_else(|_unknown| Vec::new(), |offering| equal(offering, task, here));
            ClassUsed { class, tasks: Vec::new(), equal }
        });
        if !used.tasks.iter().any(|id| id == task.id.as_str()) {
            used.tasks.push(task.id.to_string());
        }
    }
    classes.into_values().collect()
}

fn equal(offering: &Offering, task: &Task, here: &BTreeMap<String, String>) -> Vec<String> {
    let is_known = |name: &&str| here.get(*name).is_some_and(|value| value != NOT_FOUND);
    offering.facts_of(task).map(|fact| fact.name).filter(is_known).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quintain_store::Suites;

    use super::*;
    use crate::worlds;

    const TASKS: [&str; 4] =
        ["exam/rtl-funnel", "exam/mail-threads", "exam/capture-triage", "science/grass-saved-region"];

    /// All worlds on a host that has these programs, in these versions, and nothing else.
    fn host_with(found: &'static [(&'static str, &'static str)]) -> Offerings {
        let mut all: Vec<_> = worlds::built_in().unwrap().iter().cloned().collect();
        for fact in all.iter_mut().flat_map(|offering| &mut offering.facts) {
            let version = found.iter().find(|(name, _)| *name == fact.name).map(|(_, version)| *version);
            fact.value = Arc::new(move || version.map(str::to_owned));
        }
        Offerings::new(all)
    }

    fn selected(names: &[&str]) -> Vec<Selection> {
        names.iter().flat_map(|name| Suites::embedded().select(name).unwrap()).collect()
    }

    /// What hosts must have to play the tasks when they are planned on this one.
    fn asked_for(offerings: &Offerings) -> String {
        let selections = selected(&TASKS);
        let here = here(offerings, &selections);
        let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
        let told = classes(offerings, &tasks, &here).into_iter().map(|used| {
            let equal = used.equal.iter().map(|name| format!("{name} {}", here[name]));
            format!("{}: {}", used.class, equal.collect::<Vec<_>>().join(", "))
        });
        told.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_class_asks_for_the_versions_of_its_own_programs() {
        let found = &[("python3", "3.11.2-1"), ("yosys", "0.23-6"), ("grass-core", "8.2.1-1"), ("hledger", "1.25-1")];
        insta::assert_snapshot!(asked_for(&host_with(found)), @"
        desktop+grass-core: grass-core 8.2.1-1
        workspace+python3: python3 3.11.2-1
        workspace+tshark+python3: python3 3.11.2-1
        workspace+yosys+python3: python3 3.11.2-1, yosys 0.23-6
        ");
    }

    #[test]
    fn nothing_is_told_of_programs_that_no_task_needs() {
        let found = &[("python3", "3.11.2-1"), ("yosys", "0.23-6")];
        let here = here(&host_with(found), &selected(&["exam/mail-threads"]));
        assert_eq!(here.get("python3").map(String::as_str), Some("3.11.2-1"));
        assert_eq!((here.get("yosys"), here.get("browser")), (None, None));
    }
}
