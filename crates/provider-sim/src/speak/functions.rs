//! An action as a call of one of the functions that are offered, with the arguments that its schema names.

use quintain_core::Action;
use quintain_core::action::{Button, Call, Place, Point};
use serde_json::{Map, Value, json};

use super::scale::PointScale;
use crate::asked::{Function, ReadRequest};
use crate::mind::SpokenCall;

/// What is known when a function is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallMoment<'a> {
    pub(super) asked: &'a ReadRequest,
    /// How functions that take points are given them.
    pub(super) scale: PointScale,
    pub(super) turn: u32,
}

/// The names of a place in a function: across, down, by its mark, in words.
type PlaceNames = [&'static str; 4];

const AT: PlaceNames = ["x", "y", "mark", "target"];
const FROM: PlaceNames = ["x1", "y1", "mark1", "from_target"];
const TO: PlaceNames = ["x2", "y2", "mark2", "to_target"];

/// The call; nothing where no function that is offered can say it.
pub(super) fn say(action: &Action, moment: &CallMoment<'_>) -> Option<SpokenCall> {
    let plain = |name: &str, arguments: Value| moment.call(name, |_| Some(arguments));
    match action {
        Action::Call(call) => of_puzzle(call, moment),
        Action::Key { keys } => plain("key", json!({"keys": keys})),
        Action::KeyDown { keys } => plain("key_down", json!({"keys": keys})),
        Action::KeyUp { keys } => plain("key_up", json!({"keys": keys})),
        Action::HoldKey { keys, ms } => plain("hold_key", json!({"keys": keys, "ms": ms})),
        Action::Type { text } => plain("type", json!({"text": text})),
        Action::Wait { ms } => plain("wait", json!({"ms": ms})),
        Action::Screenshot => plain("screenshot", json!({})),
        Action::Goto { url } => plain("goto", json!({"url": url})),
        Action::Back => plain("back", json!({})),
        Action::Forward => plain("forward", json!({})),
        Action::Tab { index } => plain("tab", json!({"index": index})),
        Action::Shell { command } => plain("shell", json!({"command": command})),
        Action::Code { language, source } => plain("code", json!({"language": language, "source": source})),
        Action::Api { method, args } => plain("api", json!({"method": method, "args": args})),
        Action::Note { fields } => plain("note", Value::Object(fields.clone())),
        Action::Done => plain("done", json!({})),
        Action::Answer { value } if value.is_object() => plain("answer", value.clone()),
        Action::GiveUp { reason } => plain("give_up", json!({"reason": reason})),
        Action::Zoom { from, to } => moment.call("zoom", |function| moment.corners(function, *from, *to)),
        pointing => of_mouse(pointing, moment),
    }
}

fn of_mouse(action: &Action, moment: &CallMoment<'_>) -> Option<SpokenCall> {
    let (name, at, said) = match action {
        Action::Move { to } => ("mouse_move", Some(*to), json!({})),
        Action::Click { at, button, held } if held.is_empty() => ("click", *at, pushed(*button)?),
        Action::Click { at, button, held } => {
            let mut said = pushed(*button)?;
            said["held"] = json!(held);
            ("click", *at, said)
        }
        Action::DoubleClick { at, button } => ("click", *at, times(2, *button)?),
        Action::TripleClick { at, button } => ("click", *at, times(3, *button)?),
        Action::Press { at, button } => ("mouse_down", *at, pushed(*button)?),
        Action::Release { at, button } => ("mouse_up", *at, pushed(*button)?),
        Action::Scroll { at, dx, dy } => {
            return moment.call("scroll", |function| scroll(function, *at, *dx, *dy, moment));
        }
        Action::Drag { path, button } => return moment.call("drag", |function| drag(function, path, *button, moment)),
        _ => return None,
    };
    moment.call(name, |function| Some(joined(moment.maybe_place(function, at)?, said)))
}

impl CallMoment<'_> {
    fn call(&self, name: &str, arguments: impl FnOnce(&Function) -> Option<Value>) -> Option<SpokenCall> {
        let function = self.asked.function(name)?;
        Some(function.called_with(arguments(function)?))
    }

    /// A place in whatever way the function takes it: by a mark, by a point, or in words. `idx` counts the places of the
    /// turn from one.
    fn place(&self, function: &Function, place: Place, names: PlaceNames, idx: usize) -> Option<Map<String, Value>> {
        let [x, y, mark, target] = names;
        let fields = match place {
            _ if function.takes(target) => vec![(target, json!(super::target(self.turn, idx)))],
            Place::Mark(number) if function.takes(mark) => vec![(mark, json!(number))],
            Place::Point(point) if function.takes(x) => {
                let (across, down) = self.scale.point(point);
                vec![(x, across), (y, down)]
            }
            _ => return None,
        };
        Some(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The place; where there is none it is where the pointer is, which a function may not take for an answer.
    fn maybe_place(&self, function: &Function, at: Option<Place>) -> Option<Map<String, Value>> {
        let needs_one = || function.order().iter().any(|name| AT.contains(name));
        match at {
            Some(at) => self.place(function, at, AT, 1),
            None => (!needs_one()).then(Map::new),
        }
    }

    fn corners(&self, function: &Function, from: Point, to: Point) -> Option<Value> {
        let from = self.place(function, from.into(), FROM, 1)?;
        Some(joined(from, Value::Object(self.place(function, to.into(), TO, 2)?)))
    }
}

/// The arguments by the names that the schema asks for, in its order.
fn of_puzzle(call: &Call, moment: &CallMoment<'_>) -> Option<SpokenCall> {
    moment.call(&call.name, |function| {
        let names = function.order();
        let pairs = names.iter().zip(&call.args).map(|(name, value)| ((*name).to_owned(), value.clone()));
        (names.len() == call.args.len()).then(|| Value::Object(pairs.collect()))
    })
}

/// Where a place is named in words, the wheel turns by pixels of the screen itself.
fn scroll(function: &Function, at: Option<Place>, dx: f64, dy: f64, moment: &CallMoment<'_>) -> Option<Value> {
    let place = moment.maybe_place(function, at)?;
    let scale = if place.contains_key("target") { PointScale::NONE } else { moment.scale };
    let (dx, dy) = scale.distance(dx, dy);
    Some(joined(place, json!({"dx": dx, "dy": dy})))
}

fn drag(function: &Function, path: &[Place], button: Button, moment: &CallMoment<'_>) -> Option<Value> {
    let said = pushed(button)?;
    if let [from, to] = path {
        let from = moment.place(function, *from, FROM, 1)?;
        let to = moment.place(function, *to, TO, 2)?;
        return Some(joined(from, joined(to, said)));
    }
    let path: Vec<Value> = path.iter().map(|place| moment.scale.pair(*place)).collect::<Option<_>>()?;
    function.takes("path").then(|| joined(Map::from_iter([("path".to_owned(), json!(path))]), said))
}

/// The button, unless it is the left one.
fn pushed(button: Button) -> Option<Value> {
    match button {
        Button::Left => Some(json!({})),
        Button::Right => Some(json!({"button": "right"})),
        Button::Middle => Some(json!({"button": "middle"})),
        _ => None,
    }
}

fn times(count: u32, button: Button) -> Option<Value> {
    let mut said = pushed(button)?;
    said["count"] = count.into();
    Some(said)
}

fn joined(mut fields: Map<String, Value>, more: Value) -> Value {
    if let Value::Object(more) = more {
        fields.extend(more);
    }
    Value::Object(fields)
}
