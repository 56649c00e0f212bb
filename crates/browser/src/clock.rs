//! The stepped clock: time passes in the page only while an action is carried out, and a step ends when all is quiet.

use crate::cdp::{CdpError, Deadline, Sent};
use crate::page::{Page, PageError};

/// One frame, in milliseconds of the page's time.
pub(crate) const FRAME: f64 = 1000.0 / 60.0;
/// A frame of a long wait.
const LONG_FRAME: f64 = 100.0;
/// The end of a wait is always in frames of the usual length.
const FINE_TAIL: f64 = 500.0;
/// The page is quiet after so many frames without damage.
const QUIET_FRAMES: u32 = 2;
/// A step ends after so many frames although the page is not quiet: something runs, and will go on running.
pub(crate) const MAX_FRAMES: u32 = 15;
/// An app that is waiting for something gets so many frames.
const MAX_BUSY_FRAMES: u32 = 600;

/// Lets frames pass until the page has taken its input and is quiet.
pub(crate) fn settle(page: &mut Page, sent: &[Sent], deadline: Deadline) -> Result<(), PageError> {
    let mut n_quiet = 0;
    for n_frames in 1..=MAX_BUSY_FRAMES {
        let frame = page.frame(FRAME, deadline)?;
        let has_taken = sent.iter().all(|sent| page.is_answered(*sent));
        let is_waiting = frame.is_busy || !has_taken;
        n_quiet = if frame.is_damaged || is_waiting { 0 } else { n_quiet + 1 };
        if n_quiet == QUIET_FRAMES || (n_frames >= MAX_FRAMES && !is_waiting) {
            sent.iter().for_each(|sent| page.forget(*sent));
            return Ok(());
        }
    }
    Err(PageError::App(format!("the page was not ready after {MAX_BUSY_FRAMES} frames")))
}

/// Lets one frame pass, for input that needs one before the next.
pub(crate) fn tick(page: &mut Page, deadline: Deadline) -> Result<(), PageError> {
    page.frame(FRAME, deadline).map(drop)
}

/// Lets so many milliseconds pass, quiet or not.
pub(crate) fn pass(page: &mut Page, ms: u64, deadline: Deadline) -> Result<(), PageError> {
    let mut left = ms as f64;
    while left > 0.0 {
        let frame = if left > FINE_TAIL + LONG_FRAME { LONG_FRAME } else { FRAME.min(left) };
        page.frame(frame, deadline)?;
        left -= frame;
        if left < 0.01 {
            break;
        }
    }
    Ok(())
}

/// Lets frames pass until the app says that it can be used, and is quiet.
pub(crate) fn wait_until_ready(page: &mut Page, deadline: Deadline) -> Result<(), PageError> {
    for _frame in 0..MAX_BUSY_FRAMES {
        if page.inbox.is_ready {
            return settle(page, &[], deadline);
        }
        page.frame(FRAME, deadline)?;
    }
    Err(PageError::Browser(CdpError::Refused {
        method: "the app".to_owned(),
        why: format!("it was not ready after {MAX_BUSY_FRAMES} frames"),
    }))
}
