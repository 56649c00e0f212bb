//! What a fleet routes by: a kind of world, and what its task needs besides what all of its kind need.

use std::collections::{BTreeMap, BTreeSet};

use super::{NeedScope, Offering, WorldNeed};
use crate::task::Task;

/// What a host must be able to do: play a kind of world, with what some of its tasks need.
#[derive(Clone)]
pub struct HostClass<'a> {
    /// Its name: the kind of world, then each need that not all of its tasks have: `browser`, `browser+ngspice`.
    pub name: String,
    /// The kind of world.
    pub offering: &'a Offering,
    /// What a host of the class must have.
    pub needs: Vec<&'a WorldNeed>,
}

impl Offering {
    /// The class of a task.
    pub fn class_of(&self, task: &Task) -> String {
        self.named(self.needs_of(task))
    }

    /// All classes that its tasks can have, those that need most first. A task names one app, so that what apps need is in
    /// no class together; of what tasks need for other reasons any selection may be.
    pub fn classes(&self) -> Vec<HostClass<'_>> {
        let mut selections = vec![Vec::new()];
        for need in self.needs.iter().filter(|need| matches!(need.scope, NeedScope::Tasks(_))) {
            let with: Vec<Vec<&WorldNeed>> = selections.iter().map(|some| [&some[..], &[need]].concat()).collect();
            selections.extend(with);
        }
        let mut by_app: BTreeMap<&str, Vec<&WorldNeed>> = BTreeMap::new();
        for need in &self.needs {
            if let NeedScope::App(app) = need.scope {
                by_app.entry(app).or_default().push(need);
            }
        }
        let apps: Vec<Vec<&WorldNeed>> = std::iter::once(Vec::new()).chain(by_app.into_values()).collect();
        let mut classes = Vec::new();
        for of_app in &apps {
            classes.extend(selections.iter().map(|some| self.class(&[&some[..], of_app].concat())));
        }
        classes.sort_by_key(|class| std::cmp::Reverse(class.needs.len()));
        let mut known = BTreeSet::new();
        classes.retain(|class| known.insert(class.name.clone()));
        classes
    }

    fn class<'a>(&'a self, some: &[&'a WorldNeed]) -> HostClass<'a> {
        let every = self.needs.iter().filter(|need| !need.is_of_some());
        let needs: Vec<&WorldNeed> = every.chain(some.iter().copied()).collect();
        HostClass { name: self.named(some.iter().copied()), offering: self, needs }
    }

    fn named<'a>(&'a self, needs: impl Iterator<Item = &'a WorldNeed>) -> String {
        let words = needs.filter(|need| need.is_of_some()).map(|need| need.name);
        std::iter::once(self.kind()).chain(words).collect::<Vec<_>>().join("+")
    }
}

impl HostClass<'_> {
    /// What a host has that can play it, in words; or what it lacks. Whether a world opens is not tried.
    pub fn look(&self) -> Result<String, String> {
        let mut found = Vec::new();
        for need in &self.needs {
            let detail = need.found()?;
            found.push(format!("{} ({detail})", need.label));
        }
        Ok(if found.is_empty() { "nothing else is needed".to_owned() } else { format!("with {}", found.join(" and ")) })
    }
}

/// What a host of a class has, in the words of the class's name: for whoever does not know the world.
pub fn class_in_words(class: &str) -> String {
    match class.split_once('+') {
        None => format!("that plays {class}"),
        Some((_, needs)) => format!("with {}", needs.split('+').collect::<Vec<_>>().join(" and ")),
    }
}
