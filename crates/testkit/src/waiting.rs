//! How tests wait: for a condition, with one deadline for all of them.

use std::fmt::Display;
use std::future::Future;
use std::time::{Duration, Instant};

/// How long a test waits for something that should happen soon. A wait is over when its condition holds, so a long
/// deadline costs nothing while all is well, and a machine that is busy with other work fails no test.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// Waits until a condition holds, and says what was waited for when it never does.
#[track_caller]
pub fn wait_for(what: &str, holds: impl FnMut() -> bool) {
    wait_long_for(what, PATIENCE, holds);
}

/// The same for what takes its time even where all is well. What was waited for is written down when it never comes, so
/// that it can tell how things stand then.
#[track_caller]
pub fn wait_long_for(what: impl Display, within: Duration, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < within, "waited {within:?} in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The same for a condition that is asked for over a network.
pub async fn wait_until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < PATIENCE, "it took too long until {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
