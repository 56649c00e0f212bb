//! What was made last, so that picking and loading make each thing only once.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use quintain_core::lock::LockAlways as _;

/// The things that were made last; the oldest falls off when there are too many.
pub(in crate::sources) struct Recent<T> {
    capacity: usize,
    held: Mutex<VecDeque<T>>,
}

impl<T: Clone> Recent<T> {
    pub(in crate::sources) fn new(capacity: usize) -> Self {
        Self { capacity, held: Mutex::default() }
    }

    /// The newest thing that is the one, if it is still here.
    pub(in crate::sources) fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        self.held().iter().rev().find(|thing| is_it(thing)).cloned()
    }

    /// Keeps a thing, unless it is here already.
    pub(in crate::sources) fn put(&self, thing: T, is_it: impl Fn(&T) -> bool) {
        let mut held = self.held();
        if held.iter().any(is_it) {
            return;
        }
        if held.len() == self.capacity {
            held.pop_front();
        }
        held.push_back(thing);
    }

    /// A panic elsewhere leaves everything as it was: every change is a single call.
    fn held(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.held.lock().always()
    }
}
