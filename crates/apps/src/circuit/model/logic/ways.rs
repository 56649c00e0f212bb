//! The ways that signals take through a circuit of logic in which nothing feeds itself.

use std::collections::{BTreeMap, BTreeSet};

use super::{Logic, LogicGate};

impl Logic {
    /// The nets that a net has an effect on, itself included, over ways that touch none of the nets `around` which they
    /// have to go.
    pub fn reached(&self, from: usize, around: &[usize]) -> BTreeSet<usize> {
        let mut reached: BTreeSet<usize> = [from].into_iter().filter(|net| !around.contains(net)).collect();
        // Gates come after those that drive them, so one pass finds all.
        for gate in &self.gates {
            if gate.inputs.iter().any(|input| reached.contains(input)) && !around.contains(&gate.output) {
                reached.insert(gate.output);
            }
        }
        reached
    }

    /// The gates from which no way leads to a logic output.
    pub fn unused(&self) -> Vec<&LogicGate> {
        let leads_on = |gate: &&LogicGate| {
            let reached = self.reached(gate.output, &[]);
            self.outputs.iter().any(|output| reached.contains(&output.net))
        };
        self.gates.iter().filter(|gate| !leads_on(gate)).collect()
    }

    /// The most gates that stand one after the other on a way to a logic output.
    pub fn longest_chain(&self) -> usize {
        let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
        for gate in &self.gates {
            let before = gate.inputs.iter().filter_map(|net| lengths.get(net)).max().copied().unwrap_or_default();
            lengths.insert(gate.output, before + 1);
        }
        self.outputs.iter().filter_map(|output| lengths.get(&output.net)).max().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::model::sketch;

    const TWO_WAYS: &str = "
        A logicInput
        G1 not
        G2 not
        G3 not
        G4 not
        X logicOutput
        Y logicOutput
        A.out - G1.in
        G1.out - G2.in - X.in
        G2.out - G3.in - Y.in
        G3.out - G4.in
    ";

    fn logic() -> Logic {
        Logic::of(&sketch(TWO_WAYS).unwrap()).unwrap()
    }

    #[test]
    fn gates_that_lead_nowhere_are_found_though_they_feed_others() {
        let logic = logic();
        assert_eq!(logic.unused().iter().map(|gate| gate.called.as_str()).collect::<Vec<_>>(), ["G3", "G4"]);
    }

    #[test]
    fn a_way_may_have_to_go_around_a_net() {
        let logic = logic();
        let [x, y] = [logic.outputs[0].net, logic.outputs[1].net];
        let from = logic.inputs[0].net;
        assert!(logic.reached(from, &[]).contains(&y) && logic.reached(from, &[y]).contains(&x));
        assert!(!logic.reached(from, &[x]).contains(&y) && logic.reached(x, &[x]).is_empty());
    }

    #[test]
    fn only_gates_on_a_way_to_an_output_are_in_the_chain() {
        assert_eq!(logic().longest_chain(), 2);
    }
}
