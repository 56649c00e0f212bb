//! What a lease of this engine carries besides: enough for another process to hand in its outcome.

use std::fmt;

use quintain_runner::engine::Lease;

/// The engine's part of a lease. None of its texts has spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeaseHandle {
    /// Where the server is told about the parcel; `-` if there is none.
    pub(super) ack: String,
    /// What only those know who were given the unit.
    pub(super) ticket: String,
    /// By which this lease knows its own outcome.
    pub(super) nonce: String,
    /// How many units the parcel had.
    pub(super) n_units: usize,
}

impl LeaseHandle {
    /// The handle of a lease; an empty one if the lease is not of this engine.
    pub(super) fn of(lease: &Lease) -> Self {
        let mut parts = lease.handle.split(' ');
        let mut part = || parts.next().unwrap_or_default();
        let (ack, ticket, nonce) = (part().to_owned(), part().to_owned(), part().to_owned());
        Self { ack, ticket, nonce, n_units: part().parse().unwrap_or_default() }
    }
}

impl fmt::Display for LeaseHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.ack, self.ticket, self.nonce, self.n_units)
    }
}
