//! The host's end of a way out: a socket with a name, behind which is a port of the host's loopback.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

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
        let join = move || join(&connection, port);
        // A connection that cannot be joined is closed; whoever made it notices.
        thread::Builder::new().name("sandbox-relay-copy".to_owned()).spawn(join).ok();
    }
}

fn join(inside: &UnixStream, port: u16) -> io::Result<()> {
    let outside = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    let (mut from_inside, mut to_outside) = (inside.try_clone()?, outside.try_clone()?);
    let forward = thread::Builder::new().spawn(move || {
        io::copy(&mut from_inside, &mut to_outside).ok();
        to_outside.shutdown(Shutdown::Write).ok();
    })?;
    let (mut from_outside, mut to_inside) = (outside, inside.try_clone()?);
    io::copy(&mut from_outside, &mut to_inside).ok();
    to_inside.shutdown(Shutdown::Write).ok();
    forward.join().ok();
    Ok(())
}
