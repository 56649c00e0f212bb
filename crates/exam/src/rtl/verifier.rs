//! The verifier `rtl-funnel`: Yosys makes gates of what an agent wrote, in a room of its own, and these gates are evaluated here.
//! No code of the agent's runs at any time, and nothing that it could print is looked at.

use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Map, Value};

use super::bench::{self, CASES};
use super::config::FunnelConfig;
use super::netlist::{GateNetlist, WantedPorts};
use super::{NAME, planned};

/// The deliverable.
pub(super) const SOURCE: &str = "funnel.v";
/// The largest source that is read, and the largest netlist.
const MOST_SOURCE_BYTES: u64 = 1 << 20;
const MOST_NETLIST_BYTES: u64 = 96 << 20;
/// How long Yosys may take, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(5);
/// What may follow a dollar sign: functions of constants and of signs.
const SYSTEM_FUNCTIONS: [&str; 4] = ["clog2", "signed", "unsigned", "bits"];
/// Gates and plain flip-flops, whatever values registers are said to begin with forgotten.
const SCRIPT: &str = "read_verilog -sv funnel.v; hierarchy -check -top funnel; proc; flatten; setattr -unset init w:*; \
     opt_expr; wreduce; opt_clean; memory; setattr -unset init w:*; techmap; simplemap; opt_expr; opt_merge; opt_clean; \
     dfflegalize -cell $_DFF_P_ x; setattr -unset init w:*; opt_expr; opt_clean; write_json netlist.json";

/// The kind `rtl-funnel`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunnelBench;

struct FunnelBenchRun(String);

impl VerifierKind for FunnelBench {
    fn kind(&self) -> &'static str {
        NAME
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{NAME}` has no option `{option}`")),
            None => Ok(Box::new(FunnelBenchRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for FunnelBenchRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let (seed, config) = planned(&case.reference.start["plan"])?;
        let value = match netlist_of(case.files.get(SOURCE), &config)? {
            Ok(netlist) => Value::Object(outcomes(seed, &config, &netlist)),
            Err(problem) => complaints::problem(problem),
        };
        Ok(vec![(self.0.clone(), value)])
    }
}

/// The gates of a source, or what is wrong with it. An outer error is ours.
fn netlist_of(file: Option<&FileHandle>, config: &FunnelConfig) -> Result<Result<GateNetlist, String>, String> {
    let faulty = |why: String| complaints::faulty(SOURCE, why);
    let admitted = |source: Vec<u8>| admitted(&source).map(|()| source).map_err(faulty);
    let source = match complaints::bytes_left(SOURCE, file, MOST_SOURCE_BYTES).and_then(admitted) {
        Ok(source) => source,
        Err(complaint) => return Ok(Err(complaint)),
    };
    let mut room = VerifierRoom::open()?;
    room.put(SOURCE, &source)?;
    let report = room.run(&["yosys", "-q", "-p", SCRIPT], WITHIN)?;
    if !report.succeeded {
        return Ok(Err(faulty(format!("Yosys refuses it: {}", first_error(&report.errors)))));
    }
    let wanted = WantedPorts { inputs: config.input_ports(), outputs: config.output_ports() };
    let netlist = room.get("netlist.json", MOST_NETLIST_BYTES)?;
    let netlist = netlist.ok_or_else(|| "it is too large".to_owned());
    Ok(netlist.and_then(|text| GateNetlist::read(&text, "funnel", &wanted)).map_err(faulty))
}

fn first_error(errors: &str) -> String {
    let line = errors.lines().find(|line| line.contains("ERROR")).or(errors.lines().next()).unwrap_or_default();
    line.chars().take(300).collect()
}

/// Refuses what has no place in a design that is to be made of gates.
fn admitted(source: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(source).map_err(|error| format!("it is no UTF-8: {error}"))?;
    let text = without_comments(text);
    if text.contains("`include") {
        return Err("it includes other files".to_owned());
    }
    for rest in text.split('$').skip(1) {
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !SYSTEM_FUNCTIONS.contains(&word.as_str()) {
            return Err(format!("it uses `${}`", word.chars().take(40).collect::<String>()));
        }
    }
    Ok(())
}

fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match rest.as_bytes().get(1) {
            Some(b'/') => rest.find('\n'),
            Some(b'*') => rest[2..].find("*/").map(|end| end + 4),
            _ => {
                out.push('/');
                Some(1)
            }
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    out + rest
}

/// What the design does in each case: the hash of all that it gives out, or that this hangs on what no reset defines.
fn outcomes(seed: u64, config: &FunnelConfig, netlist: &GateNetlist) -> Map<String, Value> {
    let outcome = |case| {
        let stimulus = bench::stimulus(config, &bench::runs(seed, config, case));
        let [low, high] = [0, u64::MAX].map(|undefined| bench::told(&netlist.trace(&stimulus, undefined)));
        if low == high { low } else { "depends on what no reset defines".to_owned() }
    };
    CASES.iter().map(|case| (case.name.to_owned(), outcome(case).into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_hardware_is_refused() {
        let told = |source: &str| admitted(source.as_bytes()).map_or_else(|why| why, |()| "fine".to_owned());
        assert_eq!(told("wire [$clog2(4)-1:0] a; // $display\n/* $fopen */ assign a = b / c;"), "fine");
        assert_eq!(told("initial $display(1);"), "it uses `$display`");
        assert_eq!(told("assign q = $c(\"exit(0)\");"), "it uses `$c`");
        assert_eq!(told("\\$_DFF_N_ f();"), "it uses `$_DFF_N_`");
        assert_eq!(told("`include \"/etc/passwd\""), "it includes other files");
        assert_eq!(told("a /* b"), "fine");
        assert!(admitted(&[0xff, 0xfe]).is_err());
    }
}
