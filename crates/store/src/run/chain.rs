//! Joining an attempt with the earlier ones that it goes on from.

use std::collections::BTreeSet;

use quintain_core::TrialEvent;

use super::attempt::AttemptRecord;
use super::place::LineRange;
use crate::error::StoreError;

/// The attempt at a place, with the beginning that earlier attempts recorded.
pub(super) fn joined(
    place: &LineRange,
    read: &mut dyn FnMut(&LineRange) -> Result<AttemptRecord, StoreError>,
) -> Result<AttemptRecord, StoreError> {
    let mut seen = BTreeSet::from([place.clone()]);
    let mut chain = vec![read(place)?];
    while let Some(earlier) = chain.last().and_then(|record| record.continues.clone()) {
        if !seen.insert(earlier.clone()) {
            return Err(broken(place, "it continues itself"));
        }
        chain.push(read(&earlier)?);
    }
    let mut whole = chain.pop().expect("the chain begins with one record");
    if matches!(whole.events.first(), Some(TrialEvent::Resumed { .. })) {
        return Err(broken(&whole.place, "it does not name the attempt that it goes on from"));
    }
    while let Some(later) = chain.pop() {
        whole = join(whole, later)?;
    }
    Ok(whole)
}

/// The turns that the later attempt took over, then what it did itself.
fn join(earlier: AttemptRecord, later: AttemptRecord) -> Result<AttemptRecord, StoreError> {
    if earlier.trial != later.trial {
        return Err(broken(&later.place, "they are of different trials"));
    }
    let Some(TrialEvent::Resumed { after_turns }) = later.events.first() else {
        return Ok(AttemptRecord { continues: None, ..later }); // It began anew: there was nothing to go on from.
    };
    let after_turns = *after_turns;
    let mut events: Vec<TrialEvent> =
        earlier.events.into_iter().filter(|event| was_taken_over(event, after_turns)).collect();
    let n_turns = events.iter().filter(|event| matches!(event, TrialEvent::Turn { .. })).count();
    if n_turns != after_turns as usize {
        return Err(broken(&later.place, &format!("it goes on after {after_turns} turns, and there are {n_turns}")));
    }
    events.extend(later.events.into_iter().skip(1));
    Ok(AttemptRecord { events, continues: None, ..later })
}

/// Whether an event of the earlier attempt is part of what the later one goes on from. Its end, if it had come to one,
/// is not: the later attempt comes to an end of its own.
fn was_taken_over(event: &TrialEvent, n_turns: u32) -> bool {
    match event {
        TrialEvent::Began { .. } => true,
        TrialEvent::Turn { step_idx, .. } => *step_idx < n_turns,
        TrialEvent::Snapshot { after_steps, .. }
        | TrialEvent::Kept { after_steps, .. }
        | TrialEvent::PutBack { after_steps } => *after_steps <= n_turns,
        _ => false,
    }
}

fn broken(place: &LineRange, why: &str) -> StoreError {
    StoreError::BrokenChain { place: place.to_string(), why: why.to_owned() }
}
