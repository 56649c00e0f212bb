//! What of an agent's changes reaches the tests.
//!
//! Harbor's tests mostly run where the agent worked, and believe whatever programs they find there. Here they run in a fresh
//! system: what the agent made is carried over, and what tests run with is not.

use std::path::Path;

use quintain_harbor::{HarborRound, VerifierMode};

/// Folders that the programs of tests come from, and what is the harness's own.
const NEVER: [&str; 14] = [
    "usr",
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "boot",
    "tests",
    "solution",
    "logs/verifier",
    "root/.local",
    "root/.cache",
    "root/.config",
];
/// Files that programs read when they start, whoever starts them.
const START_FILES: [&str; 10] = [
    "etc/ld.so.preload",
    "etc/ld.so.conf",
    "etc/ld.so.conf.d",
    "etc/ld.so.cache",
    "etc/profile",
    "etc/profile.d",
    "etc/bash.bashrc",
    "etc/environment",
    "root/.bashrc",
    "root/.profile",
];

/// Whether a change reaches the tests of a round: of a separate environment what are its artifacts, else everything that is
/// no program and no start file of one.
pub(crate) fn is_carried(round: &HarborRound, path: &Path) -> bool {
    let path = path.strip_prefix("/").unwrap_or(path);
    let is_below = |top: &str| path.starts_with(top.trim_matches('/'));
    if NEVER.iter().chain(&START_FILES).any(|top| is_below(top)) {
        return false;
    }
    match round.verifier_mode {
        VerifierMode::Shared => true,
        VerifierMode::Separate => {
            is_below("logs/artifacts")
                || round.artifacts.iter().any(|artifact| is_below(&artifact.source) || leads_to(path, &artifact.source))
        }
    }
}

/// Whether a folder is on the way to something.
fn leads_to(folder: &Path, place: &str) -> bool {
    Path::new(place.trim_matches('/')).starts_with(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_made_is_carried_and_what_tests_run_with_is_not() {
        let folders = "[task]\nname = 'a/b'\n";
        let round = |told: &str| {
            let files = [
                ("task.toml", format!("schema_version = '1.4'\n{told}{folders}")),
                ("instruction.md", "Do it.\n".to_owned()),
                ("environment/Dockerfile", "FROM debian:12\n".to_owned()),
                ("tests/test.sh", "#!/bin/sh\n".to_owned()),
            ];
            let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes().into())).into();
            let task = quintain_harbor::HarborTask::from_folder("b", files, [].into()).unwrap();
            task.rounds[0].clone()
        };
        let told = |round: &HarborRound| {
            let paths = [
                "app/out.txt",
                "etc/nginx/site",
                "etc/ld.so.preload",
                "usr/bin/pytest",
                "data",
                "data/a/b.csv",
                "tests/t.py",
            ];
            paths.map(|path| if is_carried(round, Path::new(path)) { '+' } else { '-' }).iter().collect::<String>()
        };
        assert_eq!(told(&round("")), "++--++-");
        let separate = round("artifacts = ['/data/a']\n[verifier]\nenvironment_mode = 'separate'\n");
        assert_eq!(told(&separate), "----++-");
    }
}
