//! Going from page to page in a web of sites: addresses, the history of a tab, and other tabs.

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::tab::{PageTab, TabLoad};
use super::{Page, PageError};
use crate::cdp::{CdpDeadline, CdpError};
use crate::clock::settle;
use crate::page_gate::RequestPurpose;

/// The longest (real) time in which a page that was asked for must have arrived.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(5);
/// A page that means to go to another and has not begun after so many looks, two a frame, does not go.
const MAX_INTENDED: u32 = 10;
/// There are never more tabs than this.
const MAX_TABS: usize = 12;

/// What the frame around a page tells of a tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TabFacts {
    pub(crate) title: String,
    pub(crate) address: String,
    pub(crate) can_go_back: bool,
    pub(crate) can_go_forward: bool,
}

/// Where a new tab goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TabPlace {
    /// It is shown at once.
    Front,
    /// It is there, and not shown.
    Back,
}

/// What the prelude of sites tells.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum TabWish {
    /// A link was clicked so that it opens in a tab of its own.
    Tab { address: String, place: TabPlace },
    /// Something was clicked that leads out.
    Refused { what: String },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TabHistory {
    current_index: usize,
    entries: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
struct HistoryEntry {
    id: i64,
    url: String,
    title: String,
}

impl Page {
    /// Goes to an address in the shown tab. It has not settled then.
    pub(crate) fn go(&mut self, address: &str, deadline: CdpDeadline) -> Result<(), PageError> {
        self.depart(RequestPurpose::Page);
        self.navigate(address, deadline)
    }

    /// Goes so many pages back or forward in the history of the shown tab; says whether there was one.
    pub(crate) fn travel(&mut self, by: i64, deadline: CdpDeadline) -> Result<bool, PageError> {
        let history = self.history(deadline)?;
        let target = i64::try_from(history.current_index).ok().and_then(|idx| usize::try_from(idx + by).ok());
        let Some(entry) = target.and_then(|idx| history.entries.get(idx)) else { return Ok(false) };
        let entry = json!({ "entryId": entry.id });
        self.depart(RequestPurpose::PageAgain);
        self.call::<IgnoredAny>("Page.navigateToHistoryEntry", entry, deadline)?;
        Ok(true)
    }

    /// Loads the page of the shown tab again.
    pub(crate) fn load_again(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        self.depart(RequestPurpose::PageAgain);
        self.call::<IgnoredAny>("Page.reload", json!({}), deadline).map(drop)
    }

    fn depart(&mut self, purpose: RequestPurpose) {
        let tab = self.tab_mut();
        tab.load = TabLoad::Asked;
        tab.purpose = purpose;
    }

    /// What there is to tell of the shown tab.
    pub(crate) fn facts(&mut self, deadline: CdpDeadline) -> Result<TabFacts, PageError> {
        // What the page has said of itself must have reached the browser before the browser is asked.
        self.fence(deadline)?;
        let mut history = self.history(deadline)?;
        let (idx, n_entries) = (history.current_index, history.entries.len());
        let current = (idx < n_entries).then(|| history.entries.swap_remove(idx));
        let (address, title) = current.map(|entry| (entry.url, entry.title)).unwrap_or_default();
        Ok(TabFacts { title, address, can_go_back: idx > 0, can_go_forward: idx + 1 < n_entries })
    }

    fn history(&mut self, deadline: CdpDeadline) -> Result<TabHistory, PageError> {
        self.call("Page.getNavigationHistory", json!({}), deadline)
    }

    /// Which tab is shown, and how many there are.
    pub(crate) fn tabs(&self) -> (usize, usize) {
        (self.shown, self.tabs.len())
    }

    /// Shows another tab.
    pub(crate) fn show_tab(&mut self, idx: usize) {
        self.shown = idx.min(self.tabs.len() - 1);
        self.carried = None;
    }

    /// Opens a tab beside the shown one and shows it, loaded and quiet; nothing where there are too many already.
    pub(crate) fn open_tab(&mut self, address: &str, deadline: CdpDeadline) -> Result<Option<usize>, PageError> {
        if self.tabs.len() == MAX_TABS {
            return Ok(None);
        }
        let number = self.n_opened + 1;
        let tab = PageTab::create(&mut self.chromium, &self.context, self.viewport, number, deadline)?;
        self.n_opened = number;
        let idx = self.shown + 1;
        self.tabs.insert(idx, tab);
        self.show_tab(idx);
        self.prepare(deadline)?;
        self.begin_tab_at(address, deadline)?;
        settle(self, deadline)?;
        Ok(Some(idx))
    }

    /// Closes a tab that is not the only one. Where it was shown, its neighbour is.
    pub(crate) fn close_tab(&mut self, idx: usize, deadline: CdpDeadline) -> Result<(), PageError> {
        let tab = self.tabs.remove(idx);
        if self.shown > idx || self.shown == self.tabs.len() {
            self.shown -= 1;
        }
        let close = json!({ "targetId": tab.target });
        self.chromium.connection.call::<IgnoredAny>(None, "Target.closeTarget", close, deadline)?;
        Ok(())
    }

    /// The tabs that pages have asked for since this was last called.
    pub(crate) fn take_wishes(&mut self) -> Vec<TabWish> {
        std::mem::take(&mut self.wishes)
    }

    pub(super) fn take_wish(&mut self, text: &str) -> Result<(), PageError> {
        let unreadable = |error| PageError::App(format!("the prelude said what cannot be read: {error}"));
        match serde_json::from_str(text).map_err(unreadable)? {
            TabWish::Refused { what } => self.gate.refuse(what),
            wish @ TabWish::Tab { .. } => self.wishes.push(wish),
        }
        Ok(())
    }

    /// Whether another page is on its way, or not complete yet.
    pub(super) fn is_loading(&self) -> bool {
        self.tab().load != TabLoad::Idle
    }

    /// Waits for a page that was asked for, in real time: the page's clock stands still meanwhile.
    pub(super) fn arrive(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        if self.gate.sites().is_none() {
            return Ok(());
        }
        // What the page decided to do has been told when this is answered.
        self.fence(deadline)?;
        let limit = deadline.within(ARRIVAL_LIMIT);
        while self.tab().load == TabLoad::Asked {
            match self.listen(limit) {
                Err(PageError::Browser(CdpError::Late(_))) => self.tab_mut().load = TabLoad::Idle,
                other => other?,
            }
        }
        if let TabLoad::Intended { n_looks } = self.tab().load {
            let gives_up = n_looks == MAX_INTENDED;
            self.tab_mut().load = if gives_up { TabLoad::Idle } else { TabLoad::Intended { n_looks: n_looks + 1 } };
        }
        Ok(())
    }

    /// Follows what the browser says of pages on their way.
    pub(super) fn follow(&mut self, method: &str, params: &Value, tab_idx: usize) {
        if self.gate.sites().is_none() {
            return;
        }
        let tab = &mut self.tabs[tab_idx];
        let of_frame = |id: &Value| *id == tab.target.as_str();
        match method {
            "Page.frameRequestedNavigation"
                if of_frame(&params["frameId"])
                    && params["disposition"] == "currentTab"
                    && tab.load == TabLoad::Idle =>
            {
                tab.load = TabLoad::Intended { n_looks: 0 };
            }
            "Page.frameStartedNavigating" if of_frame(&params["frameId"]) => {
                let kind = params["navigationType"].as_str().unwrap_or_default();
                let is_again = kind.starts_with("history") || kind.starts_with("reload");
                tab.purpose = if is_again { RequestPurpose::PageAgain } else { RequestPurpose::Page };
                tab.load = TabLoad::Asked;
            }
            "Page.frameNavigated" if of_frame(&params["frame"]["id"]) => {
                tab.load = TabLoad::Arrived;
                tab.n_arrivals += 1;
            }
            "Page.navigatedWithinDocument" | "Page.frameStoppedLoading" if of_frame(&params["frameId"]) => {
                tab.load = TabLoad::Idle;
            }
            "Page.windowOpen" => {
                let address = params["url"].as_str().unwrap_or_default().to_owned();
                self.wishes.push(TabWish::Tab { address, place: TabPlace::Front });
            }
            _ => {}
        }
    }
}
