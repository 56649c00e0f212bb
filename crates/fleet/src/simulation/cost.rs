//! What requests cost a server, from what was measured on one (server 2.15, one node, no replicas, 1 KB messages).

/// Microseconds of a server's processor for one request of each kind, in the order in which they are counted.
///
/// An offer is a publish that is confirmed; a pull is a lease of one message and its confirmed acknowledgement; a beat a
/// progress acknowledgement; a commit a publish that expects nothing to be there; a release is two publishes; an advert
/// is a put in a bucket. A question to the steward was not measured: two plain messages are counted as a publish. A
/// steward's read is counted as a publish too.
const MICROS: [(&str, f64); 8] = [
    ("offers", 20.0),
    ("pulls", 56.0),
    ("beats", 61.0),
    ("commits", 17.0),
    ("releases", 40.0),
    ("asks", 20.0),
    ("adverts", 24.0),
    ("steward's reads", 20.0),
];

/// Three nodes that keep every message took about three times the processor time of one.
pub(super) const REPLICAS: f64 = 3.0;

/// How many cores of one node these requests in a second keep busy.
pub(super) fn cores(per_second: &[f64; 8]) -> f64 {
    MICROS.iter().zip(per_second).map(|((_, micros), n)| micros * n / 1e6).sum()
}
