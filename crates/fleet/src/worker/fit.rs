//! Whether a worker may play a run: what can change a result has to be the same on every host.

use std::collections::BTreeMap;

use quintain_store::{ClassUsed, RunHeader};

/// What has to be the same on every host that knows of it: the program and the prompts of its loops.
const EVERYWHERE: [&str; 2] = ["quintain", "prompts"];

type Fingerprint = BTreeMap<String, String>;

/// Why none of a run can be played here, if so: by what it says of itself and this host's fingerprint.
pub(super) fn misfit(run: &RunHeader, here: &Fingerprint) -> Option<String> {
    first_difference(EVERYWHERE, run, here)
}

/// The classes of a run that this host can play and must not, each with why. What is asked for by worlds that are not played
/// here is no matter, and what one class asks for is none of another's.
pub(super) fn misfits(run: &RunHeader, classes: &[String], here: &Fingerprint) -> Vec<(ClassUsed, String)> {
    let played = run.classes.iter().filter(|used| classes.contains(&used.class));
    let why = |used: &ClassUsed| first_difference(used.equal.iter().map(String::as_str), run, here);
    played.filter_map(|used| Some((used.clone(), why(used)?))).collect()
}

fn first_difference<'a>(
    wanted: impl IntoIterator<Item = &'a str>,
    run: &RunHeader,
    here: &Fingerprint,
) -> Option<String> {
    wanted.into_iter().find_map(|what| differs(what, run.fingerprint.get(what)?, here.get(what)))
}

fn differs(what: &str, wanted: &str, found: Option<&String>) -> Option<String> {
    match found {
        Some(found) if found == wanted => None,
        Some(found) => Some(format!("it was planned with {what} {wanted}, and this host has {found}")),
        None => Some(format!("it was planned with {what} {wanted}, and this host has none that it knows of")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> Fingerprint {
        let pairs = text.split(", ").filter_map(|pair| pair.split_once(' '));
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    fn header(text: &str) -> RunHeader {
        let class = |class: &str, equal: &[&str]| ClassUsed {
            class: class.to_owned(),
            equal: equal.iter().map(|what| (*what).to_owned()).collect(),
            ..ClassUsed::default()
        };
        let classes = vec![class("counter", &[]), class("browser", &["browser"]), class("arm", &["mujoco"])];
        RunHeader { fingerprint: print(text), classes, ..RunHeader::new("run", "") }
    }

    #[test]
    fn what_one_class_asks_for_keeps_no_other_from_being_played() {
        let header = header("browser 140, mujoco 3");
        let classes = ["counter", "browser", "arm"].map(str::to_owned);
        let told: Vec<String> = misfits(&header, &classes, &print("browser 140, mujoco 4"))
            .into_iter()
            .map(|(used, why)| format!("{}: {why}", used.class))
            .collect();
        assert_eq!(told, ["arm: it was planned with mujoco 3, and this host has 4"]);
    }

    #[test]
    fn what_can_change_a_result_has_to_be_the_same() {
        let cases = [
            ("quintain 1, os linux", "counter", "quintain 1, os macos", None),
            ("quintain 1", "counter", "quintain 2", Some("quintain 1, and this host has 2")),
            ("quintain 1, prompts ab", "counter", "quintain 1", Some("prompts ab, and this host has none")),
            ("browser 140", "counter", "browser 141", None),
            ("browser 140", "counter", "quintain 1", None),
            ("browser 140", "browser", "browser 141", Some("browser 140, and this host has 141")),
            ("browser 140, mujoco 3", "browser", "browser 140", None),
            ("mujoco 3", "arm", "mujoco 4", Some("mujoco 3, and this host has 4")),
            ("", "browser", "quintain 1", None),
        ];
        for (run, class, here, expected) in cases {
            let (header, here_is) = (header(run), print(here));
            let of_class = misfits(&header, &[class.to_owned()], &here_is).pop().map(|(_, why)| why);
            let found = misfit(&header, &here_is).or(of_class);
            assert_eq!(found.is_some(), expected.is_some(), "{run} on {here}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
    }
}
