//! What things are called on the server: streams, consumers, buckets, subjects. A fixed number, whatever runs and hosts.

/// The names of one fleet. Several fleets may share a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetNames {
    fleet: String,
}

impl FleetNames {
    /// The names of the fleet that is called so: letters, digits, `-` and `_`.
    pub fn of(fleet: impl Into<String>) -> Self {
        Self { fleet: fleet.into() }
    }

    /// The fleet.
    pub fn fleet(&self) -> &str {
        &self.fleet
    }

    /// The stream of that name: `plan`, `work`, `out`, `attempts`, `half`.
    pub fn stream(&self, name: &str) -> String {
        format!("{}-{name}", self.fleet)
    }

    /// The bucket of that name: `runs`, `hosts`, `limits`, `ctl`.
    pub fn bucket(&self, name: &str) -> String {
        format!("{}-{name}", self.fleet)
    }

    /// The units of a run, many in a message.
    pub fn plan(&self, run: &str) -> String {
        format!("{}.plan.{}", self.fleet, token(run))
    }

    /// A parcel of work: `first` is the place of its first unit in the plan, `count` how many it has.
    pub fn work(&self, class: &str, run: &str, first: u32, count: u32) -> String {
        format!("{}.work.{}.{}.{first}-{count}", self.fleet, token(class), token(run))
    }

    /// The outcome of a unit. Whoever was never given the unit does not know its ticket.
    pub fn outcome(&self, run: &str, idx: u32, ticket: &str) -> String {
        format!("{}.out.{}.{idx}.{ticket}", self.fleet, token(run))
    }

    /// What became of the attempts at a unit that brought no outcome.
    pub fn attempts(&self, run: &str, idx: u32, ticket: &str) -> String {
        format!("{}.att.{}.{idx}.{ticket}", self.fleet, token(run))
    }

    /// The turns of an attempt that is not over.
    pub fn half(&self, run: &str, idx: u32, ticket: &str) -> String {
        format!("{}.half.{}.{idx}.{ticket}", self.fleet, token(run))
    }

    /// What happens in a run, as it happens; never authoritative.
    pub fn events(&self, run: &str) -> String {
        format!("{}.ev.{}", self.fleet, token(run))
    }

    /// Where everyone is told that a run's direction, or a host's, has changed.
    pub fn control(&self) -> String {
        format!("{}.ctl", self.fleet)
    }

    /// What a worker asks of the steward.
    pub fn ask(&self, worker: &str) -> String {
        format!("{}.ask.{}", self.fleet, token(worker))
    }

    /// Where replies come to the one who has that key or, where nobody has keys, that name.
    pub fn inbox(&self, owner: &str) -> String {
        format!("_INBOX_{}.{}", self.fleet, token(owner))
    }
}

/// Sixty-four hexadecimal digits that nobody can guess.
pub(crate) fn new_secret() -> String {
    let seed = nkeys::KeyPair::new_user().seed().expect("a new pair of keys has a seed");
    blake3::hash(seed.as_bytes()).to_hex().to_string()
}

/// A text as one token of a subject: what has a meaning there is written as `=` and two hexadecimal digits.
pub fn token(text: &str) -> String {
    use std::fmt::Write as _;
    let mut token = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'+' | b'~' => token.push(byte as char),
            _ => write!(token, "={byte:02x}").expect("a string takes what is written"),
        }
    }
    token
}

/// The text that was made a token; nothing where it is none.
pub fn text(token: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::with_capacity(token.len()), token.bytes());
    while let Some(byte) = rest.next() {
        if byte != b'=' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_text_survives_as_one_token(original in ".*") {
            let made = token(&original);
            prop_assert!(!made.contains(['.', '*', '>', ' ']));
            prop_assert_eq!(text(&made), Some(original));
        }
    }
}
