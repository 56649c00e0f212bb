//! The hidden bench: what is put into a funnel in each case, in several runs side by side, and what comes out as one hash a case.

use quintain_core::{Digest, Rng};
use serde_json::{Map, Value};

use super::config::FunnelConfig;
use super::model::{FunnelInputs, FunnelModel};

/// Runs side by side, at most one for each bit of a word.
const N_LANES: usize = 16;
/// The bits of a word that are runs.
const LANES: u64 = (1 << N_LANES) - 1;
/// The cycles of a run, and of a long one. In the first one the funnel is reset, and nothing is compared.
const N_CYCLES: usize = 100;
const N_LONG_CYCLES: usize = 1000;
/// The sink stalls for at least so many cycles, where it does for long.
const SHORTEST_STALL: i64 = 40;

/// How likely what is in a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct BenchCase {
    pub(super) name: &'static str,
    valid: f64,
    last: f64,
    urgent: f64,
    ready: f64,
    flush: f64,
    clr: f64,
    reset: f64,
    /// How likely a long stall begins: the sink takes nothing, and ports keep on offering.
    stall: f64,
    longest_stall: i64,
    n_cycles: usize,
}

const fn case(name: &'static str, valid: f64, last: f64, ready: f64) -> BenchCase {
    let (urgent, flush, clr, reset, stall) = (0.0, 0.0, 0.0, 0.0, 0.0);
    BenchCase { name, valid, last, urgent, ready, flush, clr, reset, stall, longest_stall: 0, n_cycles: N_CYCLES }
}

/// All cases.
pub(super) const CASES: [BenchCase; 21] = [
    case("first words", 0.3, 0.5, 0.9),
    case("single words", 0.9, 1.0, 0.97),
    case("long packets", 0.8, 0.05, 0.8),
    case("no pause", 1.0, 0.3, 1.0),
    case("slow sink", 0.8, 0.3, 0.25),
    case("stalled sink", 0.9, 0.3, 0.06),
    case("sparse", 0.15, 0.4, 0.7),
    case("silent owners", 0.4, 0.1, 0.95),
    BenchCase { urgent: 0.3, ..case("urgent", 0.7, 0.5, 0.9) },
    BenchCase { urgent: 0.8, ..case("mostly urgent", 0.6, 0.3, 0.6) },
    BenchCase { flush: 0.15, ..case("flushes", 0.7, 0.3, 0.4) },
    BenchCase { flush: 0.08, ..case("flushes when full", 0.95, 0.3, 0.1) },
    BenchCase { clr: 0.2, ..case("clears", 0.9, 0.5, 0.6) },
    BenchCase { clr: 0.02, ..case("rare clears", 0.95, 0.9, 0.8) },
    BenchCase { reset: 0.04, ..case("resets", 0.7, 0.3, 0.5) },
    BenchCase { urgent: 0.15, flush: 0.03, clr: 0.03, reset: 0.01, ..case("everything", 0.6, 0.25, 0.55) },
    BenchCase { urgent: 0.1, flush: 0.25, clr: 0.25, ..case("flushes with clears", 0.8, 0.5, 0.5) },
    BenchCase { flush: 0.05, clr: 0.3, ..case("flushes with clears when full", 0.97, 0.3, 0.08) },
    BenchCase { flush: 0.3, clr: 0.1, ..case("flushes of silent owners", 0.4, 0.1, 0.9) },
    BenchCase { clr: 0.1, stall: 0.1, longest_stall: 90, ..case("long stalls", 0.8, 0.4, 0.8) },
    BenchCase {
        urgent: 0.1,
        flush: 0.04,
        clr: 0.06,
        stall: 0.01,
        longest_stall: 320,
        n_cycles: N_LONG_CYCLES,
        ..case("a long run", 0.6, 0.3, 0.6)
    },
];

/// What is put into one run, cycle by cycle.
fn run(seed: u64, config: &FunnelConfig, case: &BenchCase, lane: usize) -> Vec<FunnelInputs> {
    let mut rng = Rng::for_purpose(seed, &format!("{} {lane}", case.name));
    let n = config.n_ports;
    // Some ports have more to say than others.
    let valid: Vec<f64> = (0..n).map(|_| 1.0 - (1.0 - case.valid) * rng.uniform(0.5, 1.5).min(1.0)).collect();
    let mut stalled = LongStall::default();
    let mut one = |cycle: usize| {
        stalled.pass(case, n, &mut rng);
        let is_stalled = stalled.n_left > 0;
        let flush = if is_stalled { case.flush / 10.0 } else { case.flush };
        let asks = |port: usize, rng: &mut Rng| {
            if is_stalled { stalled.valid >> port & 1 == 1 } else { rng.chance(valid[port]) }
        };
        FunnelInputs {
            is_reset: cycle == 0 || rng.chance(case.reset),
            valid: (0..n).map(|port| u32::from(asks(port, &mut rng)) << port).sum(),
            last: (0..n).map(|port| u32::from(rng.chance(case.last)) << port).sum(),
            urgent: (0..n).map(|port| u32::from(rng.chance(case.urgent)) << port).sum(),
            data: (0..n).map(|_| rng.below(1 << config.data_width) as u32).collect(),
            out_ready: !is_stalled && rng.chance(case.ready),
            flush: rng.chance(flush),
            clr: rng.chance(case.clr),
        }
    };
    (0..case.n_cycles).map(&mut one).collect()
}

/// A stall of the sink: for how many cycles it goes on, and which ports keep on offering.
#[derive(Default)]
struct LongStall {
    n_left: i64,
    valid: u32,
}

impl LongStall {
    /// One cycle passes. Cases without stalls draw nothing.
    fn pass(&mut self, case: &BenchCase, n_ports: usize, rng: &mut Rng) {
        self.n_left = (self.n_left - 1).max(0);
        if case.longest_stall > 0 && self.n_left == 0 && rng.chance(case.stall) {
            self.n_left = rng.between(SHORTEST_STALL, case.longest_stall);
            self.valid = (0..n_ports).map(|port| u32::from(rng.chance(0.9)) << port).sum();
        }
    }
}

/// All runs of a case.
pub(super) fn runs(seed: u64, config: &FunnelConfig, case: &BenchCase) -> Vec<Vec<FunnelInputs>> {
    (0..N_LANES).map(|lane| run(seed, config, case, lane)).collect()
}

/// The bits of all inputs in the order of [`FunnelConfig::input_ports`], in one cycle of one run.
fn input_bits(config: &FunnelConfig, inputs: &FunnelInputs) -> Vec<bool> {
    let mut bits = vec![inputs.is_reset != config.resets_low];
    let mut take = |value: u32, width: usize| bits.extend((0..width).map(|at| value >> at & 1 == 1));
    for all in [inputs.valid, inputs.last, inputs.urgent] {
        take(all, config.n_ports);
    }
    inputs.data.iter().for_each(|word| take(*word, config.data_width));
    for flag in [inputs.out_ready, inputs.flush, inputs.clr] {
        take(u32::from(flag), 1);
    }
    bits
}

/// What is put in, for each cycle one word for each bit of the inputs, and in each word a bit for each run.
pub(super) fn stimulus(config: &FunnelConfig, runs: &[Vec<FunnelInputs>]) -> Vec<Vec<u64>> {
    let cycle = |cycle: usize| {
        let mut words = Vec::new();
        for (lane, run) in runs.iter().enumerate() {
            let bits = input_bits(config, &run[cycle]);
            words.resize(bits.len(), 0);
            words.iter_mut().zip(bits).for_each(|(word, bit)| *word |= u64::from(bit) << lane);
        }
        words
    };
    (0..runs.first().map_or(0, Vec::len)).map(cycle).collect()
}

/// What a right funnel gives out, in the same form, all cycles but the first.
fn right_trace(config: &FunnelConfig, runs: &[Vec<FunnelInputs>]) -> Vec<u64> {
    let widths: Vec<usize> = config.output_ports().iter().map(|(_, width)| *width).collect();
    let n_bits: usize = widths.iter().sum();
    let n_cycles = runs.first().map_or(0, Vec::len);
    let mut trace = vec![0_u64; n_bits * n_cycles.saturating_sub(1)];
    for (lane, run) in runs.iter().enumerate() {
        let mut model = FunnelModel::new(config);
        for (cycle, inputs) in run.iter().enumerate().skip(1) {
            let mut at = n_bits * (cycle - 1);
            for (value, width) in model.outputs(inputs).into_iter().zip(&widths) {
                (0..*width).for_each(|bit| trace[at + bit] |= u64::from(value >> bit & 1) << lane);
                at += width;
            }
            model.clock(inputs);
        }
    }
    trace
}

/// One hash for what a trace has of the runs.
pub(super) fn told(trace: &[u64]) -> String {
    let bytes: Vec<u8> = trace.iter().flat_map(|word| (word & LANES).to_le_bytes()).collect();
    Digest::of(&bytes).short()
}

/// What is right in a case.
pub(super) fn right_in(seed: u64, config: &FunnelConfig, case: &BenchCase) -> String {
    told(&right_trace(config, &runs(seed, config, case)))
}

/// What is right, case by case.
pub(super) fn right(seed: u64, config: &FunnelConfig) -> Map<String, Value> {
    CASES.iter().map(|case| (case.name.to_owned(), right_in(seed, config, case).into())).collect()
}

/// A short run that shows the interface, as a table in hexadecimal.
pub(super) fn example(seed: u64, config: &FunnelConfig) -> String {
    let case = case("example", 0.35, 0.4, 0.8);
    let (inputs, outputs) = (config.input_ports(), config.output_ports());
    let names = inputs.iter().chain(&outputs).map(|(name, _)| *name);
    let mut out = ["cycle"].into_iter().chain(names).collect::<Vec<_>>().join(",") + "\n";
    let mut model = FunnelModel::new(config);
    for (cycle, at) in run(seed, config, &case, 0).iter().take(40).enumerate() {
        let bits = input_bits(config, at);
        let mut cells = vec![cycle.to_string()];
        let mut from = 0;
        for (_, width) in &inputs {
            cells.push(hex(&bits[from..from + width]));
            from += width;
        }
        let values = model.outputs(at);
        cells.extend(values.iter().map(|value| if cycle == 0 { "x".to_owned() } else { format!("{value:x}") }));
        out += &(cells.join(",") + "\n");
        model.clock(at);
    }
    out
}

/// Bits, the lowest first, in hexadecimal.
fn hex(bits: &[bool]) -> String {
    let digit = |four: &[bool]| four.iter().enumerate().map(|(at, bit)| u32::from(*bit) << at).sum();
    bits.chunks(4).rev().filter_map(|four| char::from_digit(digit(four), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::config::FlushRule;
    use super::*;

    /// What came together in the runs of an order, in cycles.
    #[derive(Debug, Default)]
    struct Coincidences {
        counted_in_a_flush_with_clear: usize,
        starving_in_a_flush_with_clear: usize,
        cleared_after_a_long_wait: usize,
        starving_late: usize,
    }

    impl Coincidences {
        fn of(seed: u64, config: &FunnelConfig) -> Self {
            let mut found = Self::default();
            for case in &CASES {
                for run in &runs(seed, config, case) {
                    found.see(config, run);
                }
            }
            found
        }

        fn see(&mut self, config: &FunnelConfig, run: &[FunnelInputs]) {
            let mut model = FunnelModel::new(config);
            let mut waits = vec![0; config.n_ports];
            for (cycle, inputs) in run.iter().enumerate() {
                let ready = model.outputs(inputs)[0];
                for (port, wait) in waits.iter_mut().enumerate() {
                    let is_waiting = !inputs.is_reset && (inputs.valid & !ready) >> port & 1 == 1;
                    *wait = (*wait + 1) * usize::from(is_waiting);
                }
                let starves = waits.iter().any(|wait| *wait >= config.wait_limit);
                let counts = ready & inputs.last != 0;
                self.counted_in_a_flush_with_clear += usize::from(inputs.flush && inputs.clr && counts);
                self.starving_in_a_flush_with_clear += usize::from(inputs.flush && inputs.clr && starves);
                self.cleared_after_a_long_wait += usize::from(inputs.clr && waits.iter().any(|wait| *wait > 33));
                self.starving_late += usize::from(cycle > 500 && starves);
                model.clock(inputs);
            }
        }
    }

    /// Whatever is ordered, what seldom comes together does so in some run.
    #[test]
    fn rules_meet_in_every_bench() {
        for seed in 0..6 {
            let config = FunnelConfig::drawn(seed, [2, 4, 6][seed as usize % 3]);
            let found = Coincidences::of(seed, &config);
            let counts = config.flush == FlushRule::Block || found.counted_in_a_flush_with_clear > 3;
            let starves = found.starving_in_a_flush_with_clear > 3 && found.starving_late > 50;
            assert!(counts && starves && found.cleared_after_a_long_wait > 20, "{seed}: {found:?}");
        }
    }
}
