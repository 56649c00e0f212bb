//! Tickets: whoever knows the ticket of a unit was given the unit.

/// The ticket of a unit of the run with this key.
pub fn ticket(key: &str, idx: u32) -> String {
    let key = blake3::hash(key.as_bytes());
    let mut ticket = blake3::keyed_hash(key.as_bytes(), &idx.to_le_bytes()).to_hex().to_string();
    ticket.truncate(16);
    ticket
}
