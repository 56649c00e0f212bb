//! Mouse and keyboard: actions as the events a browser understands, sent together and taken with the next frames.

use quintain_core::action::{Action, Button, Place, Point, keys};
use quintain_screen::MarkPlaces;
use serde_json::{Value, json};

use crate::cdp::{CdpDeadline, SentCommand};
use crate::clock::{Input, deliver, pass, settle, tick};
use crate::keyboard::{KeyboardKey, Modifiers, browser_shortcut};
use crate::page::{Page, PageError};

/// The longest text of one action.
pub(crate) const MAX_TEXT: usize = 20_000;
/// So many characters are sent before a frame.
const TEXT_CHUNK: usize = 100;
/// A drag moves through so many points between two of its path.
const DRAG_POINTS: u32 = 4;
/// The furthest one turn of the wheel goes, in pixels.
const MAX_SCROLL: f64 = 10_000.0;

/// Why an action is not carried out. The text is what the agent is told.
pub(crate) enum ActionRefusal {
    /// It makes no sense here.
    Senseless(String),
    /// It reaches for something out of bounds; that is taken down.
    OutOfBounds(String),
}

/// What came of trying.
pub(crate) type InputResult = Result<Result<(), ActionRefusal>, PageError>;

/// The hand of whoever acts: where the pointer is and what is held down.
#[derive(Debug, Default)]
pub(crate) struct InputDevices {
    pointer: Spot,
    held_buttons: Vec<Button>,
    modifiers: Modifiers,
    has_copied: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spot {
    x: f64,
    y: f64,
}

/// How much of pressing keys is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stroke {
    /// Down and up.
    Whole,
    /// Down, so many milliseconds, and up.
    Held(u64),
    /// Down, and there they stay.
    Down,
    /// Up again.
    Up,
}

/// The screen that places refer to.
#[derive(Clone, Copy)]
pub(crate) struct ScreenField<'a> {
    pub(crate) viewport: (u32, u32),
    pub(crate) marks: &'a MarkPlaces,
}

impl InputDevices {
    /// Carries out an action of mouse or keyboard, and lets the page settle.
    pub(crate) fn act(
        &mut self,
        page: &mut Page,
        action: &Action,
        field: ScreenField<'_>,
        deadline: CdpDeadline,
    ) -> InputResult {
        match self.perform(page, action, field, deadline)? {
            Ok(mut input) => {
                deliver(page, &mut input, deadline)?;
                settle(page, deadline).map(Ok)
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn perform(
        &mut self,
        page: &mut Page,
        action: &Action,
        field: ScreenField<'_>,
        deadline: CdpDeadline,
    ) -> Result<Result<Input, ActionRefusal>, PageError> {
        let mut input = Input::default();
        let refused = match action {
            Action::Move { to } => self.at(Some(*to), field, |hand, _| hand.move_here(page, &mut input)),
            Action::Click { at, button, held } => {
                let chord = held.clone();
                self.at(*at, field, |hand, _| hand.click(page, *button, 1, &chord, &mut input))
            }
            Action::DoubleClick { at, button } => {
                self.at(*at, field, |hand, _| hand.click(page, *button, 2, &[], &mut input))
            }
            Action::TripleClick { at, button } => {
                self.at(*at, field, |hand, _| hand.click(page, *button, 3, &[], &mut input))
            }
            Action::Press { at, button } => self.at(*at, field, |hand, _| hand.press(page, *button, &mut input)),
            Action::Release { at, button } => self.at(*at, field, |hand, _| hand.release(page, *button, &mut input)),
            Action::Scroll { at, dx, dy } => self.at(*at, field, |hand, _| hand.scroll(page, *dx, *dy, &mut input)),
            Action::Drag { path, button } => self.drag(page, path, *button, field, deadline, &mut input),
            Action::Key { keys } => self.keys(page, keys, Stroke::Whole, deadline, &mut input),
            Action::HoldKey { keys, ms } => self.keys(page, keys, Stroke::Held(*ms), deadline, &mut input),
            Action::KeyDown { keys } => self.keys(page, keys, Stroke::Down, deadline, &mut input),
            Action::KeyUp { keys } => self.keys(page, keys, Stroke::Up, deadline, &mut input),
            Action::Type { text } => self.write(page, text, deadline, &mut input),
            Action::Wait { ms } => pass(page, *ms, deadline).map(Ok),
            Action::Screenshot => Ok(Ok(())),
            other => Ok(Err(ActionRefusal::Senseless(format!("There is no `{}` here.", other.verb())))),
        };
        Ok(refused?.map(|()| input))
    }

    /// Brings the pointer to a place, then does something there.
    fn at(
        &mut self,
        place: Option<Place>,
        field: ScreenField<'_>,
        act: impl FnOnce(&mut Self, Spot) -> Result<(), PageError>,
    ) -> InputResult {
        if let Some(place) = place {
            match locate(place, field) {
                Ok(point) => self.pointer = point,
                Err(why) => return Ok(Err(ActionRefusal::Senseless(why))),
            }
        }
        act(self, self.pointer).map(Ok)
    }

    fn move_here(&self, page: &mut Page, input: &mut Input) -> Result<(), PageError> {
        if page.carried.is_some() {
            return self.carry(page, "dragOver", input);
        }
        input.motion(self.mouse(page, "mouseMoved", self.held_buttons.last().copied(), 0)?);
        Ok(())
    }

    fn click(
        &mut self,
        page: &mut Page,
        button: Button,
        n_clicks: u32,
        held: &[String],
        input: &mut Input,
    ) -> Result<(), PageError> {
        let before = self.modifiers;
        let held: Vec<String> = held.iter().filter_map(|key| keys::canonical(key)).collect();
        for key in &held {
            self.push_key(page, key, input)?;
        }
        self.move_here(page, input)?;
        for count in 1..=n_clicks {
            input.stroke(self.mouse(page, "mousePressed", Some(button), count)?);
            input.stroke(self.mouse(page, "mouseReleased", Some(button), count)?);
        }
        for key in held.iter().rev() {
            self.lift_key(page, key, input)?;
        }
        self.modifiers = before;
        Ok(())
    }

    fn press(&mut self, page: &mut Page, button: Button, input: &mut Input) -> Result<(), PageError> {
        self.move_here(page, input)?;
        input.stroke(self.mouse(page, "mousePressed", Some(button), 1)?);
        self.held_buttons.push(button);
        Ok(())
    }

    fn release(&mut self, page: &mut Page, button: Button, input: &mut Input) -> Result<(), PageError> {
        self.move_here(page, input)?;
        self.let_go(page, button, input)
    }

    /// Lets a button go. Where the pointer carries something, that is dropped: a page which is dropped onto hears of no
    /// button, and whether it did if one were sent would depend on which comes first.
    fn let_go(&mut self, page: &mut Page, button: Button, input: &mut Input) -> Result<(), PageError> {
        if page.carried.is_some() {
            self.carry(page, "drop", input)?;
            page.carried = None;
        } else {
            input.stroke(self.mouse(page, "mouseReleased", Some(button), 1)?);
        }
        self.held_buttons.retain(|held| *held != button);
        Ok(())
    }

    /// Something the page let be dragged is over this place now, or dropped there.
    fn carry(&self, page: &mut Page, kind: &str, input: &mut Input) -> Result<(), PageError> {
        let data = page.carried.clone().unwrap_or_default();
        for kind in ["dragEnter", kind] {
            let Spot { x, y } = self.pointer;
            let event = json!({ "type": kind, "x": x, "y": y, "data": data, "modifiers": self.modifiers.bits() });
            input.stroke(page.send("Input.dispatchDragEvent", event)?);
        }
        Ok(())
    }

    fn scroll(&mut self, page: &mut Page, dx: f64, dy: f64, input: &mut Input) -> Result<(), PageError> {
        self.move_here(page, input)?;
        let [dx, dy] = [dx, dy].map(|by| if by.is_finite() { by.clamp(-MAX_SCROLL, MAX_SCROLL) } else { 0.0 });
        let mut event = self.mouse_event("mouseWheel", None, 0);
        event["deltaX"] = dx.into();
        event["deltaY"] = dy.into();
        input.motion(page.send("Input.dispatchMouseEvent", event)?);
        Ok(())
    }

    fn drag(
        &mut self,
        page: &mut Page,
        path: &[Place],
        button: Button,
        field: ScreenField<'_>,
        deadline: CdpDeadline,
        input: &mut Input,
    ) -> InputResult {
        let points: Vec<Spot> = match path.iter().map(|place| locate(*place, field)).collect() {
            Ok(points) => points,
            Err(why) => return Ok(Err(ActionRefusal::Senseless(why))),
        };
        let Some((first, rest)) = points.split_first() else {
            return Ok(Err(ActionRefusal::Senseless("A drag needs a path of at least one point.".to_owned())));
        };
        self.pointer = *first;
        self.press(page, button, input)?;
        tick(page, input, deadline)?;
        for end in rest {
            let start = self.pointer;
            for n in 1..=DRAG_POINTS {
                let share = f64::from(n) / f64::from(DRAG_POINTS);
                self.pointer = Spot { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share };
                self.move_here(page, input)?;
                tick(page, input, deadline)?;
            }
        }
        self.let_go(page, button, input).map(Ok)
    }

    fn keys(
        &mut self,
        page: &mut Page,
        names: &[String],
        stroke: Stroke,
        deadline: CdpDeadline,
        input: &mut Input,
    ) -> InputResult {
        let chord = match keys::spell(names.iter().map(String::as_str)) {
            Ok(chord) if !chord.is_empty() => chord,
            Ok(_) => return Ok(Err(ActionRefusal::Senseless("No key was named.".to_owned()))),
            Err(unknown) => return Ok(Err(ActionRefusal::Senseless(format!("There is no key `{unknown}`.")))),
        };
        if let Some(what) = browser_shortcut(&chord) {
            return Ok(Err(ActionRefusal::OutOfBounds(format!("the keys {} for {what}", chord.join("+")))));
        }
        if !self.may_paste(&chord) {
            return Ok(Err(ActionRefusal::Senseless("Nothing has been copied yet.".to_owned())));
        }
        if stroke != Stroke::Up {
            for key in &chord {
                self.push_key(page, key, input)?;
            }
        }
        if let Stroke::Held(ms) = stroke {
            deliver(page, input, deadline)?;
            pass(page, ms, deadline)?;
        }
        if stroke != Stroke::Down {
            for key in chord.iter().rev() {
                self.lift_key(page, key, input)?;
            }
        }
        Ok(Ok(()))
    }

    /// The clipboard outlives a page, so nothing is pasted that was not copied in this one.
    fn may_paste(&mut self, chord: &[String]) -> bool {
        let is = |key: &str| chord.len() == 2 && chord[0] == "ctrl" && chord[1] == key;
        self.has_copied |= is("c") || is("x");
        self.has_copied || !is("v")
    }

    fn push_key(&mut self, page: &mut Page, name: &str, input: &mut Input) -> Result<(), PageError> {
        if let Some(modifier) = Modifiers::of(name) {
            self.modifiers = self.modifiers.with(modifier);
        }
        if let Some(key) = KeyboardKey::named(name) {
            input.stroke(page.send("Input.dispatchKeyEvent", key.down(self.modifiers))?);
        }
        Ok(())
    }

    fn lift_key(&mut self, page: &mut Page, name: &str, input: &mut Input) -> Result<(), PageError> {
        if let Some(modifier) = Modifiers::of(name) {
            self.modifiers = self.modifiers.without(modifier);
        }
        if let Some(key) = KeyboardKey::named(name) {
            input.stroke(page.send("Input.dispatchKeyEvent", key.up(self.modifiers))?);
        }
        Ok(())
    }

    fn write(&mut self, page: &mut Page, text: &str, deadline: CdpDeadline, input: &mut Input) -> InputResult {
        let n_chars = text.chars().count();
        if n_chars > MAX_TEXT {
            return Ok(Err(ActionRefusal::OutOfBounds(format!("typing {n_chars} characters at once"))));
        }
        for (idx, character) in text.chars().filter(|c| *c != '\r').enumerate() {
            if idx > 0 && idx % TEXT_CHUNK == 0 {
                tick(page, input, deadline)?;
            }
            match KeyboardKey::writing(character) {
                Some(key) => {
                    input.stroke(page.send("Input.dispatchKeyEvent", key.down(self.modifiers))?);
                    input.stroke(page.send("Input.dispatchKeyEvent", key.up(self.modifiers))?);
                }
                None => input.stroke(page.send("Input.insertText", json!({ "text": character.to_string() }))?),
            }
        }
        Ok(Ok(()))
    }

    fn mouse(
        &self,
        page: &mut Page,
        kind: &str,
        button: Option<Button>,
        n_clicks: u32,
    ) -> Result<SentCommand, PageError> {
        page.send("Input.dispatchMouseEvent", self.mouse_event(kind, button, n_clicks))
    }

    fn mouse_event(&self, kind: &str, button: Option<Button>, n_clicks: u32) -> Value {
        let held: u32 = self.held_buttons.iter().map(|button| bit_of(*button)).sum();
        let pressed = if kind == "mousePressed" { button.map_or(0, bit_of) } else { 0 };
        json!({
            "type": kind, "x": self.pointer.x, "y": self.pointer.y, "button": button.map_or("none", name_of),
            "buttons": held | pressed, "clickCount": n_clicks, "modifiers": self.modifiers.bits(),
        })
    }
}

/// The point of the screen that a place means, or why it means none.
pub(crate) fn point_of(place: Place, field: ScreenField<'_>) -> Result<Point, String> {
    locate(place, field).map(|Spot { x, y }| Point { x, y })
}

fn locate(place: Place, field: ScreenField<'_>) -> Result<Spot, String> {
    let (width, height) = field.viewport;
    let point = match place {
        Place::Point(point) => point,
        Place::Mark(mark) => field
            .marks
            .iter()
            .find(|(number, _)| *number == mark)
            .map(|(_, [x, y, width, height])| Point { x: (x + width / 2.0).round(), y: (y + height / 2.0).round() })
            .ok_or_else(|| format!("No element with the number {mark} was shown."))?,
    };
    let Point { x, y } = point;
    if x >= 0.0 && y >= 0.0 && x < f64::from(width) && y < f64::from(height) {
        Ok(Spot { x, y })
    } else {
        Err(format!("({x}, {y}) is outside of the screen of {width}x{height} pixels."))
    }
}

fn name_of(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
        Button::Back => "back",
        Button::Forward => "forward",
    }
}

fn bit_of(button: Button) -> u32 {
    match button {
        Button::Left => 1,
        Button::Right => 2,
        Button::Middle => 4,
        Button::Back => 8,
        Button::Forward => 16,
    }
}
