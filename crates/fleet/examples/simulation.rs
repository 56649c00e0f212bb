//! Simulates a fleet: `cargo run --release -p quintain-fleet --example simulation [-- HOSTS TRIALS SEED DEPTH]`.
//!
//! `DEPTH` is how many parcels the steward keeps out for each slot. Exits with an error if anything was lost or counted twice, or an attempt is not accounted for.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

use std::process::ExitCode;

use quintain_fleet::simulation::{Scenario, simulate};
use quintain_fleet::steward::QueueDepth;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let mut next = |usual: u64| numbers.next().unwrap_or(Ok(usual));
    let usual = QueueDepth::default();
    let (Ok(n_hosts), Ok(n_trials), Ok(seed), Ok(per_slot)) =
        (next(10_000), next(1_000_000), next(1), next(usual.per_slot))
    else {
        eprintln!("error: hosts, trials, seed and depth are whole numbers\nhint: simulation 10000 1000000 1 2");
        return ExitCode::FAILURE;
    };
    let mut scenario = Scenario::sized(seed, n_hosts as usize, n_trials as u32);
    scenario.depth = QueueDepth { per_slot, ..usual };
    let report = simulate(&scenario);
    println!("{report}");
    if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
