//! A small world to record: a dial to turn to three.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::check::{BrokenJudge, Finding};
use quintain_core::clock::StoppedClock;
use quintain_core::event::{KeepError, Record, RecordError};
use quintain_core::files::held;
use quintain_core::judge::{EndedTrial, Judge, Judgement, NothingToDerive};
use quintain_core::surface::ActionGroup;
use quintain_core::task::TaskFiles;
use quintain_core::trial::{Played, TrialParts, TrialPast, TrialResult, play};
use quintain_core::verdict::MilestoneReached;
use quintain_core::world::Collected;
use quintain_core::*;
use quintain_store::{AgentUsed, LineRange, PlannedTrial, RunDir, RunHeader};
use serde_json::json;

pub(crate) const TASK: &str = r#"[task]
id = "test/dial"
title = "Turn the dial to three"
version = 1
capabilities = ["motor"]

[world]
kind = "dial"
app = "dial"
observe = ["screen", "goal", "feedback", "remaining"]
act = ["call"]

[parameters.target]
value = 3
generator = { integer = [2, 5] }

[presets.easy]
difficulty = "easy"
parameters = { target = 3 }

[presets.hard]
difficulty = "hard"
parameters = { target = 5 }
limits = { steps = 12, minutes = 2.5 }

[limits]
steps = 9

[chance]
score = 0.25
why = "few numbers"

[[checks]]
name = "at the target"
kind = "exact"
selector = "documents/dial"
expect = "{{ target }}"

[[milestones]]
name = "moved"
checks = [{ name = "not zero", kind = "numeric" }]
"#;

pub(crate) fn files() -> TaskFiles {
    [
        ("task.toml".to_owned(), TASK.as_bytes().to_vec()),
        ("instruction.md".to_owned(), b"Turn the dial to {{ target }}.".to_vec()),
        ("reference/canary.txt".to_owned(), b"quintain-canary-7".to_vec()),
    ]
    .into()
}

struct Dial {
    at: i64,
    left: Option<Vec<u8>>,
}

fn face(at: i64) -> Arc<Picture> {
    Arc::new(Picture::filled(8, 6, [at as u8 * 40, 90, 200]))
}

impl World for Dial {
    fn surface(&self) -> Surface {
        let clicks = ValueType::Integer { min: -3, max: 3 };
        Surface {
            calls: vec![CallSchema::plain("turn", "Turns the dial.").arg("clicks", clicks, "how far", 1)],
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Screen, ObservationPart::Goal].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let seen = Observation::default().with_picture(ObservationPart::Screen, face(self.at));
        Ok(if wanted.contains(&ObservationPart::Goal) {
            seen.with_picture(ObservationPart::Goal, face(3))
        } else {
            seen
        })
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let Action::Call(Call { args, .. }) = action else { return Ok(Feedback::refused("only turns")) };
        self.at += args[0].as_i64().unwrap();
        Ok(Feedback::changed(format!("now at {}", self.at)))
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("dial", json!(self.at)))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        let files = self.left.take().map(|note| ("note.txt".to_owned(), held(note))).into_iter().collect();
        Ok(Collected { evidence: self.snapshot(within)?, screen: Some(Screen::Raw(face(self.at))), files })
    }
}

struct AtTheTarget;

impl Judge for AtTheTarget {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let at = |evidence: &Evidence| evidence.documents["dial"].as_i64();
        let right = at(ended.evidence) == reference.parameters["target"].as_i64();
        let moved = ended.snapshots.iter().find(|snapshot| at(&snapshot.evidence) != Some(0));
        Ok(Judgement {
            score: if right { Score::ONE } else { Score::clamped(0.1 + 0.2) },
            findings: vec![Finding::of("at the target", right, "looked")],
            milestones: vec![MilestoneReached {
                name: "moved".to_owned(),
                after_steps: moved.map(|snapshot| snapshot.after_steps),
                ..MilestoneReached::default()
            }],
        })
    }
}

/// Says its lines one by one.
struct Lines {
    said: Vec<String>,
    next: usize,
}

impl Agent for Lines {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        let raw = self.said.get(self.next).cloned().ok_or(AgentError::Interrupted)?;
        self.next += 1;
        let cost_usd = (self.next == 1).then_some(0.1);
        let usage = Usage { input_tokens: 100, output_tokens: 7, cached_tokens: 40, cost_usd, n_unknown: 0 };
        Ok(Reply { thought: Some("hm".to_owned()), usage: Some(usage), ..Reply::text(raw) })
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {
        self.next += 1;
    }
}

/// A record that is cut off after so many events, as a crash would cut it.
struct CutOff<'a> {
    inner: &'a mut dyn Record,
    events_left: usize,
}

impl Record for CutOff<'_> {
    fn frame(&mut self, digest: Digest, screen: &Screen) -> Result<(), RecordError> {
        self.inner.frame(digest, screen)
    }

    fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<FileHandle, KeepError> {
        self.inner.file(source)
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        self.events_left = self.events_left.checked_sub(1).ok_or_else(|| RecordError("killed".to_owned()))?;
        self.inner.event(event)
    }
}

/// Plays `said`, from the steps of the past, into a record that is cut off after so many events.
pub(crate) fn play_into(record: &mut dyn Record, said: &str, past: &[Step], n_events: usize) -> Option<Verdict> {
    let task = Task::from_files("test", &files()).unwrap();
    let id = trial_id(0);
    let instance = instance(&task, &id);
    let trial = Trial {
        id: &id,
        task: &task,
        instance: &instance,
        world: Digest::of(b"dial"),
        settings: &settings(),
        limits: &task.limits(&id.instance.pick),
    };
    let mut agent = Lines { said: said.split(';').map(|line| line.trim().to_owned()).collect(), next: 0 };
    let mut record = CutOff { inner: record, events_left: n_events };
    let mut stage = TrialParts {
        open: &|| Ok(Box::new(Dial { at: 0, left: Some(b"a note".to_vec()) })),
        agent: &mut agent,
        reference: &|| Ok(instance.reference(&task)),
        derive: &NothingToDerive,
        judge: &AtTheTarget,
        record: &mut record,
        clock: &StoppedClock,
        interrupted: &|| false,
        call_limit: Duration::from_secs(1),
    };
    match play(&trial, &mut stage, TrialPast::of(past)) {
        Ok(Played::Ended(TrialResult { verdict, .. })) => Some(verdict),
        Ok(Played::Interrupted) | Err(_) => None,
    }
}

fn instance(task: &Task, id: &TrialId) -> Instance {
    Instance {
        id: id.instance.clone(),
        instruction: "Turn the dial to 3.".to_owned(),
        parameters: task.parameters(&id.instance.pick),
        start: json!({"at": 0}),
        secrets: Vec::new(),
        source: None,
    }
}

fn settings() -> Settings {
    Settings {
        show: [ObservationPart::Screen, ObservationPart::Goal, ObservationPart::Feedback, ObservationPart::Remaining]
            .into(),
        ..Settings::default()
    }
}

pub(crate) fn trial_id(repeat: u32) -> TrialId {
    format!("test/dial@easy#7~lines~{repeat}").parse().unwrap()
}

pub(crate) fn header() -> RunHeader {
    RunHeader {
        agents: vec![AgentUsed { label: "lines".to_owned(), spec: "script:x".to_owned(), ..AgentUsed::default() }],
        fingerprint: [("quintain".to_owned(), "0.1.0".to_owned())].into(),
        seeds: vec![7],
        ..RunHeader::new("tuesday", "2026-02-03T04:05:06Z")
    }
}

pub(crate) fn planned(repeat: u32) -> PlannedTrial {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let (task, world, instance) = (digest("t"), digest("w"), digest("i"));
    PlannedTrial { trial: trial_id(repeat), task, world, instance, identity: None }
}

/// A run in a directory, with nothing played yet.
pub(crate) fn new_run(folder: &Path) -> RunDir {
    RunDir::create(&folder.join("run"), &header(), &[planned(0), planned(1)]).unwrap()
}

/// Plays one whole attempt into a fresh segment.
pub(crate) fn record(run: &RunDir, said: &str) -> LineRange {
    let mut writer = run.segment_writer().unwrap();
    let mut attempt = writer.begin(&trial_id(0), 1).unwrap();
    play_into(&mut attempt, said, &[], usize::MAX);
    attempt.place()
}

/// An attempt in a line per event.
pub(crate) fn tell(events: &[TrialEvent]) -> String {
    events.iter().map(|event| tell_one(event) + "\n").collect()
}

fn tell_one(event: &TrialEvent) -> String {
    match event {
        TrialEvent::Began { briefing, .. } => format!("began: {}", briefing.instruction),
        TrialEvent::Resumed { after_turns } => format!("resumed after {after_turns}"),
        TrialEvent::Kept { after_steps, .. } => format!("kept after {after_steps}"),
        TrialEvent::PutBack { after_steps } => format!("put back after {after_steps}"),
        TrialEvent::Turn { step_idx, reply, feedback, .. } => {
            let heard = feedback.as_ref().map_or("nothing", |feedback| feedback.text.as_str());
            format!("turn {step_idx}: heard {heard}, said {}", reply.raw)
        }
        TrialEvent::Snapshot { after_steps, evidence } => {
            format!("after {after_steps}: {}", evidence.documents["dial"])
        }
        TrialEvent::Stopped { ending, .. } => format!("stopped: {ending}"),
        TrialEvent::Collected { evidence } => format!("collected: {}", evidence.documents["dial"]),
        TrialEvent::Derived { .. } => "derived".to_owned(),
        TrialEvent::Judged { verdict } => format!("judged: {}", verdict.score.value()),
    }
}
