//! Access tokens of Google's cloud, asked of its own program: they last an hour, so that no variable can hold one for a run.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use quintain_process::SpawnOptions;

use super::keys::Secret;

/// What stands in place of a variable where tokens are asked for: `key=gcloud`.
pub const GCLOUD: &str = "gcloud";

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// As many bytes as are kept of what it prints: tokens are shorter.
const LONGEST: usize = 16 << 10;
/// How long a token is used: half of what it lasts.
const FRESH: Duration = Duration::from_mins(30);

static LAST: Mutex<Option<(Instant, Secret)>> = Mutex::new(None);

/// A token, or why there is none.
pub(super) fn token() -> Result<Secret, String> {
    let mut last = LAST.lock().always();
    if let Some((_, token)) = last.as_ref().filter(|(since, _)| since.elapsed() < FRESH) {
        return Ok(token.clone());
    }
    let token = Secret::new(printed()?, "GCLOUD_TOKEN");
    *last = Some((Instant::now(), token.clone()));
    Ok(token)
}

fn printed() -> Result<String, String> {
    let asked = SpawnOptions::new(GCLOUD).args(["auth", "print-access-token"]).ask(PATIENCE, LONGEST);
    let answer = asked.map_err(|error| format!("it does not start: {error}"))?;
    let token = answer.output.trim();
    match answer.status {
        Some(status) if status.success() && !token.is_empty() => Ok(token.to_owned()),
        None => Err(format!("nothing within {PATIENCE:?}")),
        Some(_) => {
            let words = answer.errors.lines().find(|line| !line.trim().is_empty());
            Err(words.unwrap_or("it prints nothing").to_owned())
        }
    }
}
