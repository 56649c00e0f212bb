//! Pieces of work side by side, their results taken in order, never many of them waiting.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, mpsc};

use quintain_core::lock::LockAlways as _;

/// Where a line of work stands.
struct WorkLine {
    state: Mutex<OrderState>,
    moved: Condvar,
}

#[derive(Default)]
struct OrderState {
    n_begun: usize,
    n_taken: usize,
    stopped: bool,
}

/// Does `n` pieces of work on some threads and hands each result to `take`, in order. At most four results a thread wait
/// to be taken. The first error ends it; what was begun is finished and dropped.
pub(super) fn in_order<T: Send, E>(
    n: usize,
    n_threads: usize,
    work: &(dyn Fn(usize) -> T + Sync),
    take: &mut dyn FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let n_threads = n_threads.clamp(1, n.max(1));
    let line = WorkLine { state: Mutex::default(), moved: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            let (sender, line) = (sender.clone(), &line);
            scope.spawn(move || {
                let pieces = std::iter::from_fn(|| line.next(n, 4 * n_threads));
                pieces.map(|idx| sender.send((idx, work(idx)))).all(|sent| sent.is_ok())
            });
        }
        drop(sender);
        let taken = take_all(&line, &receiver, take);
        line.stop();
        taken
    })
}

fn take_all<T, E>(
    line: &WorkLine,
    receiver: &mpsc::Receiver<(usize, T)>,
    take: &mut dyn FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let (mut waiting, mut n_taken) = (BTreeMap::new(), 0);
    for (idx, result) in receiver {
        waiting.insert(idx, result);
        while let Some(result) = waiting.remove(&n_taken) {
            take(n_taken, result)?;
            n_taken += 1;
            line.taken(n_taken);
        }
    }
    Ok(())
}

impl WorkLine {
    fn lock(&self) -> MutexGuard<'_, OrderState> {
        self.state.lock().always()
    }

    /// The next piece of work, once there is room for its result.
    fn next(&self, n: usize, n_waiting: usize) -> Option<usize> {
        let is_full =
            |state: &mut OrderState| !state.stopped && state.n_begun < n && state.n_begun >= state.n_taken + n_waiting;
        let mut state = self.moved.wait_while(self.lock(), is_full).always();
        if state.stopped || state.n_begun >= n {
            return None;
        }
        state.n_begun += 1;
        Some(state.n_begun - 1)
    }

    fn taken(&self, n_taken: usize) {
        self.lock().n_taken = n_taken;
        self.moved.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_and_few_wait() {
        let n_done = AtomicUsize::new(0);
        let work = |idx: usize| {
            n_done.fetch_add(1, Ordering::SeqCst);
            idx * idx
        };
        let mut taken = Vec::new();
        let mut take = |idx: usize, square: usize| {
            assert!(n_done.load(Ordering::SeqCst) <= taken.len() + 1 + 4 * 3);
            assert_eq!(square, idx * idx);
            taken.push(idx);
            Ok::<(), ()>(())
        };
        in_order(500, 3, &work, &mut take).unwrap();
        assert_eq!(taken, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_it() {
        let mut take = |idx: usize, (): ()| if idx == 7 { Err("enough") } else { Ok(()) };
        assert_eq!(in_order(1_000_000, 4, &|_| (), &mut take), Err("enough"));
        assert_eq!(in_order(0, 4, &|_| (), &mut take), Ok(()));
    }
}
