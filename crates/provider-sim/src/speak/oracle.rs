//! A mind that has seen the solution: it says the actions of a recorded trial, one a turn.

use std::sync::Arc;

use quintain_core::Action;
use serde_json::json;

use super::functions::{self, CallMoment};
use super::scale::PointScale;
use super::{acts_in_words, anthropic, google, openai, places, split, summary, words};
use crate::asked::{Api, ReadRequest};
use crate::mind::{Mind, MindReply, SpokenCall, UnknownToMind};

/// A recorded trial that was solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What was done, one action a turn; the last ends the trial.
    pub actions: Vec<Action>,
    /// Pixels across and down of the screen it was done on.
    pub screen: Option<(u32, u32)>,
}

/// From the name of an instance to what is recorded of it.
pub type RecordedTrials = Arc<dyn Fn(&str) -> Option<Arc<Recording>> + Send + Sync>;

/// Says the actions of a recorded trial. It finds its place by the line `Turn N.` of the request, and speaks in whatever
/// the request offers: the provider's own computer tool, functions, or words.
#[derive(Clone)]
pub struct RecordedOracle {
    books: RecordedTrials,
}

/// The functions by which a model that sees works for one that does not.
const DELEGATE: &str = "delegate_gui";
const REPORT: &str = "report";
/// The tool of a trial's MCP server that shows what is seen.
const LOOK: &str = "look";
/// The most steps that are asked for at once.
const MAX_STEPS: usize = 50;

impl RecordedOracle {
    /// With these recordings.
    pub fn new(books: RecordedTrials) -> Self {
        Self { books }
    }

    fn recording(&self, asked: &ReadRequest) -> Result<Arc<Recording>, UnknownToMind> {
        let instance = asked.instance.as_deref().ok_or_else(|| {
            UnknownToMind("the base URL names no instance: it must be like http://HOST/mind/INSTANCE".to_owned())
        })?;
        let recording = (self.books)(instance).filter(|recording| !recording.actions.is_empty());
        recording.ok_or_else(|| UnknownToMind(format!("no solved trial of `{instance}` is recorded")))
    }
}

impl Mind for RecordedOracle {
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        if asked.function("point").is_some()
            && let Some((turn, idx)) = places::named_in(&asked.last_words())
        {
            return Ok(OracleReply::new(asked, &*self.recording(asked)?, turn).point(idx));
        }
        let offers_nothing = asked.functions.is_empty() && asked.computer.is_none();
        match asked.turn() {
            Some((turn, _)) if !offers_nothing || acts_in_words(asked) => {
                OracleReply::new(asked, &*self.recording(asked)?, turn).act()
            }
            // Whoever brings a loop of their own has not been shown a turn before they look.
            None if let Some(look) = asked.function(LOOK) => Ok(MindReply::call(look.called_with(json!({})))),
            _ => Ok(MindReply::words(summary::of(asked))),
        }
    }
}

/// An action in whatever the request offers, for minds that go by no recording.
pub(super) fn say(asked: &ReadRequest, turn: u32, action: &Action) -> Option<MindReply> {
    OracleReply { asked, screen: None, turn, turns: Vec::new() }.speak(action)
}

/// How one request is answered.
struct OracleReply<'a> {
    asked: &'a ReadRequest,
    screen: Option<(u32, u32)>,
    turn: u32,
    /// What is done in every turn.
    turns: Vec<Action>,
}

impl<'a> OracleReply<'a> {
    fn new(asked: &'a ReadRequest, recording: &Recording, turn: u32) -> Self {
        let mut tongue = Self { asked, screen: recording.screen, turn, turns: Vec::new() };
        let at_once = |action: &Action| {
            if tongue.is_one_of_two() { is_simple(action) } else { tongue.speak(&somewhere(action)).is_some() }
        };
        tongue.turns = recording.actions.iter().flat_map(|action| split::turns(action, &at_once)).collect();
        tongue
    }

    /// Whether another model says a part of the trial, so that both must count the turns alike.
    fn is_one_of_two(&self) -> bool {
        let with_others = ["point", REPORT, DELEGATE].iter().any(|name| self.asked.function(name).is_some());
        with_others || self.asked.functions.iter().any(|function| function.takes("target"))
    }

    /// What is done in this turn, where it happens. After the end there is only the end.
    fn action(&self) -> (Action, Action) {
        let idx = (self.turn.saturating_sub(1) as usize).min(self.turns.len().saturating_sub(1));
        let action = self.turns[idx].clone();
        let placed = places::placed(&action, places::pointer(&self.turns[..idx]));
        (action, placed)
    }

    fn act(&self) -> Result<MindReply, UnknownToMind> {
        let (action, placed) = self.action();
        let said = self.speak(&action).or_else(|| self.speak(&placed)).or_else(|| self.hand_over());
        let say = said.ok_or_else(|| {
            UnknownToMind(format!(
                "nothing that is offered can say the recorded action of turn {}: {action}",
                self.turn
            ))
        })?;
        Ok(MindReply { thought: Some(format!("Turn {}: {}.", self.turn, action.verb())), ..say })
    }

    /// The action in whatever is offered; nothing where it cannot be said.
    fn speak(&self, action: &Action) -> Option<MindReply> {
        if self.asked.functions.is_empty() && self.asked.computer.is_none() {
            return self.in_words(action);
        }
        let moment =
            CallMoment { asked: self.asked, scale: PointScale::of_units(self.asked, self.screen), turn: self.turn };
        self.native(action).map(SpokenCall::Native).or_else(|| functions::say(action, &moment)).map(MindReply::call)
    }

    fn native(&self, action: &Action) -> Option<serde_json::Value> {
        let computer = self.asked.computer.as_ref()?;
        let pixels = || PointScale::of_pixels(self.asked, self.screen);
        match self.asked.api {
            Api::Anthropic => anthropic::say(action, pixels()),
            // The older tool, which declares a size, takes one action a call.
            Api::Responses if computer.size.is_some() && matches!(action, Action::Sequence { .. }) => None,
            Api::Responses => openai::say(action, pixels()),
            Api::Google => {
                google::say(action, PointScale::of_google(self.screen), &self.asked.model, &computer.excluded)
            }
            Api::Chat => None,
        }
    }

    fn in_words(&self, action: &Action) -> Option<MindReply> {
        let said = words::say(action, PointScale::of_units(self.asked, self.screen))?;
        // An action in its own JSON is read whole, so nothing stands before it.
        let thinks_aloud = self.asked.system.contains("`Thought:`") && !said.starts_with('{');
        let before =
            if thinks_aloud { format!("Thought: turn {} has come.\nAction: ", self.turn) } else { String::new() };
        Some(MindReply::words(format!("{before}{said}")))
    }

    /// What a model says that has to leave the turn to another: one that cannot see to one that can, and back.
    fn hand_over(&self) -> Option<MindReply> {
        if self.asked.function(REPORT).is_some() {
            let summary = format!("What there was to do before turn {} is done.", self.turn);
            return Some(MindReply::function(REPORT, json!({"summary": summary})));
        }
        self.asked.function(DELEGATE)?;
        let idx = self.turn.saturating_sub(1) as usize;
        let rest = self.turns.get(idx..)?.iter();
        let n_steps = rest.take_while(|action| self.speak(&somewhere(action)).is_none()).take(MAX_STEPS).count().max(1);
        let goal = format!("Do what is to be done from turn {} on, {n_steps} in all.", self.turn);
        Some(MindReply::function(DELEGATE, json!({"goal": goal, "max_steps": n_steps})))
    }

    /// The answer to whoever wants to know where a place of a turn is.
    fn point(&self, idx: usize) -> MindReply {
        let (_, placed) = self.action();
        let place = idx.checked_sub(1).and_then(|idx| placed.places().get(idx)?.point());
        let Some(point) = place else { return MindReply::words("It is not on the screen.") };
        let (x, y) = PointScale::of_units(self.asked, self.screen).point(point);
        MindReply::function("point", json!({"x": x, "y": y}))
    }
}

/// The action at some place where it says none, to find out whether it can be said at all.
fn somewhere(action: &Action) -> Action {
    places::placed(action, Some((0.0, 0.0).into()))
}

/// Whether every set of tools can say it at once, so that it is one turn for everybody.
fn is_simple(action: &Action) -> bool {
    match action {
        Action::Sequence { .. } => false,
        Action::Drag { path, .. } => path.len() == 2,
        Action::Scroll { dx, dy, .. } => *dx == 0.0 || *dy == 0.0,
        _ => true,
    }
}
