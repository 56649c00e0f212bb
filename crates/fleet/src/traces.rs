//! Traces for whoever watches agents with OpenTelemetry: one tree of spans for each trial that is sampled, sent as OTLP over
//! HTTP in JSON, where `OTEL_EXPORTER_OTLP_ENDPOINT` says where to.
//!
//! The record is the truth and a trace is a courtesy: offering one never waits, and one that cannot be sent is dropped and
//! counted. The `opentelemetry` crates are not used because they break every few months and collect spans as they happen,
//! while ours are made from the record when a trial is over, in a few dozen lines.

mod settings;
mod spans;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

pub use settings::TraceSettings;
pub use spans::PlayedAttempt;

/// How many trials wait to be sent at most; more are dropped.
const QUEUE: usize = 256;

/// How many trials travel in one request at most.
const BATCH: usize = 32;

/// How long one request may take.
const WITHIN: Duration = Duration::from_secs(10);

/// Sends traces of trials that are over.
#[derive(Debug)]
pub struct Tracer {
    ratio: f64,
    queue: mpsc::Sender<TraceOrder>,
    n_dropped: Arc<AtomicU64>,
}

/// What is waiting to be done.
#[derive(Debug)]
enum TraceOrder {
    /// Send this.
    Send(PlayedAttempt),
    /// Say when all before was sent.
    Tell(oneshot::Sender<()>),
}

impl Tracer {
    /// A tracer as the environment asks for, if it does. `host` names who played.
    pub fn from_environment(host: &str, runtime: &Handle) -> Option<Self> {
        let settings = TraceSettings::read(|name| std::env::var(name).ok())?;
        Some(Self::start(settings, host, runtime))
    }

    /// A tracer that sends from that runtime.
    pub fn start(settings: TraceSettings, host: &str, runtime: &Handle) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let n_dropped = Arc::new(AtomicU64::new(0));
        let ratio = settings.ratio;
        let sender = Sender { settings, host: host.to_owned(), n_dropped: Arc::clone(&n_dropped) };
        runtime.spawn(sender.serve(waiting));
        Self { ratio, queue, n_dropped }
    }

    /// Whether this attempt is among those that are traced: every host decides the same.
    pub fn wants(&self, run: &str, trial: &str, attempt: u32) -> bool {
        spans::is_sampled(&spans::trace_id(run, trial, attempt), self.ratio)
    }

    /// Hands over an attempt that is over. It is dropped where too many wait.
    pub fn offer(&self, played: PlayedAttempt) {
        if self.wants(&played.run, &played.trial, played.attempt)
            && self.queue.try_send(TraceOrder::Send(played)).is_err()
        {
            self.n_dropped.fetch_add(1, Relaxed);
        }
    }

    /// How many traces were dropped because they could not be sent.
    pub fn n_dropped(&self) -> u64 {
        self.n_dropped.load(Relaxed)
    }

    /// Waits until everything offered so far was sent or dropped, for so long at most. Returns how many were dropped.
    pub async fn flush(&self, within: Duration) -> u64 {
        let (done, is_done) = oneshot::channel();
        let sent = async {
            if self.queue.send(TraceOrder::Tell(done)).await.is_ok() {
                drop(is_done.await);
            }
        };
        drop(tokio::time::timeout(within, sent).await);
        self.n_dropped()
    }
}

struct Sender {
    settings: TraceSettings,
    host: String,
    n_dropped: Arc<AtomicU64>,
}

impl Sender {
    async fn serve(self, mut waiting: mpsc::Receiver<TraceOrder>) {
        // Another part of the process may have chosen already, and then chose the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let Ok(client) = reqwest::Client::builder().timeout(WITHIN).build() else { return };
        let mut batch = Vec::with_capacity(BATCH);
        while waiting.recv_many(&mut batch, BATCH).await > 0 {
            let (mut spans, mut n_traces, mut told) = (Vec::new(), 0, Vec::new());
            for order in batch.drain(..) {
                match order {
                    TraceOrder::Send(played) => {
                        n_traces += 1;
                        spans.extend(spans::tree(&played));
                    }
                    TraceOrder::Tell(done) => told.push(done),
                }
            }
            let body = wire::request(&self.host, &self.settings.service, spans);
            if n_traces > 0 && !self.send(&client, &body).await {
                self.n_dropped.fetch_add(n_traces, Relaxed);
            }
            for done in told {
                // Who waits no longer need not be told.
                done.send(()).ok();
            }
        }
    }

    async fn send(&self, client: &reqwest::Client, body: &serde_json::Value) -> bool {
        let mut request = client.post(&self.settings.url).json(body);
        for (name, value) in &self.settings.headers {
            request = request.header(name, value);
        }
        request.send().await.is_ok_and(|response| response.status().is_success())
    }
}

#[cfg(test)]
mod tests;
