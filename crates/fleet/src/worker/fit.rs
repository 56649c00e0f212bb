//! Whether a worker may play a run: what can change a result has to be the same on every host.

use std::collections::BTreeMap;

/// What has to be the same on every host that knows of it: the program and the prompts of its loops.
const EVERYWHERE: [&str; 2] = ["quintain", "prompts"];

/// What has to be the same on hosts that play in such a world.
const BY_WORLD: [(&str, &str); 1] = [("browser", "browser")];

type Fingerprint = BTreeMap<String, String>;

/// Why a run cannot be played here, if so: its fingerprint, the kinds of world it takes place in, and this host's.
pub(super) fn misfit<'a>(
    run: &Fingerprint,
    mut worlds: impl Iterator<Item = &'a str>,
    here: &Fingerprint,
) -> Option<String> {
    let everywhere = EVERYWHERE.iter().copied();
    let worlds: Vec<&str> = worlds.by_ref().collect();
    let by_world = BY_WORLD.iter().filter(|(world, _)| worlds.contains(world)).map(|(_, what)| *what);
    everywhere.chain(by_world).find_map(|what| differs(what, run.get(what)?, here.get(what)))
}

fn differs(what: &str, wanted: &str, found: Option<&String>) -> Option<String> {
    match found {
        Some(found) if found == wanted => None,
        Some(found) => Some(format!("it was planned with {what} {wanted}, and this host has {found}")),
        None => Some(format!("it was planned with {what} {wanted}, and this host has none")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> Fingerprint {
        let pairs = text.split(", ").filter_map(|pair| pair.split_once(' '));
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn what_can_change_a_result_has_to_be_the_same() {
        let cases = [
            ("quintain 1, os linux", "counter", "quintain 1, os macos", None),
            ("quintain 1", "counter", "quintain 2", Some("quintain 1, and this host has 2")),
            ("quintain 1, prompts ab", "counter", "quintain 1", Some("prompts ab, and this host has none")),
            ("browser 140", "counter", "browser 141", None),
            ("browser 140", "browser", "browser 141", Some("browser 140, and this host has 141")),
            ("", "browser", "quintain 1", None),
        ];
        for (run, world, here, expected) in cases {
            let found = misfit(&print(run), std::iter::once(world), &print(here));
            assert_eq!(found.is_some(), expected.is_some(), "{run} on {here}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
    }
}
