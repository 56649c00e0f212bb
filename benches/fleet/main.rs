//! No-op trials through a whole fleet against the bare publish, lease, commit, acknowledge cycle of `JetStream`, side by
//! side on one server.
//!
//! A no-op trial records all that a real one does, and its record is in the archive before it is handed in. The bare cycle
//! is the least that any engine on `JetStream` must do for a trial: publish it, lease it, publish its outcome so that only
//! the first one counts, acknowledge it; one at a time in 64 workers, and in batches, whichever is faster. The two take
//! turns. `cargo bench -p quintain-fleet --bench fleet -- [trials]`; `-- million` plays a million trials instead and
//! `-- slow` measures only what slow trials suffer.

#![expect(clippy::print_stdout, reason = "a measurement prints what it measured")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot be made has nothing to say")]

mod bare;
mod million;
mod platform;
mod slow;

use std::fs;
use std::time::{Duration, Instant};

use quintain_testkit::servers::{Nats, NatsOptions};

const N_TRIALS: u32 = 20_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let first = args.first().map_or("", String::as_str);
    match first {
        "million" => million::play(args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000)),
        "slow" => slow::measure(),
        _ => {
            let n_trials = first.parse().unwrap_or(N_TRIALS);
            compare("one node", &NatsOptions::default(), n_trials);
            let always = NatsOptions { sync_always: true, ..NatsOptions::default() };
            compare("one node, sync_interval: always", &always, n_trials / 10);
            slow::measure();
        }
    }
}

/// What a round took.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    server: Duration,
    own: Duration,
}

fn compare(what: &str, options: &NatsOptions, n_trials: u32) {
    println!("{what}: {n_trials} no-op trials a round");
    let nats = Nats::with(options);
    let (mut chunks, mut singles, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let fleet = |round, chunk| platform::play(&nats.urls(), round, n_trials, chunk);
    for round in 0..3 {
        chunks.push(measure("fleet, chunks of 64", &nats, n_trials, || fleet(round, 64)));
        singles.push(measure("fleet, one by one", &nats, n_trials, || fleet(round, 1)));
        if round < 2 {
            let single = measure("bare, 64 at once", &nats, n_trials, || bare::single(&nats.urls(), round, n_trials));
            let batch = measure("bare, in batches", &nats, n_trials, || bare::batched(&nats.urls(), round, n_trials));
            bare.push(if single.wall < batch.wall { single } else { batch });
        }
    }
    let rate = |rounds: &[Took]| mean(rounds, |took| f64::from(n_trials) / took.wall.as_secs_f64());
    let cpu = |rounds: &[Took]| mean(rounds, |took| took.server.as_secs_f64() * 1e6 / f64::from(n_trials));
    for (how, rounds) in [("in chunks of 64", chunks), ("one by one", singles)] {
        println!(
            "  {how}: {:.2} of the bare rate at its best, {:.2} of its server CPU",
            rate(&rounds) / rate(&bare),
            cpu(&rounds) / cpu(&bare)
        );
    }
}

fn mean(rounds: &[Took], of: impl Fn(&Took) -> f64) -> f64 {
    rounds.iter().map(of).sum::<f64>() / rounds.len() as f64
}

fn measure(what: &str, nats: &Nats, n_trials: u32, round: impl FnOnce() -> Duration) -> Took {
    let pid = nats.pid(0).unwrap().to_string();
    let (server, own) = (cpu_time(&pid), cpu_time("self"));
    let wall = round();
    let took = Took { wall, server: cpu_time(&pid).saturating_sub(server), own: cpu_time("self").saturating_sub(own) };
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(n_trials);
    let rate = f64::from(n_trials) / wall.as_secs_f64();
    println!(
        "  {what:<19} {rate:>8.0} trials/s  CPU a trial: server {:>5.0} us, clients {:>5.0} us",
        each(took.server),
        each(took.own)
    );
    took
}

/// Processor time of a process: user and system, from the kernel's own ticks of a hundredth of a second.
fn cpu_time(pid: &str) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn timed(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
