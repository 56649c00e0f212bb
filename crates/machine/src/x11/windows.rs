//! Windows, as a window manager tells of them, and the question whether one of them is still listening.

use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, Window};
use x11rb::rust_connection::RustConnection;

use crate::display::OpenWindow;
use crate::machine::MachineFault;

x11rb::atom_manager! {
    /// Names that windows and their manager speak of.
    pub(super) WindowNames:
    /// The answers with which these are asked for.
    WindowNamesCookie {
        _NET_CLIENT_LIST_STACKING,
        _NET_ACTIVE_WINDOW,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_PING,
        WM_PROTOCOLS,
    }
}

/// The longest title that is read, in words of four bytes.
const TITLE_WORDS: u32 = 256;
/// The most windows that are listed.
const MOST_WINDOWS: u32 = 1000;

impl WindowNames {
    /// These names on a server.
    pub(super) fn of(connection: &RustConnection) -> Result<Self, MachineFault> {
        Self::new(connection).map_err(MachineFault::display)?.reply().map_err(MachineFault::display)
    }

    /// The windows that are open, those on top last. One that closes meanwhile is left out.
    pub(super) fn windows(&self, connection: &RustConnection, root: Window) -> Result<Vec<OpenWindow>, MachineFault> {
        let active = self.active(connection, root)?;
        let listed = numbers(connection, root, self._NET_CLIENT_LIST_STACKING, MOST_WINDOWS)?;
        let described = listed.into_iter().filter_map(|window| {
            let process = numbers(connection, window, self._NET_WM_PID, 1).ok()?.first().copied();
            Some(OpenWindow { title: self.title(connection, window)?, process, is_active: active == Some(window) })
        });
        Ok(described.collect())
    }

    /// Asks the window with the keyboard for a sign of life, with a number; says whether there is one that knows the question.
    pub(super) fn ping(&self, connection: &RustConnection, root: Window, number: u32) -> Result<bool, MachineFault> {
        let Some(window) = self.active(connection, root)? else { return Ok(false) };
        let known = numbers(connection, window, self.WM_PROTOCOLS, 32).unwrap_or_default();
        if !known.contains(&self._NET_WM_PING) {
            return Ok(false);
        }
        let message = ClientMessageEvent::new(32, window, self.WM_PROTOCOLS, [self._NET_WM_PING, number, window, 0, 0]);
        connection.send_event(false, window, EventMask::NO_EVENT, message).map_err(MachineFault::display)?;
        connection.flush().map_err(MachineFault::display)?;
        Ok(true)
    }

    /// The number of a question that this answers.
    pub(super) fn pong(&self, message: &ClientMessageEvent) -> Option<u32> {
        let [what, number, ..] = message.data.as_data32();
        (message.type_ == self.WM_PROTOCOLS && what == self._NET_WM_PING).then_some(number)
    }

    fn active(&self, connection: &RustConnection, root: Window) -> Result<Option<Window>, MachineFault> {
        let found = numbers(connection, root, self._NET_ACTIVE_WINDOW, 1)?.first().copied();
        Ok(found.filter(|window| *window != 0))
    }

    fn title(&self, connection: &RustConnection, window: Window) -> Option<String> {
        let asked = connection.get_property(false, window, self._NET_WM_NAME, AtomEnum::ANY, 0, TITLE_WORDS).ok()?;
        Some(String::from_utf8_lossy(&asked.reply().ok()?.value).into_owned())
    }
}

/// The numbers in a property of a window.
fn numbers(connection: &RustConnection, window: Window, name: u32, most: u32) -> Result<Vec<u32>, MachineFault> {
    let asked = connection.get_property(false, window, name, AtomEnum::ANY, 0, most).map_err(MachineFault::display)?;
    let found = asked.reply().map_err(MachineFault::display)?;
    Ok(found.value32().map(Iterator::collect).unwrap_or_default())
}

/// Waits until something can be read, or the time is over; says whether it can.
pub(super) fn has_something(from: &impl AsFd, within: Duration) -> Result<bool, MachineFault> {
    let within = Timespec { tv_sec: within.as_secs().cast_signed(), tv_nsec: within.subsec_nanos().into() };
    let mut asked = [PollFd::from_borrowed_fd(from.as_fd(), PollFlags::IN)];
    match poll(&mut asked, Some(&within)) {
        Ok(n_found) => Ok(n_found > 0),
        Err(rustix::io::Errno::INTR) => Ok(true),
        Err(error) => Err(MachineFault::display(error)),
    }
}
