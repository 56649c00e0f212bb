//! Warm browsers: one for each trial at a time, kept for the next when a trial ends well.

use std::sync::Mutex;

use quintain_core::lock::LockAlways as _;

use crate::chromium::{BrowserSandbox, Chromium, NoChromium};

/// A browser is let go after so many pages, before it grows.
const MAX_PAGES: u32 = 50;

/// Warm browsers.
#[derive(Debug)]
pub(crate) struct BrowserPool {
    sandbox: BrowserSandbox,
    idle: Mutex<Vec<WarmBrowser>>,
}

/// A browser, and how many pages it has had.
#[derive(Debug)]
pub(crate) struct WarmBrowser {
    pub(crate) chromium: Chromium,
    n_pages: u32,
}

impl BrowserPool {
    pub(crate) fn new(sandbox: BrowserSandbox) -> Self {
        Self { sandbox, idle: Mutex::new(Vec::new()) }
    }

    /// A browser for one page: a warm one where there is one.
    pub(crate) fn take(&self) -> Result<WarmBrowser, NoChromium> {
        let WarmBrowser { chromium, n_pages } = match self.take_idle() {
            Some(warm) => warm,
            None => WarmBrowser { chromium: Chromium::start(self.sandbox)?, n_pages: 0 },
        };
        Ok(WarmBrowser { chromium, n_pages: n_pages + 1 })
    }

    /// A warm browser that is still alive.
    fn take_idle(&self) -> Option<WarmBrowser> {
        let mut idle = self.idle.lock().always();
        while let Some(warm) = idle.pop() {
            if warm.chromium.is_alive() {
                return Some(warm);
            }
        }
        None
    }

    /// Takes a browser back whose page was closed. There are never more idle ones than were once in use together.
    pub(crate) fn give_back(&self, chromium: Chromium, n_pages: u32) {
        if n_pages < MAX_PAGES {
            self.idle.lock().always().push(WarmBrowser { chromium, n_pages });
        }
    }
}

impl WarmBrowser {
    /// The browser, and how many pages it will have had.
    pub(crate) fn into_parts(self) -> (Chromium, u32) {
        (self.chromium, self.n_pages)
    }
}
