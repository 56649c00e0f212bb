//! The front of a bridge: an address that it listens on.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;

use super::own_host::at_own_host;

/// An address that is taken and not served yet, so that what is served can know it.
#[derive(Debug)]
pub struct ReservedAddress {
    listener: TcpListener,
    address: SocketAddr,
}

impl ReservedAddress {
    /// Takes an address; port 0 means any that is free.
    pub async fn open(host: &str, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((host, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The address, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves until the runtime ends.
    pub async fn serve(self, router: Router) -> io::Result<()> {
        axum::serve(self.listener, at_own_host(router, self.address)).await
    }
}
