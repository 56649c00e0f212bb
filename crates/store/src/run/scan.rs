//! Finding the attempts in a segment without reading all of every event.

use std::io::{self, BufRead};

use quintain_core::TrialId;
use quintain_core::event::EVENT_VERSION;

use super::line::{LineHead, UnreadableLine};
use super::place::LineRange;
use crate::damage::segment_file;
use crate::error::BadLine;
use crate::line_sum::SumRule;

/// What a look over the segments finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The attempts, by segment and in the order they were written.
    pub attempts: Vec<AttemptSummary>,
    /// The lines that are whole and yet cannot be read.
    pub bad_lines: Vec<BadLine>,
}

/// One attempt, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptSummary {
    /// Which trial.
    pub trial: TrialId,
    /// Which attempt.
    pub attempt: u32,
    /// Where its whole lines stand.
    pub place: LineRange,
    /// The attempt that it goes on from, where it does.
    pub continues: Option<LineRange>,
    /// How many turns it recorded itself, not counting those of an attempt that it continues.
    pub n_turns: u32,
    /// Whether it came to a verdict.
    pub finished: bool,
    /// Whether half a line follows it, cut off in the middle of writing.
    pub torn: bool,
}

impl Scan {
    /// Adds the attempts of one segment.
    pub(super) fn segment(&mut self, name: &str, sums: SumRule, mut lines: impl BufRead) -> io::Result<()> {
        let mut walk = SegmentWalk { name, sums, open: None, open_trial: String::new(), line_idx: 0, offset: 0 };
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                walk.open.iter_mut().for_each(|attempt| attempt.torn = true);
                break;
            }
            walk.line(self, &line);
        }
        self.attempts.extend(walk.open);
        Ok(())
    }
}

/// The way through one segment.
struct SegmentWalk<'a> {
    name: &'a str,
    sums: SumRule,
    open: Option<AttemptSummary>,
    /// The open attempt's trial as it is written, so that it need not be spelled again for each line.
    open_trial: String,
    line_idx: u64,
    offset: u64,
}

impl SegmentWalk<'_> {
    fn line(&mut self, scan: &mut Scan, line: &[u8]) {
        let start = self.offset;
        self.offset += line.len() as u64;
        self.line_idx += 1;
        if line.trim_ascii().is_empty() {
            // Lines that were lost on their way from elsewhere.
            return;
        }
        let read = LineHead::read(line, self.sums).and_then(|head| self.count(scan, &head, start));
        if let Err(unreadable) = read {
            scan.bad_lines.push(bad_line(self.name, self.line_idx, unreadable));
        }
    }

    fn count(&mut self, scan: &mut Scan, head: &LineHead, start: u64) -> Result<(), UnreadableLine> {
        if !self.goes_on(head) {
            let begun = self.begun(head, start)?;
            self.open_trial.clone_from(&head.trial);
            scan.attempts.extend(self.open.replace(begun));
        }
        let open = self.open.as_mut().expect("an attempt was opened above, if none was open");
        open.place.end = self.offset;
        match head.event.as_str() {
            "turn" => open.n_turns += 1,
            "judged" => open.finished = true,
            _ => {}
        }
        Ok(())
    }

    /// Whether a line belongs to the open attempt. A verdict closes an attempt, and a beginning opens one, whatever the
    /// numbers say.
    fn goes_on(&self, head: &LineHead) -> bool {
        let begins = matches!(head.event.as_str(), "began" | "resumed");
        let is_same =
            |open: &AttemptSummary| !open.finished && open.attempt == head.attempt && self.open_trial == head.trial;
        !begins && self.open.as_ref().is_some_and(is_same)
    }

    fn begun(&self, head: &LineHead, start: u64) -> Result<AttemptSummary, UnreadableLine> {
        Ok(AttemptSummary {
            trial: head.trial_id()?,
            attempt: head.attempt,
            place: LineRange { segment: self.name.to_owned(), start, end: start },
            continues: head.continues.clone(),
            n_turns: 0,
            finished: false,
            torn: false,
        })
    }
}

pub(super) fn bad_line(segment: &str, line: u64, unreadable: UnreadableLine) -> BadLine {
    let why = match unreadable {
        UnreadableLine::Newer(v) => format!(
            "the line is of version {v}, and this program reads up to {EVENT_VERSION}\nhint: use a newer quintain"
        ),
        UnreadableLine::Garbage(why) => why,
    };
    BadLine { file: segment_file(segment), line, why }
}
