//! One browser context: its tabs opened, served, stepped frame by frame, and closed without a trace.

mod crash;
mod events;
mod frames;
mod tab;
mod travel;

use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use crate::app::{NothingToAnswer, Service};
use crate::cdp::{CdpDeadline, CdpError, SentCommand};
use crate::chromium::Chromium;
use crate::gate::RequestGate;
use crate::inbox::Inbox;
use crate::page_gate::PageGate;
use crate::sites::{PRELUDE as SITES_PRELUDE, SiteGate};
pub(crate) use crash::PageCrash;
use tab::PageTab;
pub(crate) use travel::{TabFacts, TabPlace, TabWish};

/// When the app's clock begins, in seconds: the same moment in every trial. Between two milliseconds, because the page
/// sees its clock cut to whole ones, and blurred by a little that depends on the real time.
const EPOCH: f64 = 1_767_225_600.000_5;
/// What the page of an app finds before its own scripts run.
const PRELUDE: &str = include_str!("prelude.js");

/// Why a page could not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageError {
    #[error(transparent)]
    Browser(#[from] CdpError),
    #[error("{0}")]
    Crashed(PageCrash),
    #[error("the browser draws no frame any more; a page may have opened a window of the browser's own")]
    Stuck,
    #[error("{0}")]
    App(String),
}

/// One browser context, and the tab in it that is shown.
pub(crate) struct Page {
    chromium: Chromium,
    context: String,
    viewport: (u32, u32),
    tabs: Vec<PageTab>,
    /// Which of the tabs is shown, and driven.
    shown: usize,
    n_opened: u32,
    prelude: Option<String>,
    seed: u64,
    service: Box<dyn Service + Send>,
    pub(crate) gate: PageGate,
    pub(crate) inbox: Inbox,
    /// What the pointer carries along since the page let something be dragged.
    pub(crate) carried: Option<Value>,
    /// The tabs that pages asked for and that are not open yet.
    wishes: Vec<TabWish>,
    /// Whether it can be relied on no more.
    is_stuck: bool,
}

/// What an app's page is opened with.
pub(crate) struct PageOpening {
    pub(crate) gate: RequestGate,
    pub(crate) service: Box<dyn Service + Send>,
    pub(crate) viewport: (u32, u32),
    pub(crate) document: Value,
    pub(crate) seed: u64,
}

#[derive(Deserialize)]
struct BrowserContext {
    #[serde(rename = "browserContextId")]
    id: String,
}

#[derive(Deserialize)]
struct PageClock {
    #[serde(rename = "virtualTimeTicksBase")]
    base: f64,
}

#[derive(Deserialize)]
struct PageScript {
    identifier: String,
}

#[derive(Deserialize)]
struct EvaluatedScript {
    result: EvaluatedValue,
}

#[derive(Deserialize)]
struct EvaluatedValue {
    value: Option<String>,
}

impl Page {
    /// Opens an app in a context of its own. On failure the browser is gone with the page.
    pub(crate) fn open(chromium: Chromium, opening: PageOpening, deadline: CdpDeadline) -> Result<Self, PageError> {
        let gate = PageGate::Files(opening.gate);
        let mut page = Self::attached(chromium, opening.viewport, gate, opening.service, deadline)?;
        page.seed = opening.seed;
        page.inbox.document = opening.document;
        page.prepare(deadline)?;
        page.load(deadline)?;
        Ok(page)
    }

    /// Opens a web of sites in a context of its own, with one tab at its home. On failure the browser is gone with it.
    pub(crate) fn open_sites(
        chromium: Chromium,
        gate: SiteGate,
        viewport: (u32, u32),
        deadline: CdpDeadline,
    ) -> Result<Self, PageError> {
        let gate = PageGate::Sites(Box::new(gate));
        let mut page = Self::attached(chromium, viewport, gate, Box::new(NothingToAnswer), deadline)?;
        page.prepare(deadline)?;
        let home = page.gate.home();
        page.begin_tab_at(&home, deadline)?;
        Ok(page)
    }

    fn attached(
        mut chromium: Chromium,
        viewport: (u32, u32),
        gate: PageGate,
        service: Box<dyn Service + Send>,
        deadline: CdpDeadline,
    ) -> Result<Self, PageError> {
        let context = new_context(&mut chromium, deadline)?;
        let tab = PageTab::create(&mut chromium, &context, viewport, 1, deadline)?;
        let connection = &mut chromium.connection;
        connection.call::<IgnoredAny>(None, "Target.setDiscoverTargets", json!({ "discover": true }), deadline)?;
        Ok(Self {
            chromium,
            context,
            viewport,
            tabs: vec![tab],
            shown: 0,
            n_opened: 1,
            prelude: None,
            seed: 0,
            service,
            gate,
            inbox: Inbox::default(),
            carried: None,
            wishes: Vec::new(),
            is_stuck: false,
        })
    }

    /// Everything that must hold before a page's first script runs, in the tab that is shown.
    fn prepare(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        let (width, height) = self.viewport;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let auto_attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        // All are sent before the first answer is waited for: ten answers in a row would be ten times the way to the browser
        // in every reset.
        let steps = [
            ("Page.enable", json!({})),
            ("Runtime.enable", json!({})),
            ("Runtime.addBinding", json!({ "name": "quintainTell" })),
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }] })),
            ("Target.setAutoAttach", auto_attach),
            ("Page.setInterceptFileChooserDialog", json!({ "enabled": true })),
            ("Input.setInterceptDrags", json!({ "enabled": true })),
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
            ("Emulation.setTimezoneOverride", json!({ "timezoneId": "UTC" })),
        ];
        let sent: Vec<SentCommand> =
            steps.into_iter().map(|(method, params)| self.send(method, params)).collect::<Result<_, _>>()?;
        for sent in sent {
            self.answer::<IgnoredAny>(sent, deadline)?;
        }
        // The clock is stopped before any script has run, and always shows the same moment then: what an app draws of date and
        // time is equal in every trial.
        let clock = json!({ "policy": "pause", "initialVirtualTime": EPOCH });
        self.tab_mut().ticks = self.call::<PageClock>("Emulation.setVirtualTimePolicy", clock, deadline)?.base;
        Ok(())
    }

    /// Loads the app with the document as it is now.
    fn load(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        if let Some(identifier) = self.prelude.take() {
            let script = json!({ "identifier": identifier });
            self.call::<IgnoredAny>("Page.removeScriptToEvaluateOnNewDocument", script, deadline)?;
        }
        // The document travels in the script that runs first, not in a request: there is no moment at which the app is
        // there without it.
        let opening = json!({ "document": self.inbox.document, "seed": self.seed });
        let source = PRELUDE.replace("OPENING", &opening.to_string());
        self.prelude = Some(self.add_script(&source, deadline)?);
        self.inbox.reload();
        let home = self.gate.home();
        self.navigate(&home, deadline)
    }

    /// Loads an address into a tab that was just made, as the first page of its history.
    fn begin_tab_at(&mut self, address: &str, deadline: CdpDeadline) -> Result<(), PageError> {
        self.add_script(SITES_PRELUDE, deadline)?;
        self.go(address, deadline)?;
        self.arrive(deadline)?;
        self.call::<IgnoredAny>("Page.resetNavigationHistory", json!({}), deadline).map(drop)
    }

    /// Adds a script that runs in every page before its own.
    fn add_script(&mut self, source: &str, deadline: CdpDeadline) -> Result<String, PageError> {
        let script = json!({ "source": source });
        let added: PageScript = self.call("Page.addScriptToEvaluateOnNewDocument", script, deadline)?;
        Ok(added.identifier)
    }

    fn navigate(&mut self, address: &str, deadline: CdpDeadline) -> Result<(), PageError> {
        let navigated = self.send("Page.navigate", json!({ "url": address }))?;
        while !self.chromium.connection.is_answered(navigated) {
            self.listen(deadline)?;
        }
        self.answer::<IgnoredAny>(navigated, deadline)?;
        Ok(())
    }

    /// Loads the app again; what it keeps stays.
    pub(crate) fn reload(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        self.load(deadline)
    }

    /// Closes the page and hands the browser back. One that hangs is not handed on.
    pub(crate) fn close(mut self) -> Result<Chromium, PageError> {
        if self.is_stuck {
            return Err(CdpError::Gone.into());
        }
        let deadline = CdpDeadline::after(Duration::from_secs(10));
        let context = json!({ "browserContextId": self.context });
        let connection = &mut self.chromium.connection;
        connection.call::<IgnoredAny>(None, "Target.disposeBrowserContext", context, deadline)?;
        // The browser goes on to the next trial: what it said of this page must not be taken for what it says of that one.
        while connection.next_event().is_some() {}
        Ok(self.chromium)
    }

    /// The browser's process.
    #[cfg(test)]
    pub(crate) fn pid(&self) -> u32 {
        self.chromium.pid()
    }

    /// Sends a command to the page without waiting for its answer.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> Result<SentCommand, PageError> {
        let session = &self.tabs[self.shown].session;
        Ok(self.chromium.connection.send(Some(session), method, params)?)
    }

    /// Waits for the answer to a command.
    pub(crate) fn answer<T: DeserializeOwned>(
        &mut self,
        sent: SentCommand,
        deadline: CdpDeadline,
    ) -> Result<T, PageError> {
        while !self.chromium.connection.is_answered(sent) {
            self.chromium.connection.read(deadline)?;
            // A page that is gone answers nothing: it must not be waited for until the deadline.
            self.look_for_crash()?;
            // One that is on its way to another site answers only when it has arrived, and so its request must be served.
            if self.gate.sites().is_some() {
                self.attend(deadline)?;
            }
        }
        Ok(self.chromium.connection.answer(sent, deadline)?)
    }

    /// Drops the answer to a command.
    pub(crate) fn forget(&mut self, sent: SentCommand) {
        self.chromium.connection.forget(sent);
    }

    /// Sends a command to the page and waits for its answer.
    pub(crate) fn call<T: DeserializeOwned>(
        &mut self,
        method: &str,
        params: Value,
        deadline: CdpDeadline,
    ) -> Result<T, PageError> {
        let sent = self.send(method, params)?;
        self.answer(sent, deadline)
    }

    /// Where everything on the screen is, as the app or the prelude of sites says.
    pub(crate) fn geometry(&mut self, deadline: CdpDeadline) -> Result<String, PageError> {
        let told = self.evaluate("JSON.stringify(quintain.geometry())", deadline)?;
        told.ok_or_else(|| PageError::App("the app does not say where things are".to_owned()))
    }

    /// The text that an expression comes to in the page, where it is one.
    pub(crate) fn evaluate(&mut self, expression: &str, deadline: CdpDeadline) -> Result<Option<String>, PageError> {
        let expression = json!({ "expression": expression, "returnByValue": true });
        let evaluated: EvaluatedScript = self.call("Runtime.evaluate", expression, deadline)?;
        Ok(evaluated.result.value)
    }

    fn tab(&self) -> &PageTab {
        &self.tabs[self.shown]
    }

    fn tab_mut(&mut self) -> &mut PageTab {
        &mut self.tabs[self.shown]
    }
}

/// A context in which nothing is kept and nothing can be downloaded.
fn new_context(chromium: &mut Chromium, deadline: CdpDeadline) -> Result<String, CdpError> {
    let connection = &mut chromium.connection;
    let context: BrowserContext = connection.call(None, "Target.createBrowserContext", json!({}), deadline)?;
    let denied = json!({ "behavior": "deny", "browserContextId": context.id, "eventsEnabled": false });
    connection.call::<IgnoredAny>(None, "Browser.setDownloadBehavior", denied, deadline)?;
    Ok(context.id)
}
