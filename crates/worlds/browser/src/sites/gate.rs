//! What the pages of a web may ask for: the answers of its own hosts, and nothing else.

use std::borrow::Cow;

use serde_json::Value;

use super::address::{AddressScheme, SiteAddress, TypedText, fields};
use super::notices;
use super::server::{PageMedium, ServerMethod, ServerRequest, ServerResponse, SiteServer};
use super::visits::{FormWrite, PAGE, PART, SiteVisit, VisitLog, as_object};
use crate::gate::{RefusalList, shortened};
use crate::page_gate::{GateAnswer, PausedRequest, RequestPurpose};

/// How a form must be written to be read.
const FORM: &str = "application/x-www-form-urlencoded";
/// The most that one form may send.
const MAX_FORM: usize = 1 << 20;
/// So many answers to forms are remembered, for those who come back to them.
const MAX_REMEMBERED: usize = 50;

/// Hands requests to the sites and keeps what was asked.
pub(crate) struct SiteGate {
    server: Box<dyn SiteServer>,
    hosts: Vec<String>,
    policy: String,
    medium: PageMedium,
    step: u32,
    log: VisitLog,
    refused: RefusalList,
    /// Answers to forms that were no redirections: who comes back to one sees it again, and sends nothing.
    remembered: Vec<RememberedAnswer>,
}

struct RememberedAnswer {
    address: String,
    form: String,
    response: ServerResponse,
}

impl SiteGate {
    pub(crate) fn new(server: Box<dyn SiteServer>, medium: PageMedium) -> Self {
        let hosts = server.hosts();
        let policy = policy(&hosts);
        let (log, refused) = (VisitLog::default(), RefusalList::default());
        Self { server, hosts, policy, medium, step: 0, log, refused, remembered: Vec::new() }
    }

    /// Another action begins: what is asked from now on belongs to it.
    pub(crate) fn begin_step(&mut self) {
        self.step += 1;
    }

    pub(crate) fn home(&self) -> String {
        self.server.home()
    }

    /// Whether somebody may try to go to an address. Hosts that do not exist are found not to exist.
    pub(crate) fn is_reachable(address: &str) -> bool {
        SiteAddress::parse(address).is_some()
    }

    /// The address that a typed text means, or what it is where that is out of bounds.
    pub(crate) fn meant_by(&self, typed: &str) -> Result<String, String> {
        match TypedText::read(typed) {
            TypedText::Address(address) => Ok(address),
            TypedText::Foreign(what) => Err(what),
            TypedText::Words(words) => {
                let words = words.trim();
                Ok(self.server.search_address(words).unwrap_or_else(|| format!("https://{}/", words.replace(' ', "-"))))
            }
        }
    }

    /// The address that is written in a text, or what it is where that is out of bounds; nothing where it is no address.
    pub(crate) fn address_in(&self, text: &str) -> Option<Result<String, String>> {
        match TypedText::read(text) {
            TypedText::Words(_) => None,
            TypedText::Address(_) | TypedText::Foreign(_) => Some(self.meant_by(text)),
        }
    }

    /// The address that answers words.
    pub(crate) fn search_address(&self, words: &str) -> Option<String> {
        self.server.search_address(words.trim())
    }

    pub(crate) fn refuse(&mut self, what: impl Into<String>) {
        self.refused.add(what);
    }

    pub(crate) fn refused(&self) -> &[String] {
        self.refused.lines()
    }

    /// The state of the sites, every answered request, everything that was sent.
    pub(crate) fn state(&self) -> Value {
        self.server.state()
    }

    pub(crate) fn visits(&self) -> Value {
        self.log.visits()
    }

    pub(crate) fn writes(&self) -> Value {
        self.log.writes()
    }

    pub(crate) fn n_changes(&self) -> u64 {
        self.server.n_changes()
    }

    /// The answer to a request of a page; nothing for parts that lead outside.
    pub(crate) fn answer(&mut self, request: &PausedRequest<'_>) -> Option<GateAnswer> {
        let address = SiteAddress::parse(request.address);
        match address.filter(|address| self.hosts.contains(&address.host)) {
            Some(address) if address.scheme == AddressScheme::Http => Some(self.redirection(308, address.text())),
            Some(address) => Some(self.ask(request, &address)),
            None => self.turn_away(request),
        }
    }

    fn turn_away(&mut self, request: &PausedRequest<'_>) -> Option<GateAnswer> {
        self.refuse(format!("{} {}", request.method, shortened(request.address)));
        let host = SiteAddress::parse(request.address)?.host;
        (request.purpose != RequestPurpose::Part)
            .then(|| self.served(ServerResponse::page(502, notices::unknown_host(&host))))
    }

    fn ask(&mut self, request: &PausedRequest<'_>, address: &SiteAddress) -> GateAnswer {
        let response = match read(request, address, self.medium) {
            Ok(asked) => self.responded(request, &asked),
            Err(status) => ServerResponse::page(status, notices::no_page(&address.text())),
        };
        let response = presentable(response, &address.text());
        self.take_down(request, address, &response);
        self.served(response)
    }

    fn responded(&mut self, request: &PausedRequest<'_>, asked: &ServerRequest) -> ServerResponse {
        if asked.method == ServerMethod::Get {
            return self.server.respond(asked);
        }
        let is_same = |known: &&RememberedAnswer| known.address == request.address && known.form == request.body;
        if request.purpose == RequestPurpose::PageAgain
            && let Some(known) = self.remembered.iter().rev().find(is_same)
        {
            return known.response.clone();
        }
        let response = self.server.respond(asked);
        self.log.write(FormWrite {
            step: self.step,
            tab: request.tab,
            address: request.address.to_owned(),
            fields: as_object(&asked.form),
            status: response.status,
        });
        self.remember(request, &response);
        response
    }

    fn remember(&mut self, request: &PausedRequest<'_>, response: &ServerResponse) {
        if response.location.is_some() {
            return;
        }
        if self.remembered.len() == MAX_REMEMBERED {
            self.remembered.remove(0);
        }
        let (address, form) = (request.address.to_owned(), request.body.clone().into_owned());
        self.remembered.push(RememberedAnswer { address, form, response: response.clone() });
    }

    fn take_down(&mut self, request: &PausedRequest<'_>, address: &SiteAddress, response: &ServerResponse) {
        self.log.visit(SiteVisit {
            step: self.step,
            tab: request.tab,
            method: request.method.to_owned(),
            address: address.text(),
            status: response.status,
            kind: if request.purpose == RequestPurpose::Part { PART } else { PAGE },
            stated: response.stated,
            facts: response.facts.clone(),
        });
    }

    fn redirection(&self, status: u16, location: String) -> GateAnswer {
        self.served(ServerResponse { location: Some(location), ..ServerResponse::page(status, "") })
    }

    fn served(&self, response: ServerResponse) -> GateAnswer {
        let mut headers = vec![
            ("content-type", response.content.mime().to_owned()),
            ("content-security-policy", self.policy.clone()),
            ("x-content-type-options", "nosniff".to_owned()),
            ("cache-control", "no-store".to_owned()),
        ];
        headers.extend(response.location.map(|location| ("location", location)));
        GateAnswer { status: response.status, headers, body: Cow::Owned(response.content.into_bytes()) }
    }
}

/// The request as the sites see it, or the status of a refusal.
fn read(request: &PausedRequest<'_>, address: &SiteAddress, medium: PageMedium) -> Result<ServerRequest, u16> {
    let (method, form) = match request.method {
        "GET" => (ServerMethod::Get, Vec::new()),
        "POST" if request.body.len() > MAX_FORM => return Err(413),
        "POST" if !request.body_type.starts_with(FORM) && !request.body.is_empty() => return Err(415),
        "POST" => (ServerMethod::Post, fields(&request.body)),
        _ => return Err(405),
    };
    Ok(ServerRequest {
        method,
        address: address.text(),
        host: address.host.clone(),
        path: address.path(),
        query: address.query(),
        form,
        body: request.body.clone().into_owned(),
        medium,
    })
}

/// What the pages may load and send: their own hosts' things, no scripts.
fn policy(hosts: &[String]) -> String {
    let hosts: Vec<String> = hosts.iter().map(|host| format!("https://{host}")).collect();
    let hosts = hosts.join(" ");
    format!(
        "default-src 'none'; style-src 'unsafe-inline' {hosts}; img-src data: {hosts}; font-src data: {hosts}; \
         form-action {hosts}; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Answers without a page leave a browser waiting, so there are none; and a redirection leads somewhere.
fn presentable(response: ServerResponse, address: &str) -> ServerResponse {
    let is_page = matches!(response.status, 200..=203 | 400..=599);
    let is_way = matches!(response.status, 301..=303 | 307 | 308) && response.location.is_some();
    match (is_page, is_way) {
        (true, _) => ServerResponse { location: None, ..response },
        (_, true) => response,
        _ => ServerResponse::page(500, notices::no_page(address)),
    }
}

#[cfg(test)]
mod tests;
