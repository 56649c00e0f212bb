//! The six calls of the kernel that the standard library does not have.

use std::io;
use std::os::fd::AsRawFd;

/// What a process may use: what it is held to, and how far it could raise that.
#[repr(C)]
struct ResourceLimit {
    current: u64,
    maximum: u64,
}

/// A descriptor that is waited for.
#[repr(C)]
struct PollRequest {
    descriptor: i32,
    wanted: i16,
    found: i16,
}

// Declared here because no crate may be in this program. None of them can be called wrongly: numbers are checked by the
// kernel, and what is pointed to is borrowed for the call, one of each.
#[expect(unsafe_code, reason = "declarations of the C library, all of them safe to call")]
unsafe extern "C" {
    safe fn poll(request: &mut PollRequest, n_requests: u64, millis: i32) -> i32;
    safe fn write(descriptor: i32, byte: &u8, n_bytes: usize) -> isize;
    safe fn close(descriptor: i32) -> i32;
    safe fn kill(process: i32, signal: i32) -> i32;
    safe fn setrlimit(resource: i32, limit: &ResourceLimit) -> i32;
    safe fn prctl(option: i32, ...) -> i32;
}

/// Kills a process and everything in its group.
pub(crate) fn kill_group(leader: u32) {
    const KILL: i32 = 9;
    if let Ok(leader) = i32::try_from(leader) {
        kill(-leader, KILL);
    }
}

/// Writes a byte to a descriptor that was inherited and that nobody else here knows of, and closes it.
pub(crate) fn say_and_close(descriptor: i32) -> io::Result<()> {
    let n_written = write(descriptor, &b'!', 1);
    let outcome = if n_written == 1 { Ok(()) } else { Err(io::Error::last_os_error()) };
    close(descriptor);
    outcome
}

/// Waits for so long, at most, until something can be read, or the other end is closed. Says whether it is so.
pub(crate) fn wait_to_read(from: &impl AsRawFd, millis: i32) -> bool {
    const TO_READ: i16 = 1;
    let mut request = PollRequest { descriptor: from.as_raw_fd(), wanted: TO_READ, found: 0 };
    poll(&mut request, 1, millis) > 0
}

/// Lets nobody else in the sandbox look into our memory or use our pipes.
pub(crate) fn keep_to_ourselves() {
    const SET_DUMPABLE: i32 = 4;
    prctl(SET_DUMPABLE, 0_u64, 0_u64, 0_u64, 0_u64);
}

/// Limits this process and whatever it starts.
pub(crate) fn limit(name: &str, number: u64) -> Result<(), String> {
    let resource = match name {
        "cpu" => 0,
        "fsize" => 1,
        "data" => 2,
        "core" => 4,
        "nproc" => 6,
        "nofile" => 7,
        _ => return Err(format!("there is no limit `{name}`")),
    };
    // Whoever has worked for too long is told so by a signal of its own, and is killed a second later.
    let maximum = if name == "cpu" { number + 1 } else { number };
    match setrlimit(resource, &ResourceLimit { current: number, maximum }) {
        0 => Ok(()),
        _ => Err(format!("limit `{name}` cannot be set to {number}: {}", io::Error::last_os_error())),
    }
}
