//! A way out that was granted: a port of the sandbox's own loopback, behind which a socket leads to the host.

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;

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
    let outside = UnixStream::connect(socket)?;
    let (mut from_inside, mut to_outside) = (inside.try_clone()?, outside.try_clone()?);
    let forward = thread::Builder::new().spawn(move || {
        io::copy(&mut from_inside, &mut to_outside).ok();
        to_outside.shutdown(Shutdown::Write).ok();
    })?;
    let (mut from_outside, mut to_inside) = (outside, inside);
    io::copy(&mut from_outside, &mut to_inside).ok();
    to_inside.shutdown(Shutdown::Write).ok();
    forward.join().ok();
    Ok(())
}
