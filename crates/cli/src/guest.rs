//! Guests: agents that play through a bridge, in the words of the command line.

use std::fs::File;
use std::io::Read;

use anyhow::Context;
use quintain_core::Digest;
use quintain_core::words::count;
use quintain_store::RunDir;
pub(crate) use quintain_workshop::guest::{SPEC, check_label, used};

/// Something that nobody can guess.
pub(crate) fn token() -> anyhow::Result<String> {
    let mut secret = [0; 32];
    let drawn = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut secret));
    drawn.context("the system has no randomness to give")?;
    Ok(Digest::of(&secret).to_string().chars().take(32).collect())
}

/// What to do about trials that guests left half-done.
pub(crate) fn unfinished(run: &RunDir, n_left: u64) -> String {
    match n_left {
        0 => "nobody came".to_owned(),
        _ => format!(
            "{} half-done\nhint: quintain resume {} ends what is left as out of time and judges what was done",
            count(n_left, "trial"),
            run.header().name
        ),
    }
}
