//! A small world to play in: a maze with a screen, a map in characters, and feedback.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_agents::script::Script;
use quintain_core::check::BrokenJudge;
use quintain_core::event::{Record, RecordError, TrialEvent};
use quintain_core::judge::{EndedTrial, Judge, Judgement, NothingToDerive};
use quintain_core::surface::ActionGroup;
use quintain_core::task::TaskFiles;
use quintain_core::trial::{Played, TrialParts, TrialPast, TrialResult, play};
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Action, Agent, Call, CallSchema, Clock, Digest, Evidence, Feedback, Instance, Observation, ObservationPart, Pick,
    Picture, Reference, Score, Screen, Settings, Step, Surface, Task, Trajectory, Trial, TrialId, ValueType, World,
    WorldError, WorldKind,
};
use serde_json::json;

const TASK: &str = r#"
[task]
id = "test/maze"
title = "Walk to the goal"
version = 1
difficulty = "easy"

[world]
kind = "maze"
app = "maze"
observe = ["screen", "ascii", "feedback", "remaining"]
act = ["call"]

[limits]
steps = 40

[[checks]]
name = "there"
kind = "exact"
"#;

const MAP: [&str; 5] = ["#######", "#A..#.#", "###.#.#", "#....G#", "#######"];
pub(crate) const SOLUTION: [&str; 7] =
    ["('move', 0)", "('move', 0)", "('move', 3)", "('move', 3)", "('move', 0)", "('move', 0)", "('stop', 'stop')"];
const OFFSETS: [(isize, isize); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

/// The maze, open. In a moody one the second move leaves a mark on the map that the first playing did not see.
pub(crate) struct Maze {
    at: (usize, usize),
    n_moves: u32,
    mood: char,
}

impl Maze {
    fn new(mood: char) -> Self {
        Self { at: (1, 1), n_moves: 0, mood }
    }

    fn letter(&self, x: usize, y: usize) -> char {
        match MAP[y].as_bytes()[x] {
            b'G' if self.at == (x, y) => '*',
            _ if self.at == (x, y) => 'A',
            b'A' => '.',
            b'#' if self.n_moves >= 2 && (x, y) == (0, 2) => self.mood,
            other => char::from(other),
        }
    }

    fn ascii(&self) -> String {
        let row = |y| (0..MAP[0].len()).map(|x| self.letter(x, y)).collect();
        (0..MAP.len()).map(row).collect::<Vec<String>>().join("\n")
    }

    fn picture(&self) -> Picture {
        let mut picture = Picture::filled(MAP[0].len() as u32, MAP.len() as u32, [240, 240, 240]);
        let pixel = 4 * (self.at.1 * MAP[0].len() + self.at.0);
        picture.rgba_mut()[pixel..pixel + 3].copy_from_slice(&[0, 0, 200]);
        picture
    }
}

impl World for Maze {
    fn surface(&self) -> Surface {
        let direction = ValueType::Integer { min: 0, max: 3 };
        let about = "0 = right, 1 = up, 2 = left, 3 = down";
        Surface {
            calls: vec![CallSchema::plain("move", "Walks one cell.").arg("direction", direction, about, 0)],
            groups: [ActionGroup::Call].into(),
            parts: [ObservationPart::Screen, ObservationPart::Ascii].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut seen = Observation::default();
        if wanted.contains(&ObservationPart::Screen) {
            seen = seen.with_picture(ObservationPart::Screen, Arc::new(self.picture()));
        }
        if wanted.contains(&ObservationPart::Ascii) {
            seen = seen.with_text(ObservationPart::Ascii, self.ascii());
        }
        Ok(seen)
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let Action::Call(Call { args, .. }) = action else { return Ok(Feedback::refused("only moves")) };
        let (dx, dy) = OFFSETS[args[0].as_u64().expect("the schema says so") as usize];
        let next = (self.at.0.saturating_add_signed(dx), self.at.1.saturating_add_signed(dy));
        if MAP[next.1].as_bytes()[next.0] == b'#' {
            return Ok(Feedback::refused("a wall"));
        }
        self.at = next;
        self.n_moves += 1;
        Ok(Feedback::changed("moved"))
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("maze", json!(self.letter(5, 3).to_string())))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}

/// The kind of world, for casting.
pub(crate) struct Mazes;

impl WorldKind for Mazes {
    fn kind(&self) -> &'static str {
        "maze"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(b"maze")
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let id = quintain_core::InstanceId { task: task.id.clone(), pick: pick.clone() };
        Ok(Instance {
            id,
            instruction: task.instruction.clone(),
            parameters: task.parameters(pick),
            start: json!(MAP),
            secrets: Vec::new(),
            source: None,
        })
    }

    fn open(&self, _instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(Maze::new('#')))
    }

    fn oracle(&self, _instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        match &style.strategy {
            None => Ok(Box::new(Script::of_lines(&SOLUTION.join("\n")))),
            Some(strategy) => Err(WorldError::setup(format!("there is no strategy `{strategy}`"))),
        }
    }
}

struct AtTheGoal;

impl Judge for AtTheGoal {
    fn judge(&self, ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let score = Score::of(ended.evidence.documents.get("maze") == Some(&json!("*")));
        Ok(Judgement { score, findings: Vec::new(), milestones: Vec::new() })
    }
}

struct Since(Instant);

impl Clock for Since {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[derive(Default)]
struct Memory(Vec<TrialEvent>);

impl Record for Memory {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        self.0.push(event);
        Ok(())
    }
}

/// How a trial is played.
pub(crate) struct Game {
    pub(crate) task: Task,
    pub(crate) show: BTreeSet<ObservationPart>,
    pub(crate) past: Vec<Step>,
    pub(crate) mood: char,
    pub(crate) n_steps: u32,
    pub(crate) call_limit: Duration,
}

/// What became of it.
pub(crate) struct Outcome {
    pub(crate) played: Played,
    pub(crate) steps: Vec<Step>,
    pub(crate) took: Duration,
}

pub(crate) fn task(oracle: Option<&str>) -> Task {
    let mut files: TaskFiles = [
        ("task.toml".to_owned(), TASK.as_bytes().to_vec()),
        ("instruction.md".to_owned(), b"Walk to the goal.".to_vec()),
        ("reference/canary.txt".to_owned(), b"canary-1".to_vec()),
    ]
    .into();
    files.extend(oracle.map(|lines| ("oracle.txt".to_owned(), lines.as_bytes().to_vec())));
    Task::from_files("test", &files).expect("the test task is sound")
}

impl Game {
    pub(crate) fn new() -> Self {
        Self {
            task: task(None),
            show: [
                ObservationPart::Screen,
                ObservationPart::Ascii,
                ObservationPart::Feedback,
                ObservationPart::Remaining,
            ]
            .into(),
            past: Vec::new(),
            mood: '#',
            n_steps: 40,
            call_limit: Duration::from_mins(1),
        }
    }

    pub(crate) fn play(&self, agent: &mut dyn Agent) -> Outcome {
        let id: TrialId = "test/maze#7~someone~0".parse().expect("a trial's name");
        let instance = Mazes.instantiate(&self.task, &id.instance.pick).expect("a maze");
        let settings = Settings { show: self.show.clone(), ..Settings::default() };
        let limits = quintain_core::Limits::steps(self.n_steps);
        let trial = Trial {
            id: &id,
            task: &self.task,
            instance: &instance,
            world: Digest::of(b"maze"),
            settings: &settings,
            limits: &limits,
        };
        let mut memory = Memory::default();
        let began = Instant::now();
        let mut stage = TrialParts {
            open: &|| Ok(Box::new(Maze::new(self.mood))),
            agent,
            reference: &|| Ok(instance.reference(&self.task)),
            derive: &NothingToDerive,
            judge: &AtTheGoal,
            record: &mut memory,
            clock: &Since(began),
            interrupted: &|| false,
            call_limit: self.call_limit,
        };
        let played = play(&trial, &mut stage, TrialPast::of(&self.past)).expect("memory has room");
        let took = began.elapsed();
        Outcome { played, steps: self.past.iter().cloned().chain(steps(&memory.0)).collect(), took }
    }
}

fn steps(events: &[TrialEvent]) -> Vec<Step> {
    let step = |event: &TrialEvent| match event {
        TrialEvent::Turn { shown, reply, action, spent, .. } => Some(Step {
            shown: shown.clone(),
            reply: reply.clone(),
            action: action.clone(),
            spent: *spent,
            feedback: None,
        }),
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

impl Outcome {
    pub(crate) fn trajectory(&self) -> Trajectory {
        Trajectory { steps: self.steps.clone() }
    }

    /// The raw replies.
    pub(crate) fn said(&self) -> Vec<&str> {
        self.steps.iter().map(|step| step.reply.raw.as_str()).collect()
    }

    /// The actions, and how it ended, in one line.
    pub(crate) fn story(&self) -> String {
        let action = |step: &Step| step.action.as_ref().map_or("?".to_owned(), ToString::to_string);
        let actions: Vec<String> = self.steps.iter().map(action).collect();
        let ended = match &self.played {
            Played::Interrupted => "interrupted".to_owned(),
            Played::Ended(TrialResult { verdict, .. }) => {
                let fault = verdict.fault.as_ref().map_or_else(String::new, |why| format!(": {why}"));
                format!("{}, score {}{fault}", verdict.ending, verdict.score.value())
            }
        };
        format!("{} | {ended}", actions.join(" "))
    }
}
