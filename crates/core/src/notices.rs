//! Words for whoever watches a run, from where no event is told: a provider that is not reached and asked again.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::lock::LockAlways as _;

type NoticeListener = Arc<dyn Fn(&str) + Send + Sync>;

/// Where such words are said and heard. Clones are one and the same; without a listener nobody hears them.
#[derive(Clone, Default)]
pub struct Notices {
    listener: Arc<Mutex<Option<NoticeListener>>>,
}

impl Notices {
    /// From now on this is told what is said.
    pub fn heard_by(&self, listener: impl Fn(&str) + Send + Sync + 'static) {
        *self.listener.lock().always() = Some(Arc::new(listener));
    }

    /// Says something.
    pub fn say(&self, words: &str) {
        let listener = self.listener.lock().always().clone();
        if let Some(listener) = listener {
            listener(words);
        }
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}
