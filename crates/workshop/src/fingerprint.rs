//! What a run was made with, in its header: enough to say why two runs differ.

use std::collections::{BTreeMap, BTreeSet};

use quintain_agents::loops::prompts;
use quintain_core::{Offering, Offerings, Task};
use quintain_store::{ClassUsed, Selection};

use crate::models;

/// What stands for something that is not there.
const NOT_FOUND: &str = "not found";

/// The fingerprint of this binary on this machine, with what the worlds of these tasks ask for. Holds no secrets and no
/// user names.
pub fn here(offerings: &Offerings, selections: &[Selection]) -> BTreeMap<String, String> {
    let kinds = selections.iter().map(|selection| selection.task.spec.world.kind.as_str());
    of(offerings, &kinds.collect())
}

/// The fingerprint of a host that plays in these kinds of world, whatever the agents.
pub fn of_host(offerings: &Offerings, kinds: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let mut fingerprint = of(offerings, kinds);
    fingerprint.insert(models::PROMPTS.to_owned(), prompts::digest().short());
    fingerprint
}

fn of(offerings: &Offerings, kinds: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let n_cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let own = [
        ("quintain", env!("CARGO_PKG_VERSION").to_owned()),
        ("build", if cfg!(debug_assertions) { "debug".to_owned() } else { "release".to_owned() }),
        ("os", std::env::consts::OS.to_owned()),
        ("arch", std::env::consts::ARCH.to_owned()),
        ("cores", n_cores.to_string()),
    ];
    let sources = offerings.iter().flat_map(|offering| &offering.sources);
    let played = offerings.iter().filter(|offering| kinds.contains(offering.kind()));
    let facts = played.flat_map(|offering| &offering.facts);
    own.into_iter()
        .chain(sources.map(|source| (source.name, source.from.to_owned())))
        .chain(facts.map(|fact| (fact.name, (fact.value)().unwrap_or_else(|| NOT_FOUND.to_owned()))))
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
            let equal = offerings.of(task).map_or_else(|_unknown| Vec::new(), |offering| equal(offering, here));
            ClassUsed { class, tasks: Vec::new(), equal }
        });
        if !used.tasks.iter().any(|id| id == task.id.as_str()) {
            used.tasks.push(task.id.to_string());
        }
    }
    classes.into_values().collect()
}

fn equal(offering: &Offering, here: &BTreeMap<String, String>) -> Vec<String> {
    let is_known = |name: &&str| here.get(*name).is_some_and(|value| value != NOT_FOUND);
    offering.facts.iter().map(|fact| fact.name).filter(is_known).map(str::to_owned).collect()
}
