//! One app in one browser context: opened, served, stepped frame by frame, and closed without a trace.

mod crash;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use crate::app::Service;
use crate::cdp::{CdpDeadline, CdpError, CdpEvent, SentCommand};
use crate::chromium::Chromium;
use crate::gate::{RequestGate, shortened};
use crate::inbox::Inbox;
pub(crate) use crash::PageCrash;

/// When the app's clock begins, in seconds: the same moment in every trial. Between two milliseconds, because the page
/// sees its clock cut to whole ones, and blurred by a little that depends on the real time.
const EPOCH: f64 = 1_767_225_600.000_5;
/// The longest (real) time in which a file of the app must have reached the page.
const FILE_LIMIT: Duration = Duration::from_secs(5);
/// The longest (real) time that one frame may take.
const FRAME_LIMIT: Duration = Duration::from_secs(10);
/// Frames have times of their own, in milliseconds: one in which no time passes is a little later than the last.
const STILL: f64 = 0.25;
/// What the page finds before its own scripts run.
const PRELUDE: &str = include_str!("prelude.js");

/// Why a page could not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageError {
    #[error(transparent)]
    Browser(#[from] CdpError),
    #[error("{0}")]
    Crashed(PageCrash),
    #[error("{0}")]
    App(String),
}

/// What one frame brought.
#[derive(Debug, Default)]
pub(crate) struct PageFrame {
    /// Whether anything was drawn anew.
    pub(crate) is_damaged: bool,
    /// Whether the app was waiting for something.
    pub(crate) is_busy: bool,
}

/// One app in one browser context.
pub(crate) struct Page {
    chromium: Chromium,
    context: String,
    target: String,
    session: String,
    prelude: Option<String>,
    seed: u64,
    service: Box<dyn Service + Send>,
    pub(crate) gate: RequestGate,
    pub(crate) inbox: Inbox,
    /// The time of the last frame, in the browser's own milliseconds.
    ticks: f64,
    is_budget_spent: bool,
    /// What the pointer carries along since the page let something be dragged.
    pub(crate) carried: Option<Value>,
}

/// What a page is opened with.
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
struct PageTarget {
    #[serde(rename = "targetId")]
    id: String,
}

#[derive(Deserialize)]
struct PageSession {
    #[serde(rename = "sessionId")]
    id: String,
}

#[derive(Deserialize)]
struct PageClock {
    #[serde(rename = "virtualTimeTicksBase")]
    base: f64,
}

#[derive(Deserialize)]
struct BegunFrame {
    #[serde(rename = "hasDamage")]
    is_damaged: bool,
    #[serde(rename = "screenshotData")]
    picture: Option<String>,
}

#[derive(Deserialize)]
struct PageScript {
    identifier: String,
}

impl Page {
    /// Opens an app in a context of its own. On failure the browser is gone with the page.
    pub(crate) fn open(mut chromium: Chromium, opening: PageOpening, deadline: CdpDeadline) -> Result<Self, PageError> {
        let AttachedPage { context, target, session } = attach(&mut chromium, opening.viewport, deadline)?;
        let mut page = Self {
            chromium,
            context,
            target,
            session,
            prelude: None,
            seed: opening.seed,
            service: opening.service,
            gate: opening.gate,
            inbox: Inbox { document: opening.document, ..Inbox::default() },
            ticks: 0.0,
            is_budget_spent: false,
            carried: None,
        };
        page.prepare(opening.viewport, deadline)?;
        page.load(deadline)?;
        Ok(page)
    }

    /// Everything that must hold before the app's first script runs.
    fn prepare(&mut self, (width, height): (u32, u32), deadline: CdpDeadline) -> Result<(), PageError> {
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
        self.ticks = self.call::<PageClock>("Emulation.setVirtualTimePolicy", clock, deadline)?.base;
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
        let script = json!({ "source": source });
        let added: PageScript = self.call("Page.addScriptToEvaluateOnNewDocument", script, deadline)?;
        self.prelude = Some(added.identifier);
        self.inbox.reload();
        let home = self.gate.home();
        let navigated = self.send("Page.navigate", json!({ "url": home }))?;
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

    /// Closes the page and hands the browser back.
    pub(crate) fn close(mut self) -> Result<Chromium, PageError> {
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
        Ok(self.chromium.connection.send(Some(&self.session), method, params)?)
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

    /// Lets a while pass in the page and draws a frame at its end.
    pub(crate) fn frame(&mut self, ms: f64, deadline: CdpDeadline) -> Result<PageFrame, PageError> {
        // Time stands still while the page waits for a file; but a request that was refused may be waited for in vain.
        let has_passed = self.pass("pauseIfNetworkFetchesPending", ms, deadline.within(FILE_LIMIT));
        if matches!(has_passed, Err(PageError::Browser(CdpError::Late(_)))) {
            self.pass("advance", ms, deadline)?;
        } else {
            has_passed?;
        }
        self.ticks += ms;
        let begun = self.begin_frame(json!({ "frameTimeTicks": self.ticks, "interval": ms }), deadline)?;
        let is_busy = self.inbox.n_pending > 0;
        self.answer_asks(deadline)?;
        Ok(PageFrame { is_damaged: begun.is_damaged, is_busy })
    }

    fn pass(&mut self, policy: &str, ms: f64, deadline: CdpDeadline) -> Result<(), PageError> {
        self.is_budget_spent = false;
        let budget = json!({ "policy": policy, "budget": ms });
        self.call::<IgnoredAny>("Emulation.setVirtualTimePolicy", budget, deadline)?;
        while !self.is_budget_spent {
            self.listen(deadline)?;
        }
        Ok(())
    }

    /// A frame in which no time passes.
    pub(crate) fn still_frame(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        // What was sent before must have arrived before the frame does.
        self.fence(deadline)?;
        self.ticks += STILL;
        self.begin_frame(json!({ "frameTimeTicks": self.ticks, "interval": STILL }), deadline)?;
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

    /// A picture of the page as it is, as a PNG. No time passes.
    pub(crate) fn picture(&mut self, deadline: CdpDeadline) -> Result<Vec<u8>, PageError> {
        let how = json!({ "format": "png", "optimizeForSpeed": true });
        self.ticks += STILL;
        let params = json!({ "frameTimeTicks": self.ticks, "interval": STILL, "screenshot": how });
        let begun = self.begin_frame(params, deadline)?;
        self.answer_asks(deadline)?;
        let picture = begun.picture.ok_or_else(|| PageError::App("the browser made no picture".to_owned()))?;
        STANDARD.decode(picture).map_err(|error| PageError::App(format!("the picture cannot be read: {error}")))
    }

    fn begin_frame(&mut self, params: Value, deadline: CdpDeadline) -> Result<BegunFrame, PageError> {
        let begun = match self.call("HeadlessExperimental.beginFrame", params.clone(), deadline.within(FRAME_LIMIT)) {
            // A frame that goes missing is drawn again, a little later.
            Err(PageError::Browser(CdpError::Late(_))) => {
                self.ticks += STILL;
                let mut params = params;
                params["frameTimeTicks"] = self.ticks.into();
                self.call("HeadlessExperimental.beginFrame", params, deadline)?
            }
            begun => begun?,
        };
        // What the page said while the frame was drawn comes another way than the answer above: this one comes after it.
        self.fence(deadline)?;
        self.attend(deadline)?;
        Ok(begun)
    }

    /// Waits until the page has been reached and has answered: everything on the same way came before.
    fn fence(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
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

    /// Where everything on the screen is, as the app says.
    pub(crate) fn geometry(&mut self, deadline: CdpDeadline) -> Result<String, PageError> {
        #[derive(Deserialize)]
        struct EvaluatedScript {
            result: Remote,
        }
        #[derive(Deserialize)]
        struct Remote {
            value: Option<String>,
        }
        let expression = json!({ "expression": "JSON.stringify(quintain.geometry())", "returnByValue": true });
        let evaluated: EvaluatedScript = self.call("Runtime.evaluate", expression, deadline)?;
        evaluated.result.value.ok_or_else(|| PageError::App("the app does not say where things are".to_owned()))
    }

    /// Attends to what has arrived; where nothing has, waits for something.
    fn listen(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        if !self.chromium.connection.has_events() {
            self.chromium.connection.read(deadline)?;
        }
        self.look_for_crash()?;
        self.attend(deadline)
    }

    fn attend(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        while let Some(event) = self.chromium.connection.next_event() {
            self.attend_to(&event, deadline)?;
        }
        Ok(())
    }

    fn attend_to(&mut self, event: &CdpEvent, deadline: CdpDeadline) -> Result<(), PageError> {
        if event.session.as_deref().is_some_and(|session| session != self.session) {
            return Ok(());
        }
        let params = &event.params;
        match event.method.as_str() {
            "Emulation.virtualTimeBudgetExpired" => self.is_budget_spent = true,
            "Runtime.bindingCalled" => {
                self.inbox.take(params["payload"].as_str().unwrap_or_default()).map_err(PageError::App)?;
            }
            "Fetch.requestPaused" => self.serve(params)?,
            "Target.attachedToTarget" if params["sessionId"] != self.session.as_str() => {
                self.turn_away(&params["targetInfo"], deadline)?;
            }
            "Target.targetCreated" if self.is_stranger(&params["targetInfo"]) => {
                self.turn_away(&params["targetInfo"], deadline)?;
            }
            "Inspector.detached" => return Err(CdpError::Gone.into()),
            "Page.javascriptDialogOpening" => {
                let dismissed = self.send("Page.handleJavaScriptDialog", json!({ "accept": false }))?;
                self.forget(dismissed);
            }
            "Input.dragIntercepted" => self.carried = Some(params["data"].clone()),
            "Page.fileChooserOpened" => self.gate.refuse("a file chooser"),
            "Page.downloadWillBegin" => {
                let address = shortened(params["url"].as_str().unwrap_or_default());
                self.gate.refuse(format!("a download of {address}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Serves a request, or refuses it.
    fn serve(&mut self, params: &Value) -> Result<(), PageError> {
        let request = &params["request"];
        let (method, address) = (request["method"].as_str(), request["url"].as_str());
        let served = self.gate.request(method.unwrap_or_default(), address.unwrap_or_default());
        let id = &params["requestId"];
        let sent = if let Some(file) = served {
            let headers = file.headers().map(|(name, value)| json!({ "name": name, "value": value }));
            let body = STANDARD.encode(file.bytes);
            let answer = json!({ "requestId": id, "responseCode": 200, "responseHeaders": headers, "body": body });
            self.send("Fetch.fulfillRequest", answer)?
        } else {
            // A request that fails outright can leave the page's clock waiting for it, so it is answered: with nothing.
            let anyone = json!([{ "name": "access-control-allow-origin", "value": "*" }]);
            let nothing = json!({ "requestId": id, "responseCode": 403, "responseHeaders": anyone });
            self.send("Fetch.fulfillRequest", nothing)?
        };
        self.forget(sent);
        Ok(())
    }

    /// Whether a target is another page of this context.
    fn is_stranger(&self, target: &Value) -> bool {
        target["browserContextId"] == self.context.as_str() && target["targetId"] != self.target.as_str()
    }

    /// Closes whatever the page opens besides itself.
    fn turn_away(&mut self, target: &Value, deadline: CdpDeadline) -> Result<(), PageError> {
        let (kind, address) = (target["type"].as_str(), target["url"].as_str());
        self.gate.refuse(format!("a new {} at {}", kind.unwrap_or("target"), shortened(address.unwrap_or_default())));
        let close = json!({ "targetId": target["targetId"] });
        let connection = &mut self.chromium.connection;
        match connection.call::<IgnoredAny>(None, "Target.closeTarget", close, deadline) {
            Ok(_) | Err(CdpError::Refused { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// A context with one blank page, and a session with it.
struct AttachedPage {
    context: String,
    target: String,
    session: String,
}

fn attach(
    chromium: &mut Chromium,
    (width, height): (u32, u32),
    deadline: CdpDeadline,
) -> Result<AttachedPage, CdpError> {
    let connection = &mut chromium.connection;
    let context: BrowserContext = connection.call(None, "Target.createBrowserContext", json!({}), deadline)?;
    let denied = json!({ "behavior": "deny", "browserContextId": context.id, "eventsEnabled": false });
    connection.call::<IgnoredAny>(None, "Browser.setDownloadBehavior", denied, deadline)?;
    let blank = json!({
        "url": "about:blank", "browserContextId": context.id, "width": width, "height": height,
        "enableBeginFrameControl": true,
    });
    let target: PageTarget = connection.call(None, "Target.createTarget", blank, deadline)?;
    let flat = json!({ "targetId": target.id, "flatten": true });
    let session: PageSession = connection.call(None, "Target.attachToTarget", flat, deadline)?;
    connection.call::<IgnoredAny>(None, "Target.setDiscoverTargets", json!({ "discover": true }), deadline)?;
    Ok(AttachedPage { context: context.id, target: target.id, session: session.id })
}
