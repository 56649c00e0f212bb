//! The world's actions as tools of the Model Context Protocol, over standard input and output or streamable HTTP.
//!
//! A guest sees the task, the tools and what each of them returns. There is no way to begin again, to be judged, or to
//! the reference: [`McpServer`] answers `tools/list` and `tools/call` and offers nothing else.

use std::sync::{Arc, OnceLock};

use axum::Router;
use quintain_core::Reply;
use quintain_core::trial::TrialResult;
use quintain_models::model::{Points, Tool, ToolCall};
use quintain_models::tools::{self, Pointing, ScreenTool, Sight};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, DiscoverResult, Implementation,
    InitializeRequestParams, InitializeResult, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{QuitReason, RequestContext};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

use super::offered_tasks::NotBegun;
use super::seat::GuestEnd;
use super::session::SessionState;
use super::slot::GuestSlot;
use super::words;

/// The tool that shows the turn that waits, and takes no step: without it a guest would act before it has seen anything.
pub const LOOK: &str = "look";

/// What a guest is told once the trial is over. Nothing of the verdict.
const OVER: &str = "The trial is over.";

/// Where a guest's calls come in. Copies are the same desk.
#[derive(Clone)]
pub struct McpServer {
    slot: Arc<GuestSlot>,
    known: Arc<OnceLock<BegunTrial>>,
}

/// What is known of a trial once it has begun.
struct BegunTrial {
    instructions: String,
    tools: Vec<rmcp::model::Tool>,
    sight: Sight,
}

/// Why a guest could not be served.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The guest never said hello as it should.
    #[error("the client did not begin as the protocol wants: {0}")]
    Hello(String),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broke(String),
}

impl McpServer {
    /// A desk for one trial.
    pub fn new(slot: Arc<GuestSlot>) -> Self {
        Self { slot, known: Arc::default() }
    }

    /// Serves one guest on standard input and output until it closes them.
    pub async fn serve_stdio(self) -> Result<(), McpError> {
        let served = self.serve(rmcp::transport::stdio()).await.map_err(|error| McpError::Hello(error.to_string()))?;
        match served.waiting().await {
            Ok(QuitReason::Closed | QuitReason::Cancelled) => Ok(()),
            Ok(other) => Err(McpError::Broke(format!("{other:?}"))),
            Err(error) => Err(McpError::Broke(error.to_string())),
        }
    }

    /// The desk over HTTP, to be nested below an address of the trial's own. There are no sessions: whoever knows the
    /// address plays the trial, and may lose its connection and come back.
    pub fn router(self) -> Router {
        // By which hosts it may be asked follows from the address that it is served at (`own_host`): the protocol's own
        // list knows only loopback, and would refuse every client from elsewhere.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts();
        let service =
            StreamableHttpService::new(move || Ok(self.clone()), Arc::new(NeverSessionManager::default()), config);
        Router::new().fallback_service(service)
    }

    /// What is known of the trial, which begins now if it has not.
    async fn known(&self) -> Result<&BegunTrial, ErrorData> {
        if self.known.get().is_none() {
            let briefing = self.slot.briefing().await.map_err(refused)?;
            drop(self.known.set(BegunTrial::of(&briefing))); // Another request may have been first; it found the same.
        }
        self.known.get().ok_or_else(|| ErrorData::internal_error("the trial is not known", None))
    }

    async fn call(&self, request: CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let known = self.known().await?;
        let CallToolRequestParams { name, arguments, .. } = request;
        if !known.tools.iter().any(|tool| tool.name == name) {
            return Err(ErrorData::invalid_params(format!("there is no tool `{name}`"), None));
        }
        let was_over = matches!(self.slot.at().await.map_err(refused)?, SessionState::Over(_));
        let at = if name == LOOK { self.slot.at().await } else { self.slot.reply(known.reply(&name, arguments)).await };
        match at.map_err(refused)? {
            SessionState::Over(over) if was_over => {
                Ok(CallToolResult::error(vec![ContentBlock::text(farewell(&over))]))
            }
            SessionState::Over(over) => Ok(CallToolResult::success(vec![ContentBlock::text(farewell(&over))])),
            SessionState::Turn(shown) => {
                let broke = |error: std::io::Error| ErrorData::internal_error(error.to_string(), None);
                let pictures = words::pictures(&shown).map_err(broke)?;
                let images = pictures.into_iter().map(|(_, picture)| ContentBlock::image(picture, "image/png"));
                Ok(CallToolResult::success(
                    std::iter::once(ContentBlock::text(words::turn(&shown))).chain(images).collect(),
                ))
            }
        }
    }
}

impl BegunTrial {
    fn of(briefing: &quintain_core::Briefing) -> Self {
        let answer = briefing.answer.as_ref();
        let listed = tools::tools(&briefing.surface, answer, ScreenTool::Schema, Pointing::Points(Points::Pixels));
        let look = Tool::Function {
            name: LOOK.to_owned(),
            about: "Shows the current turn again. Takes no step.".to_owned(),
            schema: serde_json::json!({"type": "object", "properties": {}}).into(),
        };
        Self {
            instructions: words::instructions(briefing),
            tools: std::iter::once(look).chain(listed).filter_map(described).collect(),
            sight: Sight { computer: None, points: Points::Pixels, shown: briefing.surface.screen },
        }
    }

    fn reply(&self, name: &str, arguments: Option<JsonObject>) -> Reply {
        let input = Value::Object(arguments.unwrap_or_default());
        let call = ToolCall { id: String::new(), name: name.to_owned(), input, native: None, opaque: None };
        tools::read(&call, &self.sight)
    }
}

/// A tool as the protocol describes it.
fn described(tool: Tool) -> Option<rmcp::model::Tool> {
    match tool {
        Tool::Function { name, about, schema } => {
            Some(rmcp::model::Tool::new(name, about, schema.as_object()?.clone()))
        }
        Tool::Computer { .. } => None,
    }
}

/// A fault is told, so that a guest does not blame itself; a verdict is not.
fn farewell(over: &GuestEnd) -> String {
    match over {
        GuestEnd::Judged(TrialResult { verdict, .. }) if verdict.ending.is_fault() => {
            format!("{OVER} It broke, through no fault of yours.")
        }
        GuestEnd::Judged(_) => OVER.to_owned(),
        GuestEnd::PutDown => format!("{OVER} The host closes."),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refused(why: NotBegun) -> ErrorData {
    ErrorData::internal_error(why.to_string(), None)
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("quintain", env!("CARGO_PKG_VERSION")));
        match self.known.get() {
            Some(known) => info.with_instructions(known.instructions.clone()),
            None => info,
        }
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.known().await?;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.known().await?;
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), self.get_info()))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.known().await?.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request).await.map(CallToolResponse::from)
    }
}

#[cfg(test)]
mod tests;
