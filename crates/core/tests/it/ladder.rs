//! A small world to play in: a ladder to climb, one rung at a time.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::action::{Action, Call};
use quintain_core::agent::{Agent, AgentError, Briefing, Reply, Turn};
use quintain_core::check::{BrokenJudge, Finding};
use quintain_core::clock::Clock;
use quintain_core::digest::Digest;
use quintain_core::event::{Record, RecordError, TrialEvent};
use quintain_core::evidence::Evidence;
use quintain_core::instance::Instance;
use quintain_core::judge::{EndedTrial, Judge, Judgement, NothingToDerive};
use quintain_core::observation::{Observation, ObservationPart, Screen};
use quintain_core::reference::Reference;
use quintain_core::score::Score;
use quintain_core::settings::Settings;
use quintain_core::surface::{ActionGroup, CallSchema, Surface, ValueType};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::trajectory::{Feedback, Step};
use quintain_core::trial::{Played, Trial, TrialId, TrialParts, TrialPast, play};
use quintain_core::verdict::MilestoneReached;
use quintain_core::world::{Collected, World, WorldError};
use serde_json::json;

pub(crate) const TASK: &str = r#"
[task]
id = "test/ladder"
title = "Climb to the third rung"
version = 1
difficulty = "easy"

[world]
kind = "ladder"
app = "ladder"
observe = ["text", "feedback", "remaining"]
act = ["call"]

[parameters.top]
value = 3

[limits]
steps = 6

[[checks]]
name = "height"
kind = "exact"

[[milestones]]
name = "first rung"
checks = [{ name = "one", kind = "exact" }]
"#;

pub(crate) fn task(toml: &str) -> Task {
    let files: TaskFiles = [
        ("task.toml".to_owned(), toml.as_bytes().to_vec()),
        ("instruction.md".to_owned(), b"Climb to rung {{ top }}.".to_vec()),
        ("reference/canary.txt".to_owned(), b"canary-1".to_vec()),
    ]
    .into();
    Task::from_files("test", &files).expect("the test task is sound")
}

/// Climbs with `step(1)` or `step(-1)`; breaks when told `step(9)`.
pub(crate) struct Ladder {
    pub(crate) height: i64,
}

impl World for Ladder {
    fn surface(&self) -> Surface {
        let rungs = ValueType::Integer { min: -9, max: 9 };
        Surface {
            calls: vec![CallSchema::plain("step", "Climbs.").arg("rungs", rungs, "how far", 1)],
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Text].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let seen = Observation::default();
        Ok(if wanted.contains(&ObservationPart::Text) {
            seen.with_text(ObservationPart::Text, format!("rung {}", self.height))
        } else {
            seen
        })
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let Action::Call(Call { args, .. }) = action else { return Ok(Feedback::refused("only steps")) };
        match args[0].as_i64().expect("the schema says so") {
            9 => Err(WorldError::world("the ladder fell over")),
            8 => Err(WorldError::Exhausted("all the rungs".to_owned())),
            7 => Err(WorldError::Cheated("a lift".to_owned())),
            rungs if self.height + rungs < 0 => Ok(Feedback::refused("there is no rung below")),
            rungs => {
                self.height += rungs;
                Ok(Feedback::changed("climbed"))
            }
        }
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("ladder", json!(self.height)))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}

pub(crate) struct TopReached;

impl Judge for TopReached {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let height = |evidence: &Evidence| evidence.documents.get("ladder").and_then(serde_json::Value::as_i64);
        let broken = || BrokenJudge { check: "height".to_owned(), why: "no top".to_owned() };
        let top = reference.parameters.get("top").ok_or_else(broken)?.as_i64();
        let first = ended.snapshots.iter().find(|snapshot| height(&snapshot.evidence) >= Some(1));
        Ok(Judgement {
            score: Score::of(height(ended.evidence) == top),
            findings: vec![Finding::of("height", height(ended.evidence) == top, "looked")],
            milestones: vec![MilestoneReached {
                name: "first rung".to_owned(),
                after_steps: first.map(|snapshot| snapshot.after_steps),
                ..MilestoneReached::default()
            }],
        })
    }
}

/// Says its lines one by one; remembers what it was shown.
pub(crate) struct Lines {
    pub(crate) said: Vec<String>,
    pub(crate) next: usize,
    pub(crate) asked: usize,
    pub(crate) shown: Vec<String>,
}

pub(crate) fn lines(text: &str) -> Lines {
    Lines { said: text.split(';').map(|line| line.trim().to_owned()).collect(), next: 0, asked: 0, shown: Vec::new() }
}

impl Agent for Lines {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        self.asked += 1;
        self.shown.extend(turn.observation.texts.values().cloned());
        let line = self.said.get(self.next).cloned().unwrap_or_default();
        self.next += 1;
        match line.as_str() {
            "LATE" => Err(AgentError::Late(within)),
            "CRASH" => Err(AgentError::harness("the agent fell asleep")),
            _ => Ok(Reply::text(line)),
        }
    }

    fn recall(&mut self, _turn: &Turn<'_>, reply: &Reply) {
        assert_eq!(reply.raw, self.said[self.next]);
        self.next += 1;
    }
}

/// Keeps every event; fails after so many, to stand for a full disk.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) events: Vec<TrialEvent>,
    pub(crate) room: Option<usize>,
}

impl Record for Memory {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        if self.room == Some(self.events.len()) {
            return Err(RecordError("no space left".to_owned()));
        }
        self.events.push(event);
        Ok(())
    }
}

pub(crate) struct Game {
    pub(crate) task: Task,
    pub(crate) settings: Settings,
    pub(crate) interrupt_after: Option<usize>,
    /// How far each look at the clock moves it on.
    pub(crate) tick: Duration,
}

/// A clock that moves on whenever it is looked at.
struct Ticking {
    now: Cell<Duration>,
    tick: Duration,
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        self.now.set(self.now.get() + self.tick);
        self.now.get()
    }
}

impl Game {
    pub(crate) fn new() -> Self {
        Self { task: task(TASK), settings: Settings::default(), interrupt_after: None, tick: Duration::ZERO }
    }

    /// The trial's name, and its instance.
    pub(crate) fn instance(&self) -> (TrialId, Instance) {
        let id: TrialId = "test/ladder#0~lines~0".parse().expect("a trial's name");
        let instance = Instance {
            id: id.instance.clone(),
            instruction: "Climb to rung 3.".to_owned(),
            parameters: self.task.parameters(&id.instance.pick),
            start: json!({"height": 0}),
            secrets: Vec::new(),
            source: None,
        };
        (id, instance)
    }

    pub(crate) fn play(&self, agent: &mut Lines, past: &[Step]) -> (Result<Played, RecordError>, Memory) {
        let mut memory = Memory::default();
        let played = self.play_into(agent, past, &mut memory);
        (played, memory)
    }

    pub(crate) fn play_into(
        &self,
        agent: &mut Lines,
        past: &[Step],
        memory: &mut Memory,
    ) -> Result<Played, RecordError> {
        let (id, instance) = self.instance();
        let trial = Trial {
            id: &id,
            task: &self.task,
            instance: &instance,
            world: Digest::of(b"ladder"),
            settings: &self.settings,
            limits: &self.task.spec.limits,
        };
        let polls = std::cell::Cell::new(0);
        let mut stage = TrialParts {
            open: &|| Ok(Box::new(Ladder { height: 0 })),
            agent,
            reference: &|| Ok(instance.reference(&self.task)),
            derive: &NothingToDerive,
            judge: &TopReached,
            record: memory,
            clock: &Ticking { now: Cell::default(), tick: self.tick },
            interrupted: &|| {
                polls.set(polls.get() + 1);
                self.interrupt_after.is_some_and(|after| polls.get() > after)
            },
            call_limit: Duration::from_secs(5),
        };
        play(&trial, &mut stage, TrialPast::of(past))
    }
}

/// The steps that a record holds, as a reader after a crash would see them.
pub(crate) fn steps(events: &[TrialEvent]) -> Vec<Step> {
    events
        .iter()
        .filter_map(|event| match event {
            TrialEvent::Turn { shown, reply, action, spent, .. } => Some(Step {
                shown: shown.clone(),
                reply: reply.clone(),
                action: action.clone(),
                spent: *spent,
                feedback: None,
            }),
            _ => None,
        })
        .collect()
}
