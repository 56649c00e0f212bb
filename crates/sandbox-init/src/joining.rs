//! Two ends of a relay made one: whatever comes out of either goes into the other.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;

/// Passes everything on until both ends are closed.
pub fn join(port: TcpStream, socket: UnixStream) -> io::Result<()> {
    let (mut from_port, mut to_socket) = (port.try_clone()?, socket.try_clone()?);
    let forward = thread::Builder::new().spawn(move || {
        io::copy(&mut from_port, &mut to_socket).ok();
        to_socket.shutdown(Shutdown::Write).ok();
    })?;
    let (mut from_socket, mut to_port) = (socket, port);
    io::copy(&mut from_socket, &mut to_port).ok();
    to_port.shutdown(Shutdown::Write).ok();
    forward.join().ok();
    Ok(())
}
