//! Ctrl-C: the first asks the run to finish its turns and stop, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// What a person who pressed Ctrl-C is told.
pub(crate) const FINISHING: &str = "finishing the turns in flight; press Ctrl-C again to stop at once";

/// How often a stop is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The signals that end a run: Ctrl-C, a request to end, a terminal that is closed.
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// A flag that Ctrl-C or a termination signal sets. `on_first` is called once, when the first one comes.
pub(crate) fn flag_on_signal(on_first: impl FnOnce() + Send + 'static) -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in ENDING {
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    let mut signals = Signals::new(ENDING)?;
    thread::spawn(move || {
        let mut coming = signals.forever();
        if coming.next().is_some() {
            on_first();
        }
        if coming.next().is_some() {
            leave();
        }
    });
    Ok(interrupted)
}

/// Waits until a signal has set the flag: for servers, which have nothing else to do here.
pub(crate) fn wait_for_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        thread::park_timeout(LOOK_EVERY);
    }
}

/// Leaves at once. Nothing is dropped on this way out, so what we started is ended first.
#[expect(clippy::exit, reason = "whoever asks twice does not want to wait for anything")]
fn leave() -> ! {
    quintain_process::end_all();
    std::process::exit(130)
}
