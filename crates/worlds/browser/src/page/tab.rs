//! One tab: a target of its own in the browser context, whose frames are ours to begin.

use serde::Deserialize;
use serde_json::json;

use crate::cdp::{CdpDeadline, CdpError};
use crate::chromium::Chromium;
use crate::page_gate::RequestPurpose;

/// One tab.
pub(super) struct PageTab {
    /// Tabs are counted in the order in which they were opened, from 1.
    pub(super) number: u32,
    pub(super) target: String,
    pub(super) session: String,
    /// The time of the last frame, in the browser's own milliseconds.
    pub(super) ticks: f64,
    pub(super) is_budget_spent: bool,
    /// How far a page is on its way into this tab.
    pub(super) load: TabLoad,
    /// How many pages have come.
    pub(super) n_arrivals: u32,
    /// Whether the page on its way was there before.
    pub(super) purpose: RequestPurpose,
}

/// How far a page is on its way into a tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TabLoad {
    /// Nothing is on its way.
    Idle,
    /// The page that is there means to go to another, and has not begun; so often was looked.
    Intended { n_looks: u32 },
    /// The other page was asked for. The clock stands still until it is there.
    Asked,
    /// The other page is there and not complete yet.
    Arrived,
}

#[derive(Deserialize)]
struct PageTarget {
    #[serde(rename = "targetId")]
    id: String,
}

#[derive(Deserialize)]
struct PageSession {
    #[serde(rename = "sessionId")]
    id: String,
}

impl PageTab {
    /// A blank tab, and a session with it.
    pub(super) fn create(
        chromium: &mut Chromium,
        context: &str,
        (width, height): (u32, u32),
        number: u32,
        deadline: CdpDeadline,
    ) -> Result<Self, CdpError> {
        let connection = &mut chromium.connection;
        let blank = json!({
            "url": "about:blank", "browserContextId": context, "width": width, "height": height,
            "enableBeginFrameControl": true,
        });
        let target: PageTarget = connection.call(None, "Target.createTarget", blank, deadline)?;
        let flat = json!({ "targetId": target.id, "flatten": true });
        let session: PageSession = connection.call(None, "Target.attachToTarget", flat, deadline)?;
        Ok(Self {
            number,
            target: target.id,
            session: session.id,
            ticks: 0.0,
            is_budget_spent: false,
            load: TabLoad::Idle,
            n_arrivals: 0,
            purpose: RequestPurpose::Page,
        })
    }
}
