//! How it is solved: in the words of any agent, so that a solution proves the task.

use std::fmt::Write;

use crate::world::ShelfStart;

/// What the oracle says, a line a turn: each place is put right from the left, then it stops.
pub(crate) fn solution(start: &ShelfStart) -> String {
    let (mut volumes, goal) = (start.volumes.clone(), start.in_order());
    let mut lines = String::new();
    for (idx, wanted) in goal.iter().enumerate() {
        let at = volumes.iter().position(|volume| volume == wanted).unwrap_or(idx);
        if at != idx {
            volumes.swap(idx, at);
            writeln!(lines, "('swap', {}, {})", idx + 1, at + 1).expect("a text takes every line");
        }
    }
    lines + "('stop', 'stop')"
}
