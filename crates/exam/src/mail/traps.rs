//! What every collection has in it, so that whoever passes over a sentence of the instruction has another row somewhere.

use super::collection::MailDrawing;
use super::letter::Letter;

/// How many files are set as traps.
pub(super) const N_TRAP_FILES: usize = 25;
/// A subject of several words in ASCII, which can be broken and spaced out.
const LONG_SUBJECT: &str = "Delivery schedule for unit 4";
const LINE: &str = "The second truck leaves on Monday at six.";

/// Sets all traps.
pub(super) fn set(drawing: &mut MailDrawing) {
    let changes: [fn(&mut Letter); 5] = [
        |other| other.subject = other.subject.to_uppercase(),
        |other| other.lines[0] = other.lines[0].to_lowercase(),
        |other| other.lines[0] = other.lines[0].replace(" on ", "  on "),
        |other| other.lines[0].insert(0, ' '),
        |other| other.sent += 3600,
    ];
    for change in changes {
        look_alike(drawing, change);
    }
    spaced_subjects(drawing);
    names_in_capitals(drawing);
    (0..2).for_each(|_| begun_with_copies(drawing));
    answers_to_a_lost_message(drawing);
}

/// A message at some time, with one line that all traps have.
fn message(drawing: &mut MailDrawing, subject: &str) -> Letter {
    let mut letter = drawing.message(subject, None);
    letter.sent = drawing.some_time();
    letter.lines.insert(0, LINE.to_owned());
    letter
}

/// Two messages that differ in one thing that counts.
fn look_alike(drawing: &mut MailDrawing, change: fn(&mut Letter)) {
    let letter = message(drawing, "Trucks on Monday");
    let mut other = Letter { message_id: drawing.new_id(), ..letter.clone() };
    change(&mut other);
    drawing.put_new(letter);
    drawing.put_new(other);
}

/// Copies whose subjects were spaced out, and broken into two lines.
fn spaced_subjects(drawing: &mut MailDrawing) {
    let letter = message(drawing, LONG_SUBJECT);
    let at = drawing.put_new(letter.clone());
    for white_space in ["  ", "\r\n "] {
        let subject = letter.subject.replacen(" for ", &format!("{white_space}for "), 1);
        drawing.put_copy(Letter { subject, ..letter.clone() }, at);
    }
}

/// Two messages that have nothing to do with one another, whose names differ in capitals alone.
fn names_in_capitals(drawing: &mut MailDrawing) {
    let name = drawing.new_id();
    for begin in ["CAx", "cAX"] {
        let mut letter = message(drawing, "Status");
        letter.message_id = format!("{begin}{name}");
        drawing.put_new(letter);
    }
}

/// A thread that begins with a message and a copy of it under another name, and goes on.
fn begun_with_copies(drawing: &mut MailDrawing) {
    let letter = message(drawing, "Penalty clause");
    let copy = Letter { message_id: drawing.new_id(), ..letter.clone() };
    let mut answer = drawing.message("Re: Penalty clause", Some(&letter));
    answer.sent = letter.sent + 5000;
    let at = drawing.put_new(letter);
    let other = drawing.put_copy(copy, at);
    drawing.beginnings.push([at, other]);
    drawing.put_new(answer);
}

/// Three answers to a message that was lost, which no other names; two of them were sent at the same moment.
fn answers_to_a_lost_message(drawing: &mut MailDrawing) {
    let lost = message(drawing, "Insurance for the transport");
    for after in [900, 900, 7000] {
        let mut answer = drawing.message("Re: Insurance for the transport", Some(&lost));
        answer.sent = lost.sent + after;
        drawing.put_new(answer);
    }
    // The crossing answer of somebody whose program names nothing but what it answers.
    let mut crossing = drawing.message("Insurance for the transport", Some(&lost));
    crossing.references.clear();
    crossing.sent = lost.sent + 8000;
    drawing.put_new(crossing);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::collection::MailCollection;
    use super::super::truth::{self, MailTruth};
    use super::*;

    /// What makes two letters copies, field by field, as texts.
    type CopyKey = Vec<String>;

    fn right_key(letter: &Letter) -> CopyKey {
        let recipients: BTreeSet<&str> = letter.to.iter().chain(&letter.cc).map(|one| one.address).collect();
        let lines: Vec<&str> = letter.lines.iter().map(|line| line.trim_end()).collect();
        let recipients = recipients.into_iter().collect::<Vec<_>>().join(" ");
        let subject = letter.subject.split_whitespace().collect::<Vec<_>>().join(" ");
        let body = lines.join("\n").trim_end().to_owned();
        vec![letter.sent.to_string(), letter.from.address.to_owned(), recipients, subject, body]
    }

    /// The collection as somebody sees it who has another notion of copies.
    fn by(found: &MailCollection, key: impl Fn(&Letter) -> CopyKey) -> MailCollection {
        let mut first: BTreeMap<CopyKey, usize> = BTreeMap::new();
        let letters = found.letters.iter().enumerate();
        let message_of = letters.map(|(at, letter)| *first.entry(key(letter)).or_insert(at)).collect();
        MailCollection { letters: found.letters.clone(), message_of }
    }

    fn rows(truth: &MailTruth) -> [BTreeSet<&(String, String)>; 2] {
        [truth.threads.iter().collect(), truth.copies.iter().collect()]
    }

    fn with(change: impl Fn(&mut CopyKey)) -> impl Fn(&Letter) -> CopyKey {
        move |letter| {
            let mut key = right_key(letter);
            change(&mut key);
            key
        }
    }

    #[test]
    fn whoever_misreads_what_copies_are_has_other_rows() {
        for (seed, n_files) in (0..20).zip([40, 90, 240, 480].into_iter().cycle()) {
            let found = MailCollection::drawn(seed, n_files);
            let right = truth::of(&found);
            assert_eq!(found.letters.len(), n_files);
            assert_eq!(rows(&truth::of(&by(&found, right_key))), rows(&right), "seed {seed}");
            let one_blank = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let misread: [(&str, MailCollection); 7] = [
                ("subjects without case", by(&found, with(|key| key[3] = key[3].to_lowercase()))),
                ("bodies without case", by(&found, with(|key| key[4] = key[4].to_lowercase()))),
                ("white space in bodies", by(&found, with(|key| key[4] = one_blank(&key[4])))),
                ("bodies trimmed", by(&found, with(|key| key[4] = key[4].trim().to_owned()))),
                ("no dates", by(&found, with(|key| key[0].clear()))),
                (
                    "subjects as they are",
                    by(&found, |letter| {
                        let mut key = right_key(letter);
                        key[3].clone_from(&letter.subject);
                        key
                    }),
                ),
                (
                    "subjects unfolded alone",
                    by(&found, |letter| {
                        let mut key = right_key(letter);
                        key[3] = letter.subject.replace("\r\n", "");
                        key
                    }),
                ),
            ];
            for (how, misread) in misread {
                assert_ne!(rows(&truth::of(&misread)), rows(&right), "seed {seed}: {how}");
            }
        }
    }

    #[test]
    fn whoever_misreads_what_threads_are_has_other_rows() {
        for seed in 0..20 {
            let found = MailCollection::drawn(seed, 90);
            let right = truth::of(&found);
            let n_threads =
                |truth: &MailTruth| truth.threads.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len();
            let mut without_case = found.clone();
            for letter in &mut without_case.letters {
                letter.message_id = letter.message_id.to_lowercase();
                letter
                    .references
                    .iter_mut()
                    .chain(&mut letter.in_reply_to)
                    .for_each(|name| *name = name.to_lowercase());
            }
            assert!(n_threads(&truth::of(&without_case)) < n_threads(&right), "seed {seed}");
            let known: BTreeSet<&String> = found.letters.iter().map(|letter| &letter.message_id).collect();
            let mut closed = found.clone();
            for letter in &mut closed.letters {
                letter.references.retain(|name| known.contains(name));
                letter.in_reply_to = letter.in_reply_to.take().filter(|name| known.contains(name));
            }
            assert_ne!(truth::of(&closed).threads, right.threads, "seed {seed}");
        }
    }

    /// The name of a thread if duplicates counted and ties were broken otherwise than by the path.
    fn named(found: &MailCollection, right: &MailTruth, rank: impl Fn(&Letter) -> String) -> Vec<String> {
        let mut first: BTreeMap<&String, (i64, String, &String)> = BTreeMap::new();
        for (letter, (_, thread)) in found.letters.iter().zip(&right.threads) {
            let own = (letter.sent, rank(letter), &letter.message_id);
            let known = first.entry(thread).or_insert_with(|| own.clone());
            *known = own.min(known.clone());
        }
        right.threads.iter().map(|(_, thread)| first[thread].2.clone()).collect()
    }

    #[test]
    fn whoever_names_threads_by_duplicates_has_other_rows() {
        for seed in 0..20 {
            let found = MailCollection::drawn(seed, 90);
            let right = truth::of(&found);
            let turned = |text: &str| text.bytes().map(|byte| char::from(255 - byte)).collect::<String>();
            let wanted: Vec<String> = right.threads.iter().map(|(_, thread)| thread.clone()).collect();
            assert_eq!(named(&found, &right, |letter| letter.file.clone()), wanted, "seed {seed}");
            assert_ne!(named(&found, &right, |letter| turned(&letter.file)), wanted, "seed {seed}");
            assert_ne!(named(&found, &right, |letter| letter.message_id.clone()), wanted, "seed {seed}");
            assert_ne!(named(&found, &right, |letter| turned(&letter.message_id)), wanted, "seed {seed}");
        }
    }
}
