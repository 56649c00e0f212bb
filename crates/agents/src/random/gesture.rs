//! Draws from the action groups that worlds with a screen understand.

use quintain_core::action::Button;
use quintain_core::surface::ActionGroup;
use quintain_core::{Action, Place, Rng, Surface};

/// A kind of action to fill in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gesture {
    Click,
    DoubleClick,
    RightClick,
    Drag,
    Scroll,
    Key,
    Type,
    Back,
    Forward,
}

const KEYS: [&str; 8] = ["Enter", "Tab", "Escape", "Backspace", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const GUI: [Gesture; 7] = [
    Gesture::Click,
    Gesture::DoubleClick,
    Gesture::RightClick,
    Gesture::Drag,
    Gesture::Scroll,
    Gesture::Key,
    Gesture::Type,
];

/// What can be drawn besides calls. Command lines and program texts are never drawn.
pub(super) fn offered(surface: &Surface) -> Vec<Gesture> {
    let mut gestures = Vec::new();
    if surface.groups.contains(&ActionGroup::Gui) {
        gestures.extend(GUI);
    }
    if surface.groups.contains(&ActionGroup::Browser) {
        gestures.extend([Gesture::Back, Gesture::Forward]);
    }
    gestures
}

impl Gesture {
    /// An action of this kind, somewhere on the screen.
    pub(super) fn draw(self, rng: &mut Rng, size: (u32, u32)) -> Action {
        match self {
            Self::Click => Action::click(point(rng, size)),
            Self::DoubleClick => Action::DoubleClick { at: Some(point(rng, size)), button: Button::Left },
            Self::RightClick => Action::Click { at: Some(point(rng, size)), button: Button::Right, held: Vec::new() },
            Self::Drag => Action::Drag { path: vec![point(rng, size), point(rng, size)], button: Button::Left },
            Self::Scroll => {
                let at = Some(point(rng, size));
                Action::Scroll { at, dx: 0.0, dy: if rng.chance(0.5) { 120.0 } else { -120.0 } }
            }
            Self::Key => Action::Key { keys: vec![(*rng.choose(&KEYS)).to_owned()] },
            Self::Type => Action::Type { text: word(rng) },
            Self::Back => Action::Back,
            Self::Forward => Action::Forward,
        }
    }
}

fn point(rng: &mut Rng, (width, height): (u32, u32)) -> Place {
    (rng.below(width.max(1) as usize) as f64, rng.below(height.max(1) as usize) as f64).into()
}

fn word(rng: &mut Rng) -> String {
    let n_letters = 1 + rng.below(8);
    (0..n_letters).map(|_| char::from(b'a' + rng.below(26) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use quintain_core::action::Dialect;

    use super::*;
    use crate::script::say;

    #[test]
    fn every_gesture_is_an_action_the_world_understands() {
        let surface = Surface { groups: [ActionGroup::Gui, ActionGroup::Browser].into(), ..Surface::default() };
        let mut rng = Rng::new(1);
        for gesture in offered(&surface) {
            let action = gesture.draw(&mut rng, (1280, 720));
            assert_eq!(Dialect::Tolerant.read(&say(&action), &surface), Ok(action));
        }
    }
}
