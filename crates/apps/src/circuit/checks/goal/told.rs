//! A goal in the words of an instruction, so that what is told and what is judged have one source.

use super::CircuitGoal;
use crate::circuit::checks::JOINING;
use crate::circuit::model::HIGH_VOLTS;

const TERMINALS: &str = "- The canvas holds exactly the logic inputs and logic outputs named above, each with its name in the field *Label* of its
  edit dialog. Capital and small letters are the same, and blanks around a name do not count; a name that is missing, twice or
  too many counts as wrong.";

const ALL_USED: &str = "- From every gate a way leads to a logic output: no gate is there for nothing.";

const OPEN_ENDS: &str = "No input of a gate may be left open; what a
  gate or a logic input drives may be driven by nothing else; and no gate may feed itself, not even through others.";

const SWITCHES: &str = "How the switches stand when you stop does not matter, nor where the parts are.";

impl CircuitGoal {
    /// What counts, as the items of a list. What a task prescribes beyond this (kinds and numbers of gates, steps, shared
    /// terms) it says by itself.
    pub fn told(&self) -> String {
        let mut items = vec![TERMINALS.to_owned(), self.parts_told()];
        items.extend(self.gate_inputs.map(|count| format!("- Every gate but NOT has exactly {count} inputs.")));
        items.extend(self.all_used.then(|| ALL_USED.to_owned()));
        items.push(self.levels_told());
        items.push(format!("{JOINING} {OPEN_ENDS}"));
        items.join("\n")
    }

    fn parts_told(&self) -> String {
        let only = "- Besides them there are only logic gates and wires";
        if self.constants.is_empty() {
            return format!("{only}.");
        }
        let driven = self.outputs.iter().filter(|output| self.constants.contains(&output.name));
        let driven: Vec<&str> = driven.map(|output| output.label.as_str()).collect();
        let driven = driven.join(" or ");
        format!(
            "{only} and, to drive {driven} and nothing else, grounds (low) or\n  one-terminal DC sources of exactly \
             {HIGH_VOLTS} V (high)."
        )
    }

    fn levels_told(&self) -> String {
        let is_free = self.outputs.iter().any(|output| output.free.is_some());
        let except = if is_free { ", except where they may be anything" } else { "" };
        format!("- Each output shows the right level for every combination of input levels{except}.\n  {SWITCHES}")
    }
}
