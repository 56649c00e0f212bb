//! A way out that was granted: a port of the sandbox's own loopback, behind which a socket leads to the host.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;

use crate::joining;

/// Listens from now on.
pub(crate) fn open(port: u16, socket: PathBuf) -> Result<(), String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| format!("port {port}: {why}"))?;
    let listen = move || {
        for connection in listener.incoming().flatten() {
            let socket = socket.clone();
            // A connection that cannot be joined is closed; whoever made it notices.
            thread::Builder::new().spawn(move || join(connection, &socket).ok()).ok();
        }
    };
    thread::Builder::new().spawn(listen).map_err(|why| format!("port {port}: {why}"))?;
    Ok(())
}

fn join(inside: TcpStream, socket: &Path) -> io::Result<()> {
    joining::join(inside, UnixStream::connect(socket)?)
}
