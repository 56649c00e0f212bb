//! The schemes that were drawn last. Files, limits, near misses and the verifier each ask for the scheme of their plan, and a
//! large one takes most of a second to draw.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways;

use super::scheme::SewerScheme;

/// As many as are worked on at once on a large host.
const N_KEPT: usize = 32;

/// What a scheme is drawn from: its seed and how many manholes it has.
type SchemeSource = (u64, usize);

/// The last of them, latest first.
pub(super) struct RecentSchemes(Mutex<VecDeque<(SchemeSource, Arc<SewerScheme>)>>);

impl RecentSchemes {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The scheme of a seed, drawn unless it was just now.
    pub(super) fn scheme(&self, seed: u64, n_manholes: usize) -> Arc<SewerScheme> {
        let source = (seed, n_manholes);
        let known = self.0.lock().always().iter().find(|(of, _)| *of == source).map(|(_, scheme)| Arc::clone(scheme));
        known.unwrap_or_else(|| {
            // Nobody waits for somebody else's draw: at worst two draw the same.
            let scheme = Arc::new(SewerScheme::drawn(seed, n_manholes));
            let mut recent = self.0.lock().always();
            recent.push_front((source, Arc::clone(&scheme)));
            recent.truncate(N_KEPT);
            scheme
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_is_drawn() {
        let recent = RecentSchemes::new();
        for (seed, n_manholes) in [(1, 10), (2, 10), (1, 11), (1, 10)] {
            assert_eq!(*recent.scheme(seed, n_manholes), SewerScheme::drawn(seed, n_manholes));
        }
        assert!(Arc::ptr_eq(&recent.scheme(1, 10), &recent.scheme(1, 10)));
    }

    #[test]
    fn so_many_are_remembered_and_no_more() {
        let recent = RecentSchemes::new();
        for seed in 0..=N_KEPT as u64 {
            recent.scheme(seed, 10);
        }
        assert_eq!(recent.0.lock().always().len(), N_KEPT);
    }
}
