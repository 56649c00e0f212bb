//! Words for a person.

/// A count with its noun: `1 trial`, `3 trials`.
pub fn count(n: impl TryInto<u64>, noun: &str) -> String {
    match n.try_into() {
        Ok(1) => format!("1 {noun}"),
        Ok(n) => format!("{n} {noun}s"),
        Err(_) => format!("very many {noun}s"),
    }
}
