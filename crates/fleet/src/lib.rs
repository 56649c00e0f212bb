//! Runs on many hosts.
//!
//! A fleet is three kinds of process around a NATS server and an archive (an object store): those who hand in runs, a
//! steward who sees to it that every outstanding trial is on offer and that outcomes reach the archive, and workers who
//! play. Any of them may die at any moment.

pub mod ask;
pub mod bond;
pub mod credentials;
pub mod hosts;
pub mod jetstream;
pub mod limits;
pub mod link;
pub mod metrics;
pub mod names;
mod server_failure;
pub mod simulation;
pub mod steward;
pub mod traces;
mod waiting;
pub mod worker;

pub use async_nats::Client;
pub use hosts::{Host, Hosts};
pub use link::{FleetLink, NotLinked};
pub use names::FleetNames;
pub use waiting::{WaitingTrials, waiting};
