//! Whose turn it is when there is not enough for everybody: first come, first served.

use std::collections::{BTreeMap, HashMap};

/// Those who were told to come again, in the order they first came.
#[derive(Debug, Default)]
pub(super) struct WaitingOrder {
    queue: BTreeMap<u64, WaitTurn>,
    places: HashMap<String, u64>,
    last: u64,
    /// The most that one of them needed.
    most: f64,
}

#[derive(Debug)]
struct WaitTurn {
    session: String,
    least: f64,
    /// Until when the turn is kept for a session that does not come.
    until_ms: u64,
}

impl WaitingOrder {
    /// What must be left for those who came before this one.
    pub(super) fn ahead(&mut self, session: &str, now_ms: u64) -> f64 {
        while let Some(first) = self.queue.first_entry().filter(|first| first.get().until_ms < now_ms) {
            self.places.remove(&first.remove().session);
        }
        let place = self.places.get(session).copied().unwrap_or(u64::MAX);
        let before = self.queue.range(..place).map(|(_place, turn)| turn);
        before.filter(|turn| turn.until_ms >= now_ms).fold(0.0, |sum, turn| sum + turn.least)
    }

    /// Puts a session in the queue, or keeps its place.
    pub(super) fn wait(&mut self, session: &str, least: f64, until_ms: u64) {
        self.last += 1;
        let place = *self.places.entry(session.to_owned()).or_insert(self.last);
        self.queue.insert(place, WaitTurn { session: session.to_owned(), least, until_ms });
        self.most = if self.queue.len() == 1 { least } else { self.most.max(least) };
    }

    /// A session was served, or is gone.
    pub(super) fn leave(&mut self, session: &str) {
        if let Some(place) = self.places.remove(session) {
            self.queue.remove(&place);
        }
    }

    /// The most that one of them needs.
    pub(super) fn most(&self) -> f64 {
        if self.queue.is_empty() { 0.0 } else { self.most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is ahead of a session, as text.
    fn ahead(turns: &mut WaitingOrder, session: &str, now_ms: u64) -> String {
        format!("{} of {}", turns.ahead(session, now_ms), turns.most())
    }

    #[test]
    fn places_are_kept_until_they_lapse() {
        let mut turns = WaitingOrder::default();
        turns.wait("a", 1.0, 100);
        turns.wait("b", 2.0, 200);
        assert_eq!(["a", "b", "c"].map(|who| ahead(&mut turns, who, 50)), ["0 of 2", "1 of 2", "3 of 2"]);
        turns.wait("a", 4.0, 120);
        assert_eq!(ahead(&mut turns, "b", 110), "4 of 4", "a kept its place");
        assert_eq!(ahead(&mut turns, "c", 150), "2 of 4", "a did not come");
        turns.leave("b");
        assert_eq!(ahead(&mut turns, "c", 150), "0 of 0");
    }
}
