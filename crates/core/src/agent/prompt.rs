//! What an agent that reads text is told: the instruction, the actions and the limits.

use serde_json::Value;

use super::Briefing;
use crate::observation::ObservationPart;
use crate::surface::{ActionGroup, CallSchema, Surface};

/// The actions of mouse and keyboard, each by an example.
const GUI: [(&str, &str); 15] = [
    ("click(640, 360)", "click the left mouse button at that point"),
    ("double_click(640, 360)", "click it twice"),
    ("triple_click(640, 360)", "click it three times"),
    ("right_click(640, 360)", "click the right mouse button"),
    ("middle_click(640, 360)", "click the middle mouse button"),
    ("move(640, 360)", "move the pointer there without clicking"),
    ("drag(100, 200, 300, 400)", "press at the first point, let go at the last; further points may lie between them"),
    ("press(640, 360)", "push the left mouse button down and keep it down"),
    ("release(640, 360)", "let the left mouse button go"),
    (
        "scroll(640, 360, 0, 300)",
        "turn the wheel there: pixels to the right, then pixels down; negative is the other way",
    ),
    ("type(\"some text\")", "type a text where the keyboard is; \\n is Enter"),
    (
        "key(\"ctrl+a\")",
        "press keys together: ctrl, shift, alt, meta, Enter, Tab, Escape, Backspace, Delete, Home, End, PageUp, PageDown, ArrowLeft, ArrowRight, ArrowUp, ArrowDown, F1 to F12, or a character",
    ),
    ("hold_key(\"shift\", 500)", "hold keys for so many milliseconds"),
    ("wait(1000)", "let so many milliseconds pass"),
    ("zoom(0, 0, 640, 360)", "look closer at what lies between two corners"),
];
/// The actions of a browser.
const BROWSER: [(&str, &str); 3] = [
    ("goto(\"https://...\")", "open an address of this application"),
    ("back()", "go back in the history"),
    ("forward()", "go forward in the history"),
];

impl Briefing {
    /// The instruction, the actions and the limits in one text, for agents that read text.
    pub fn prompt(&self) -> String {
        if self.surface.groups.contains(&ActionGroup::Gui) {
            return self.prompt_of_screen();
        }
        let calls = self.surface.calls.iter().map(|call| format!("- {}", describe(call)));
        let calls: Vec<String> = command_line(&self.surface).into_iter().chain(calls).collect();
        let (last, ending) = match &self.answer {
            Some(_) => self.ending(),
            None => ("stop", "- ('stop', 'stop'): end the trial and hand in the state as it is.".to_owned()),
        };
        let ending = self.note().into_iter().chain([ending]).collect::<Vec<_>>().join("\n");
        format!(
            "{}\n\nActions:\n{}\n{ending}\n\n\
             Answer each turn with exactly one action in this form. You have {} steps, and every answer takes \
             one, also one that changes nothing; the last one should be {last}.\n",
            self.instruction.trim_end(),
            calls.join("\n"),
            self.limits.steps
        )
    }

    fn prompt_of_screen(&self) -> String {
        let calls = self.surface.calls.iter().map(|call| format!("- {}", describe(call)));
        let gestures = gestures(&self.surface).map(|(example, about)| format!("- {example}: {about}."));
        let (last, ending) = self.ending();
        let actions: Vec<String> =
            calls.chain(gestures).chain(marks(&self.surface)).chain(self.note()).chain([ending]).collect();
        format!(
            "{}\n\n{}Actions:\n{}\n\nAnswer each turn with exactly one action in this form; an ending stands alone on \
             its line. You have {} steps, and every answer takes one, also one that changes nothing; the last one \
             should be {last}.\n",
            self.instruction.trim_end(),
            size(&self.surface),
            actions.join("\n"),
            self.limits.steps
        )
    }

    /// The line about notes, where the answer may be noted on the way.
    fn note(&self) -> Option<String> {
        let Some(Value::Object(fields)) = &self.answer else { return None };
        let first = fields.keys().next().filter(|_| self.surface.groups.contains(&ActionGroup::Note))?;
        let about = "write fields of the answer down as you find them, and go on; what you note stays unless you note it \
                     anew, and stop() hands in what is noted.";
        Some(format!("- note({{\"{first}\": ...}}): {about}"))
    }

    /// The word that ends the trial, and the line about it.
    fn ending(&self) -> (&'static str, String) {
        let Some(Value::Object(fields)) = &self.answer else {
            return ("stop", "- stop(): end the trial and hand in the state as it is.".to_owned());
        };
        let keys: Vec<String> = fields.keys().map(|key| format!("\"{key}\": ...")).collect();
        let types: Vec<String> =
            fields.iter().map(|(key, value)| format!("{key} is {}", value.as_str().unwrap_or("a value"))).collect();
        let about = format!("give the answer and end the trial; {}.", types.join(", "));
        ("answer", format!("- answer({{{}}}): {about}", keys.join(", ")))
    }
}

/// The line about the shell, where there is one.
fn command_line(surface: &Surface) -> Option<String> {
    let about = "Runs a command line with bash and shows what it prints, the start and the end of it where it is \
                 long; each begins in the same folder.";
    surface.groups.contains(&ActionGroup::Shell).then(|| format!("- ('shell', \"ls -l\"): {about}"))
}

fn size(surface: &Surface) -> String {
    surface.screen.map_or_else(String::new, |(across, down)| {
        format!(
            "The screen is {across} pixels wide and {down} pixels high; a point is given in pixels from its upper left \
             corner.\n\n"
        )
    })
}

fn gestures(surface: &Surface) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let browser: &[_] = if surface.groups.contains(&ActionGroup::Browser) { &BROWSER } else { &[] };
    GUI.iter().chain(browser)
}

/// Where elements are numbered, they can be named.
fn marks(surface: &Surface) -> Option<String> {
    let are_shown = surface.parts.contains(&ObservationPart::Tree) || surface.parts.contains(&ObservationPart::Marks);
    let about = "mark=12 in place of a point names the element with that number; so for every click and for move.";
    are_shown.then(|| format!("- click(mark=12): {about}"))
}

fn describe(call: &CallSchema) -> String {
    let args: Vec<String> =
        call.args.iter().map(|arg| format!("  {}: {}; {}", arg.name, arg.value, arg.about)).collect();
    let args = if args.is_empty() { String::new() } else { format!("\n{}", args.join("\n")) };
    format!("{}: {}{args}", call.spoken_example(), call.about)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::Dialect;
    use crate::limits::Limits;

    fn briefing(answer: Option<Value>) -> Briefing {
        Briefing {
            instruction: "Rename the first node.\n".to_owned(),
            surface: Surface {
                groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
                parts: [ObservationPart::Screen, ObservationPart::Tree].into(),
                screen: Some((1280, 720)),
                ..Surface::default()
            },
            limits: Limits::steps(30),
            answer,
            history: None,
            effort: None,
            seed: 1,
        }
    }

    #[test]
    fn a_screen_is_explained() {
        insta::assert_snapshot!(briefing(None).prompt(), @r#"
        Rename the first node.

        The screen is 1280 pixels wide and 720 pixels high; a point is given in pixels from its upper left corner.

        Actions:
        - click(640, 360): click the left mouse button at that point.
        - double_click(640, 360): click it twice.
        - triple_click(640, 360): click it three times.
        - right_click(640, 360): click the right mouse button.
        - middle_click(640, 360): click the middle mouse button.
        - move(640, 360): move the pointer there without clicking.
        - drag(100, 200, 300, 400): press at the first point, let go at the last; further points may lie between them.
        - press(640, 360): push the left mouse button down and keep it down.
        - release(640, 360): let the left mouse button go.
        - scroll(640, 360, 0, 300): turn the wheel there: pixels to the right, then pixels down; negative is the other way.
        - type("some text"): type a text where the keyboard is; \n is Enter.
        - key("ctrl+a"): press keys together: ctrl, shift, alt, meta, Enter, Tab, Escape, Backspace, Delete, Home, End, PageUp, PageDown, ArrowLeft, ArrowRight, ArrowUp, ArrowDown, F1 to F12, or a character.
        - hold_key("shift", 500): hold keys for so many milliseconds.
        - wait(1000): let so many milliseconds pass.
        - zoom(0, 0, 640, 360): look closer at what lies between two corners.
        - goto("https://..."): open an address of this application.
        - back(): go back in the history.
        - forward(): go forward in the history.
        - click(mark=12): mark=12 in place of a point names the element with that number; so for every click and for move.
        - stop(): end the trial and hand in the state as it is.

        Answer each turn with exactly one action in this form; an ending stands alone on its line. You have 30 steps, and every answer takes one, also one that changes nothing; the last one should be stop.
        "#);
    }

    #[test]
    fn an_answer_is_asked_for_by_its_keys() {
        let prompt = briefing(Some(json!({"frequency": "a text", "voltage": "a text"}))).prompt();
        let lines: Vec<&str> = prompt.lines().rev().take(3).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        Answer each turn with exactly one action in this form; an ending stands alone on its line. You have 30 steps, and every answer takes one, also one that changes nothing; the last one should be answer.

        - answer({"frequency": ..., "voltage": ...}): give the answer and end the trial; frequency is a text, voltage is a text.
        "#);
    }

    #[test]
    fn where_there_are_only_calls_an_answer_is_published_in_place_of_stop() {
        let calls = vec![CallSchema::plain("look", "look closer")];
        let surface = Surface { calls, groups: [ActionGroup::Call].into(), ..Surface::default() };
        let told = |answer| Briefing { surface: surface.clone(), ..briefing(answer) }.prompt();
        insta::assert_snapshot!(told(Some(json!({"total": "a number"}))), @r#"
        Rename the first node.

        Actions:
        - ('look', 'look'): look closer
        - answer({"total": ...}): give the answer and end the trial; total is a number.

        Answer each turn with exactly one action in this form. You have 30 steps, and every answer takes one, also one that changes nothing; the last one should be answer.
        "#);
        assert!(told(None).contains("- ('stop', 'stop'): end the trial"));
    }

    #[test]
    fn every_example_is_read_as_what_it_says() {
        let surface = briefing(None).surface;
        let read = |(example, _): &(&str, &str)| match Dialect::Tolerant.read(example, &surface) {
            Ok(action) => action.verb().to_owned(),
            Err(misread) => format!("{example}: {misread}"),
        };
        let verbs: Vec<String> = gestures(&surface).map(read).collect();
        insta::assert_snapshot!(verbs.join(" "), @"click double_click triple_click click click move drag press release scroll type key hold_key wait zoom goto back forward");
    }
}
