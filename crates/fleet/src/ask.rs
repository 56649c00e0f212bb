//! What workers ask of the steward, and what it answers: requests on `<fleet>.ask.<worker>`, one JSON value each way.
//!
//! A worker's credentials let it take work of its classes and hand in outcomes, and read nothing. Whatever else it needs
//! it asks for, naming the ticket of a unit that it was given.

use std::collections::BTreeMap;

use quintain_core::Digest;
use serde::{Deserialize, Serialize};

use crate::bond::ArchiveBond;

/// A unit as one names it who was given it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnitClaim {
    /// The run.
    pub run: String,
    /// The unit's place in the plan.
    pub idx: u32,
    /// What only those know who were given the unit.
    pub ticket: String,
}

/// What a worker asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum StewardRequest {
    /// The last message on the subject of that kind for a unit, as it stands.
    Last {
        /// The unit.
        of: UnitClaim,
        /// Which.
        kind: MessageSource,
    },
    /// All turns that were kept of a unit's unfinished attempts.
    Half {
        /// The unit.
        of: UnitClaim,
    },
    /// An address at which a piece of a run can be read, for a while.
    Read {
        /// A unit of the run.
        of: UnitClaim,
        /// Which piece.
        piece: ArchivePiece,
    },
    /// Addresses at which a pack and its manifest can be written, once and for a while.
    Write {
        /// A unit whose record is in the pack.
        of: UnitClaim,
        /// The name of the pack. It begins with the worker's own name.
        pack: String,
    },
    /// An address at which a large file can be written that an agent left, once and for a while.
    WriteFile {
        /// A unit whose record names the file.
        of: UnitClaim,
        /// The name of the file: the worker's session and the file's hash.
        file: String,
    },
    /// A share of what the fleet may use.
    Grant(ShareRequest),
    /// What a worker has to know before it begins.
    Join {},
}

/// Where the last message of a unit is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageSource {
    /// Its outcome.
    Outcome,
    /// The history of its attempts.
    Attempts,
}

/// A piece of a run in the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "piece")]
pub enum ArchivePiece {
    /// What the run says of itself.
    Header,
    /// The tasks without their references.
    Tasks,
    /// A slice of the plan.
    Plan {
        /// Which, from 0.
        slice: u32,
    },
    /// The reference of the unit's own task. To be asked for only after the agent has stopped.
    Reference,
    /// A large file under `input/` of a task of the run.
    Input {
        /// What it holds.
        digest: Digest,
    },
    /// A large file of the reference of the unit's own task. To be asked for only after the agent has stopped.
    ReferenceFile {
        /// What it holds.
        digest: Digest,
    },
}

/// Shares that a worker would like, and what became of those it had. What it tells holds for its whole session, so that a
/// request that was lost or is answered twice changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShareRequest {
    /// Names this start of the worker: what is told of one session says nothing of another.
    pub session: String,
    /// The number of the request in its session, from 1. One that arrives after a later one is not answered.
    pub n: u64,
    /// How much it would like of each limit, by the limit's name.
    pub want: BTreeMap<String, f64>,
    /// The least of each that is of any use: what the next call takes.
    pub least: BTreeMap<String, f64>,
    /// What it has used of each since its session began.
    pub used: BTreeMap<String, f64>,
    /// What it still has of each and may use.
    pub held: BTreeMap<String, f64>,
    /// Whether the session is over: nothing more will be told of it.
    pub over: bool,
}

/// What a worker is granted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// How much of each limit that was wanted, by the limit's name. One that nobody has set is missing.
    pub shares: BTreeMap<String, LimitShare>,
}

/// A share of one limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitShare {
    /// How much. Less than the least that was asked for, but more than nothing, is all that there will ever be at once.
    pub amount: f64,
    /// For how long: what is not used then is void.
    pub for_ms: u64,
    /// If nothing was granted, when to ask again; nothing means never, the limit is used up.
    pub again_ms: Option<u64>,
}

/// What the steward answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum StewardAnswer {
    /// A message; nothing if there is none.
    Message {
        /// Its number in the stream, and what it holds.
        message: Option<StreamMessage>,
    },
    /// Messages, oldest first.
    Messages {
        /// What they hold.
        messages: Vec<String>,
    },
    /// Addresses, in the order they were asked for.
    Addresses {
        /// The addresses.
        urls: Vec<String>,
    },
    /// Shares.
    Granted(Grant),
    /// What a worker has to know before it begins.
    Joined {
        /// The archive of the fleet.
        archive: Option<ArchiveBond>,
        /// The worker that is listed under the name of the one who asks.
        namesake: Option<Namesake>,
    },
    /// No.
    Refused {
        /// Why.
        why: String,
    },
}

/// A worker that is listed under the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Namesake {
    /// Names its start.
    pub session: String,
    /// How long ago it was heard of, in milliseconds.
    pub heard_ms: u64,
}

/// A message of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamMessage {
    /// Its number in the stream.
    pub seq: u64,
    /// What it holds.
    pub body: String,
}
