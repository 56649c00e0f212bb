//! A thread that lives for as long as we do, to start programs from that are to die with us.
//!
//! What the kernel calls the parent's death is the end of the thread that started the program. Threads that play trials
//! come and go; a sandbox that was started from one would go with it.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex};
use std::thread;

use crate::tail::locked;

type Start = (Command, Sender<io::Result<Child>>);

/// Starts a program from there.
pub(crate) fn spawn(command: Command) -> io::Result<Child> {
    static STARTS: LazyLock<io::Result<Mutex<Sender<Start>>>> = LazyLock::new(|| {
        let (starts, asked) = channel::<Start>();
        thread::Builder::new().name("sandbox-parent".to_owned()).spawn(move || {
            for (mut command, answer) in asked {
                let started = command.spawn();
                // It holds what is handed over to the program, whose ends we wait for.
                drop(command);
                answer.send(started).ok();
            }
        })?;
        Ok(Mutex::new(starts))
    });
    let gone = || io::Error::other("the thread that starts sandboxes is gone");
    let starts = STARTS.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    let (answer, answered) = channel();
    locked(starts).send((command, answer)).map_err(|_closed| gone())?;
    answered.recv().map_err(|_closed| gone())?
}
