//! What an oracle does at a screen: steps that were planned, whose elements are found by their names on the screen as it is.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use quintain_core::action::{Button, Dialect, Place};
use quintain_core::{Action, Agent, AgentError, Briefing, ObservationPart, Reply, Turn, suggest};

/// So many times it is looked for an element that is not there yet.
const MOST_LOOKS: u32 = 100;
/// So many times in a row an element is not seen that is gone.
const LOOKS_WHEN_GONE: u32 = 2;
/// How long it waits between two looks, in milliseconds.
const LOOK_EVERY: u64 = 200;

/// One thing that a solution does.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedStep {
    /// This, wherever things are.
    Act(Action),
    /// A click in the middle of an element, named as in the table of places: `page tab/2D Graph`.
    Click(String),
    /// Two clicks there.
    DoubleClick(String),
    /// A click with the button for menus.
    MenuClick(String),
    /// Looking until an element is to be seen.
    Await(String),
    /// Looking until an element is not to be seen, twice in a row: what was just asked for may take a moment to begin.
    AwaitGone(String),
}

impl PlannedStep {
    /// Whether it is at an element that has to be found.
    fn has_name(&self) -> bool {
        !matches!(self, Self::Act(_))
    }

    /// Typing a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Act(Action::Type { text: text.into() })
    }

    /// Pressing keys together.
    pub fn keys<const N: usize>(keys: [&str; N]) -> Self {
        Self::Act(Action::Key { keys: keys.map(str::to_owned).into() })
    }

    /// Running a command line.
    pub fn shell(command: impl Into<String>) -> Self {
        Self::Act(Action::Shell { command: command.into() })
    }
}

/// The oracle: does what was planned and is done.
pub struct PlannedPlayer {
    steps: VecDeque<PlannedStep>,
    n_looks: u32,
    n_looks_without: u32,
    has_begun: bool,
}

type ShownPlaces = BTreeMap<String, [f64; 4]>;

impl PlannedPlayer {
    /// Does these.
    pub fn new(steps: Vec<PlannedStep>) -> Self {
        Self { steps: steps.into(), n_looks: 0, n_looks_without: 0, has_begun: false }
    }

    fn decide(&mut self, turn: &Turn<'_>) -> Result<Action, AgentError> {
        self.has_begun = true;
        let table = turn.observation.texts.get(&ObservationPart::Geometry);
        let table: ShownPlaces = table.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        self.next_action(&table)
    }

    fn next_action(&mut self, table: &ShownPlaces) -> Result<Action, AgentError> {
        loop {
            let Some(step) = self.steps.front() else { return Ok(Action::Done) };
            if let PlannedStep::AwaitGone(name) = step {
                self.n_looks_without = if table.contains_key(name) { 0 } else { self.n_looks_without + 1 };
                if self.n_looks_without < LOOKS_WHEN_GONE {
                    return self.look_again(table);
                }
                (self.n_looks, self.n_looks_without) = (0, 0);
                self.steps.pop_front();
                continue;
            }
            let (PlannedStep::Click(name)
            | PlannedStep::DoubleClick(name)
            | PlannedStep::MenuClick(name)
            | PlannedStep::Await(name)) = step
            else {
                let Some(PlannedStep::Act(action)) = self.steps.pop_front() else { return Ok(Action::Done) };
                return Ok(action);
            };
            let Some(place) = table.get(name) else { return self.look_again(table) };
            let at = Some(middle(*place));
            self.n_looks = 0;
            match self.steps.pop_front() {
                Some(PlannedStep::Click(_)) => return Ok(click(at, Button::Left)),
                Some(PlannedStep::MenuClick(_)) => return Ok(click(at, Button::Right)),
                Some(PlannedStep::DoubleClick(_)) => return Ok(Action::DoubleClick { at, button: Button::Left }),
                _ => {}
            }
        }
    }

    /// Waits for an element that is not to be seen; or says that it never came.
    fn look_again(&mut self, table: &ShownPlaces) -> Result<Action, AgentError> {
        self.n_looks += 1;
        if self.n_looks <= MOST_LOOKS {
            return Ok(Action::Wait { ms: LOOK_EVERY });
        }
        let wanted = format!("{:?}", self.steps.front());
        let hint = suggest::hint_of_many(&wanted, table.keys().map(String::as_str));
        Err(AgentError::harness(format!("what {wanted} needs is not to be seen; {hint}")))
    }
}

fn middle([left, top, width, height]: [f64; 4]) -> Place {
    Place::from(((left + width / 2.0).floor(), (top + height / 2.0).floor()))
}

fn click(at: Option<Place>, button: Button) -> Action {
    Action::Click { at, button, held: Vec::new() }
}

impl Agent for PlannedPlayer {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        let action = self.decide(turn)?;
        let text = serde_json::to_string(&action).map_err(|error| AgentError::harness(error.to_string()))?;
        Ok(Reply { dialect: Some(Dialect::Canonical), ..Reply::text(text) })
    }

    /// It decides the same in the same turns: deciding again is remembering.
    fn recall(&mut self, turn: &Turn<'_>, _reply: &Reply) {
        drop(self.decide(turn));
    }

    /// What a program shows takes long to read: it is asked for where the next step is at something that has a name.
    fn wants_geometry(&self) -> bool {
        if self.has_begun {
            self.steps.front().is_some_and(PlannedStep::has_name)
        } else {
            self.steps.iter().any(PlannedStep::has_name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_is_missed_twice_in_a_row() {
        let shown = ShownPlaces::from([("button/Stop".to_owned(), [0.0; 4])]);
        let hidden = ShownPlaces::new();
        let mut player = PlannedPlayer::new(vec![PlannedStep::AwaitGone("button/Stop".to_owned())]);
        let mut waits = |table: &ShownPlaces| player.next_action(table).unwrap() != Action::Done;
        assert!(waits(&hidden), "it may not have come yet");
        assert!(waits(&shown));
        assert!(waits(&hidden));
        assert!(!waits(&hidden));
    }
}
