//! Actions in the words of a person: `click 640 360`, much as one types them.

use super::{Action, Button, Place, Point};

impl Action {
    /// The action in short words for a person to read. Nothing reads them back: [`Action`]'s text form is for that.
    pub fn told(&self) -> String {
        match self {
            Self::Move { to } => format!("move {}", place(*to)),
            Self::Click { at, button, held } => {
                let held = if held.is_empty() { String::new() } else { format!(" holding {}", held.join("+")) };
                format!("{}click{}{held}", with(*button), maybe(*at))
            }
            Self::DoubleClick { at, button } => format!("{}double click{}", with(*button), maybe(*at)),
            Self::TripleClick { at, button } => format!("{}triple click{}", with(*button), maybe(*at)),
            Self::Press { at, button } => format!("{}press{}", with(*button), maybe(*at)),
            Self::Release { at, button } => format!("{}release{}", with(*button), maybe(*at)),
            Self::Drag { path, button } => {
                let path: Vec<String> = path.iter().map(|at| place(*at)).collect();
                format!("{}drag {}", with(*button), path.join(" to "))
            }
            Self::Scroll { at, dx, dy } => format!("scroll{} by {dx} {dy}", maybe(*at)),
            other => other.told_without_place(),
        }
    }

    fn told_without_place(&self) -> String {
        match self {
            Self::Key { keys } => format!("key {}", keys.join("+")),
            Self::HoldKey { keys, ms } => format!("hold {} for {ms} ms", keys.join("+")),
            Self::KeyDown { keys } => format!("key down {}", keys.join("+")),
            Self::KeyUp { keys } => format!("key up {}", keys.join("+")),
            Self::Type { text } => format!("type {text:?}"),
            Self::Wait { ms } => format!("wait {ms} ms"),
            Self::Screenshot => "screenshot".to_owned(),
            Self::Zoom { from, to } => format!("zoom {} to {}", point(*from), point(*to)),
            Self::Goto { url } => format!("goto {url}"),
            Self::Back => "back".to_owned(),
            Self::Forward => "forward".to_owned(),
            Self::Tab { index } => format!("tab {index}"),
            Self::Shell { command } => format!("shell {command:?}"),
            Self::Code { language, source } => format!("{language} {source:?}"),
            Self::Api { method, args } => format!("api {method} {args}"),
            Self::Sequence { actions } => actions.iter().map(Self::told).collect::<Vec<_>>().join(", then "),
            Self::Note { fields } => format!("note {}", serde_json::Value::Object(fields.clone())),
            Self::Answer { value } => format!("answer {value}"),
            Self::GiveUp { reason } => format!("give up: {reason}"),
            other => other.to_string(),
        }
    }
}

fn with(button: Button) -> &'static str {
    match button {
        Button::Left => "",
        Button::Middle => "middle ",
        Button::Right => "right ",
        Button::Back => "back-button ",
        Button::Forward => "forward-button ",
    }
}

fn maybe(at: Option<Place>) -> String {
    at.map_or_else(String::new, |at| format!(" {}", place(at)))
}

fn place(place: Place) -> String {
    match place {
        Place::Point(at) => point(at),
        Place::Mark(number) => format!("mark {number}"),
    }
}

fn point(Point { x, y }: Point) -> String {
    format!("{x} {y}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn actions_read_like_what_a_person_types() {
        let lines = [
            json!({"do": "click", "at": {"x": 640.0, "y": 360.5}, "button": "left", "held": []}),
            json!({"do": "click", "at": {"mark": 12}, "button": "right", "held": ["ctrl", "shift"]}),
            json!({"do": "double_click", "at": null}),
            json!({"do": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}),
            json!({"do": "scroll", "at": {"x": 1, "y": 2}, "dx": 0.0, "dy": -300.0}),
            json!({"do": "sequence", "actions": [{"do": "wait", "ms": 16}, {"do": "key", "keys": ["ctrl", "a"]}]}),
            json!({"do": "type", "text": "two\nlines"}),
            json!({"do": "zoom", "from": {"x": 0, "y": 0}, "to": {"x": 9, "y": 9}}),
            json!({"do": "answer", "value": {"voltage": "1 V"}}),
            json!({"do": "call", "name": "move", "args": [3]}),
            json!({"do": "done"}),
        ];
        let told = lines.map(|line| serde_json::from_value::<Action>(line).unwrap().told());
        insta::assert_snapshot!(told.join("\n"), @r#"
        click 640 360.5
        right click mark 12 holding ctrl+shift
        double click
        drag 1 2 to 3 4
        scroll 1 2 by 0 -300
        wait 16 ms, then key ctrl+a
        type "two\nlines"
        zoom 0 0 to 9 9
        answer {"voltage":"1 V"}
        move(3)
        done
        "#);
    }
}
