//! The canonical actions: what every adapter translates to, and what every world understands.

pub mod dialect;
mod find;
pub mod keys;
mod literal;
mod place;
mod told;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use dialect::{Dialect, Misread};
pub use place::{Place, Point};

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The one people mean.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one for menus.
    Right,
    /// The thumb button that goes back.
    Back,
    /// The thumb button that goes forward.
    Forward,
}

/// A function call of a puzzle, typed by the schema the world publishes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub name: String,
    /// Its arguments, in the order of the schema.
    pub args: Vec<Value>,
}

/// One thing an agent does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Move the pointer.
    Move {
        /// Where to.
        to: Place,
    },
    /// Click once.
    Click {
        /// Where; nothing means where the pointer is.
        at: Option<Place>,
        /// With which button.
        #[serde(default)]
        button: Button,
        /// Keys held meanwhile.
        #[serde(default)]
        held: Vec<String>,
    },
    /// Click twice.
    DoubleClick {
        /// Where.
        at: Option<Place>,
        /// With which button.
        #[serde(default)]
        button: Button,
    },
    /// Click three times.
    TripleClick {
        /// Where.
        at: Option<Place>,
        /// With which button.
        #[serde(default)]
        button: Button,
    },
    /// Push a mouse button down.
    Press {
        /// Where.
        at: Option<Place>,
        /// Which button.
        #[serde(default)]
        button: Button,
    },
    /// Let a mouse button go.
    Release {
        /// Where.
        at: Option<Place>,
        /// Which button.
        #[serde(default)]
        button: Button,
    },
    /// Drag along a path.
    Drag {
        /// The places, the first being where the button goes down.
        path: Vec<Place>,
        /// With which button.
        #[serde(default)]
        button: Button,
    },
    /// Turn the wheel.
    Scroll {
        /// Where.
        at: Option<Place>,
        /// Pixels to the right.
        dx: f64,
        /// Pixels down.
        dy: f64,
    },
    /// Press keys together and let them go.
    Key {
        /// The keys, as [`keys`] spells them: `ctrl`, `Enter`, `ArrowLeft` or a single character.
        keys: Vec<String>,
    },
    /// Hold keys for a while.
    HoldKey {
        /// The keys.
        keys: Vec<String>,
        /// How long.
        ms: u64,
    },
    /// Push keys down and leave them down.
    KeyDown {
        /// The keys.
        keys: Vec<String>,
    },
    /// Let keys go.
    KeyUp {
        /// The keys.
        keys: Vec<String>,
    },
    /// Type a text.
    Type {
        /// The text.
        text: String,
    },
    /// Let time pass.
    Wait {
        /// How long.
        ms: u64,
    },
    /// Look again.
    Screenshot,
    /// Look closer.
    Zoom {
        /// Upper left corner.
        from: Point,
        /// Lower right corner.
        to: Point,
    },
    /// Open an address.
    Goto {
        /// The address.
        url: String,
    },
    /// Go back in the history.
    Back,
    /// Go forward in the history.
    Forward,
    /// Show another tab.
    Tab {
        /// Which, from the left.
        index: u32,
    },
    /// Run a command line.
    Shell {
        /// The command line.
        command: String,
    },
    /// Run a program text.
    Code {
        /// In which language.
        language: String,
        /// The text.
        source: String,
    },
    /// Call an application's own interface.
    Api {
        /// The method.
        method: String,
        /// Its arguments.
        args: Value,
    },
    /// Several things of mouse and keyboard, carried out in order as one step. It holds no other sequence and nothing
    /// that ends the trial.
    Sequence {
        /// What is done, in order.
        actions: Vec<Action>,
    },
    /// Call a function of a puzzle.
    Call(Call),
    /// Write fields of the answer down, and go on. What was noted before stays unless it is noted anew.
    Note {
        /// The fields.
        fields: serde_json::Map<String, Value>,
    },
    /// Give the answer and end.
    Answer {
        /// The answer.
        value: Value,
    },
    /// End: the task is done.
    Done,
    /// End: the task cannot be done.
    GiveUp {
        /// Why.
        reason: String,
    },
}

impl Call {
    /// The call as an agent would write it: `('move', 0)`, `('swap', [[0, 0], [0, 1]])`, `('undo', 'undo')`.
    pub fn spoken(&self) -> String {
        let args: Vec<String> = self.args.iter().map(Value::to_string).collect();
        match args.as_slice() {
            [] => format!("('{0}', '{0}')", self.name),
            [one] => format!("('{}', {one})", self.name),
            many => format!("('{}', [{}])", self.name, many.join(", ")),
        }
    }
}

impl Action {
    /// A call, in short.
    pub fn call(name: &str, args: impl IntoIterator<Item = Value>) -> Self {
        Self::Call(Call { name: name.to_owned(), args: args.into_iter().collect() })
    }

    /// Whether this action ends the trial.
    pub fn completes(&self) -> bool {
        matches!(self, Self::Answer { .. } | Self::Done | Self::GiveUp { .. })
    }

    /// A click of the left button, in short.
    pub fn click(at: impl Into<Place>) -> Self {
        Self::Click { at: Some(at.into()), button: Button::Left, held: Vec::new() }
    }

    /// What is done, one by one: the actions of a sequence, or the action itself.
    pub fn in_order(&self) -> &[Self] {
        match self {
            Self::Sequence { actions } => actions,
            other => std::slice::from_ref(other),
        }
    }

    /// Where it happens on the screen, in order, as far as it says.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::Move { to } => vec![*to],
            Self::Click { at, .. }
            | Self::DoubleClick { at, .. }
            | Self::TripleClick { at, .. }
            | Self::Press { at, .. }
            | Self::Release { at, .. }
            | Self::Scroll { at, .. } => at.iter().copied().collect(),
            Self::Drag { path, .. } => path.clone(),
            Self::Sequence { actions } => actions.iter().flat_map(Self::places).collect(),
            _ => Vec::new(),
        }
    }

    /// The kind of action, as one word.
    pub fn verb(&self) -> &str {
        match self {
            Self::Move { .. } => "move",
            Self::Click { .. } => "click",
            Self::DoubleClick { .. } => "double_click",
            Self::TripleClick { .. } => "triple_click",
            Self::Press { .. } => "press",
            Self::Release { .. } => "release",
            Self::Drag { .. } => "drag",
            Self::Scroll { .. } => "scroll",
            Self::Key { .. } => "key",
            Self::HoldKey { .. } => "hold_key",
            Self::KeyDown { .. } => "key_down",
            Self::KeyUp { .. } => "key_up",
            Self::Type { .. } => "type",
            Self::Wait { .. } => "wait",
            Self::Screenshot => "screenshot",
            Self::Zoom { .. } => "zoom",
            Self::Goto { .. } => "goto",
            Self::Back => "back",
            Self::Forward => "forward",
            Self::Tab { .. } => "tab",
            Self::Shell { .. } => "shell",
            Self::Code { .. } => "code",
            Self::Api { .. } => "api",
            Self::Sequence { .. } => "sequence",
            Self::Call(call) => &call.name,
            Self::Note { .. } => "note",
            Self::Answer { .. } => "answer",
            Self::Done => "done",
            Self::GiveUp { .. } => "give_up",
        }
    }
}

/// A puzzle's call reads as `move(0)`, every other action as its JSON form.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) => write!(f, "{call}"),
            Self::Done => f.write_str("done"),
            other => f.write_str(&serde_json::to_string(other).map_err(|_cause| fmt::Error)?),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.args.iter().map(Value::to_string).collect();
        write!(f, "{}({})", self.name, args.join(", "))
    }
}
