//! A certificate in words.

use std::fmt::Write;
use std::path::Path;

use quintain_core::words::count;
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

/// That a written certificate stays where it is, why, and how to have the new one.
pub(super) fn staying(path: &Path, written: &Certificate, new: &Certificate) -> String {
    format!(
        "{} proves more and stays: {}; this one is {}\nhint: delete it and check again, or name another folder with \
         --certificates",
        path.display(),
        extent(written),
        extent(new)
    )
}

/// How much was examined: `full, 3 instances, seeds 0 to 1`.
fn extent(certificate: &Certificate) -> String {
    let n_instances = count(certificate.instances().len(), "instance");
    format!("{}, {n_instances}, {}", certificate.form.name(), seeds_in_words(&certificate.seeds))
}

fn seeds_in_words(seeds: &[u64]) -> String {
    let in_a_row = seeds.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    match seeds {
        [] => "no seed".to_owned(),
        [one] => format!("seed {one}"),
        [first, .., last] if in_a_row => format!("seeds {first} to {last}"),
        _ => format!("seeds {}", seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::seeds_in_words;

    #[test]
    fn seeds_are_told_as_they_are_typed() {
        let seeds: [&[u64]; 5] = [&[], &[7], &[0, 1, 2], &[2, 3], &[3, 7, 1]];
        assert_eq!(seeds.map(seeds_in_words), ["no seed", "seed 7", "seeds 0 to 2", "seeds 2 to 3", "seeds 3, 7, 1"]);
    }
}
