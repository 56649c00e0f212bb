//! Timers, flip-flops and gates in a deck: digital inside, joined to the analog nets by bridges.

use std::collections::BTreeSet;

use super::{DeckWriter, node};
use crate::circuit::model::catalogue::PartKind;

/// The models that digital parts share. Delays are far below what anyone measures and far above ngspice's least step.
const MODELS: &str = "
.model level adc_bridge(in_low=2.5 in_high=2.5 rise_delay=1e-9 fall_delay=1e-9)
.model sign adc_bridge(in_low=0 in_high=0 rise_delay=1e-9 fall_delay=1e-9)
.model drive dac_bridge(out_low=0 out_high=5 out_undef=0 t_rise=1e-8 t_fall=1e-8)
.model switch dac_bridge(out_low=0 out_high=1 out_undef=0 t_rise=1e-8 t_fall=1e-8)
.model and d_and(rise_delay=1e-9 fall_delay=1e-9)
.model nand d_nand(rise_delay=1e-9 fall_delay=1e-9)
.model or d_or(rise_delay=1e-9 fall_delay=1e-9)
.model nor d_nor(rise_delay=1e-9 fall_delay=1e-9)
.model xor d_xor(rise_delay=1e-9 fall_delay=1e-9)
.model xnor d_xnor(rise_delay=1e-9 fall_delay=1e-9)
.model not d_inverter(rise_delay=1e-9 fall_delay=1e-9)
.model jk d_jkff(clk_delay=1e-9 ic=0 rise_delay=1e-9 fall_delay=1e-9)
.model latch d_srlatch(ic=0 sr_delay=1e-9 enable_delay=1e-9 rise_delay=1e-9 fall_delay=1e-9)
.model one d_pullup(load=1e-12)
.model drain sw(vt=0.5 vh=0.1 ron=10 roff=1e9)
";

impl DeckWriter {
    /// A 555: a divider that sets two thresholds, two comparators, a latch, a drain and an output of one ohm. The pins are
    /// in the order of the catalogue. Reset wins over trigger, trigger over threshold; an open reset is pulled up.
    pub(super) fn timer(&mut self, idx: usize, at: &[String]) {
        self.has_digital = true;
        let [vcc, gnd, reset, discharge, threshold, trigger, out, control] = at else { return };
        for line in [
            format!("rta{idx} {vcc} {control} 5e3"),
            format!("rtb{idx} {control} t{idx} 5e3"),
            format!("rtc{idx} t{idx} {gnd} 5e3"),
            format!("rtr{idx} {vcc} {reset} 1e6"),
            format!("bth{idx} th{idx} 0 v=v({threshold})-v({control})"),
            format!("btl{idx} tl{idx} 0 v=v(t{idx})-v({trigger})"),
            format!("btr{idx} tr{idx} 0 v=0.7-v({reset})+v({gnd})"),
            format!("at1{idx} [th{idx} tl{idx} tr{idx}] [dh{idx} dl{idx} dr{idx}] sign"),
            format!("at2{idx} dr{idx} dnr{idx} not"),
            format!("at3{idx} dl{idx} dnl{idx} not"),
            format!("at4{idx} [dl{idx} dnr{idx}] ds{idx} and"),
            format!("at5{idx} [dh{idx} dnl{idx}] do{idx} and"),
            format!("at6{idx} [do{idx} dr{idx}] dc{idx} or"),
            format!("at7{idx} de{idx} one"),
            format!("at8{idx} ds{idx} dc{idx} de{idx} null null dq{idx} dnq{idx} latch"),
            format!("at9{idx} [dq{idx} dnq{idx}] [tq{idx} td{idx}] switch"),
            format!("bto{idx} to{idx} 0 v=v({gnd})+v(tq{idx})*(v({vcc})-v({gnd}))"),
            format!("rto{idx} to{idx} {out} 1"),
            format!("st{idx} {discharge} {gnd} td{idx} 0 drain"),
        ] {
            self.line(&line);
        }
    }

    /// A JK flip-flop that changes on the falling edge and starts low.
    pub(super) fn flip_flop(&mut self, idx: usize, pins: &[usize]) {
        let [j, clk, k, q, not_q] = pins else { return };
        let (j, clk, k) = (self.read(*j), self.read(*clk), self.read(*k));
        self.line(&format!("af{idx} {clk} fc{idx} not"));
        self.line(&format!("aj{idx} {j} {k} fc{idx} null null fq{idx} fn{idx} jk"));
        self.line(&format!("ad{idx} [fq{idx} fn{idx}] [{} {}] drive", node(*q), node(*not_q)));
    }

    /// A gate; its output is its last pin.
    pub(super) fn gate(&mut self, idx: usize, kind: PartKind, pins: &[usize]) {
        let Some((out, inputs)) = pins.split_last() else { return };
        let inputs: Vec<String> = inputs.iter().map(|net| self.read(*net)).collect();
        let inputs = inputs.join(" ");
        let model = match kind {
            PartKind::And => "and",
            PartKind::Nand => "nand",
            PartKind::Or => "or",
            PartKind::Nor => "nor",
            PartKind::Xor => "xor",
            PartKind::Xnor => "xnor",
            _ => "not",
        };
        let inputs = if kind == PartKind::Not { inputs } else { format!("[{inputs}]") };
        self.line(&format!("ag{idx} {inputs} gq{idx} {model}"));
        self.line(&format!("ad{idx} [gq{idx}] [{}] drive", node(*out)));
    }

    /// The digital twin of a net that something digital reads.
    fn read(&mut self, net: usize) -> String {
        self.has_digital = true;
        self.digital.push(net);
        format!("dn{net}")
    }

    /// Writes what the digital parts need, once: their models, and a bridge for each net they read.
    pub(super) fn bridges(&mut self) {
        if !self.has_digital {
            return;
        }
        let nets: BTreeSet<usize> = self.digital.iter().copied().collect();
        for net in nets {
            self.line(&format!("ab{net} [{}] [dn{net}] level", node(net)));
        }
        self.lines.push_str(MODELS.trim_start());
    }
}
