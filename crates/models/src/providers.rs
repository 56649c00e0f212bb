//! Clients of model providers: four wire formats behind one trait, and everything around a call: keys, retries, limits,
//! books.

pub mod anthropic;
mod body;
pub mod cache;
pub mod chat;
pub mod codec;
mod connection;
pub mod connections;
pub mod endpoint;
mod gcloud;
pub mod google;
mod http;
pub mod keys;
pub mod limiter;
mod mend;
pub mod provider;
mod reach;
pub mod responses;
pub mod retry;
pub mod runtime;
pub mod sse;

pub use connection::ModelConnection;
pub use connections::{ConnectOptions, Connections, NotConnected, codec};
pub use gcloud::GCLOUD;
pub use keys::{Secret, redact};
pub use provider::{ModelSpec, NotAModel, Provider};
pub use runtime::runtime;
