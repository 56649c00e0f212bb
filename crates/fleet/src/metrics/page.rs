//! The page over HTTP: `/metrics` for Prometheus, `/healthz` and `/readyz` for whoever restarts processes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::Metrics;

/// The form in which the page is written.
const FORM: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum NotServed {
    /// The address is none.
    #[error("`{0}` is no address for metrics\nhint: write a port, or an address with one: `9464`, `0.0.0.0:9464`")]
    Address(String),
    /// Nothing can listen there.
    #[error("cannot serve metrics at {address}: {why}")]
    Taken {
        /// Where.
        address: SocketAddr,
        /// Why.
        why: std::io::Error,
    },
}

/// The page, for as long as this is kept.
#[derive(Debug)]
pub struct ServedMetrics {
    /// Where it is.
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for ServedMetrics {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves the page. A port alone means this machine only; port 0 means any free one.
pub async fn serve(address: &str, metrics: Arc<Metrics>) -> Result<ServedMetrics, NotServed> {
    let address = parse(address)?;
    let taken = |why| NotServed::Taken { address, why };
    let listener = TcpListener::bind(address).await.map_err(taken)?;
    let bound = listener.local_addr().map_err(taken)?;
    let pages = Router::new()
        .route("/metrics", get(page))
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(readiness))
        .with_state(metrics);
    let task = tokio::spawn(async move {
        // Accepting goes on through every error of a single connection; it has no end of its own.
        drop(axum::serve(listener, pages).await);
    });
    Ok(ServedMetrics { address: bound, task })
}

async fn page(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    ([(CONTENT_TYPE, FORM)], metrics.text())
}

async fn readiness(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    if metrics.is_ready() { (StatusCode::OK, "ready\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") }
}

fn parse(text: &str) -> Result<SocketAddr, NotServed> {
    let port = text.strip_prefix(':').unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    text.parse().map_err(|_unreadable| NotServed::Address(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_stays_on_this_machine() {
        for (text, meant) in [
            ("9464", "127.0.0.1:9464"),
            (":9464", "127.0.0.1:9464"),
            ("0.0.0.0:9464", "0.0.0.0:9464"),
            ("[::1]:9464", "[::1]:9464"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), meant, "{text}");
        }
        for bad in ["", "localhost", "1.2.3.4", "70000", "host:9464"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
