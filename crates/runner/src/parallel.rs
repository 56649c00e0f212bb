//! Pieces of work side by side.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// How many cores there are to work on; one where nobody knows.
pub fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Maps on all cores, in order.
pub fn map_parallel<T: Sync, R: Send>(items: &[T], map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_parallel(items.len(), n_cores(), &|idx| map(&items[idx]), &mut |_, _| {})
}

/// Does `n` pieces of work on some threads. The results come back in order, `done` is told of each and its number
/// as it comes.
pub fn in_parallel<T: Send>(
    n: usize,
    n_threads: usize,
    work: &(dyn Fn(usize) -> T + Sync),
    done: &mut dyn FnMut(usize, &T),
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(n_threads.max(1));
    let mut results: Vec<Option<T>> = (0..n).map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..n_threads.clamp(1, n.max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                taken.take_while(|idx| *idx < n).all(|idx| sender.send((idx, work(idx))).is_ok())
            });
        }
        drop(sender);
        for (idx, result) in &receiver {
            done(idx, &result);
            results[idx] = Some(result);
        }
    });
    results.into_iter().map(|result| result.expect("every piece of work was sent back")).collect()
}
