//! A server on loopback that answers until it is dropped.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::own_host::at_own_host;

/// How long answers that are under way may take when the server closes.
const CLOSING_LIMIT: Duration = Duration::from_secs(2);

/// A server on loopback. When it is dropped, it closes.
pub(crate) struct RunningServer {
    address: SocketAddr,
    close: Option<(oneshot::Sender<()>, JoinHandle<io::Result<()>>)>,
    runtime: Option<Runtime>,
}

impl RunningServer {
    /// Serves what is made for the address; port 0 means any that is free.
    pub(crate) fn open(port: u16, routes: impl FnOnce(SocketAddr) -> Router) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("quintain-house")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let server = at_own_host(routes(address), address);
        let (close, closed) = oneshot::channel();
        let serving = axum::serve(listener, server).with_graceful_shutdown(async {
            // An error means that whoever would close it is gone, which is the same.
            drop(closed.await);
        });
        let task = runtime.spawn(async { serving.await });
        Ok(Self { address, close: Some((close, task)), runtime: Some(runtime) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it does its work.
    pub(crate) fn runtime(&self) -> Handle {
        self.runtime.as_ref().expect("a server has a runtime until it is dropped").handle().clone()
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let (Some(runtime), Some((close, task))) = (self.runtime.take(), self.close.take()) else { return };
        // Whoever is not done by then is cut off; a server that broke has nothing left to close.
        let _gone = close.send(());
        drop(runtime.block_on(async { tokio::time::timeout(CLOSING_LIMIT, task).await }));
        runtime.shutdown_background();
    }
}
