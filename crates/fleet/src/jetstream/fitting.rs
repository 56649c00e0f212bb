//! What of an outcome goes into a message: all of it, or as much as there is room for. The record in the archive has all.

use std::borrow::Cow;

use quintain_core::Score;
use quintain_core::check::{Finding, Measures};
use quintain_core::words::count;
use quintain_runner::engine::Outcome;

/// The finding that says what was left out.
const LEFT_OUT: &str = "left-out";

/// No outcome is longer than this, whatever the server would take: many of them are read at once.
const MOST_BYTES: usize = 256 << 10;

/// Who asks for an outcome is sent it as a text within another, in which every quote takes two bytes and more.
const PART_OF_MESSAGE: usize = 4;

/// So much is kept of a text where not all of it fits.
const TEXT_BYTES: usize = 2_000;

/// What the finding that says what was left out takes at most.
const NOTE_BYTES: usize = 1_000;

/// The most bytes of an outcome, given how long a message may be.
pub(super) fn most_bytes(max_payload: usize) -> usize {
    MOST_BYTES.min(max_payload / PART_OF_MESSAGE)
}

/// The outcome, or what of it takes no more than so many bytes. Texts are cut first, then the last findings left out, and
/// another finding says so.
pub(super) fn fitting(outcome: &Outcome, max_bytes: usize) -> Cow<'_, Outcome> {
    let n_bytes = size_of(outcome);
    if n_bytes <= max_bytes {
        return Cow::Borrowed(outcome);
    }
    let mut cut = outcome.clone();
    let n_findings = cut.verdict.findings.len();
    let n_texts = cut_texts(&mut cut);
    keep_first(&mut cut, max_bytes);
    let n_left_out = n_findings - cut.verdict.findings.len();
    cut.verdict.findings.push(note(n_bytes, n_texts, n_left_out));
    Cow::Owned(cut)
}

/// Whether something of an outcome was left out.
pub fn is_cut(outcome: &Outcome) -> bool {
    outcome.verdict.findings.last().is_some_and(|finding| finding.check == LEFT_OUT)
}

fn size_of<T: serde::Serialize>(value: &T) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

/// Cuts long texts, and returns how many there were.
fn cut_texts(outcome: &mut Outcome) -> usize {
    let verdict = &mut outcome.verdict;
    let texts = verdict.findings.iter_mut().map(|finding| &mut finding.because).chain(verdict.fault.as_mut());
    texts.filter(|text| text.len() > TEXT_BYTES).map(shorten).count()
}

fn shorten(text: &mut String) {
    let n_bytes = text.len();
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    *text = format!("{text}… ({} more bytes)", n_bytes - text.len());
}

/// Leaves out the last findings, and where that is not enough the milestones.
fn keep_first(outcome: &mut Outcome, max_bytes: usize) {
    let findings = std::mem::take(&mut outcome.verdict.findings);
    let mut room = max_bytes.saturating_sub(size_of(outcome) + NOTE_BYTES);
    if room == 0 {
        outcome.verdict.milestones.clear();
        room = max_bytes.saturating_sub(size_of(outcome) + NOTE_BYTES);
    }
    let fits = |finding: &Finding| {
        let n_bytes = size_of(finding) + 1;
        let is_room = n_bytes <= room;
        room = room.saturating_sub(if is_room { n_bytes } else { room });
        is_room
    };
    outcome.verdict.findings = findings.into_iter().take_while(fits).collect();
}

fn note(n_bytes: usize, n_texts: usize, n_left_out: usize) -> Finding {
    let because = format!(
        "{n_bytes} bytes are too many for a message: {} left out and {} cut; the record has all of it",
        count(n_left_out, "finding"),
        count(n_texts, "text")
    );
    let measures = [("bytes", n_bytes), ("findings_left_out", n_left_out), ("texts_cut", n_texts)];
    let measures: Measures = measures.into_iter().map(|(name, n)| (name.to_owned(), n as f64)).collect();
    Finding { check: LEFT_OUT.to_owned(), score: Score::ONE, because, measures }
}

#[cfg(test)]
mod tests {
    use quintain_runner::engine::conformance;

    use super::*;

    fn outcome(findings: impl IntoIterator<Item = String>) -> Outcome {
        let mut outcome = conformance::outcome("lab-s-0000:0-1");
        outcome.verdict.findings = findings.into_iter().map(|because| Finding::of("a", false, because)).collect();
        outcome
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let small = outcome(["why".to_owned()]);
        assert_eq!(*fitting(&small, most_bytes(1 << 20)), small);
        assert!(!is_cut(&small));
    }

    #[test]
    fn long_texts_are_cut_and_then_findings_left_out() {
        for (large, left_out, texts) in [
            (outcome(["ä".repeat(1 << 20)]), 0.0, 1.0),
            (outcome((0..100_000).map(|n| n.to_string())), 90_000.0, 0.0),
            (outcome((0..2_000).map(|_| "\"".repeat(3_000))), 1_900.0, 2_000.0),
        ] {
            for max_payload in [1 << 20, 64 << 10] {
                let cut = fitting(&large, most_bytes(max_payload));
                assert!(is_cut(&cut) && size_of(&cut) <= most_bytes(max_payload), "{} bytes", size_of(&cut));
                let measures = &cut.verdict.findings.last().unwrap().measures;
                assert!(measures["findings_left_out"] >= left_out, "{measures:?}");
                assert!(measures["texts_cut"] >= texts, "{measures:?}");
                assert_eq!((cut.verdict.score, &cut.place), (large.verdict.score, &large.place));
            }
        }
    }
}
