//! One attempt, as it was recorded.

use quintain_core::judge::Snapshot;
use quintain_core::trial::{TrialEnd, TrialResult};
use quintain_core::world::KeptWorld;
use quintain_core::{Boundary, Briefing, Ending, Evidence, Feedback, Spent, Step, TrialEvent, TrialId, Verdict};

use super::line::{self, LineHead, UnreadableLine};
use super::place::LineRange;
use super::scan::bad_line;
use crate::error::{BadLine, StoreError};
use crate::line_sum::SumRule;

/// One attempt, as it was recorded; or a whole trajectory, where attempts were joined.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptRecord {
    /// Which trial.
    pub trial: TrialId,
    /// Which attempt.
    pub attempt: u32,
    /// What happened, in order.
    pub events: Vec<TrialEvent>,
    /// Where it stands.
    pub place: LineRange,
    /// The earlier attempt that it goes on from; nothing once the two have been joined.
    pub continues: Option<LineRange>,
    /// Whether the place ended in the middle of a line, which was left out.
    pub torn: bool,
}

/// What could be read of an attempt.
pub(super) struct LenientRecord {
    pub(super) record: AttemptRecord,
    /// The lines that could not.
    pub(super) bad_lines: Vec<BadLine>,
}

/// One line of an attempt.
struct ReadLine {
    trial: TrialId,
    attempt: u32,
    continues: Option<LineRange>,
    event: TrialEvent,
}

impl ReadLine {
    fn of(text: &[u8], sums: SumRule) -> Result<Self, UnreadableLine> {
        if text.trim_ascii().is_empty() {
            return Err(UnreadableLine::Garbage("it is blank: what stood there never arrived".to_owned()));
        }
        let head = LineHead::read(text, sums)?;
        let event = line::event(text)?;
        Ok(Self { trial: head.trial_id()?, attempt: head.attempt, continues: head.continues, event })
    }

    /// The record that this is the first line of.
    fn begins(self, place: &LineRange) -> AttemptRecord {
        let Self { trial, attempt, continues, event } = self;
        AttemptRecord { trial, attempt, events: vec![event], place: place.clone(), continues, torn: false }
    }

    fn is_of(&self, record: &AttemptRecord) -> bool {
        (&self.trial, self.attempt) == (&record.trial, record.attempt)
    }
}

/// How the agent's part ended.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentStop {
    /// How, and what broke where something did.
    pub over: TrialEnd,
    /// What had been spent.
    pub spent: Spent,
}

impl AttemptRecord {
    /// Reads the lines of one place. Half a line at the end is left out; any other line that cannot be read is an error.
    pub(super) fn parse(place: &LineRange, bytes: &[u8], sums: SumRule) -> Result<Self, StoreError> {
        let LenientRecord { record, bad_lines } = Self::salvage(place, bytes, sums)?;
        if bad_lines.is_empty() { Ok(record) } else { Err(StoreError::BadLines(bad_lines)) }
    }

    /// Reads whatever can be read of the lines of one place. Lines are counted from the beginning of the place.
    pub(super) fn salvage(place: &LineRange, bytes: &[u8], sums: SumRule) -> Result<LenientRecord, StoreError> {
        let whole_len = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline_idx| newline_idx + 1);
        let lines = bytes[..whole_len].split_inclusive(|byte| *byte == b'\n');
        let no_such = |why: &str| StoreError::NoSuchPlace { place: place.to_string(), why: why.to_owned() };
        let mut record: Option<Self> = None;
        let mut bad_lines = Vec::new();
        for (line_idx, text) in lines.enumerate() {
            match ReadLine::of(text, sums) {
                Ok(line) => match &mut record {
                    None => record = Some(line.begins(place)),
                    Some(record) if line.is_of(record) => record.events.push(line.event),
                    Some(_) => return Err(no_such("it holds lines of several attempts")),
                },
                Err(unreadable) => bad_lines.push(bad_line(&place.segment, line_idx as u64 + 1, unreadable)),
            }
        }
        match record {
            Some(record) => Ok(LenientRecord { record: Self { torn: whole_len < bytes.len(), ..record }, bad_lines }),
            None if bad_lines.is_empty() => Err(no_such("no whole line stands there")),
            None => Err(StoreError::BadLines(bad_lines)),
        }
    }

    /// The steps: each turn with what came of it, which the next turn or the end tells.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for event in &self.events {
            let (TrialEvent::Turn { feedback, .. } | TrialEvent::Stopped { feedback, .. }) = event else { continue };
            if let Some(last) = steps.last_mut() {
                last.feedback.clone_from(feedback);
            }
            if let TrialEvent::Turn { shown, reply, action, spent, .. } = event {
                steps.push(Step {
                    shown: shown.clone(),
                    reply: reply.clone(),
                    action: action.clone(),
                    spent: *spent,
                    feedback: None,
                });
            }
        }
        steps
    }

    /// How many turns were recorded.
    pub fn n_turns(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, TrialEvent::Turn { .. })).count()
    }

    /// What the agent was told at the beginning.
    pub fn briefing(&self) -> Option<&Briefing> {
        self.events.iter().find_map(|event| match event {
            TrialEvent::Began { briefing, .. } => Some(briefing),
            _ => None,
        })
    }

    /// What it came to, if it was judged. Where the line is damaged that says what was used up, the last turn nearly does.
    pub fn outcome(&self) -> Option<TrialResult> {
        let by_turns = || self.steps().last().map(|step| step.spent).unwrap_or_default();
        let spent = self.stopped().map_or_else(by_turns, |stopped| stopped.spent);
        Some(TrialResult { verdict: self.verdict()?.clone(), spent })
    }

    /// How the agent's part ended.
    pub fn stopped(&self) -> Option<AgentStop> {
        self.events.iter().find_map(|event| match event {
            TrialEvent::Stopped { ending, fault, spent, .. } => {
                let over = TrialEnd { ending: ending.clone(), fault: fault.clone() };
                Some(AgentStop { over, spent: *spent })
            }
            _ => None,
        })
    }

    /// The ending that the checks are to be given, and what broke. A world that could not hand over its evidence turns
    /// the ending into a fault after the agent has stopped, and only the verdict tells; a judge's fault on the other
    /// hand is the judge's own, and judging again may lift it.
    pub fn over(&self) -> Option<TrialEnd> {
        match self.verdict() {
            Some(verdict) if verdict.ending != Ending::Fault(Boundary::Judge) => {
                Some(TrialEnd { ending: verdict.ending.clone(), fault: verdict.fault.clone() })
            }
            _ => self.stopped().map(|stopped| stopped.over),
        }
    }

    /// The evidence, with what verifiers derived from it; nothing if the world never handed any over.
    pub fn evidence(&self) -> Option<Evidence> {
        let mut evidence = self.events.iter().find_map(|event| match event {
            TrialEvent::Collected { evidence } => Some(evidence.clone()),
            _ => None,
        })?;
        for event in &self.events {
            if let TrialEvent::Derived { derived } = event {
                evidence.derived.extend(derived.iter().cloned());
            }
        }
        Some(evidence)
    }

    /// The world's documents along the way, one for each step that has any. Where a resumed attempt took one down
    /// again, the later counts.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let mut snapshots: Vec<Snapshot> = Vec::new();
        for event in &self.events {
            let TrialEvent::Snapshot { after_steps, evidence } = event else { continue };
            snapshots.retain(|earlier| earlier.after_steps != *after_steps);
            snapshots.push(Snapshot { after_steps: *after_steps, evidence: evidence.clone() });
        }
        snapshots
    }

    /// What the world held last, with what came of the step before it, and after how many steps that was.
    pub fn kept(&self) -> Option<(u32, Option<&Feedback>, &KeptWorld)> {
        self.events.iter().rev().find_map(|event| match event {
            TrialEvent::Kept { after_steps, feedback, state } => Some((*after_steps, feedback.as_ref(), state)),
            _ => None,
        })
    }

    /// The verdict, if it came to one.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.events.iter().rev().find_map(|event| match event {
            TrialEvent::Judged { verdict } => Some(verdict),
            _ => None,
        })
    }
}
