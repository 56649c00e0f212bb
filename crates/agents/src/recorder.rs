//! Takes down what somebody does as the lines of a solution, so that it can be played again on other instances: places by
//! the names of what is there, texts that are parameters as parameters.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::action::{Action, Button, Dialect};
use quintain_core::lock::LockAlways as _;
use quintain_core::{Agent, AgentError, Briefing, ObservationPart, Place, Reply, Surface, Turn};
use serde_json::Value;

use crate::placed::{PlacesByName, named, places_of};
use crate::script::{STOP, say};

/// Where the lines are kept.
pub type RecordedLines = Arc<Mutex<Vec<String>>>;

/// Somebody who plays, and somebody who writes down what they do.
pub struct SolutionRecorder<A> {
    player: A,
    surface: Surface,
    words: ParameterWords,
    lines: RecordedLines,
}

impl<A: Agent> SolutionRecorder<A> {
    /// Writes down what a player does in an instance with these parameters.
    pub fn new(player: A, parameters: &BTreeMap<String, Value>, lines: RecordedLines) -> Self {
        Self { player, surface: Surface::default(), words: ParameterWords::of(parameters), lines }
    }

    fn take_down(&self, turn: &Turn<'_>, reply: &Reply) {
        let dialect = reply.dialect.unwrap_or_else(|| self.player.dialect());
        if let Ok(action) = dialect.read_seen(&reply.raw, &self.surface, reply.seen) {
            let places = places_of(turn).unwrap_or_default();
            self.lines.lock().always().push(line(&action, &places, &self.words));
        }
    }
}

impl<A: Agent> Agent for SolutionRecorder<A> {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.surface = briefing.surface.clone();
        self.player.begin(briefing)
    }

    /// The player is not shown where things are: only what a player is always shown.
    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let mut observation = turn.observation.clone();
        observation.texts.remove(&ObservationPart::Geometry);
        let reply = self.player.act(&Turn { observation: &observation, ..*turn }, within)?;
        self.take_down(turn, &reply);
        Ok(reply)
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        self.take_down(turn, reply);
        self.player.recall(turn, reply);
    }

    fn dialect(&self) -> Dialect {
        self.player.dialect()
    }

    fn wants_geometry(&self) -> bool {
        true
    }

    fn end(&mut self) {
        self.player.end();
    }
}

/// The parameters whose values are texts or numbers that no other parameter has, by that value.
struct ParameterWords(BTreeMap<String, Option<String>>);

impl ParameterWords {
    fn of(parameters: &BTreeMap<String, Value>) -> Self {
        let mut words = Self(BTreeMap::new());
        for (name, value) in parameters {
            words.add(name, value);
        }
        words
    }

    fn add(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.add(&format!("{name}.{key}"), value)),
            Value::String(text) if text.chars().count() > 1 => self.insert(text.clone(), name),
            Value::Number(number) => self.insert(number.to_string(), name),
            _ => {}
        }
    }

    /// A value that two parameters have says of neither which is meant.
    fn insert(&mut self, text: String, name: &str) {
        self.0.entry(text).and_modify(|known| *known = None).or_insert_with(|| Some(name.to_owned()));
    }

    /// The parameter that has a text for its value.
    fn named(&self, text: &str) -> Option<&str> {
        self.0.get(text)?.as_deref()
    }

    /// A text for a template: the parameter that has it, or itself.
    fn text(&self, text: &str) -> String {
        self.named(text).map_or_else(|| text.to_owned(), |name| format!("{{{{ {name} }}}}"))
    }

    /// A value as JSON for a template.
    fn json(&self, value: &Value) -> String {
        match value {
            Value::String(text) => match self.named(text) {
                Some(name) => format!("{{{{ {name}|tojson }}}}"),
                None => value.to_string(),
            },
            Value::Number(number) => self.text(&number.to_string()),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.json(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Object(fields) => {
                let field =
                    |(key, value): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), self.json(value));
                // A blank keeps the braces of JSON apart from those of a template.
                format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
}

/// An action as a line of a solution.
fn line(action: &Action, places: &PlacesByName, words: &ParameterWords) -> String {
    let at = |place: &Option<Place>| place.map(|place| written(place, places, words)).unwrap_or_default();
    match action {
        Action::Click { at: place, button: Button::Left, held } if held.is_empty() => format!("click({})", at(place)),
        Action::Click { at: place, button: Button::Right, held } if held.is_empty() => {
            format!("right_click({})", at(place))
        }
        Action::DoubleClick { at: place, button: Button::Left } => format!("double_click({})", at(place)),
        Action::TripleClick { at: place, button: Button::Left } => format!("triple_click({})", at(place)),
        Action::Move { to } => format!("move({})", at(&Some(*to))),
        Action::Drag { path, button: Button::Left } => {
            let path: Vec<String> = path.iter().map(|place| at(&Some(*place))).collect();
            format!("drag({})", path.join(", "))
        }
        Action::Scroll { at: place @ Some(_), dx, dy } => format!("scroll({}, {dx}, {dy})", at(place)),
        Action::Type { text } => format!("type({})", words.json(&Value::from(text.as_str()))),
        Action::Note { fields } => format!("note({})", words.json(&Value::Object(fields.clone()))),
        Action::Answer { value } => format!("answer({})", words.json(value)),
        Action::Done => STOP.to_owned(),
        other => say(other),
    }
}

/// A place: by the name of what is there, else as it is.
fn written(place: Place, places: &PlacesByName, words: &ParameterWords) -> String {
    let point = match place {
        Place::Mark(mark) => return format!("mark={mark}"),
        Place::Point(point) => point,
    };
    let Some((name, offset)) = named(point, places) else { return format!("{}, {}", point.x, point.y) };
    let name: Vec<String> = name.split('/').map(|part| words.text(part)).collect();
    let offset = offset.map_or_else(String::new, |(x, y)| format!("+{x}+{y}"));
    format!("@{{{}{offset}}}", name.join("/"))
}

#[cfg(test)]
mod tests {
    use quintain_core::Point;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_done_is_written_by_names() {
        let parameters = json!({
            "gone": {"node": "n4", "before": "n3"}, "total": 12, "name": "Ann \"A\" Lee", "one": "same", "two": "same",
        });
        let words = ParameterWords::of(&serde_json::from_value(parameters).unwrap());
        let places: PlacesByName = [
            ("canvas", [0.0, 0.0, 1000.0, 600.0]),
            ("node/n4", [100.0, 50.0, 60.0, 20.0]),
            ("node/n3/out/main", [20.0, 50.0, 8.0, 8.0]),
        ]
        .map(|(name, area)| (name.to_owned(), area))
        .into();
        let place = |x: f64, y: f64| Place::Point(Point { x, y });
        let actions = [
            Action::click(place(130.0, 60.0)),
            Action::Drag { path: vec![place(24.0, 54.0), place(500.0, 400.0)], button: Button::Left },
            Action::Type { text: "Ann \"A\" Lee".to_owned() },
            Action::Type { text: "same".to_owned() },
            Action::Key { keys: vec!["Enter".to_owned()] },
            Action::Answer { value: json!({"total": 12, "who": {"name": "Ann \"A\" Lee"}}) },
            Action::call("move", [json!(3)]),
            Action::click(Place::Mark(7)),
            Action::Done,
        ];
        let lines: Vec<String> = actions.iter().map(|action| line(action, &places, &words)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        click(@{node/{{ gone.node }}})
        drag(@{node/{{ gone.before }}/out/main}, @{canvas+500+400})
        type({{ name|tojson }})
        type("same")
        {"do":"key","keys":["Enter"]}
        answer({ "total": {{ total }}, "who": { "name": {{ name|tojson }} } })
        ('move', 3)
        click(mark=7)
        ('stop', 'stop')
        "#);
    }
}
