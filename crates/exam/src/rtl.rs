//! Microelectronics: write a Verilog module to a specification and an order sheet; a hidden bench judges what its gates do.

mod bench;
mod config;
mod model;
mod netlist;
mod verifier;

use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::alterations::{text_of, usual, with};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use crate::texts::texts;
use config::FunnelConfig;
use verifier::{FunnelBench, SOURCE};

/// The name of the task's work and of its verifier.
const NAME: &str = "rtl-funnel";
/// What the options mean.
const SPECIFICATION: &str = include_str!("rtl/funnel.md");
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("rtl/solution.py");

/// Write a Verilog module to a specification.
pub(crate) struct RtlFunnel;

/// What a plan says: the seed and the options that follow from it.
fn planned(plan: &Value) -> Result<(u64, FunnelConfig), String> {
    let seed = seed_of(plan)?;
    let n_ports = size_of(plan, "n_ports")?;
    Ok((seed, FunnelConfig::drawn(seed, n_ports)))
}

impl Assignment for RtlFunnel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_ports = parameters.number("n_ports", 2..=8)?;
        let seed = rng.next_u64();
        let config = FunnelConfig::drawn(seed, n_ports as usize);
        Ok(PreparedWork::of(
            seeded(seed, [("n_ports", n_ports)]),
            json!({ "cases": { "fields": bench::right(seed, &config) } }),
        ))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let (seed, config) = planned(plan)?;
        let files = [
            ("funnel.md", SPECIFICATION.to_owned()),
            ("order.cfg", config.sheet()),
            ("example.csv", bench::example(seed, &config)),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        let mut actions = scripted(
            "cat input/funnel.md input/order.cfg; head -5 input/example.csv",
            ("write_rtl.py", SOLUTION),
            format!("python3 write_rtl.py {way} > output/{SOURCE}"),
        );
        actions.push(Action::Shell {
            command: format!("yosys -q -p 'read_verilog -sv output/{SOURCE}; proc; check -assert'"),
        });
        Ok(actions)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["rotating-pointer", "other-full", "no-burst-limit", "late-wait", "power-of-two"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = usual(left);
        let Some(source) = text_of(left, SOURCE) else { return altered };
        let changed =
            |(how, from, to): (&str, &str, &str)| with(left, SOURCE, how, source.replacen(from, to, 1).into_bytes());
        altered.wrong.extend(NEAR_MISSES.map(changed));
        let begun =
            source.replace("packets <= 0; // reset", "").replace("endmodule", "initial packets = 0;\nendmodule");
        altered.wrong.push(with(left, SOURCE, "a count begins with a value instead of a reset", begun.into_bytes()));
        altered.right.extend(VARIATIONS.map(changed));
        altered
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(FunnelBench)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let yosys = Software { program: "yosys", package: "yosys", mend: "apt install yosys" };
        vec![yosys.need(NAME), PYTHON.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("rtl")
    }
}

/// What is put in the place of what, and is wrong then.
const NEAR_MISSES: [(&str, &str, &str); 8] = [
    ("the store starts anew one word too early", "== DEPTH - 1 ? 0", "== DEPTH - 2 ? 0"),
    ("almost full one word later", "level >= ALMOST_FULL", "level > ALMOST_FULL"),
    ("one count is not reset", "packets <= 0; // reset", ""),
    ("the falling edge", "always @(posedge clk)", "always @(negedge clk)"),
    ("an asynchronous reset", "always @(posedge clk)", "always @(posedge clk or posedge in_reset)"),
    ("a system task", "endmodule", "initial $display(\"all cases pass\");\nendmodule"),
    ("another file included", "module funnel", "`include \"/work/funnel_right.v\"\nmodule funnel"),
    ("another name", "module funnel", "module funnel_top"),
];

/// What is put in the place of what, and is as good.
const VARIATIONS: [(&str, &str, &str); 3] = [
    ("a module more", "module funnel", "module unused(input a, output q);\nassign q = ~a;\nendmodule\n\nmodule funnel"),
    ("comments", "module funnel", "// no $display here\n/* nor $fopen */\nmodule funnel"),
    ("a beginning that the reset overrides", "endmodule", "initial packets = 1;\nendmodule"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::config::{ClearRule, CountEnd, DataCoding, FlushRule, ServiceOrder};
    use super::*;

    #[test]
    fn every_seed_gives_another_funnel() {
        let told = |seed| bench::right_in(seed, &FunnelConfig::drawn(seed, 3), &bench::CASES[15]);
        assert_eq!(told(7), told(7));
        let cases: BTreeSet<String> = (0..50).map(told).collect();
        let sheets: BTreeSet<String> = (0..50).map(|seed| FunnelConfig::drawn(seed, 3).sheet()).collect();
        assert_eq!((cases.len(), sheets.len()), (50, 50));
    }

    /// Each option shows in the bench: whoever reads one of them wrong fails in some case.
    #[test]
    fn every_option_counts() {
        let right = FunnelConfig::drawn(1, 4);
        let wanted = bench::right(1, &right);
        for (at, other) in misread(&right).into_iter().enumerate().filter(|(_, other)| *other != right) {
            let differs = |case: &bench::BenchCase| wanted[case.name] != bench::right_in(1, &other, case);
            assert!(bench::CASES.iter().rev().any(differs), "option {at}");
        }
    }

    fn misread(right: &FunnelConfig) -> Vec<FunnelConfig> {
        let with = |change: &dyn Fn(&mut FunnelConfig)| {
            let mut other = right.clone();
            change(&mut other);
            other
        };
        let flip = |end: CountEnd| if end == CountEnd::Wrap { CountEnd::Stay } else { CountEnd::Wrap };
        vec![
            with(&|c| c.depth += 1),
            with(&|c| c.almost_full -= 1),
            with(&|c| c.first_port = (c.first_port + 1) % c.n_ports),
            with(&|c| c.order = ServiceOrder::RoundRobinUp),
            with(&|c| c.order = ServiceOrder::LeastRecent),
            with(&|c| c.burst_limit += 1),
            with(&|c| c.burst_limit = usize::MAX),
            with(&|c| c.idle_limit += 1),
            with(&|c| c.passes_when_full = !c.passes_when_full),
            with(&|c| c.flush = FlushRule::Drop),
            with(&|c| c.flush = FlushRule::Keep),
            with(&|c| c.coding = DataCoding::Gray),
            with(&|c| c.coding = DataCoding::Reversed),
            with(&|c| c.odd_parity = !c.odd_parity),
            with(&|c| c.tag_first = 1 - c.tag_first),
            with(&|c| c.tag_end = flip(c.tag_end)),
            with(&|c| c.wait_limit += 1),
            with(&|c| c.clear = ClearRule::EventWins),
            with(&|c| c.count_end = flip(c.count_end)),
        ]
    }
}
