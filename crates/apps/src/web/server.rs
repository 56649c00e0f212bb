//! The sites of a world, as the browser asks for them.

use std::sync::Arc;

use quintain_browser::{PageMedium, ServerMethod, ServerRequest, ServerResponse, SiteContent, SiteServer};
use quintain_chains::{WORLDS, WorldAddress};
use quintain_sites::{SiteHost, SiteMethod, SiteRequest, SiteState, Web, respond, respond_in_words, search_address};
use serde_json::Value;

/// The sites of a world, and what was changed on them.
pub(super) struct WebServer {
    web: Arc<Web>,
    state: SiteState,
    n_changes: u64,
}

impl WebServer {
    /// The sites of the world that a document names.
    pub(super) fn open(document: &Value) -> Result<Self, String> {
        let key = WorldAddress::of_document(document)?;
        Ok(Self { web: WORLDS.web(key), state: SiteState::default(), n_changes: 0 })
    }
}

impl SiteServer for WebServer {
    fn hosts(&self) -> Vec<String> {
        SiteHost::ALL.into_iter().map(SiteHost::name).collect()
    }

    fn home(&self) -> String {
        SiteHost::Find.home()
    }

    fn respond(&mut self, request: &ServerRequest) -> ServerResponse {
        let method = match request.method {
            ServerMethod::Get => SiteMethod::Get,
            ServerMethod::Post => SiteMethod::Post,
        };
        let before = self.state.clone();
        let asked = SiteRequest { method, url: request.address.clone(), body: request.body.clone() };
        let answer = match request.medium {
            PageMedium::Screen => respond(&self.web, &mut self.state, &asked),
            PageMedium::Text => respond_in_words(&self.web, &mut self.state, &asked),
        };
        self.n_changes += u64::from(self.state != before);
        let content = SiteContent::of_type(answer.content_type, answer.html);
        let shown = ServerResponse { location: answer.location, ..ServerResponse::of(answer.status, content) };
        shown.stating(answer.stated.len() as u32, None)
    }

    fn state(&self) -> Value {
        self.state.document()
    }

    fn n_changes(&self) -> u64 {
        self.n_changes
    }

    fn search_address(&self, words: &str) -> Option<String> {
        Some(search_address(words))
    }
}
