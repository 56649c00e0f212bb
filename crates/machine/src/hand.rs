//! The hand of whoever acts: actions of mouse and keyboard as what a computer is sent.

use quintain_core::action::{Action, Button, Place, keys};
use quintain_screen::MarkPlaces;

use crate::display::InputEvent;
use crate::keysyms;

/// The longest text of one action.
const MAX_TEXT: usize = 20_000;
/// So many characters are sent before they have to be taken.
const TEXT_CHUNK: usize = 50;
/// A drag goes through so many points between two of its path.
const DRAG_POINTS: u32 = 8;
/// One notch of the wheel, in pixels.
const NOTCH: f64 = 100.0;
/// The most notches of one action.
const MOST_NOTCHES: u32 = 100;
/// The longest that keys are held, in milliseconds.
const LONGEST_HOLD: u64 = 60_000;

/// Why an action is not carried out. The text is what the agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandRefusal(pub String);

/// Where the pointer is, on a screen of this size.
#[derive(Debug)]
pub struct DesktopHand {
    size: (u32, u32),
    pointer: (u16, u16),
}

/// What a mouse and a keyboard do, in order.
type InputEvents = Vec<InputEvent>;

impl DesktopHand {
    /// A hand on a screen of this size, with the pointer in its middle.
    pub fn new(size: (u32, u32)) -> Self {
        Self { size, pointer: (clamped(f64::from(size.0) / 2.0, size.0), clamped(f64::from(size.1) / 2.0, size.1)) }
    }

    /// What is sent for an action of mouse or keyboard; or why it makes no sense.
    pub fn events(&mut self, action: &Action, marks: &MarkPlaces) -> Result<InputEvents, HandRefusal> {
        match action {
            Action::Move { to } => self.go(Some(*to), marks),
            Action::Click { at, button, held } => {
                let held = known(held)?;
                let mut events = self.go(*at, marks)?;
                events.extend(pushed(&held));
                events.extend(clicks(*button, 1));
                events.extend(lifted(&held));
                Ok(events)
            }
            Action::DoubleClick { at, button } => Ok([self.go(*at, marks)?, clicks(*button, 2)].concat()),
            Action::TripleClick { at, button } => Ok([self.go(*at, marks)?, clicks(*button, 3)].concat()),
            Action::Press { at, button } => Ok([self.go(*at, marks)?, vec![pressed(*button, true)]].concat()),
            Action::Release { at, button } => Ok([self.go(*at, marks)?, vec![pressed(*button, false)]].concat()),
            Action::Scroll { at, dx, dy } => Ok([self.go(*at, marks)?, turned(*dy, 5, 4), turned(*dx, 7, 6)].concat()),
            Action::Drag { path, button } => self.drag(path, *button, marks),
            Action::Key { keys } => known(keys).map(|keys| [pushed(&keys), lifted(&keys)].concat()),
            Action::HoldKey { keys, ms } => {
                let keys = known(keys)?;
                let pause = InputEvent::Pause { millis: (*ms).min(LONGEST_HOLD) };
                Ok([pushed(&keys), vec![pause], lifted(&keys)].concat())
            }
            Action::KeyDown { keys } => known(keys).map(|keys| pushed(&keys)),
            Action::KeyUp { keys } => known(keys).map(|keys| lifted(&keys)),
            Action::Type { text } => typed(text),
            Action::Wait { ms } => Ok(vec![InputEvent::Pause { millis: (*ms).min(LONGEST_HOLD) }]),
            Action::Screenshot => Ok(Vec::new()),
            other => Err(HandRefusal(format!("There is no `{}` here.", other.verb()))),
        }
    }

    /// Brings the pointer to a place; nowhere means where it is.
    fn go(&mut self, place: Option<Place>, marks: &MarkPlaces) -> Result<InputEvents, HandRefusal> {
        if let Some(place) = place {
            self.pointer = self.located(place, marks)?;
        }
        let (x, y) = self.pointer;
        Ok(vec![InputEvent::Pointer { x, y }])
    }

    fn located(&self, place: Place, marks: &MarkPlaces) -> Result<(u16, u16), HandRefusal> {
        let (x, y) = match place {
            Place::Point(point) => (point.x, point.y),
            Place::Mark(number) => {
                let found = marks.iter().find(|(mark, _)| *mark == number);
                let missing = || HandRefusal(format!("There is no element {number} on the screen."));
                let (_, [left, top, width, height]) = found.ok_or_else(missing)?;
                (left + width / 2.0, top + height / 2.0)
            }
        };
        let (width, height) = self.size;
        let is_inside = (0.0..f64::from(width)).contains(&x) && (0.0..f64::from(height)).contains(&y);
        if !is_inside {
            return Err(HandRefusal(format!("({x}, {y}) is not on the screen, which is {width} by {height}.")));
        }
        Ok((clamped(x, width), clamped(y, height)))
    }

    fn drag(&mut self, path: &[Place], button: Button, marks: &MarkPlaces) -> Result<InputEvents, HandRefusal> {
        let Some((first, rest)) = path.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Err(HandRefusal("A drag needs two places at least.".to_owned()));
        };
        let mut events = self.go(Some(*first), marks)?;
        events.extend([pressed(button, true), InputEvent::Taken]);
        for place in rest {
            let (from, to) = (self.pointer, self.located(*place, marks)?);
            events.extend((1..=DRAG_POINTS).map(|step| between(from, to, step)));
            events.push(InputEvent::Taken);
            self.pointer = to;
        }
        events.push(pressed(button, false));
        Ok(events)
    }
}

fn clamped(at: f64, size: u32) -> u16 {
    at.clamp(0.0, f64::from(size.max(1) - 1)) as u16
}

fn between(from: (u16, u16), to: (u16, u16), step: u32) -> InputEvent {
    let part = f64::from(step) / f64::from(DRAG_POINTS);
    let at = |from: u16, to: u16| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u16;
    InputEvent::Pointer { x: at(from.0, to.0), y: at(from.1, to.1) }
}

fn pressed(button: Button, is_down: bool) -> InputEvent {
    let number = match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
        Button::Back => 8,
        Button::Forward => 9,
    };
    InputEvent::Button { number, is_down }
}

fn clicks(button: Button, n_clicks: usize) -> InputEvents {
    [pressed(button, true), pressed(button, false)].repeat(n_clicks)
}

/// Turns of the wheel: one button for each way.
fn turned(pixels: f64, onward: u8, back: u8) -> InputEvents {
    if pixels == 0.0 || !pixels.is_finite() {
        return Vec::new();
    }
    let n_notches = ((pixels.abs() / NOTCH).round() as u32).clamp(1, MOST_NOTCHES);
    let number = if pixels > 0.0 { onward } else { back };
    let notch = [true, false].map(|is_down| InputEvent::Button { number, is_down });
    notch.repeat(n_notches as usize)
}

/// The symbols of keys; or which of them there is not.
fn known(names: &[String]) -> Result<Vec<u32>, HandRefusal> {
    let one = |name: &String| {
        let found = keys::canonical(name).and_then(|name| keysyms::of_key(&name));
        found.ok_or_else(|| HandRefusal(format!("There is no key `{name}`.")))
    };
    names.iter().map(one).collect()
}

fn pushed(keys: &[u32]) -> InputEvents {
    keys.iter().map(|keysym| InputEvent::Key { keysym: *keysym, is_down: true }).collect()
}

fn lifted(keys: &[u32]) -> InputEvents {
    keys.iter().rev().map(|keysym| InputEvent::Key { keysym: *keysym, is_down: false }).collect()
}

fn typed(text: &str) -> Result<InputEvents, HandRefusal> {
    let characters: Vec<char> = text.replace("\r\n", "\n").chars().collect();
    if characters.len() > MAX_TEXT {
        return Err(HandRefusal(format!("The text is too long; {MAX_TEXT} characters can be typed at once.")));
    }
    let mut events = Vec::new();
    for chunk in characters.chunks(TEXT_CHUNK) {
        for character in chunk {
            let keysym = keysyms::of_character(*character)
                .ok_or_else(|| HandRefusal(format!("{character:?} cannot be typed.")))?;
            events.extend([true, false].map(|is_down| InputEvent::Key { keysym, is_down }));
        }
        events.push(InputEvent::Taken);
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(action: &Action) -> String {
        let marks = [(3, [10.0, 20.0, 30.0, 40.0])];
        match DesktopHand::new((100, 80)).events(action, &marks) {
            Err(HandRefusal(why)) => why,
            Ok(events) => events.into_iter().map(one).collect::<Vec<_>>().join(" "),
        }
    }

    fn one(event: InputEvent) -> String {
        let way = |is_down| if is_down { '+' } else { '-' };
        match event {
            InputEvent::Pointer { x, y } => format!("{x},{y}"),
            InputEvent::Button { number, is_down } => format!("b{number}{}", way(is_down)),
            InputEvent::Key { keysym, is_down } => format!("{keysym:x}{}", way(is_down)),
            InputEvent::Taken => "taken".to_owned(),
            InputEvent::Pause { millis } => format!("{millis}ms"),
        }
    }

    #[test]
    fn actions_are_what_a_hand_does() {
        let action = |text: &str| serde_json::from_str::<Action>(text).unwrap();
        let lines = [
            r#"{"do": "click", "at": {"x": 5, "y": 6}}"#,
            r#"{"do": "click", "at": {"mark": 3}, "button": "right", "held": ["ctrl"]}"#,
            r#"{"do": "click", "at": {"mark": 4}}"#,
            r#"{"do": "double_click", "at": {"x": 99.9, "y": 0}}"#,
            r#"{"do": "click", "at": {"x": 100, "y": 0}}"#,
            r#"{"do": "scroll", "at": null, "dx": 0, "dy": 260}"#,
            r#"{"do": "scroll", "at": null, "dx": -1, "dy": 0}"#,
            r#"{"do": "key", "keys": ["ctrl", "s"]}"#,
            r#"{"do": "key", "keys": ["sideways"]}"#,
            r#"{"do": "hold_key", "keys": ["a"], "ms": 99999999}"#,
            r#"{"do": "type", "text": "aπ\n"}"#,
            r#"{"do": "drag", "path": [{"x": 0, "y": 0}, {"x": 8, "y": 16}]}"#,
            r#"{"do": "drag", "path": [{"x": 0, "y": 0}]}"#,
            r#"{"do": "goto", "url": "x"}"#,
        ];
        let told: Vec<String> = lines.into_iter().map(|line| format!("{line}\n    {}", told(&action(line)))).collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
