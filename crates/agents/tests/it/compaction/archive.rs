//! A world of long records.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judge, Judgement};
use quintain_core::surface::ActionGroup;
use quintain_core::task::TaskFiles;
use quintain_core::world::Collected;
use quintain_core::{
    Action, CallSchema, Evidence, Feedback, Instance, InstanceId, Observation, ObservationPart, Reference, Score,
    Surface, Task, TrialId, World, WorldError,
};
use serde_json::json;

pub(super) const N_RECORDS: usize = 600;
pub(super) const N_FACTS: usize = 20;
/// The record that alone is longer than the model's whole context.
const HUGE: usize = 301;

const TASK: &str = r#"
[task]
id = "test/archive"
title = "Read the archive"
version = 1
difficulty = "easy"

[world]
kind = "archive"
app = "archive"
observe = ["text", "feedback", "remaining"]
act = ["call"]

[result]
kind = "fields"
fields.readings = "object"

[limits]
steps = 700

[[checks]]
name = "right"
kind = "exact"
"#;

const INSTRUCTION: &str = "Read every record of the archive, one after the other. At the end you are asked what some \
                           valves read; answer with `readings`, an object from the name of a valve to its reading.";

/// The archive, open at a record.
#[derive(Default)]
pub(super) struct Archive {
    at: usize,
}

pub(super) fn task() -> Task {
    let files: TaskFiles = [
        ("task.toml".to_owned(), TASK.as_bytes().to_vec()),
        ("instruction.md".to_owned(), INSTRUCTION.as_bytes().to_vec()),
        ("reference/canary.txt".to_owned(), b"canary-1".to_vec()),
    ]
    .into();
    Task::from_files("test", &files).expect("the test task is sound")
}

pub(super) fn instance(task: &Task, id: &TrialId) -> Instance {
    Instance {
        id: InstanceId { task: task.id.clone(), pick: id.instance.pick.clone() },
        instruction: task.instruction.clone(),
        parameters: task.parameters(&id.instance.pick),
        start: json!(N_RECORDS),
        secrets: Vec::new(),
        source: None,
    }
}

/// The name of a valve and what it reads.
pub(super) fn fact(n: usize) -> (String, String) {
    (format!("K{n}"), format!("{}.{}", 31 + 7 * n % 60, n % 10))
}

/// Which of them the clerk is given to note.
pub(super) fn is_noted(n: usize) -> bool {
    n % 5 < 3
}

/// The fact in a record: every thirtieth has one, the first of them being record 15.
fn fact_of(record: usize) -> Option<usize> {
    (record % 30 == 15).then_some(record / 30)
}

fn text(record: usize) -> String {
    let n_rows = if record == HUGE { 15_000 } else { 270 };
    let mut text = format!("Record {record} of {N_RECORDS}, of the night shift.");
    for row in 0..n_rows {
        let _infallible = write!(
            text,
            "\n{row:05}: pump {} idles, tank {} at level, nothing to report from bay {}",
            (record + row) % 7,
            row % 13,
            record % 11
        );
        if let Some((valve, reading)) = fact_of(record).filter(|_| row == n_rows / 2).map(fact) {
            let _infallible = write!(text, "\nrecord {record}: valve {valve} reads {reading}");
        }
    }
    text
}

fn question() -> String {
    let names: Vec<String> = (0..N_FACTS).map(|n| fact(n).0).collect();
    format!("That was the last record. What do these valves read: {}?", names.join(", "))
}

impl World for Archive {
    fn surface(&self) -> Surface {
        Surface {
            calls: vec![CallSchema::plain("next", "Turns to the next record.")],
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Text].into(),
            screen: None,
        }
    }

    fn observe(&mut self, _wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let text = if self.at < N_RECORDS { text(self.at) } else { question() };
        Ok(Observation::default().with_text(ObservationPart::Text, text))
    }

    fn apply(&mut self, _action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        self.at += 1;
        Ok(Feedback::changed("the next record"))
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("archive", json!(self.at)))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}

/// Whether everything that was noted was answered rightly.
pub(super) struct Recalled;

impl Judge for Recalled {
    fn judge(&self, ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let answer = ended.evidence.answer.clone().unwrap_or_default();
        let is_right = |n: usize| answer["readings"][fact(n).0] == fact(n).1;
        let score = Score::of((0..N_FACTS).filter(|n| is_noted(*n)).all(is_right));
        Ok(Judgement { score, findings: Vec::new(), milestones: Vec::new() })
    }
}
