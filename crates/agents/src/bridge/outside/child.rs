//! A program that plays by itself, and what it leaves behind.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// How much of the end of what it prints is kept.
const KEPT_BYTES: usize = 4 * 1024;

/// A program with its process group. When it is dropped, all of the group is gone.
pub(super) struct Child {
    group: Option<Pid>,
    exited: Receiver<()>,
    status: Arc<Mutex<Option<ExitStatus>>>,
    printed: Arc<Mutex<VecDeque<u8>>>,
}

impl Child {
    /// Starts a program without input. `on_exit` is called when it has left.
    pub(super) fn start(
        argv: &[String],
        environment: &[(String, String)],
        unset: &[&str],
        on_exit: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let (program, rest) = argv.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        for name in unset {
            command.env_remove(name);
        }
        let mut child = command.envs(environment.iter().map(|(name, value)| (name, value))).spawn()?;
        let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or_default());
        let printed = Arc::<Mutex<VecDeque<u8>>>::default();
        let pipes: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| -> Box<dyn Read + Send> { Box::new(pipe) }),
            child.stderr.take().map(|pipe| -> Box<dyn Read + Send> { Box::new(pipe) }),
        ];
        for pipe in pipes.into_iter().flatten() {
            let printed = Arc::clone(&printed);
            thread::spawn(move || keep_end(pipe, &printed));
        }
        let status = Arc::<Mutex<Option<ExitStatus>>>::default();
        let (tell, exited) = channel();
        let told = Arc::clone(&status);
        thread::spawn(move || {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = child.wait().ok();
            on_exit();
            drop(tell);
        });
        Ok(Self { group, exited, status, printed })
    }

    /// How it left, if it has.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last lines it printed.
    pub(super) fn last_words(&self) -> String {
        let printed: Vec<u8> = self.printed.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        String::from_utf8_lossy(&printed).trim().to_owned()
    }

    /// Gives it some time to leave by itself.
    pub(super) fn wait(&self, within: Duration) {
        // It has left, or it is ended next: either way there is nothing to hear.
        let _left_or_late = self.exited.recv_timeout(within);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // A group that is gone already needs no ending.
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }
}

fn keep_end(mut pipe: Box<dyn Read + Send>, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0_u8; 4096];
    while let Ok(n_read) = pipe.read(&mut chunk) {
        if n_read == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..n_read]);
        let surplus = kept.len().saturating_sub(KEPT_BYTES);
        kept.drain(..surplus);
    }
}
