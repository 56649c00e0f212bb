//! How many calls are under way at once to one model of one provider: more while it answers, fewer when it says that
//! there are too many. Shared by all trials of a process.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Calls at once to begin with.
const BEGIN: f64 = 32.0;
/// What a refusal leaves of the number of calls at once.
const CUT: f64 = 0.75;
/// How many more calls at once a whole round of served calls earns.
const GROWTH: f64 = 2.0;

/// Lets calls pass one after the other, in the order in which they came.
#[derive(Debug)]
pub struct Limiter {
    places: Arc<Semaphore>,
    state: Mutex<LimiterState>,
}

#[derive(Debug)]
struct LimiterState {
    /// Calls that may be under way at once.
    limit: f64,
    most: f64,
    /// Places there are, taken or free. Follows the limit as places become free.
    n_places: usize,
    /// Calls that ended since the limit was last cut: one flood of refusals cuts it once.
    n_since_cut: f64,
    /// Until when nobody may begin.
    paused_until: Option<Instant>,
}

/// A place among the calls under way. It is free again when this is dropped.
#[derive(Debug)]
pub struct TakenPlace {
    limiter: Arc<Limiter>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Limiter {
    /// A limiter that never lets more than so many calls be under way.
    pub fn new(most: usize) -> Arc<Self> {
        let most = most.max(1) as f64;
        let limit = BEGIN.min(most);
        let state = LimiterState { limit, most, n_places: limit as usize, n_since_cut: f64::MAX, paused_until: None };
        Arc::new(Self { places: Arc::new(Semaphore::new(limit as usize)), state: Mutex::new(state) })
    }

    /// Waits for a place, and for the end of a pause that the provider asked for.
    pub async fn take(self: &Arc<Self>) -> TakenPlace {
        let permit = Arc::clone(&self.places).acquire_owned().await.expect("the semaphore is never closed");
        let taken = TakenPlace { limiter: Arc::clone(self), permit: Some(permit) };
        while let Some(until) = self.paused_until() {
            tokio::time::sleep_until(until).await;
        }
        taken
    }

    /// How many calls may be under way at once, now.
    pub fn limit(&self) -> usize {
        self.state().limit as usize
    }

    fn paused_until(&self) -> Option<Instant> {
        self.state().paused_until.filter(|until| *until > Instant::now())
    }

    fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.state.lock().always()
    }

    fn grow(&self) {
        let mut state = self.state();
        state.n_since_cut += 1.0;
        state.limit = (state.limit + GROWTH / state.limit).min(state.most);
        let missing = (state.limit as usize).saturating_sub(state.n_places);
        state.n_places += missing;
        self.places.add_permits(missing);
    }

    fn cut(&self, pause: Option<Duration>) {
        let mut state = self.state();
        state.n_since_cut += 1.0;
        if state.n_since_cut >= state.limit {
            state.limit = (state.limit * CUT).max(1.0);
            state.n_since_cut = 0.0;
            // Free places go at once, taken ones as they become free.
            let excess = state.n_places.saturating_sub(state.limit as usize);
            state.n_places -= self.places.forget_permits(excess);
        }
        if let Some(pause) = pause {
            let until = Instant::now() + pause;
            state.paused_until = state.paused_until.max(Some(until));
        }
    }
}

impl TakenPlace {
    /// The call was answered: more may be under way at once.
    pub fn served(self) {
        self.limiter.grow();
    }

    /// The provider said that there are too many calls: fewer may be under way, and nobody begins before the pause that it
    /// asked for is over.
    pub fn refused(self, pause: Option<Duration>) {
        self.limiter.cut(pause);
    }
}

impl Drop for TakenPlace {
    fn drop(&mut self) {
        let mut state = self.limiter.state();
        if state.n_places > state.limit as usize
            && let Some(permit) = self.permit.take()
        {
            state.n_places -= 1;
            permit.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn paused<T>(test: impl Future<Output = T>) -> T {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap().block_on(test)
    }

    async fn is_free(limiter: &Arc<Limiter>) -> bool {
        tokio::time::timeout(Duration::from_millis(1), limiter.take()).await.is_ok()
    }

    #[test]
    fn no_more_than_the_limit_are_under_way() {
        paused(async {
            let limiter = Limiter::new(2);
            let (first, _second) = (limiter.take().await, limiter.take().await);
            assert!(!is_free(&limiter).await);
            drop(first);
            assert!(is_free(&limiter).await);
        });
    }

    #[test]
    fn refusals_cut_once_a_round_and_answers_grow_again() {
        paused(async {
            let limiter = Limiter::new(64);
            for _ in 0..25 {
                limiter.take().await.refused(None);
            }
            assert_eq!(limiter.limit(), 18, "32 by a quarter to 24, and after 24 calls to 18");
            let mut held = Vec::new();
            for _ in 0..18 {
                held.push(limiter.take().await);
            }
            assert!(!is_free(&limiter).await, "places went with the limit");
            drop(held);
            for _ in 0..60 {
                limiter.take().await.served();
            }
            assert!((22..=26).contains(&limiter.limit()), "two more for each round: {}", limiter.limit());
        });
    }

    #[test]
    fn one_call_at_a_time_is_always_possible() {
        paused(async {
            let limiter = Limiter::new(4);
            for _ in 0..100 {
                limiter.take().await.refused(None);
            }
            assert_eq!(limiter.limit(), 1);
            assert!(is_free(&limiter).await);
        });
    }

    #[test]
    fn a_pause_holds_everybody_and_ends() {
        paused(async {
            let limiter = Limiter::new(8);
            limiter.take().await.refused(Some(30 * SECOND));
            limiter.take_is_late(29 * SECOND).await;
            let began = Instant::now();
            drop(limiter.take().await);
            assert!(began.elapsed() <= 2 * SECOND);
        });
    }

    #[test]
    fn first_come_first_served() {
        paused(async {
            let limiter = Limiter::new(1);
            let held = limiter.take().await;
            let order = Arc::new(Mutex::new(Vec::new()));
            let waiting: Vec<_> = (0..5)
                .map(|number| {
                    let (limiter, order) = (Arc::clone(&limiter), Arc::clone(&order));
                    tokio::spawn(async move {
                        let taken = limiter.take().await;
                        order.lock().unwrap().push(number);
                        taken.served();
                    })
                })
                .collect();
            tokio::task::yield_now().await;
            drop(held);
            for task in waiting {
                task.await.unwrap();
            }
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
        });
    }

    impl Limiter {
        /// Nobody gets a place within this time.
        async fn take_is_late(self: &Arc<Self>, time: Duration) {
            assert!(tokio::time::timeout(time, self.take()).await.is_err());
        }
    }
}
