//! What a fleet routes by: a kind of world, and what its task needs besides what all of its kind need.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::iter;

use super::{Offering, WorldNeed};
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
        let apps: BTreeSet<Option<&str>> =
            iter::once(None).chain(self.needs.iter().map(|need| need.scope.app())).collect();
        let selections = apps.into_iter().flat_map(|app| self.selections(app));
        let mut classes: Vec<HostClass<'_>> = selections.map(|needs| self.class(needs)).collect();
        classes.sort_by_key(|class| Reverse(class.needs.len()));
        let mut known = BTreeSet::new();
        classes.retain(|class| known.insert(class.name.clone()));
        classes
    }

    /// All that a task of this app can need, or one of an app that needs nothing for itself. The order is that of the
    /// offering, as in the class of a task: the names would differ otherwise.
    fn selections(&self, app: Option<&str>) -> Vec<Vec<&WorldNeed>> {
        let mut selections: Vec<Vec<&WorldNeed>> = vec![Vec::new()];
        for need in self.needs.iter().filter(|need| need.scope.app().is_none_or(|named| Some(named) == app)) {
            let with: Vec<Vec<&WorldNeed>> = selections.iter().map(|some| [&some[..], &[need]].concat()).collect();
            if need.scope.is_certain() {
                selections = with;
            } else {
                selections.extend(with);
            }
        }
        selections
    }

    fn class<'a>(&'a self, needs: Vec<&'a WorldNeed>) -> HostClass<'a> {
        HostClass { name: self.named(needs.iter().copied()), offering: self, needs }
    }

    fn named<'a>(&'a self, needs: impl Iterator<Item = &'a WorldNeed>) -> String {
        let words = needs.filter(|need| need.is_of_some()).map(|need| need.name);
        iter::once(self.kind()).chain(words).collect::<Vec<_>>().join("+")
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
