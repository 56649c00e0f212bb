//! The two accounts of a fleet on its server.
//!
//! Permissions alone do not hold a worker back: whoever may publish to a stream chooses where the server's answer goes, and
//! could have it written over the entry of a run. So workers live in an account of their own. The streams are in the other
//! one, which offers them what they need and nothing else, and answers return only to the account that asked.

use crate::names::FleetNames;

/// A fleet's accounts, for the configuration of a server. What is said of users is a list, or an `include` of one.
pub fn accounts(names: &FleetNames, fleet_users: &str, worker_users: &str) -> String {
    let (fleet, workers) = (names.fleet(), workers_account(names));
    let services = services(names);
    let export = |(subject, answers): &(String, AnswerCount)| {
        let many = if *answers == AnswerCount::Many { ", response_type: stream" } else { "" };
        format!("      {{ service: \"{subject}\"{many}, accounts: [\"{workers}\"] }}\n")
    };
    let import = |(subject, _): &(String, AnswerCount)| {
        format!("      {{ service: {{ account: \"{fleet}\", subject: \"{subject}\" }} }}\n")
    };
    let (exports, imports): (String, String) =
        (services.iter().map(export).collect(), services.iter().map(import).collect());
    let told = names.control();
    format!(
        "accounts {{\n  \"{fleet}\" {{\n    jetstream: enabled\n    {fleet_users}\n    exports: [\n{exports}      {{ stream: \
         \"{told}\", accounts: [\"{workers}\"] }}\n    ]\n  }}\n  \"{workers}\" {{\n    {worker_users}\n    imports: \
         [\n{imports}      {{ stream: {{ account: \"{fleet}\", subject: \"{told}\" }} }}\n    ]\n  }}\n}}\n",
        fleet_users = fleet_users.trim(),
        worker_users = worker_users.trim(),
    )
}

/// A list of users, from their entries.
pub fn users(entries: &[String]) -> String {
    format!("users: [\n{}]\n", entries.concat())
}

/// The account in which a fleet's workers are.
pub fn workers_account(names: &FleetNames) -> String {
    format!("{}-workers", names.fleet())
}

/// How many answers a request may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerCount {
    One,
    Many,
}

/// What the workers of a fleet can reach all together; each one's own permissions are narrower.
fn services(names: &FleetNames) -> Vec<(String, AnswerCount)> {
    let (fleet, work, ctl) = (names.fleet(), names.stream("work"), names.bucket("ctl"));
    let one = [
        format!("{fleet}.out.*.*.*"),
        format!("{fleet}.att.*.*.*"),
        format!("{fleet}.half.*.*.*"),
        format!("{fleet}.work.*.*.*"),
        format!("{fleet}.ev.*"),
        format!("{fleet}.ask.*"),
        format!("$KV.{}.*", names.bucket("hosts")),
        format!("$JS.API.DIRECT.GET.KV_{ctl}.$KV.{ctl}.drain.*"),
        format!("$JS.ACK.{work}.>"),
    ];
    let pull = format!("$JS.API.CONSUMER.MSG.NEXT.{work}.*");
    one.into_iter().map(|subject| (subject, AnswerCount::One)).chain([(pull, AnswerCount::Many)]).collect()
}
