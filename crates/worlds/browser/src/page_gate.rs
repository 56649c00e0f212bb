//! What stands between a browser and everything its pages ask for: the files of an app, or the sites of a web.

use std::borrow::Cow;
use std::time::Duration;

use crate::gate::RequestGate;
use crate::sites::SiteGate;

/// A frame that does not come although it was asked for twice is given up after so long, in a web of server pages.
const FRAME_PATIENCE: Duration = Duration::from_secs(10);

/// Whose pages are shown.
pub(crate) enum PageGate {
    /// One app: its bundle, under one host.
    Files(RequestGate),
    /// Many hosts that answer each request by themselves.
    Sites(Box<SiteGate>),
}

/// A request that the browser holds until it is answered.
pub(crate) struct PausedRequest<'a> {
    pub(crate) method: &'a str,
    pub(crate) address: &'a str,
    /// What was sent along.
    pub(crate) body: Cow<'a, str>,
    /// How what was sent along is written.
    pub(crate) body_type: &'a str,
    /// The number of the tab that asks.
    pub(crate) tab: u32,
    pub(crate) purpose: RequestPurpose,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestPurpose {
    /// A page that somebody goes to.
    Page,
    /// A page that is shown once more: loaded again, or come back to in the history.
    PageAgain,
    /// Something that a page consists of.
    Part,
}

/// What the browser is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GateAnswer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Cow<'static, [u8]>,
}

impl PageGate {
    /// The answer to a request; nothing where it leads outside, which is taken down.
    pub(crate) fn answer(&mut self, request: &PausedRequest<'_>) -> Option<GateAnswer> {
        match self {
            Self::Files(files) => files.request(request.method, request.address).map(|file| GateAnswer {
                status: 200,
                headers: file.headers().map(|(name, value)| (name, value.to_owned())).into(),
                body: Cow::Borrowed(file.bytes),
            }),
            Self::Sites(sites) => sites.answer(request),
        }
    }

    /// Where it begins.
    pub(crate) fn home(&self) -> String {
        match self {
            Self::Files(files) => files.home(),
            Self::Sites(sites) => sites.home(),
        }
    }

    /// Whether an agent may go to an address.
    pub(crate) fn leads_home(&self, address: &str) -> bool {
        match self {
            Self::Files(files) => files.leads_home(address),
            Self::Sites(_) => SiteGate::is_reachable(address),
        }
    }

    /// Takes down something that was tried and refused.
    pub(crate) fn refuse(&mut self, what: impl Into<String>) {
        match self {
            Self::Files(files) => files.refuse(what),
            Self::Sites(sites) => sites.refuse(what),
        }
    }

    /// Everything that was refused so far, in order.
    pub(crate) fn refused(&self) -> &[String] {
        match self {
            Self::Files(files) => files.refused(),
            Self::Sites(sites) => sites.refused(),
        }
    }

    /// The sites, where that is what is shown.
    pub(crate) fn sites(&self) -> Option<&SiteGate> {
        match self {
            Self::Files(_) => None,
            Self::Sites(sites) => Some(sites),
        }
    }

    pub(crate) fn sites_mut(&mut self) -> Option<&mut SiteGate> {
        match self {
            Self::Files(_) => None,
            Self::Sites(sites) => Some(sites),
        }
    }

    /// How long a frame is waited for that is asked for a second time; nothing means as long as the step may take.
    pub(crate) fn frame_patience(&self) -> Option<Duration> {
        self.sites().map(|_| FRAME_PATIENCE)
    }
}
