//! Segments that must have been there: they are numbered, and a number that is left out was not left out in writing.

use std::collections::{BTreeMap, BTreeSet};

use super::dir::RunDir;
use crate::damage::Damage;
use crate::error::StoreError;

impl RunDir {
    /// Notes the segments that are gone, as far as the numbers of those that are left tell.
    pub(super) fn note_gone_segments(&self) -> Result<(), StoreError> {
        for name in gone(&self.segments()?) {
            self.damage().note(Damage::of_segment(&name, "it is not there"));
        }
        Ok(())
    }
}

/// The segments that stood before those that are there. Sessions of hosts of a fleet have names instead of numbers, and one
/// of them may be on its way.
fn gone(there: &[String]) -> Vec<String> {
    let mut by_session: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (session, segment) in there.iter().filter_map(|name| numbers(name)) {
        by_session.entry(session).or_default().insert(segment);
    }
    let last_session = by_session.keys().next_back().copied().unwrap_or(0);
    let nothing = BTreeSet::new();
    let gaps = (1..=last_session).flat_map(|session| {
        let segments = by_session.get(&session).unwrap_or(&nothing);
        // A session has a first segment, even where nothing is left of it.
        let last = segments.last().copied().unwrap_or(0);
        (0..=last)
            .filter(|segment| !segments.contains(segment))
            .map(move |segment| format!("{session:04}-{segment:04}"))
    });
    gaps.collect()
}

fn numbers(name: &str) -> Option<(u32, u32)> {
    let (session, segment) = name.split_once('-')?;
    let number = |digits: &str| digits.parse().ok().filter(|_| digits.len() == 4);
    Some((number(session)?, number(segment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gone_of(there: &[&str]) -> Vec<String> {
        gone(&there.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_that_are_left_out_name_what_is_gone() {
        assert_eq!(gone_of(&["0001-0000", "0001-0001", "0002-0000"]), Vec::<String>::new());
        assert_eq!(gone_of(&["0001-0002", "0003-0000"]), ["0001-0000", "0001-0001", "0002-0000"]);
        assert_eq!(gone_of(&["w1-7f-0003", "local"]), Vec::<String>::new());
    }
}
