//! A certificate in words.

use std::fmt::Write;

use quintain_runner::certify::{Certificate, TwinProof};

/// The most refusals of one task that are printed.
const N_PRINTED: usize = 10;

/// What was proven, in a line, and why the task is refused where it is.
pub(super) fn text(certificate: &Certificate) -> String {
    let Certificate { task, picks, chance, twins, refusals, .. } = certificate;
    let sum = |count: fn(&quintain_runner::certify::PickProof) -> u32| picks.iter().map(count).sum::<u32>();
    let guesses: Vec<String> = chance
        .iter()
        .map(|proof| {
            let preset = proof.preset.as_deref().map_or(String::new(), |preset| format!(" {preset}"));
            format!("{} of {}{preset}", proof.n_solved, proof.n_guesses)
        })
        .collect();
    let mark = if refusals.is_empty() { "sound  " } else { "REFUSED" };
    let mut text = format!(
        "{mark} {task}: {} instances, {} near misses, {} variations, {} cheats, random solved {}",
        picks.len(),
        sum(|pick| pick.n_near_misses),
        sum(|pick| pick.n_variations),
        picks.iter().map(|pick| pick.cheats.len()).sum::<usize>(),
        guesses.join(", ")
    );
    let n_stretches = picks.iter().map(|pick| pick.stretches.len()).sum::<usize>();
    if n_stretches > 0 {
        let _infallible = write!(text, ", {n_stretches} stretches");
    }
    if !twins.is_empty() {
        let told: Vec<String> = twins.iter().map(TwinProof::words).collect();
        let _infallible = write!(text, ", twins: {}", told.join("; "));
    }
    for few in twins.iter().filter(|twins| refusals.is_empty() && twins.is_few()) {
        let _infallible = write!(text, "\n  warning, few twins: {}", few.words());
    }
    for refusal in refusals.iter().take(N_PRINTED) {
        let _infallible = write!(text, "\n  {refusal}");
    }
    if refusals.len() > N_PRINTED {
        let _infallible = write!(text, "\n  and {} more", refusals.len() - N_PRINTED);
    }
    text
}
