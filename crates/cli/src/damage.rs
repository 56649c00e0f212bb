//! What was found broken in runs, told after whatever was asked for.

use quintain_core::words::count;
use quintain_workshop::Workshop;

use crate::printer::Printer;
use crate::table::first_lines;

/// So many broken things of a run are told; `quintain doctor RUN` lists all.
const MOST_TOLD: usize = 5;

/// Tells what was found broken in the runs that a command read.
pub(crate) fn tell(workshop: &Workshop, printer: Printer) {
    for (run, damage) in workshop.damage() {
        let lines: Vec<String> = damage.iter().map(|damage| format!("  {damage}")).collect();
        let broken = count(damage.len(), "broken thing");
        printer.say(format!("run `{run}` has {broken} that were done without (`quintain doctor {run}` lists all):"));
        printer.say(first_lines(&lines, MOST_TOLD));
    }
}
