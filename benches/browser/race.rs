//! Contenders who take turns, so that all see the same machine.

use std::time::Instant;

use crate::cpu::Account;
use crate::load;

/// Somebody who makes steps.
pub(crate) struct Contender<'a> {
    name: &'static str,
    account: Account,
    run: Box<dyn FnMut(usize) + 'a>,
}

/// What one step takes, in the middle of all rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall_ms: f64,
    pub(crate) cpu_ms: f64,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, account: Account, run: impl FnMut(usize) + 'a) -> Self {
        Self { name, account, run: Box::new(run) }
    }

    fn round(&mut self, n_steps: usize, n_lanes: usize) -> Took {
        let (began, used) = (Instant::now(), self.account.used());
        (self.run)(n_steps);
        let (wall, cpu) = (began.elapsed(), self.account.used().saturating_sub(used));
        let n_all = (n_steps * n_lanes) as f64;
        Took { wall_ms: wall.as_secs_f64() * 1e3 / n_all, cpu_ms: cpu.as_secs_f64() * 1e3 / n_all }
    }
}

/// Lets all make their steps in every round, the first one once more at the end, and prints what they took.
pub(crate) fn race(mut contenders: Vec<Contender<'_>>, n_rounds: usize, n_steps: usize, n_lanes: usize) -> Vec<Took> {
    let mut rounds: Vec<Vec<Took>> = vec![Vec::new(); contenders.len()];
    for contender in &mut contenders {
        contender.round(4, n_lanes);
    }
    for _round in 0..n_rounds {
        for (contender, taken) in contenders.iter_mut().zip(&mut rounds) {
            taken.push(contender.round(n_steps, n_lanes));
        }
    }
    rounds[0].push(contenders[0].round(n_steps, n_lanes));
    println!("  {:<24} {:>8} {:>16} {:>16}", "", "steps/s", "wall ms (min)", "CPU ms (min)");
    contenders.iter().zip(&rounds).map(|(contender, taken)| summary(contender.name, taken)).collect()
}

fn summary(name: &str, rounds: &[Took]) -> Took {
    let walls: Vec<f64> = rounds.iter().map(|took| took.wall_ms).collect();
    let cpus: Vec<f64> = rounds.iter().map(|took| took.cpu_ms).collect();
    let [wall_ms, least_wall] = [0.5, 0.0].map(|share| percentile(&walls, share));
    let [cpu_ms, least_cpu] = [0.5, 0.0].map(|share| percentile(&cpus, share));
    let rate = 1e3 / wall_ms;
    println!("  {name:<24} {rate:>8.1} {wall_ms:>7.1} ({least_wall:>6.1}) {cpu_ms:>7.1} ({least_cpu:>6.1})");
    Took { wall_ms, cpu_ms }
}

/// Prints how many times as much one is as another.
pub(crate) fn ratio(what: &str, of: f64, to: f64) {
    println!("  {what}: {:.2}, load {}", of / to, load());
}

/// The value below which such a share of all lies; 0 is the least of them.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted[place.saturating_sub(1).min(sorted.len() - 1)]
}
