//! The end of what a program prints.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long to wait for the last words of a process that is gone: only something that left its group can delay them.
const LAST_WORDS_LIMIT: Duration = Duration::from_millis(500);

/// The end of what comes out of some pipes, in the order in which it comes. They are read for as long as they are open,
/// so that nobody waits for a reader, and no more is kept than was asked for.
#[derive(Debug)]
pub struct OutputTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when all pipes are.
    finished: Receiver<()>,
}

impl OutputTail {
    /// Begins to read. At most `max_bytes` are kept.
    pub fn of(pipes: impl IntoIterator<Item = PipeReader>, max_bytes: usize) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let (open, finished) = channel();
        for pipe in pipes {
            let (kept, open) = (Arc::clone(&kept), open.clone());
            let read = move || keep_end(pipe, &kept, max_bytes, open);
            thread::Builder::new().name("process-output".to_owned()).spawn(read)?;
        }
        Ok(Self { kept, finished })
    }

    /// What was kept. To be asked when the program has left or was ended, whose last words are then waited for.
    pub fn text(&self) -> String {
        // Disconnected means that everything has been read; a timeout, that somebody else holds a pipe.
        self.finished.recv_timeout(LAST_WORDS_LIMIT).ok();
        let bytes: Vec<u8> = locked(&self.kept).iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn keep_end(mut pipe: PipeReader, kept: &Mutex<VecDeque<u8>>, max_bytes: usize, open: Sender<()>) {
    let mut chunk = [0; 4096];
    while let Ok(n_read) = pipe.read(&mut chunk) {
        if n_read == 0 {
            break;
        }
        let mut kept = locked(kept);
        kept.extend(&chunk[..n_read]);
        let surplus = kept.len().saturating_sub(max_bytes);
        kept.drain(..surplus);
    }
    drop(open);
}

/// `quintain_core::lock` for a crate that depends on none of ours: things are only put in and taken out, so they are whole
/// whoever panicked.
pub(crate) fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
