//! The `OpenEnv` protocol, for trainers: `/reset`, `/step`, `/state` over HTTP and `/ws`, one trial for each episode.
//!
//! A trainer stands on the side of the orchestration: unlike an agent, it chooses what is played and is told the score,
//! as the reward of the last step. Sessions are limited in number, and silent ones are ended; that cannot be turned off.

mod discovery;
mod message;
mod plain;
mod socket;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use quintain_core::Briefing;
use serde_json::{Value, json};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use super::offered_tasks::{NotBegun, OfferedTasks, TrialStarter};
use super::session::GuestSession;
use message::{ErrorCode, OpenEnvFailure, Reset};

/// An environment server.
pub struct OpenEnv {
    reception: Arc<dyn TrialStarter>,
    menu: OfferedTasks,
    seats: Arc<Semaphore>,
    options: OpenEnvOptions,
    n_begun: AtomicU64,
    episodes: Mutex<Episodes>,
}

/// How an environment server takes guests.
#[derive(Clone, Copy, Debug)]
pub struct OpenEnvOptions {
    /// How many sessions there may be at once.
    pub capacity: usize,
    /// How long a session may be silent before it is ended.
    pub idle: Duration,
}

impl Default for OpenEnvOptions {
    fn default() -> Self {
        Self { capacity: 1024, idle: Duration::from_mins(10) }
    }
}

/// The episodes that are played over plain HTTP, and which of them began last.
#[derive(Default)]
struct Episodes {
    by_id: HashMap<String, Arc<Mutex<TrainerEpisode>>>,
    last: Option<String>,
}

/// One trial, as a trainer plays it.
struct TrainerEpisode {
    id: String,
    session: GuestSession,
    n_steps: u32,
    _seat: Option<OwnedSemaphorePermit>,
}

impl OpenEnv {
    /// A server that begins trials of what is on the menu.
    pub fn new(reception: Arc<dyn TrialStarter>, menu: OfferedTasks, options: OpenEnvOptions) -> Arc<Self> {
        Arc::new(Self {
            reception,
            menu,
            seats: Arc::new(Semaphore::new(options.capacity)),
            options,
            n_begun: AtomicU64::new(0),
            episodes: Mutex::default(),
        })
    }

    /// The protocol's addresses, below a path.
    pub fn router(self: Arc<Self>, path: &str) -> Router {
        let env = Router::new()
            .route("/reset", post(plain::reset))
            .route("/step", post(plain::step))
            .route("/state", get(plain::state))
            .route("/schema", get(plain::schema))
            .route("/metadata", get(plain::metadata))
            .route("/health", get(plain::health))
            .route("/openapi.json", get(discovery::openapi))
            .route("/mcp", post(discovery::mcp))
            .route("/list_environments", get(discovery::environments))
            .route("/quintain/splits", get(discovery::splits))
            .route("/quintain/tasks", post(discovery::tasks))
            .route("/quintain/num_tasks", post(discovery::num_tasks))
            .route("/quintain/task", post(discovery::task))
            .route("/quintain/task_range", post(discovery::task_range))
            .route("/ws", get(socket::upgrade))
            .layer(axum::middleware::from_fn(no_web_pages))
            .with_state(self);
        Router::new().nest(path, env)
    }

    /// A place for one more session.
    fn seat(&self) -> Result<OwnedSemaphorePermit, OpenEnvFailure> {
        Arc::clone(&self.seats).try_acquire_owned().map_err(|_full| {
            let max = self.options.capacity;
            OpenEnvFailure::new(ErrorCode::CapacityReached, format!("all {max} sessions are taken; try again later"))
                .with("active_sessions", json!(max - self.seats.available_permits().min(max)))
                .with("max_sessions", json!(max))
        })
    }

    /// Begins the trial that a trainer asks for.
    async fn begin(&self, reset: &Reset, seat: Option<OwnedSemaphorePermit>) -> Result<TrainerEpisode, OpenEnvFailure> {
        let n_before = self.n_begun.fetch_add(1, Ordering::Relaxed);
        let listed = reset.index.and_then(|index| self.menu.dishes().get(index));
        let task = reset.task.clone().or_else(|| listed.map(|dish| dish.instance.to_string()));
        if let (None, Some(index)) = (&task, reset.index) {
            let why = format!("there is no task {index}: there are {}", self.menu.dishes().len());
            return Err(OpenEnvFailure::new(ErrorCode::ValidationError, why));
        }
        let instance = self.menu.choose(task.as_deref(), reset.seed, n_before)?;
        let session = GuestSession::begin(Arc::clone(&self.reception), instance).await?;
        let id = reset.episode_id.clone().unwrap_or_else(|| session.trial().to_string());
        Ok(TrainerEpisode { id, session, n_steps: 0, _seat: seat })
    }
}

impl TrainerEpisode {
    /// What the first observation tells besides: the task and what can be done.
    async fn opening(&mut self) -> Result<Value, OpenEnvFailure> {
        let (trial, briefing) = (self.session.trial().to_string(), self.session.briefing().clone());
        let mut observed = message::observed(self.session.at().await, None)?;
        observed["observation"]["instruction"] = briefing.instruction.clone().into();
        observed["observation"]["actions"] = actions(&briefing);
        observed["observation"]["episode_id"] = self.id.clone().into();
        observed["metadata"] = json!({ "trial": trial });
        Ok(observed)
    }

    async fn step(&mut self, action: &Value) -> Result<Value, OpenEnvFailure> {
        let reply = message::reply(action, &self.session.briefing().surface)?;
        if self.is_over().await {
            let why = "the episode is over; reset to begin another";
            return Err(OpenEnvFailure::new(ErrorCode::ExecutionError, why));
        }
        self.n_steps += 1;
        message::observed(self.session.reply(reply).await, Some(0.0))
    }

    async fn is_over(&mut self) -> bool {
        matches!(self.session.at().await, super::session::SessionState::Over(_))
    }

    fn state(&self) -> Value {
        json!({
            "episode_id": self.id,
            "step_count": self.n_steps,
            "trial": self.session.trial().to_string(),
        })
    }
}

/// Refuses what a web page sends: browsers name the page's origin, trainers have none.
async fn no_web_pages(request: axum::extract::Request, next: axum::middleware::Next) -> axum::response::Response {
    if request.headers().contains_key(axum::http::header::ORIGIN) {
        let why = "requests of web pages are refused";
        return axum::response::IntoResponse::into_response((axum::http::StatusCode::FORBIDDEN, why));
    }
    next.run(request).await
}

/// What can be done, as functions with the schema of their arguments.
fn actions(briefing: &Briefing) -> Value {
    use quintain_models::model::{Points, Tool};
    use quintain_models::tools::{Pointing, ScreenTool, tools};

    let listed =
        tools(&briefing.surface, briefing.answer.as_ref(), ScreenTool::Schema, Pointing::Points(Points::Pixels));
    let described = listed.into_iter().filter_map(|tool| match tool {
        Tool::Function { name, about, schema } => Some(json!({"name": name, "about": about, "arguments": schema})),
        Tool::Computer { .. } => None,
    });
    described.collect()
}

impl From<NotBegun> for OpenEnvFailure {
    fn from(why: NotBegun) -> Self {
        let code = match why {
            NotBegun::NotOffered { .. } => ErrorCode::ValidationError,
            NotBegun::Instance { .. } | NotBegun::Broke(_) => ErrorCode::FactoryError,
            NotBegun::Closed => ErrorCode::SessionError,
        };
        Self::new(code, why.to_string())
    }
}

#[cfg(test)]
mod tests;
