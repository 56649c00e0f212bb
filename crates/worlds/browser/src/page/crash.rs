//! A page that is gone: told at once, and by whose doing.

use std::fmt;
use std::time::Duration;

use super::{Page, PageError};
use crate::cdp::{CdpDeadline, CdpEvent};

/// What the browser says first when a page is gone.
const CRASHED: &str = "Inspector.targetCrashed";
/// The longest (real) time in which it then says how.
const CRASH_LIMIT: Duration = Duration::from_secs(1);
/// The signal that ends a process from outside.
const SIGKILL: i32 = 9;

/// How a page came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageCrash {
    /// Its process was killed from outside: by the host, which may have run out of memory.
    Killed,
    /// It broke down by itself.
    BrokeDown,
}

impl fmt::Display for PageCrash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "the page's process was killed from outside",
            Self::BrokeDown => "the page crashed",
        })
    }
}

impl Page {
    /// Whether the browser has said that the page is gone.
    pub(super) fn look_for_crash(&mut self) -> Result<(), PageError> {
        let crashed_tab = |event: &CdpEvent| {
            let session = event.session.as_deref().filter(|_| event.method == CRASHED)?;
            self.tabs.iter().find(|tab| tab.session == session)
        };
        let Some(tab) = self.chromium.connection.events().find_map(crashed_tab) else { return Ok(()) };
        let target = tab.target.clone();
        Err(PageError::Crashed(self.how_it_crashed(&target)))
    }

    /// The browser says a moment later how the process ended.
    fn how_it_crashed(&mut self, target: &str) -> PageCrash {
        let deadline = CdpDeadline::after(CRASH_LIMIT);
        let connection = &mut self.chromium.connection;
        loop {
            let of_page =
                |event: &&CdpEvent| event.method == "Target.targetCrashed" && event.params["targetId"] == target;
            if let Some(event) = connection.events().find(of_page) {
                let was_killed = event.params["errorCode"] == SIGKILL;
                return if was_killed { PageCrash::Killed } else { PageCrash::BrokeDown };
            }
            if connection.read(deadline).is_err() {
                return PageCrash::Killed; // Nobody is left to ask: whatever took the browser took the page.
            }
        }
    }
}
