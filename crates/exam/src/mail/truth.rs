//! What is right of a collection: which files are copies of which, and which belong together.

use std::collections::BTreeMap;

use super::collection::MailCollection;
use super::letter::Letter;

/// What is right: rows of two columns, each by its file.
pub(super) struct MailTruth {
    pub(super) threads: Vec<(String, String)>,
    pub(super) copies: Vec<(String, String)>,
}

/// What is right of a collection. Copies are known from how they were made, threads from what the messages name.
pub(super) fn of(found: &MailCollection) -> MailTruth {
    let letters = &found.letters;
    let mut originals: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, message) in found.message_of.iter().enumerate() {
        let first = originals.entry(*message).or_insert(at);
        if letters[at].file < letters[*first].file {
            *first = at;
        }
    }
    let original = |at: usize| originals[&found.message_of[at]];
    let groups = groups(found);
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for at in (0..letters.len()).filter(|at| original(*at) == *at) {
        let known = first.entry(groups[at]).or_insert(at);
        if (letters[at].sent, &letters[at].file) < (letters[*known].sent, &letters[*known].file) {
            *known = at;
        }
    }
    let all = 0..letters.len();
    let copies = all.clone().filter(|at| original(*at) != *at);
    MailTruth {
        threads: all.map(|at| (letters[at].file.clone(), letters[first[&groups[at]]].message_id.clone())).collect(),
        copies: copies.map(|at| (letters[at].file.clone(), letters[original(at)].file.clone())).collect(),
    }
}

/// The number of each letter's thread: whoever can be reached by going from letter to name and from name to letter, or
/// from a copy to its like.
fn groups(found: &MailCollection) -> Vec<usize> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut by_message: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, letter) in found.letters.iter().enumerate() {
        named(letter).for_each(|name| by_name.entry(name).or_default().push(at));
        by_message.entry(found.message_of[at]).or_default().push(at);
    }
    let mut groups = vec![usize::MAX; found.letters.len()];
    for start in 0..found.letters.len() {
        let mut todo = vec![start];
        while let Some(at) = todo.pop() {
            if groups[at] == usize::MAX {
                groups[at] = start;
                todo.extend(named(&found.letters[at]).flat_map(|name| &by_name[name]));
                todo.extend(&by_message[&found.message_of[at]]);
            }
        }
    }
    groups
}

fn named(letter: &Letter) -> impl Iterator<Item = &str> {
    let others = letter.in_reply_to.iter().chain(&letter.references);
    others.map(String::as_str).chain([letter.message_id.as_str()])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A collection in which every trap is set.
    #[test]
    fn every_collection_has_threads_copies_and_what_only_looks_like_it() {
        for seed in 0..50 {
            let found = MailCollection::drawn(seed, 120);
            let truth = of(&found);
            let threads: BTreeSet<&String> = truth.threads.iter().map(|(_, thread)| thread).collect();
            assert_eq!((found.letters.len(), truth.threads.len()), (120, 120));
            assert!(threads.len() > 12 && threads.len() < 90, "seed {seed}: {} threads", threads.len());
            assert!(truth.copies.len() > 3, "seed {seed}: {} copies", truth.copies.len());
            let files: BTreeSet<&String> = found.letters.iter().map(|letter| &letter.file).collect();
            assert_eq!(files.len(), 120);
        }
    }
}
