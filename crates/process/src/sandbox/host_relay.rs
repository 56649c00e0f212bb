//! The host's end of a way out: a socket with a name, behind which is a port of the host's loopback.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use quintain_sandbox_init::joining;

/// A socket that leads to a port. Whoever is given it reaches that port and no other. It is closed when this is dropped.
#[derive(Debug)]
pub struct HostRelay {
    port: u16,
    socket: PathBuf,
    is_over: Arc<AtomicBool>,
    _folder: tempfile::TempDir,
}

impl HostRelay {
    /// A socket that leads to a port of this host's loopback.
    pub fn to(port: u16) -> io::Result<Self> {
        // Sandboxes may be another user; others on this host reach the port itself as well.
        let folder = tempfile::Builder::new().prefix("quintain-relay-").tempdir()?;
        let socket = folder.path().join("socket");
        let listener = UnixListener::bind(&socket)?;
        fs::set_permissions(&socket, fs::Permissions::from_mode(0o666))?;
        let is_over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_over);
        thread::Builder::new().name("sandbox-relay".to_owned()).spawn(move || listen(&listener, port, &ended))?;
        Ok(Self { port, socket, is_over, _folder: folder })
    }

    /// The port that it leads to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where it is.
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for HostRelay {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread, which then sees that it is over.
        UnixStream::connect(&self.socket).ok();
    }
}

fn listen(listener: &UnixListener, port: u16, is_over: &AtomicBool) {
    for connection in listener.incoming().flatten() {
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        let join = move || join(connection, port);
        // A connection that cannot be joined is closed; whoever made it notices.
        thread::Builder::new().name("sandbox-relay-copy".to_owned()).spawn(join).ok();
    }
}

fn join(inside: UnixStream, port: u16) -> io::Result<()> {
    joining::join(TcpStream::connect((Ipv4Addr::LOCALHOST, port))?, inside)
}
