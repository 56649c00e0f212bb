//! What the browser says by itself, and what is done about it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{Page, PageError};
use crate::cdp::{CdpDeadline, CdpError, CdpEvent};
use crate::gate::shortened;
use crate::page_gate::{PausedRequest, RequestPurpose};

impl Page {
    /// Attends to what has arrived; where nothing has, waits for something.
    pub(super) fn listen(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        if !self.chromium.connection.has_events() {
            self.chromium.connection.read(deadline)?;
        }
        self.look_for_crash()?;
        self.attend(deadline)
    }

    pub(super) fn attend(&mut self, deadline: CdpDeadline) -> Result<(), PageError> {
        while let Some(event) = self.chromium.connection.next_event() {
            self.attend_to(&event, deadline)?;
        }
        Ok(())
    }

    fn attend_to(&mut self, event: &CdpEvent, deadline: CdpDeadline) -> Result<(), PageError> {
        let Some(tab_idx) = self.tab_of(event) else { return Ok(()) };
        let params = &event.params;
        match event.method.as_str() {
            "Emulation.virtualTimeBudgetExpired" => self.tabs[tab_idx].is_budget_spent = true,
            "Runtime.bindingCalled" => self.hear(params["payload"].as_str().unwrap_or_default())?,
            "Fetch.requestPaused" => self.serve(params, tab_idx)?,
            "Target.attachedToTarget" if !self.is_own_session(&params["sessionId"]) => {
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
            other => self.follow(other, params, tab_idx),
        }
        Ok(())
    }

    /// The tab that an event belongs to: the shown one for what the browser says of itself, none for strangers' events.
    fn tab_of(&self, event: &CdpEvent) -> Option<usize> {
        match &event.session {
            None => Some(self.shown),
            Some(session) => self.tabs.iter().position(|tab| tab.session == *session),
        }
    }

    /// Takes what a page tells: an app its document, the prelude of sites what was clicked.
    fn hear(&mut self, text: &str) -> Result<(), PageError> {
        match self.gate.sites() {
            None => self.inbox.take(text).map_err(PageError::App),
            Some(_) => self.take_wish(text),
        }
    }

    /// Serves a request, or refuses it.
    fn serve(&mut self, params: &Value, tab_idx: usize) -> Result<(), PageError> {
        let request = &params["request"];
        let tab = &self.tabs[tab_idx];
        let is_page = params["resourceType"] == "Document";
        let request = PausedRequest {
            method: request["method"].as_str().unwrap_or_default(),
            address: request["url"].as_str().unwrap_or_default(),
            body: request["postData"].as_str().unwrap_or_default().into(),
            body_type: header(&request["headers"], "content-type"),
            tab: tab.number,
            purpose: if is_page { tab.purpose } else { RequestPurpose::Part },
        };
        let id = &params["requestId"];
        let answer = if let Some(answer) = self.gate.answer(&request) {
            let named = answer.headers.iter().map(|(name, value)| json!({ "name": name, "value": value }));
            let headers: Vec<Value> = named.collect();
            let body = STANDARD.encode(&answer.body);
            json!({ "requestId": id, "responseCode": answer.status, "responseHeaders": headers, "body": body })
        } else {
            // A request that fails outright can leave the page's clock waiting for it, so it is answered: with nothing.
            let anyone = json!([{ "name": "access-control-allow-origin", "value": "*" }]);
            json!({ "requestId": id, "responseCode": 403, "responseHeaders": anyone })
        };
        let session = &self.tabs[tab_idx].session;
        let sent = self.chromium.connection.send(Some(session), "Fetch.fulfillRequest", answer)?;
        self.forget(sent);
        Ok(())
    }

    fn is_own_session(&self, session: &Value) -> bool {
        self.tabs.iter().any(|tab| *session == tab.session.as_str())
    }

    /// Whether a target is a page of this context that we did not open.
    fn is_stranger(&self, target: &Value) -> bool {
        let is_own = self.tabs.iter().any(|tab| target["targetId"] == tab.target.as_str());
        target["browserContextId"] == self.context.as_str() && !is_own
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

/// A header by its name, however that is written.
fn header<'a>(headers: &'a Value, name: &str) -> &'a str {
    let headers = headers.as_object().into_iter().flatten();
    let found = headers.filter(|(known, _)| known.eq_ignore_ascii_case(name)).find_map(|(_, value)| value.as_str());
    found.unwrap_or_default()
}
