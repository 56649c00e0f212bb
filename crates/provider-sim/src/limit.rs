//! A limit on requests a minute, held to the request.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;

const WINDOW: Duration = Duration::from_mins(1);

/// At most so many requests in any minute.
#[derive(Debug)]
pub(super) struct RequestLimit {
    most: usize,
    taken: Mutex<VecDeque<Instant>>,
}

impl RequestLimit {
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), taken: Mutex::default() }
    }

    /// Takes a place at this moment, or says after how long there will be one.
    pub(super) fn take(&self, now: Instant) -> Result<(), Duration> {
        let mut taken = self.taken.lock().always();
        while taken.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            taken.pop_front();
        }
        if taken.len() >= self.most {
            return Err(taken.front().map_or(WINDOW, |first| WINDOW.saturating_sub(now.duration_since(*first))));
        }
        taken.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_minute_has_more_than_allowed() {
        let limit = RequestLimit::new(3);
        let start = Instant::now();
        let at = |secs| limit.take(start + Duration::from_secs(secs)).map_err(|wait| wait.as_secs());
        let taken: Vec<_> = [0, 10, 20, 30, 59, 60, 61, 70, 75].into_iter().map(at).collect();
        assert_eq!(taken, [Ok(()), Ok(()), Ok(()), Err(30), Err(1), Ok(()), Err(9), Ok(()), Err(5)]);
    }
}
