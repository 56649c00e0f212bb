//! The one runtime that all clients of providers share, and the one HTTP client.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// How long it may take to reach a provider at all.
const CONNECT: Duration = Duration::from_secs(20);

/// The runtime that clients of providers run on. Threads that wait for an answer drive their own call; the runtime's own
/// threads only keep connections alive.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("providers")
            .enable_all()
            .build()
            .expect("a process that can start threads can start a runtime")
    })
}

/// A client with pooled connections and no timeout of its own: every call has its deadline.
pub fn client() -> Result<reqwest::Client, String> {
    with_ring();
    let builder = reqwest::Client::builder()
        .user_agent(concat!("quintain/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none());
    builder.build().map_err(|error| format!("the HTTP client cannot be set up: {error}"))
}

/// TLS is done by ring, unless the process has decided otherwise before.
fn with_ring() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Another thread may have been faster: then there is a provider, which is all we want.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}
