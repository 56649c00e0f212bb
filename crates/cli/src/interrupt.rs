//! Ctrl-C: the first asks the run to finish its turns and stop, the second ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// What a person who pressed Ctrl-C is told.
pub(crate) const FINISHING: &str = "finishing the turns in flight; press Ctrl-C again to stop at once";

/// A flag that Ctrl-C or a termination signal sets. `on_first` is called once, when the first one comes.
pub(crate) fn flag_on_signal(on_first: impl FnOnce() + Send + 'static) -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Registered first, so that it acts only when the flag is already set: on the second signal.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            on_first();
        }
    });
    Ok(interrupted)
}
