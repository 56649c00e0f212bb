//! Writes an HTML report of made-up trials to standard output, to look at the page without a run:
//! `cargo run -p quintain-report --example sample_report -- 240 60 > report.html` (trials, and how many with pictures).

mod sample;

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse().expect("a number of trials is wanted"));
    let (n_trials, n_shown) = (numbers.next().unwrap_or(240), numbers.next().unwrap_or(60));
    let report = sample::report(n_trials, n_shown);
    let rows: Vec<_> = report.trials.iter().map(|trial| trial.row.clone()).collect();
    std::io::stdout().write_all(quintain_report::html(&report, &rows, &[]).as_bytes())
}
