//! Locks that are held whatever became of who held them before.

use std::sync::{LockResult, PoisonError};

/// Takes a lock even if a thread panicked while it held it.
///
/// Whatever this workspace keeps behind a lock is changed in steps that each leave it whole (a value put in, taken out
/// or counted), so a panic in between harms nothing but its own trial. To refuse the lock from then on would make one
/// broken trial the end of the run.
pub trait LockAlways {
    /// The guard, or the value that was guarded.
    type Held;

    /// What `lock`, `read`, `write`, `into_inner` and the waits of a `Condvar` hand out, without the question whether
    /// somebody panicked.
    fn always(self) -> Self::Held;
}

impl<T> LockAlways for LockResult<T> {
    type Held = T;

    fn always(self) -> T {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::{Mutex, RwLock};

    use super::LockAlways as _;

    #[test]
    fn what_was_kept_can_be_had_after_a_panic() {
        let (count, names) = (Mutex::new(1), RwLock::new(vec!["a"]));
        let broke = catch_unwind(AssertUnwindSafe(|| {
            let (_count, _names) = (count.lock().always(), names.write().always());
            panic!("while both are held");
        }));
        assert!(broke.is_err() && count.is_poisoned() && names.is_poisoned());
        *count.lock().always() += 1;
        assert_eq!((*count.lock().always(), names.read().always().clone()), (2, vec!["a"]));
        assert_eq!(count.into_inner().always(), 2);
    }
}
