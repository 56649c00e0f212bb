//! The stepped clock: time passes in the page only while an action is carried out, and a step ends when all is quiet.

use std::time::Duration;

use crate::cdp::{CdpDeadline, CdpError, SentCommand};
use crate::page::{Page, PageError};

/// Input that was sent and perhaps not yet taken.
#[derive(Debug, Default)]
pub(crate) struct Input {
    sent: Vec<SentCommand>,
    ends_in_motion: bool,
}

impl Input {
    /// Adds an event of the mouse's motion or wheel.
    pub(crate) fn motion(&mut self, sent: SentCommand) {
        self.sent.push(sent);
        self.ends_in_motion = true;
    }

    /// Adds a press, a release or a key.
    pub(crate) fn stroke(&mut self, sent: SentCommand) {
        self.sent.push(sent);
        self.ends_in_motion = false;
    }
}

/// One frame, in milliseconds of the page's time: whole ones, so that the clock always stands between two of them.
pub(crate) const FRAME: f64 = 16.0;
/// A frame of a long wait.
const LONG_FRAME: f64 = 100.0;
/// The end of a wait is always in frames of the usual length.
const FINE_TAIL: f64 = 500.0;
/// Input that is not taken within this (real) time needs another frame.
const TAKING_LIMIT: Duration = Duration::from_millis(500);
/// The page is quiet after so many frames without damage.
const QUIET_FRAMES: u32 = 2;
/// A step ends after so many frames although the page is not quiet: something runs, and will go on running.
pub(crate) const MAX_FRAMES: u32 = 15;
/// An app that is waiting for something gets so many frames.
const MAX_BUSY_FRAMES: u32 = 600;

/// Waits until the page has taken its input, before any time passes: when it came must not depend on how fast we are.
/// Presses and keys are taken at once, the motion of the pointer and the wheel only with a frame.
pub(crate) fn deliver(page: &mut Page, input: &mut Input, deadline: CdpDeadline) -> Result<(), PageError> {
    let mut needs_frame = input.ends_in_motion;
    for _round in 0..MAX_FRAMES {
        if needs_frame {
            page.still_frame(deadline)?;
        }
        if page.wait_for_answers(&input.sent, deadline.within(TAKING_LIMIT))? {
            input.sent.drain(..).for_each(|sent| page.forget(sent));
            return Ok(());
        }
        needs_frame = true;
    }
    Err(PageError::App("the page does not take any input".to_owned()))
}

/// Lets frames pass until the page is quiet.
pub(crate) fn settle(page: &mut Page, deadline: CdpDeadline) -> Result<(), PageError> {
    let mut n_quiet = 0;
    for n_frames in 1..=MAX_BUSY_FRAMES {
        let frame = page.frame(FRAME, deadline)?;
        n_quiet = if frame.is_damaged || frame.is_busy { 0 } else { n_quiet + 1 };
        if n_quiet == QUIET_FRAMES || (n_frames >= MAX_FRAMES && !frame.is_busy) {
            return Ok(());
        }
    }
    Err(PageError::App(format!("the app was still waiting after {MAX_BUSY_FRAMES} frames")))
}

/// Hands over input and lets one frame pass, for input that needs time before the next.
pub(crate) fn tick(page: &mut Page, input: &mut Input, deadline: CdpDeadline) -> Result<(), PageError> {
    deliver(page, input, deadline)?;
    page.frame(FRAME, deadline).map(drop)
}

/// Lets so many milliseconds pass, quiet or not.
pub(crate) fn pass(page: &mut Page, ms: u64, deadline: CdpDeadline) -> Result<(), PageError> {
    let mut left = ms as f64;
    while left > 0.0 {
        let frame = if left > FINE_TAIL + LONG_FRAME { LONG_FRAME } else { FRAME.min(left) };
        page.frame(frame, deadline)?;
        left -= frame;
    }
    Ok(())
}

/// Lets frames pass until the app says that it can be used, and is quiet.
pub(crate) fn wait_until_ready(page: &mut Page, deadline: CdpDeadline) -> Result<(), PageError> {
    for _frame in 0..MAX_BUSY_FRAMES {
        if page.inbox.is_ready {
            return settle(page, deadline);
        }
        page.frame(FRAME, deadline)?;
    }
    Err(PageError::Browser(CdpError::Refused {
        method: "the app".to_owned(),
        why: format!("it was not ready after {MAX_BUSY_FRAMES} frames"),
    }))
}
