//! What is right of a capture: what happened, in tables.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::packet::Ipv4;
use super::stage::C2;
use super::story::{CaptureStory, FileFetch, TunnelSession, server};
use crate::calendar::CivilDate;

/// The three tables that are expected.
pub(super) fn of(story: &CaptureStory) -> Value {
    json!({ "infected": infected(story), "beacons": beacons(story), "exfiltrated": exfiltrated(story) })
}

/// The first time that each machine received the loader whole.
fn infected(story: &CaptureStory) -> Value {
    let mut first = BTreeMap::new();
    for fetch in story.fetches.iter().filter(|fetch| fetch.is_loader && fetch.is_whole) {
        let known = first.entry(fetch.machine).or_insert(fetch);
        if fetch.at < known.at {
            *known = fetch;
        }
    }
    let row = |(machine, fetch): (usize, &FileFetch)| {
        json!({
            "hostname": story.machines[machine].name,
            "mac": hexadecimal(&story.machines[machine].mac, ":"),
            "address": story.address(machine, fetch.at).map(dotted),
            "server": dotted(server(fetch.server).1),
            "path": fetch.path,
            "requested": moment(fetch.at),
        })
    };
    table(&["hostname"], &first.into_iter().map(row).collect::<Vec<_>>())
}

fn beacons(story: &CaptureStory) -> Value {
    let mut calls: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for call in &story.beacons {
        calls.entry(call.machine).or_default().extend([Some(call.at), call.again].into_iter().flatten());
    }
    let row = |(machine, calls): (usize, Vec<u64>)| {
        json!({
            "hostname": story.machines[machine].name,
            "server": dotted(C2[machine % C2.len()].1),
            "n_beacons": calls.len(),
            "first": calls.iter().min().copied().map(moment),
            "last": calls.iter().max().copied().map(moment),
        })
    };
    table(&["hostname"], &calls.into_iter().map(row).collect::<Vec<_>>())
}

fn exfiltrated(story: &CaptureStory) -> Value {
    let row = |session: &TunnelSession| {
        json!({
            "session": session.id,
            "hostname": story.machines[session.machine].name,
            "n_bytes": session.content.len(),
            "sha256": sha256(&session.content),
            "began": moment(session.at),
        })
    };
    table(&["session"], &story.tunnels.iter().filter(|session| session.is_whole).map(row).collect::<Vec<_>>())
}

/// A table whose texts are compared letter by letter. Counts are numbers, however they are spelt.
fn table(key: &[&str], rows: &[Value]) -> Value {
    let cells = rows.first().and_then(Value::as_object).into_iter().flatten();
    let whole = json!({ "type": "number", "digits": 0, "tolerance": 0.01 });
    let of = |value: &Value| if value.is_number() { whole.clone() } else { json!("exact") };
    let columns: BTreeMap<&String, Value> = cells.map(|(name, value)| (name, of(value))).collect();
    json!({ "columns": columns, "key": key, "rows": rows })
}

/// The hash of a file, as it is written.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes), "")
}

/// Two digits for each byte.
pub(super) fn hexadecimal(bytes: &[u8], between: &str) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}

fn dotted(address: Ipv4) -> String {
    address.map(|byte| byte.to_string()).join(".")
}

/// A moment in UTC, in whole seconds.
fn moment(at: u64) -> String {
    let seconds = at / 1_000_000;
    let (day, of_day) = (CivilDate::of((seconds / 86_400) as i64), seconds % 86_400);
    format!("{}T{:02}:{:02}:{:02}Z", day.iso(), of_day / 3600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_hashes_are_written_as_everywhere() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(1_709_210_096_999_999), "2024-02-29T12:34:56Z");
        assert_eq!(moment(1_767_225_599_000_000), "2025-12-31T23:59:59Z");
        assert!(sha256(b"abc").starts_with("ba7816bf8f01cfea"));
    }
}
