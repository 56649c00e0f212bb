//! Which subjects each kind of user may publish and listen to.

use super::KeyHolder;
use crate::hosts::key;
use crate::names::{FleetNames, token};

/// The streams of a fleet.
const STREAMS: [&str; 5] = ["plan", "work", "out", "attempts", "half"];

/// The buckets of a fleet.
const BUCKETS: [&str; 4] = ["runs", "hosts", "limits", "ctl"];

/// What a user may publish and listen to; all else is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// Subjects to publish to.
    pub publish: Vec<String>,
    /// Subjects to listen to.
    pub subscribe: Vec<String>,
    /// Whether it may answer whoever asks it.
    pub may_respond: bool,
}

impl Permissions {
    /// What a user of that kind with that key may do.
    pub fn of(names: &FleetNames, who: &KeyHolder, public_key: &str) -> Self {
        let mut permissions = match who {
            KeyHolder::Steward => steward(names),
            KeyHolder::Submitter => submitter(names),
            KeyHolder::Worker { name, classes } => worker(names, name, classes),
        };
        permissions.subscribe.push(format!("{}.>", names.inbox(public_key)));
        permissions
    }
}

/// Everything of the fleet. A steward answers workers, and so may publish to the inbox of one who just asked.
fn steward(names: &FleetNames) -> Permissions {
    let fleet = names.fleet();
    let mut publish = vec![format!("{fleet}.>"), "$JS.API.INFO".to_owned()];
    for stream in all_streams(names) {
        publish.extend(
            [
                "$JS.API.STREAM.*.{}",
                "$JS.API.STREAM.MSG.*.{}",
                "$JS.API.CONSUMER.*.{}",
                "$JS.API.CONSUMER.*.{}.>",
                "$JS.API.CONSUMER.DURABLE.CREATE.{}.>",
                "$JS.API.CONSUMER.MSG.NEXT.{}.>",
                "$JS.API.DIRECT.GET.{}",
                "$JS.API.DIRECT.GET.{}.>",
                "$JS.ACK.{}.>",
                "$JS.FC.{}.>",
            ]
            .map(|pattern| pattern.replace("{}", &stream)),
        );
    }
    publish.extend(BUCKETS.map(|bucket| format!("$KV.{}.>", names.bucket(bucket))));
    Permissions { publish, subscribe: vec![format!("{fleet}.>")], may_respond: true }
}

/// Registers units, puts the first of them on offer, sets a run's direction and limits, reads what became of it. What
/// workers and stewards write, it cannot write; it can make what is missing on the server, but change or delete none of it.
fn submitter(names: &FleetNames) -> Permissions {
    let fleet = names.fleet();
    let mut publish = vec![
        format!("{fleet}.plan.*"),
        format!("{fleet}.work.*.*.*"),
        format!("{fleet}.ctl"),
        format!("$KV.{}.>", names.bucket("runs")),
        format!("$KV.{}.rule.*", names.bucket("limits")),
        format!("$KV.{}.archive", names.bucket("ctl")),
        format!("$JS.API.STREAM.PURGE.{}", names.stream("work")),
        format!("$JS.API.CONSUMER.DURABLE.CREATE.{}.>", names.stream("work")),
    ];
    for stream in all_streams(names) {
        publish.extend(
            ["$JS.API.STREAM.CREATE.{}", "$JS.API.STREAM.INFO.{}"].map(|pattern| pattern.replace("{}", &stream)),
        );
    }
    for stream in ["plan", "work", "out", "attempts"].map(|name| names.stream(name)) {
        publish.extend(reading(&stream));
    }
    for bucket in ["runs", "hosts", "limits", "ctl"] {
        publish.extend(reading(&format!("KV_{}", names.bucket(bucket))));
    }
    let subscribe = vec![format!("{fleet}.ev.*"), format!("{fleet}.ctl")];
    Permissions { publish, subscribe, may_respond: false }
}

/// Looks into a stream, without taking anything out of a durable consumer.
fn reading(stream: &str) -> [String; 7] {
    [
        "$JS.API.CONSUMER.CREATE.{}",
        "$JS.API.CONSUMER.CREATE.{}.>",
        "$JS.API.CONSUMER.INFO.{}.*",
        "$JS.API.DIRECT.GET.{}",
        "$JS.API.DIRECT.GET.{}.>",
        "$JS.API.STREAM.MSG.GET.{}",
        "$JS.FC.{}.>",
    ]
    .map(|pattern| pattern.replace("{}", stream))
}

/// Takes parcels of its classes, writes what becomes of units whose tickets it knows, says that it is there, asks.
fn worker(names: &FleetNames, name: &str, classes: &[String]) -> Permissions {
    let (fleet, work, ctl) = (names.fleet(), names.stream("work"), names.bucket("ctl"));
    let mut publish = vec![
        format!("{fleet}.out.*.*.*"),
        format!("{fleet}.att.*.*.*"),
        format!("{fleet}.half.*.*.*"),
        format!("{fleet}.ev.*"),
        names.ask(name),
        format!("$KV.{}.{}", names.bucket("hosts"), key(name)),
        format!("$JS.API.DIRECT.GET.KV_{ctl}.$KV.{ctl}.drain.{}", key(name)),
    ];
    for class in classes.iter().map(|class| token(class)) {
        publish.push(format!("{fleet}.work.{class}.*.*"));
        publish.push(format!("$JS.API.CONSUMER.MSG.NEXT.{work}.{class}"));
        publish.push(format!("$JS.ACK.{work}.{class}.>"));
    }
    Permissions { publish, subscribe: vec![format!("{fleet}.ctl")], may_respond: false }
}

fn all_streams(names: &FleetNames) -> Vec<String> {
    let buckets = BUCKETS.iter().map(|bucket| format!("KV_{}", names.bucket(bucket)));
    STREAMS.iter().map(|stream| names.stream(stream)).chain(buckets).collect()
}
