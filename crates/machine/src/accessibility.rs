//! What programs tell of what they show: the accessibility bus.

mod element;
mod walk;

use std::os::unix::net::UnixStream;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use zbus::AuthMechanism;
use zbus::connection::Builder as ConnectionBuilder;

use crate::machine::MachineFault;
pub use element::AccessibleElement;

/// What an element is at the moment.
pub use atspi::State as AccessibleState;

/// A connection to the accessibility bus of a session.
pub(crate) struct AccessibilityBus {
    runtime: Runtime,
    connection: zbus::Connection,
}

impl AccessibilityBus {
    /// The bus behind a connection. Whoever is outside is nobody to those inside, and the bus lets in whoever says so.
    pub(crate) fn over(socket: UnixStream, within: Duration) -> Result<Self, MachineFault> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(broken)?;
        socket.set_nonblocking(true).map_err(broken)?;
        let connection = runtime.block_on(async {
            let socket = tokio::net::UnixStream::from_std(socket).map_err(broken)?;
            let built = ConnectionBuilder::unix_stream(socket).auth_mechanism(AuthMechanism::Anonymous).build();
            in_time(within, built).await?.map_err(broken)
        })?;
        Ok(Self { runtime, connection })
    }

    /// Everything that programs tell, a tree for each. What goes while it is read is left out.
    pub(crate) fn read(&mut self, within: Duration) -> Result<Vec<AccessibleElement>, MachineFault> {
        self.runtime.block_on(async { in_time(within, walk::programs(&self.connection)).await?.map_err(broken) })
    }
}

async fn in_time<T>(within: Duration, work: impl Future<Output = T>) -> Result<T, MachineFault> {
    let late = |_elapsed| MachineFault::Stuck("programs did not tell what they show".to_owned());
    tokio::time::timeout(within, work).await.map_err(late)
}

fn broken(error: impl std::fmt::Display) -> MachineFault {
    MachineFault::Display(format!("what programs show cannot be read: {error}"))
}
