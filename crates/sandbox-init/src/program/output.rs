//! The start and the end of what a program prints.

use std::collections::VecDeque;
use std::io::{self, PipeReader, Read as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::kernel;
use crate::protocol::KeptOutput;

/// How long somebody who was left behind and does not stop printing is listened to.
const LAST_WORDS_LIMIT: Duration = Duration::from_secs(1);
/// How often it is looked whether the program has left.
const LOOK_EVERY_MILLIS: i32 = 20;

/// What comes out of a pipe. It is read for as long as it is open, so that nobody who was left behind is ended by it.
pub(crate) struct PrintedOutput {
    kept: Arc<Mutex<HeadAndTail>>,
    /// The program has left: what is in the pipe now is all that it printed.
    has_left: Arc<AtomicBool>,
    /// Closed when the pipe is, or when it was found empty after the program had left.
    finished: Receiver<()>,
}

struct HeadAndTail {
    max_bytes: usize,
    head: Vec<u8>,
    n_left_out: u64,
    tail: VecDeque<u8>,
}

impl PrintedOutput {
    /// Begins to read.
    pub(crate) fn of(pipe: PipeReader, max_bytes: usize) -> io::Result<Self> {
        let empty = HeadAndTail { max_bytes, head: Vec::new(), n_left_out: 0, tail: VecDeque::new() };
        let (kept, has_left) = (Arc::new(Mutex::new(empty)), Arc::new(AtomicBool::new(false)));
        let (open, finished) = channel();
        let (into, left) = (Arc::clone(&kept), Arc::clone(&has_left));
        thread::Builder::new().spawn(move || keep(pipe, &into, &left, open))?;
        Ok(Self { kept, has_left, finished })
    }

    /// What was printed, to be asked when the program has left.
    pub(crate) fn kept(self) -> KeptOutput {
        self.hear_out();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, tail) = (std::mem::take(&mut kept.head), std::mem::take(&mut kept.tail));
        // What comes later is nobody's: it is read and dropped.
        kept.max_bytes = 0;
        KeptOutput { head, n_left_out: kept.n_left_out, tail: tail.into() }
    }
}

impl PrintedOutput {
    /// Waits until everything is read that a program printed which has left.
    pub(crate) fn hear_out(&self) {
        self.has_left.store(true, Ordering::SeqCst);
        self.finished.recv_timeout(LAST_WORDS_LIMIT).ok();
    }

    /// What was printed until now.
    pub(crate) fn so_far(&self) -> KeptOutput {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        KeptOutput { head: kept.head.clone(), n_left_out: kept.n_left_out, tail: kept.tail.iter().copied().collect() }
    }
}

impl HeadAndTail {
    fn add(&mut self, bytes: &[u8]) {
        let room = self.max_bytes.saturating_sub(self.head.len());
        let (to_head, to_tail) = bytes.split_at(room.min(bytes.len()));
        self.head.extend(to_head);
        self.tail.extend(to_tail);
        let n_surplus = self.tail.len().saturating_sub(self.max_bytes);
        self.tail.drain(..n_surplus);
        self.n_left_out += n_surplus as u64;
    }
}

fn keep(mut pipe: PipeReader, kept: &Mutex<HeadAndTail>, has_left: &AtomicBool, open: Sender<()>) {
    let mut open = Some(open);
    let mut chunk = vec![0; 64 << 10];
    loop {
        // Asked before it is looked whether there is something: what was printed before is then surely seen.
        let is_last_look = has_left.load(Ordering::SeqCst);
        let patience = if open.is_some() { LOOK_EVERY_MILLIS } else { -1 };
        if !kernel::wait_to_read(&pipe, patience) {
            if is_last_look {
                open = None;
            }
            continue;
        }
        match pipe.read(&mut chunk) {
            Ok(0) | Err(_) => return,
            Ok(n_read) => kept.lock().unwrap_or_else(PoisonError::into_inner).add(&chunk[..n_read]),
        }
    }
}
