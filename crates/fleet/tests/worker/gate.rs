//! A gate at which trials wait.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use quintain_runner::Cast;
use quintain_testkit::{PATIENCE, wait_for};

use crate::fleet::cast;

/// Lets trials pass a turn only when it is open.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    bell: Condvar,
    n_waiting: AtomicUsize,
}

impl Gate {
    pub(crate) fn pass(&self) {
        self.n_waiting.fetch_add(1, Ordering::SeqCst);
        let is_open = self.is_open.lock().unwrap();
        let (_open, waited) = self.bell.wait_timeout_while(is_open, PATIENCE, |is_open| !*is_open).unwrap();
        assert!(!waited.timed_out(), "the gate was never opened");
        self.n_waiting.fetch_sub(1, Ordering::SeqCst);
    }

    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.bell.notify_all();
    }

    /// Waits until so many trials stand before it.
    pub(crate) fn wait_for(&self, n: usize) {
        let come = || self.n_waiting.load(Ordering::SeqCst) >= n;
        wait_for("trials to come to the gate", come);
    }

    /// A cast whose trials pass the gate before a turn.
    pub(crate) fn before_turn(self: &Arc<Self>, turn: u32) -> Cast {
        let gate = Arc::clone(self);
        cast(move |step_idx| {
            if step_idx == turn {
                gate.pass();
            }
        })
    }
}
