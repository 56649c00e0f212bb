//! Frames: time passes in a page only as far as one is given, and it is drawn when it is told to.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{Page, PageError};
use crate::cdp::{CdpDeadline, CdpError, SentCommand};

/// The longest (real) time in which a file of the app must have reached the page.
const FILE_LIMIT: Duration = Duration::from_secs(5);
/// The longest (real) time that one frame may take.
const FRAME_LIMIT: Duration = Duration::from_secs(10);
/// Frames have times of their own, in milliseconds: one in which no time passes is a little later than the last.
const STILL: f64 = 0.25;

/// What one frame brought.
#[derive(Debug, Default)]
pub(crate) struct PageFrame {
    /// Whether anything was drawn anew.
    pub(crate) is_damaged: bool,
    /// Whether the app was waiting for something, or another page is on its way.
    pub(crate) is_busy: bool,
}

#[derive(Deserialize)]
struct BegunFrame {
    #[serde(rename = "hasDamage")]
    is_damaged: bool,
    #[serde(rename = "screenshotData")]
    picture: Option<String>,
}

impl Page {
    /// Lets a while pass in the page and draws a frame at its end.
    pub(crate) fn frame(&mut self, ms: f64, deadline: CdpDeadline) -> Result<PageFrame, PageError> {
        self.arrive(deadline)?;
        let n_arrivals = self.tab().n_arrivals;
        // Time stands still while the page waits for a file; but a request that was refused may be waited for in vain.
        let has_passed = self.pass("pauseIfNetworkFetchesPending", ms, deadline.within(FILE_LIMIT));
        if matches!(has_passed, Err(PageError::Browser(CdpError::Late(_)))) {
            self.pass("advance", ms, deadline)?;
        } else {
            has_passed?;
        }
        self.tab_mut().ticks += ms;
        // A page that was left meanwhile is not drawn any more.
        self.arrive(deadline)?;
        if self.tab().n_arrivals != n_arrivals {
            return Ok(PageFrame { is_damaged: true, is_busy: true });
        }
        let begun = self.begin_frame(json!({ "frameTimeTicks": self.tab().ticks, "interval": ms }), deadline)?;
        let is_busy = self.inbox.n_pending > 0 || self.is_loading();
        self.answer_asks(deadline)?;
        Ok(PageFrame { is_damaged: begun.is_damaged, is_busy })
    }

    fn pass(&mut self, policy: &str, ms: f64, deadline: CdpDeadline) -> Result<(), PageError> {
        self.tab_mut().is_budget_spent = false;
        let budget = json!({ "policy": policy, "budget": ms });
        self.call::<IgnoredAny>("Emulation.setVirtualTimePolicy", budget, deadline)?;
        while !self.tab().is_budget_spent {
            self.listen(deadline)?;
        }
        Ok(())
    }

    /// A frame in which no time passes.
    pub(crate) fn still_frame(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        // What was sent before must have arrived before the frame does.
        self.fence(deadline)?;
        self.tab_mut().ticks += STILL;
        self.begin_frame(json!({ "frameTimeTicks": self.tab().ticks, "interval": STILL }), deadline)?;
        self.answer_asks(deadline)
    }

    /// Whether all these commands are answered in time.
    pub(crate) fn wait_for_answers(&mut self, sent: &[SentCommand], deadline: CdpDeadline) -> Result<bool, PageError> {
        while !sent.iter().all(|sent| self.chromium.connection.is_answered(*sent)) {
            match self.listen(deadline) {
                Err(PageError::Browser(CdpError::Late(_))) => return Ok(false),
                other => other?,
            }
        }
        Ok(true)
    }

    /// A picture of the page as it is, as a PNG. No time passes. On a busy host the first frames after a page came from
    /// another process bring none.
    pub(crate) fn picture(&mut self, deadline: CdpDeadline) -> Result<Vec<u8>, PageError> {
        let limit = deadline.within(FRAME_LIMIT);
        loop {
            if let Some(picture) = self.try_picture(deadline)? {
                let unreadable = |error| PageError::App(format!("the picture cannot be read: {error}"));
                return STANDARD.decode(picture).map_err(unreadable);
            }
            if limit.has_passed() {
                return Err(PageError::App("the browser made no picture".to_owned()));
            }
        }
    }

    fn try_picture(&mut self, deadline: CdpDeadline) -> Result<Option<String>, PageError> {
        let how = json!({ "format": "png", "optimizeForSpeed": true });
        self.tab_mut().ticks += STILL;
        let params = json!({ "frameTimeTicks": self.tab().ticks, "interval": STILL, "screenshot": how });
        let begun = self.begin_frame(params, deadline)?;
        self.answer_asks(deadline)?;
        Ok(begun.picture)
    }

    fn begin_frame(&mut self, params: Value, deadline: CdpDeadline) -> Result<BegunFrame, PageError> {
        let begun = match self.call("HeadlessExperimental.beginFrame", params.clone(), deadline.within(FRAME_LIMIT)) {
            // A frame that goes missing is drawn again, a little later.
            Err(PageError::Browser(CdpError::Late(_))) => self.begin_frame_again(params, deadline)?,
            begun => begun?,
        };
        // What the page said while the frame was drawn comes another way than the answer above: this one comes after it.
        self.fence(deadline)?;
        self.attend(deadline)?;
        Ok(begun)
    }

    /// Where this one goes missing too, something is open that the browser draws outside of the page, and none will come.
    fn begin_frame_again(&mut self, mut params: Value, deadline: CdpDeadline) -> Result<BegunFrame, PageError> {
        self.tab_mut().ticks += STILL;
        params["frameTimeTicks"] = self.tab().ticks.into();
        let patience = self.gate.frame_patience();
        let within = patience.map_or(deadline, |patience| deadline.within(patience));
        // It is not even taken where the first is still awaited.
        let begun = self.call("HeadlessExperimental.beginFrame", params, within);
        let is_missing = matches!(begun, Err(PageError::Browser(CdpError::Late(_) | CdpError::Refused { .. })));
        self.is_stuck = is_missing;
        if is_missing && patience.is_some() { Err(PageError::Stuck) } else { begun }
    }

    /// Waits until the page has been reached and has answered: everything on the same way came before.
    pub(super) fn fence(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        self.call::<IgnoredAny>("Runtime.getIsolateId", json!({}), deadline).map(drop)
    }

    /// Answers everything the page has asked, so that it knows before the next frame.
    fn answer_asks(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        while let Some(ask) = self.inbox.asks.pop_front() {
            let body = self.service.answer(&ask.what, &ask.body, &self.inbox.document).map_err(PageError::App)?;
            let expression = format!("quintain.answer({}, {body})", ask.id);
            self.call::<IgnoredAny>("Runtime.evaluate", json!({ "expression": expression }), deadline)?;
            self.attend(deadline)?;
        }
        Ok(())
    }
}
