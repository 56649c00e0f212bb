//! How solutions give commands to GRASS: in the console of its window, or in a shell.

use quintain_core::action::{Action, Button, Place};
use quintain_desktop::PlannedStep;
use serde_json::{Value, json};

/// Where the tab of the console is, on a screen of 1280 by 720.
const TAB: (f64, f64) = (1117.0, 672.0);
/// Where its line is, on a screen of 1280 by 720.
const LINE: (f64, f64) = (1150.0, 640.0);
/// What is to be seen as long as the console is open: a hint below its line.
const HINT: &str = "label/Press Tab to display command help, Ctrl+Space to autocomplete";
/// What is to be seen as long as a tool runs.
const STOP: &str = "button/Stop";

/// Where commands are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandPlace {
    /// The console of the window. It takes no quotes.
    Console,
    /// The shell beside it.
    Shell,
}

/// The words of a command.
pub(super) type ToolWords = Vec<String>;

/// A command, by its words parted by spaces.
pub(super) fn words(line: &str) -> ToolWords {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Commands of a plan.
pub(super) fn planned(commands: &Value) -> Result<Vec<ToolWords>, String> {
    serde_json::from_value(commands.clone()).map_err(|error| format!("the plan has no commands: {error}"))
}

/// Commands, as they stand in a plan.
pub(super) fn plan_of(commands: &[ToolWords]) -> Value {
    json!(commands)
}

/// Gives commands, one after the other.
pub(super) fn given(commands: &[ToolWords], place: CommandPlace) -> Vec<PlannedStep> {
    match place {
        CommandPlace::Shell => {
            let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
            let line = |words: &ToolWords| words.iter().map(quoted).collect::<Vec<_>>().join(" ");
            vec![PlannedStep::shell(commands.iter().map(line).collect::<Vec<_>>().join(" && "))]
        }
        CommandPlace::Console => {
            opened().into_iter().chain(commands.iter().flat_map(|words| typed(&words.join(" ")))).collect()
        }
    }
}

/// Opens the console. GRASS draws its tabs itself and does not tell of them.
pub(super) fn opened() -> [PlannedStep; 3] {
    [PlannedStep::Await("toggle button/Pointer".to_owned()), click(TAB), PlannedStep::Await(HINT.to_owned())]
}

/// A click at a place of the screen.
pub(super) fn click(at: (f64, f64)) -> PlannedStep {
    PlannedStep::Act(Action::Click { at: Some(Place::from(at)), button: Button::Left, held: Vec::new() })
}

/// One line in the console, which does not tell of itself either. What it offers to complete is waved away first.
fn typed(line: &str) -> [PlannedStep; 5] {
    [
        click(LINE),
        PlannedStep::text(line),
        PlannedStep::keys(["Escape"]),
        PlannedStep::keys(["Enter"]),
        PlannedStep::AwaitGone(STOP.to_owned()),
    ]
}
