//! Whose turn it is when there is not enough for everybody: first come, first served.

use std::collections::VecDeque;

/// Those who were told to come again, in the order they first came.
#[derive(Debug, Default)]
pub(super) struct Turns(VecDeque<Turn>);

#[derive(Debug)]
struct Turn {
    session: String,
    least: f64,
    /// Until when the turn is kept for a session that does not come.
    until_ms: u64,
}

impl Turns {
    /// What must be left for those who came before this one.
    pub(super) fn ahead(&mut self, session: &str, now_ms: u64) -> f64 {
        self.0.retain(|turn| turn.until_ms >= now_ms);
        self.0.iter().take_while(|turn| turn.session != session).map(|turn| turn.least).sum()
    }

    /// Puts a session in the queue, or keeps its place.
    pub(super) fn wait(&mut self, session: &str, least: f64, until_ms: u64) {
        match self.0.iter_mut().find(|turn| turn.session == session) {
            Some(turn) => (turn.least, turn.until_ms) = (least, until_ms),
            None => self.0.push_back(Turn { session: session.to_owned(), least, until_ms }),
        }
    }

    /// A session was served, or is gone.
    pub(super) fn leave(&mut self, session: &str) {
        self.0.retain(|turn| turn.session != session);
    }

    /// The most that one of them needs.
    pub(super) fn most(&self) -> f64 {
        self.0.iter().map(|turn| turn.least).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_until_they_lapse() {
        let mut turns = Turns::default();
        turns.wait("a", 1.0, 100);
        turns.wait("b", 2.0, 200);
        assert_eq!([turns.ahead("a", 50), turns.ahead("b", 50), turns.ahead("c", 50)], [0.0, 1.0, 3.0]);
        turns.wait("a", 4.0, 120);
        assert_eq!((turns.ahead("b", 110), turns.most()), (4.0, 4.0), "a kept its place");
        assert_eq!(turns.ahead("c", 150), 2.0, "a did not come");
        turns.leave("b");
        assert_eq!(turns.ahead("c", 150), 0.0);
    }
}
