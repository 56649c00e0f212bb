//! The files that are given out besides the mask and the op-amp.

use super::mask::STEPS_PER_DECADE;
use super::order::FilterOrder;
use super::parts::{PartRange, spice_text};

/// The parts that there are.
pub(super) fn parts(order: &FilterOrder) -> String {
    let row = |kind: &str, parts: &PartRange| {
        let (from, to) = (spice_text(parts.from), spice_text(parts.to));
        format!("{kind},{:?},{from},{to},{},{}\n", parts.series, parts.tolerance_percent, parts.most)
    };
    format!(
        "kind,series,from,to,tolerance_percent,most\n{}{}opamp,{},,,,{}\n",
        row("resistor", &order.resistors),
        row("capacitor", &order.capacitors),
        order.opamp.name,
        order.most_opamps
    )
}

/// The bench that a filter is measured in, ready to run.
pub(super) fn bench(order: &FilterOrder) -> String {
    let [source, load, farad] = [order.source_ohm, order.load_ohm, order.load_f].map(spice_text);
    let ((pass_from, pass_to), (stop_from, stop_to)) = (order.mask.pass_ends_hz(), order.mask.stop_ends_hz());
    format!(
        "bench for the low-pass filter: ngspice -b input/bench.cir\n\
         .include opamp.lib\n.include ../output/filter.cir\n\
         V1 src 0 dc 0 ac 1\nRs src in {source}\nX1 in out filter\nRl out 0 {load}\nCl out 0 {farad}\n\
         .control\n\
         ac dec {STEPS_PER_DECADE} {pass_from} {pass_to}\n\
         meas ac pass_lowest min vdb(out)\nmeas ac pass_highest max vdb(out)\n\
         ac dec {STEPS_PER_DECADE} {stop_from} {stop_to}\n\
         meas ac stop_highest max vdb(out)\nquit 0\n.endc\n.end\n"
    )
}
