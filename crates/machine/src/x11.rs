//! A display of X.

mod framebuffer;
mod keyboard;
mod windows;

use std::fs::File;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeWindowAttributesAux, ConnectionExt as _, EventMask,
    MOTION_NOTIFY_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::{DefaultStream, RustConnection};

use crate::accessibility::{AccessibilityBus, AccessibleElement};
use crate::display::{Display, InputEvent, OpenWindow};
use crate::machine::MachineFault;
use crate::quiet::{QuietSource, wait_until_quiet};
use crate::screen_pixels::ScreenPixels;
use framebuffer::Framebuffer;
use keyboard::XKeyboard;
use windows::WindowNames;

/// How long somebody may take to take what was sent, before more is sent.
const TAKEN_LIMIT: Duration = Duration::from_secs(5);

/// A display of X, its picture, and the accessibility bus beside it.
pub(crate) struct XDisplay {
    connection: RustConnection,
    root: Window,
    size: (u32, u32),
    damage: damage::Damage,
    framebuffer: Framebuffer,
    keyboard: XKeyboard,
    names: WindowNames,
    bus: AccessibilityBus,
    last_ping: u32,
}

/// What came from the server.
enum Heard {
    /// Something was painted.
    Painted,
    /// Somebody has taken everything that was sent before this number.
    Pong(u32),
    /// Something else.
    Nothing,
}

impl XDisplay {
    /// The display behind a connection, which keeps its picture in a file.
    pub(crate) fn new(socket: UnixStream, picture: File, bus: AccessibilityBus) -> Result<Self, MachineFault> {
        let (stream, _) = DefaultStream::from_unix_stream(socket).map_err(MachineFault::display)?;
        let connection = RustConnection::connect_to_stream(stream, 0).map_err(MachineFault::display)?;
        let screen = connection.setup().roots.first().ok_or_else(|| MachineFault::display("it has no screen"))?;
        let (root, size) = (screen.root, (screen.width_in_pixels.into(), screen.height_in_pixels.into()));
        let damage = watch(&connection, root).map_err(MachineFault::display)?;
        let keyboard = XKeyboard::of(&connection)?;
        let names = WindowNames::of(&connection)?;
        let framebuffer = Framebuffer::of(picture)?;
        Ok(Self { connection, root, size, damage, framebuffer, keyboard, names, bus, last_ping: 0 })
    }

    fn fake(&self, kind: u8, detail: u8, (x, y): (i16, i16)) -> Result<(), MachineFault> {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).map_err(MachineFault::display)?;
        Ok(())
    }

    fn send_one(&mut self, event: InputEvent) -> Result<(), MachineFault> {
        match event {
            InputEvent::Pointer { x, y } => self.fake(MOTION_NOTIFY_EVENT, 0, (x.cast_signed(), y.cast_signed())),
            InputEvent::Button { number, is_down: true } => self.fake(BUTTON_PRESS_EVENT, number, (0, 0)),
            InputEvent::Button { number, is_down: false } => self.fake(BUTTON_RELEASE_EVENT, number, (0, 0)),
            InputEvent::Key { keysym, is_down } => self.keyboard.stroke(&self.connection, self.root, keysym, is_down),
            InputEvent::Taken => self.taken(Instant::now() + TAKEN_LIMIT).map(|_is_taken| ()),
            InputEvent::Pause { millis } => self.wait(Instant::now() + Duration::from_millis(millis)),
        }
    }

    /// Asks whoever has the keyboard for a sign of life, which comes when everything before is taken. Whoever gives none in
    /// time is busy; whoever does not know the question is not asked.
    fn taken(&mut self, deadline: Instant) -> Result<bool, MachineFault> {
        self.last_ping = self.last_ping.wrapping_add(1).max(1);
        if !self.names.ping(&self.connection, self.root, self.last_ping)? {
            return Ok(true);
        }
        while Instant::now() < deadline {
            match self.hear(deadline)? {
                Some(Heard::Pong(number)) if number == self.last_ping => return Ok(true),
                Some(_) => {}
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Lets time pass. What comes meanwhile is heard, so that nobody is kept waiting.
    fn wait(&mut self, until: Instant) -> Result<(), MachineFault> {
        while self.hear(until)?.is_some() {}
        Ok(())
    }

    /// What comes next; nothing if nothing comes in time.
    fn hear(&mut self, deadline: Instant) -> Result<Option<Heard>, MachineFault> {
        loop {
            self.connection.flush().map_err(MachineFault::display)?;
            if let Some(event) = self.connection.poll_for_event().map_err(MachineFault::display)? {
                return self.understand(&event).map(Some);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !windows::has_something(self.connection.stream(), left)? {
                return Ok(None);
            }
        }
    }

    fn understand(&self, event: &Event) -> Result<Heard, MachineFault> {
        Ok(match event {
            Event::DamageNotify(_) => {
                self.connection
                    .damage_subtract(self.damage, x11rb::NONE, x11rb::NONE)
                    .map_err(MachineFault::display)?;
                Heard::Painted
            }
            Event::ClientMessage(message) => self.names.pong(message).map_or(Heard::Nothing, Heard::Pong),
            _ => Heard::Nothing,
        })
    }
}

/// Asks to be told of everything that is painted, and of what programs say to the window manager.
fn watch(connection: &RustConnection, root: Window) -> Result<damage::Damage, Box<dyn std::error::Error>> {
    connection.damage_query_version(1, 1)?.reply()?;
    let damage = connection.generate_id()?;
    connection.damage_create(damage, root, damage::ReportLevel::NON_EMPTY)?.check()?;
    // Some toolkits answer the window manager with one of these masks, some with the other.
    let answers = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::STRUCTURE_NOTIFY;
    let mask = ChangeWindowAttributesAux::new().event_mask(answers);
    connection.change_window_attributes(root, &mask)?.check()?;
    Ok(damage)
}

impl QuietSource for XDisplay {
    fn painted(&mut self, until: Instant) -> Result<bool, MachineFault> {
        loop {
            match self.hear(until)? {
                Some(Heard::Painted) => return Ok(true),
                Some(_) => {}
                None => return Ok(false),
            }
        }
    }

    fn taken(&mut self, deadline: Instant) -> Result<bool, MachineFault> {
        XDisplay::taken(self, deadline)
    }
}

impl Display for XDisplay {
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn capture(&mut self) -> Result<ScreenPixels, MachineFault> {
        // The server answers in order: what it was asked before is on its picture.
        self.connection.get_input_focus().map_err(MachineFault::display)?.reply().map_err(MachineFault::display)?;
        self.framebuffer.read()
    }

    fn send(&mut self, events: &[InputEvent]) -> Result<(), MachineFault> {
        let keysyms = events.iter().filter_map(|event| match event {
            InputEvent::Key { keysym, .. } => Some(*keysym),
            _ => None,
        });
        if self.keyboard.learn(&self.connection, keysyms)? {
            // Whoever types must know the new keys before they are pressed.
            self.taken(Instant::now() + TAKEN_LIMIT)?;
        }
        for event in events {
            self.send_one(*event)?;
        }
        self.connection.flush().map_err(MachineFault::display)
    }

    fn settle(&mut self, within: Duration) -> Result<bool, MachineFault> {
        wait_until_quiet(self, within)
    }

    fn windows(&mut self) -> Result<Vec<OpenWindow>, MachineFault> {
        self.names.windows(&self.connection, self.root)
    }

    fn elements(&mut self, within: Duration) -> Result<Option<Vec<AccessibleElement>>, MachineFault> {
        self.bus.read(within).map(Some)
    }
}
