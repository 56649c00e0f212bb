//! From what an agent said to what it does: tolerant of form, strict about completion.
//!
//! An agent may wrap its action in prose, fences or backticks, write it as a tuple, a JSON object or a call, and
//! bracket its arguments as it likes. But a trial is never ended by accident: `stop` counts only when it stands alone on
//! the last line (of the reply, of a fenced block, or of what follows `Action:`) and no other action is named beside it.

mod anthropic;
mod args;
mod browsergym;
mod compose;
mod gemini;
mod google;
mod gui;
mod marks;
mod offer;
mod openai;
mod pyautogui;
mod scale;
mod tolerant;

use serde::{Deserialize, Serialize};

use super::Action;
use super::find::ActionCandidate;
use crate::surface::{ActionGroup, Misfit, Surface};

use offer::offered;
use scale::ScreenScale;

pub use offer::{MAX_SEQUENCE, MAX_WAIT_MS};
pub use scale::NOTCH_PX;

/// A way of writing actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// Tuples, JSON objects or calls, anywhere in the reply.
    #[default]
    Tolerant,
    /// One canonical action as JSON and nothing else.
    Canonical,
    /// The Anthropic computer tool: the input of its tool call as JSON, or the whole call.
    Anthropic,
    /// The OpenAI computer tool: an action as JSON, or a whole `computer_call`.
    #[serde(rename = "openai")]
    OpenAi,
    /// Google computer use up to Gemini 3.1: a function call as JSON, with coordinates from 0 to 1000.
    Google,
    /// Google computer use from Gemini 3.5 on: the same with other functions.
    Gemini,
    /// `BrowserGym` calls, with elements named by their marks.
    #[serde(rename = "browsergym")]
    BrowserGym,
    /// Lines for `pyautogui`, with `DONE`, `FAIL` and `WAIT`.
    Pyautogui,
    /// Set-of-marks tags: `click [12]`.
    Marks,
}

/// Why a reply could not be read as an action. The text is what the agent is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misread {
    /// No action in it.
    #[error("no action found: answer with exactly one action in the published form")]
    Nothing,
    /// More than one.
    #[error("several actions found: answer with exactly one")]
    Several,
    /// An end of the trial among other words.
    #[error("to end the trial, write the ending action alone on its own line")]
    NotAlone,
    /// An action that does not fit.
    #[error("{0}")]
    Misfit(#[from] Misfit),
    /// An action that is not offered here.
    #[error("`{0}` is not possible here")]
    NotOffered(String),
    /// An answer of the wrong shape.
    #[error("{0}")]
    Answer(String),
    /// A key that there is not.
    #[error("there is no key `{0}`: a key is one character or a name such as Enter, Escape, ArrowLeft or ctrl")]
    Key(String),
    /// A sequence that holds what it may not.
    #[error("a sequence holds 1 to {MAX_SEQUENCE} actions of mouse and keyboard, and no ending")]
    Sequence,
    /// An action that cannot be carried out as it is.
    #[error("{0}")]
    Unsound(&'static str),
    /// A line that is no known call.
    #[error("`{0}` is not understood: nothing is executed, only plain calls with plain values are read")]
    Line(String),
    /// Not the canonical form.
    #[error("not a canonical action: {0}")]
    NotCanonical(String),
}

/// The words that end a trial.
const ENDINGS: [&str; 4] = ["stop", "done", "give_up", "answer"];

impl Dialect {
    /// Reads a reply. Never panics, whatever the reply.
    pub fn read(self, raw: &str, surface: &Surface) -> Result<Action, Misread> {
        self.read_seen(raw, surface, None)
    }

    /// Reads a reply of an agent that takes the screen to have this size, because its pictures were scaled; nothing
    /// means the size that the surface publishes. Canonical actions are in the screen's own pixels always.
    pub fn read_seen(self, raw: &str, surface: &Surface, seen: Option<(u32, u32)>) -> Result<Action, Misread> {
        let seen = if matches!(self, Self::Google | Self::Gemini) { Some(google::SPACE) } else { seen };
        let scale = ScreenScale::new(seen, surface);
        let action = match self {
            Self::Tolerant => return tolerant::read(raw, surface, scale),
            Self::Canonical => return canonical(raw, surface),
            Self::Anthropic => anthropic::read(raw, surface, scale),
            Self::OpenAi => openai::read(raw, surface, scale),
            Self::Google => google::read(raw, surface, scale),
            Self::Gemini => gemini::read(raw, surface, scale),
            Self::BrowserGym => browsergym::read(raw, surface, scale),
            Self::Pyautogui => pyautogui::read(raw, surface, scale),
            Self::Marks => marks::read(raw, surface),
        };
        offered(action?, surface)
    }

    /// The functions that a provider brings along in this dialect: no function that is declared beside them may have the
    /// same name. Nothing where its actions are no functions.
    pub fn functions(self) -> &'static [&'static str] {
        match self {
            Self::Google => &google::VERBS,
            Self::Gemini => &gemini::VERBS,
            _ => &[],
        }
    }
}

fn canonical(raw: &str, surface: &Surface) -> Result<Action, Misread> {
    let action = serde_json::from_str(raw.trim()).map_err(|error| Misread::NotCanonical(error.to_string()))?;
    offered(action, surface)
}

/// Endings and notes, which every dialect writes alike.
fn endings(raw: &str, surface: &Surface) -> Result<Action, Misread> {
    let groups = surface.groups.iter().copied().filter(|group| *group == ActionGroup::Note).collect();
    let trials_own = Surface { groups, ..Surface::default() };
    tolerant::read(raw, &trials_own, ScreenScale::new(None, &trials_own))
}

/// Whether a word is of an action that every dialect writes alike.
fn is_common(word: &str, surface: &Surface) -> bool {
    ENDINGS.contains(&word) || (gui::NOTE.contains(&word) && surface.groups.contains(&ActionGroup::Note))
}

/// The candidate that is meant: the only one that stands alone, else the last.
fn choose(candidates: &[ActionCandidate]) -> Result<&ActionCandidate, Misread> {
    let mut alone: Vec<&ActionCandidate> = candidates.iter().filter(|candidate| candidate.alone).collect();
    alone.dedup_by(|a, b| a.name == b.name && a.args == b.args);
    match alone.as_slice() {
        [only] => Ok(only),
        [] => candidates.last().ok_or(Misread::Nothing),
        _ => Err(Misread::Several),
    }
}

/// Lets an ending through only where it is meant: alone, last, and with nothing else beside it.
fn conclude(action: Action, chosen: &ActionCandidate, candidates: &[ActionCandidate]) -> Result<Action, Misread> {
    let same = |other: &ActionCandidate| other.name == chosen.name && other.args == chosen.args;
    let meant = candidates.iter().any(|candidate| candidate.alone && candidate.last) && candidates.iter().all(same);
    if action.completes() && !meant { Err(Misread::NotAlone) } else { Ok(action) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{CallSchema, ValueType};

    fn read(raw: &str) -> String {
        let cell = || ValueType::List { of: Box::new(ValueType::Integer { min: 0, max: 2 }), len: 2 };
        let surface = Surface {
            calls: vec![
                CallSchema::plain("move", "Moves.").arg("direction", ValueType::Integer { min: 0, max: 3 }, "where", 0),
                CallSchema::plain("swap", "Swaps.").arg("a", cell(), "", [0, 0]).arg("b", cell(), "", [0, 1]),
                CallSchema::plain("undo", "Takes back."),
            ],
            ..Surface::default()
        };
        match Dialect::Tolerant.read(raw, &surface) {
            Ok(action) => action.to_string(),
            Err(misread) => format!("? {misread}"),
        }
    }

    #[test]
    fn actions_are_found_in_many_forms() {
        for raw in [
            "('move', 2)",
            "(\"move\", 2)",
            "('move', [2])",
            "('move', (2,))",
            "('move', '2')",
            "('move', 2.0)",
            "(move, 2)",
            "move(2)",
            "`('move', 2)`",
            "**Action:** ('move', 2)",
            "Action: move(2).",
            "I turn left here.\n\n```python\n('move', 2)\n```",
            "{\"name\": \"move\", \"arguments\": {\"direction\": 2}}",
            "{\"action\": \"move\", \"args\": [2]}",
            "{\"function\": \"move\", \"direction\": 2}",
            "I could go right, ('move', 0), but the wall is there. So ('move', 2) it is.",
            "Having seen ('stop', 'stop') in the rules, I go on.\n('move', 2)",
        ] {
            assert_eq!(read(raw), "move(2)", "{raw}");
        }
        assert_eq!(read("('swap', ((0, 0), (1, 2)))"), "swap([0,0], [1,2])");
        assert_eq!(read("('swap', (0, 0), (1, 2))"), "swap([0,0], [1,2])");
        assert_eq!(read("('undo', 'undo')"), "undo()");
        assert_eq!(read("('undo')"), "undo()");
        assert_eq!(read("('move', 2) takes me to the box ('red')."), "move(2)");
    }

    #[test]
    fn a_trial_ends_only_on_purpose() {
        for raw in [
            "('stop', 'stop')",
            "stop()",
            "All done.\n('stop', 'stop')",
            "```\n('stop', 'stop')\n```\nThat was it.",
            "{\"name\": \"stop\"}",
            "```\n('stop',)\n```",
            "('stop')",
        ] {
            assert_eq!(read(raw), "done", "{raw}");
        }
        for raw in [
            "stop",
            "I will stop.",
            "I am done (for now).",
            "Then I would say ('stop', 'stop').",
            "('move', 1)\n('stop', 'stop')",
            "('stop', 3)",
            "Then I would say ('stop').",
            "not stop() yet",
            "Plan: ('move', 1), ('stop', 'stop')",
            "I could end now:\n('stop', 'stop')\nbut rather not.",
            "I could end now:\n('stop', 'stop')\nbut let me play ('move', 1).",
            "The last action: ('stop', 'stop')\nwould be wrong.",
            "My reaction: ('stop', 'stop')",
        ] {
            assert!(read(raw).starts_with('?'), "{raw}: {}", read(raw));
        }
    }

    #[test]
    fn misreadings_say_what_to_do() {
        insta::assert_snapshot!(
            ["", "hm", "('moove', 1)", "('move', 9)", "('move', 1, 2)", "('move', 1)\n('move', 2)"].map(read).join("\n"),
            @r"
        ? no action found: answer with exactly one action in the published form
        ? no action found: answer with exactly one action in the published form
        ? there is no action `moove`; did you mean `move`?
        ? `direction` of `move` must be a whole number from 0 to 3, not 9
        ? `move` takes 1 argument, not 2
        ? several actions found: answer with exactly one
        "
        );
    }
}
