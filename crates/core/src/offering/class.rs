//! What a fleet routes by: a kind of world, and what its task needs besides what all of its kind need.

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

    /// All classes that its tasks can have, those that need most first.
    pub fn classes(&self) -> Vec<HostClass<'_>> {
        let mut classes = vec![Vec::new()];
        for need in self.needs.iter().filter(|need| need.is_of_some()) {
            let with: Vec<Vec<&WorldNeed>> = classes.iter().map(|some| [&some[..], &[need]].concat()).collect();
            classes.extend(with);
        }
        classes.sort_by_key(|some| std::cmp::Reverse(some.len()));
        classes.into_iter().map(|some| self.class(&some)).collect()
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
