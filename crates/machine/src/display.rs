//! The screen of a computer, its mouse and its keyboard.

use std::time::Duration;

use crate::accessibility::AccessibleElement;
use crate::machine::MachineFault;
use crate::screen_pixels::ScreenPixels;

/// The screen of a computer, its mouse and its keyboard. Every call ends within the time that it is given.
pub trait Display: Send {
    /// Pixels across and down.
    fn size(&self) -> (u32, u32);

    /// The screen as it is now, with the pointer on it.
    fn capture(&mut self) -> Result<ScreenPixels, MachineFault>;

    /// Moves the mouse and presses keys, in order.
    fn send(&mut self, events: &[InputEvent]) -> Result<(), MachineFault>;

    /// Waits until whoever has the keyboard has taken what was sent, and the screen is quiet. Says whether it became quiet:
    /// something on it may move for ever.
    fn settle(&mut self, within: Duration) -> Result<bool, MachineFault>;

    /// The windows that are open, those on top last.
    fn windows(&mut self) -> Result<Vec<OpenWindow>, MachineFault>;

    /// What is on the screen, a tree for each program; nothing where the computer does not tell.
    fn elements(&mut self, within: Duration) -> Result<Option<Vec<AccessibleElement>>, MachineFault>;
}

/// Something that a mouse or a keyboard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEvent {
    /// The pointer is there now.
    Pointer {
        /// Pixels from the left.
        x: u16,
        /// Pixels from the top.
        y: u16,
    },
    /// A button goes down or up: 1 left, 2 middle, 3 right, 4 to 7 the wheel up, down, left and right, 8 back, 9 forward.
    Button {
        /// Which.
        number: u8,
        /// Down.
        is_down: bool,
    },
    /// A key goes down or up, named by what it writes, as X counts symbols.
    Key {
        /// The symbol.
        keysym: u32,
        /// Down.
        is_down: bool,
    },
    /// What was sent has to be taken before anything else is.
    Taken,
    /// So many milliseconds pass, because whoever acts wants it.
    Pause {
        /// How many.
        millis: u64,
    },
}

/// A window that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenWindow {
    /// What it is called.
    pub title: String,
    /// The process that it says to belong to, as it is counted on the computer.
    pub process: Option<u32>,
    /// Whether it has the keyboard.
    pub is_active: bool,
}
