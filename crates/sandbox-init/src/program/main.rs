//! The first program in a sandbox: it sets the limits that only somebody inside can set, opens the ways out that were
//! granted, and then becomes a program or does what it is asked on standard input.
//!
//!     sandbox-init [--ready DESCRIPTOR] [--limit NAME=NUMBER]... [--relay PORT=SOCKET]... run PROGRAM [ARGUMENT]...
//!     sandbox-init [--ready DESCRIPTOR] [--limit NAME=NUMBER]... [--relay PORT=SOCKET]... serve
//!
//! Statuses of its own: 125 where it was called wrongly or could not do what it was told, 127 where there is no such program.

mod files;
#[expect(unreachable_pub, reason = "it is the library's file")]
#[path = "../joining.rs"]
mod joining;
mod kernel;
mod output;
#[cfg_attr(not(test), expect(dead_code, reason = "each end of the protocol uses its own half"))]
#[expect(unreachable_pub, reason = "it is the library's file")]
#[path = "../protocol.rs"]
mod protocol;
mod relay;
mod run;
mod serve;
mod started;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitCode, ExitStatus};

/// It could not do what it was told.
const UNABLE: u8 = 125;
/// There is no such program.
const NOT_FOUND: u8 = 127;

fn main() -> ExitCode {
    match begin(std::env::args_os().skip(1).collect()) {
        Ok(code) => code,
        Err(why) => {
            complain(&why);
            ExitCode::from(UNABLE)
        }
    }
}

fn begin(arguments: Vec<OsString>) -> Result<ExitCode, String> {
    let mut arguments = arguments.into_iter();
    let (mut has_relays, mut ready) = (false, None);
    while let Some(word) = arguments.next() {
        match word.as_bytes() {
            b"--limit" => {
                let (name, number) = pair(arguments.next())?;
                let number = number.to_str().and_then(|number| number.parse().ok()).ok_or("a limit is no number")?;
                kernel::limit(&name, number)?;
            }
            b"--relay" => {
                let (port, socket) = pair(arguments.next())?;
                relay::open(port.parse().map_err(|_why| "a port is no number")?, socket.into())?;
                has_relays = true;
            }
            b"--ready" => ready = arguments.next(),
            b"run" => {
                say_ready(ready)?;
                return become_program(&arguments.collect::<Vec<_>>(), has_relays);
            }
            b"serve" => {
                say_ready(ready)?;
                return serve::until_closed().map(|()| ExitCode::SUCCESS).map_err(|why| why.to_string());
            }
            other => return Err(format!("`{}` is not understood", String::from_utf8_lossy(other))),
        }
    }
    Err("neither `run` nor `serve` is said".to_owned())
}

/// Says that everything stands, on a descriptor that was inherited: whatever ends before that is not the program's doing.
fn say_ready(descriptor: Option<OsString>) -> Result<(), String> {
    let Some(descriptor) = descriptor else { return Ok(()) };
    let number = descriptor.to_str().and_then(|number| number.parse().ok()).ok_or("a descriptor is no number")?;
    kernel::say_and_close(number).map_err(|why| format!("nobody hears that it is ready: {why}"))
}

fn pair(word: Option<OsString>) -> Result<(String, OsString), String> {
    let word = word.ok_or("a value is missing")?;
    let bytes = word.as_bytes();
    let at = bytes.iter().position(|byte| *byte == b'=').ok_or("a value has no `=`")?;
    let name = std::str::from_utf8(&bytes[..at]).map_err(|why| why.to_string())?;
    Ok((name.to_owned(), OsString::from_vec(bytes[at + 1..].to_vec())))
}

/// Becomes the program, or stays beside it where there are relays to be kept open.
fn become_program(argv: &[OsString], has_relays: bool) -> Result<ExitCode, String> {
    let (program, rest) = argv.split_first().ok_or("no program is named")?;
    let mut command = Command::new(program);
    command.args(rest);
    let failed = if has_relays {
        match command.status() {
            Ok(status) => return Ok(ExitCode::from(code_of(status))),
            Err(error) => error,
        }
    } else {
        command.exec()
    };
    complain(&format!("{} cannot be started: {failed}", program.to_string_lossy()));
    Ok(ExitCode::from(NOT_FOUND))
}

/// Where nobody hears it, nobody can be told.
fn complain(why: &str) {
    writeln!(io::stderr(), "sandbox-init: {why}").ok();
}

/// The status that a shell would leave with.
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    u8::try_from(code).unwrap_or(u8::MAX)
}
