//! A filter as a netlist of resistors, capacitors and op-amps: all that is taken from what an agent wrote.

use std::collections::{BTreeMap, BTreeSet};

use super::order::FilterOrder;
use super::parts::spice_number;

/// The nodes that every filter has.
pub(super) const GROUND: usize = 0;
pub(super) const INPUT: usize = 1;
pub(super) const OUTPUT: usize = 2;
/// The subcircuit.
const SUBCIRCUIT: &str = "filter";
/// The most lines that are read.
const MOST_LINES: usize = 2000;

/// What a passive part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassiveKind {
    Resistor,
    Capacitor,
}

/// A resistor or a capacitor between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PassivePart {
    pub(super) kind: PassiveKind,
    pub(super) nodes: [usize; 2],
    pub(super) value: f64,
}

/// The nodes of an op-amp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpampPlace {
    pub(super) plus: usize,
    pub(super) minus: usize,
    pub(super) output: usize,
}

/// A filter. Nodes are numbered from ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FilterNetlist {
    pub(super) n_nodes: usize,
    pub(super) passives: Vec<PassivePart>,
    pub(super) opamps: Vec<OpampPlace>,
}

impl FilterNetlist {
    /// How many parts of a kind it has.
    pub(super) fn count(&self, kind: PassiveKind) -> usize {
        self.passives.iter().filter(|part| part.kind == kind).count()
    }

    /// The nodes with a path to ground for direct current: through resistors, to the output of an op-amp, or through the bench.
    /// The inputs of an op-amp are none: direct current only gets from one to the other.
    fn grounded(&self) -> BTreeSet<usize> {
        let outputs = self.opamps.iter().map(|place| place.output);
        let mut grounded: BTreeSet<usize> = [GROUND, INPUT, OUTPUT].into_iter().chain(outputs).collect();
        loop {
            let resistors = self.passives.iter().filter(|part| part.kind == PassiveKind::Resistor);
            let reached = resistors.filter(|part| part.nodes.iter().any(|node| grounded.contains(node)));
            let before = grounded.len();
            grounded.extend(reached.flat_map(|part| part.nodes).collect::<Vec<_>>());
            if grounded.len() == before {
                return grounded;
            }
        }
    }

    /// Reads what was delivered, or tells what is wrong with it.
    pub(super) fn read(text: &str, order: &FilterOrder) -> Result<Self, String> {
        let lines = logical_lines(text)?;
        let mut reading = NetlistReading::new(order);
        for (number, line) in &lines {
            reading.line(line).map_err(|why| format!("line {number}: {why}"))?;
        }
        reading.finish()
    }
}

/// Lines with their continuations and without comments, each with its number.
fn logical_lines(text: &str) -> Result<Vec<(usize, String)>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if at >= MOST_LINES {
            return Err(format!("it has more than {MOST_LINES} lines"));
        }
        let line = line.split(';').next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('*') {
            continue;
        }
        match (line.strip_prefix('+'), lines.last_mut()) {
            (Some(rest), Some((_, last))) => {
                last.push(' ');
                last.push_str(rest);
            }
            (Some(_), None) => return Err(format!("line {}: it continues nothing", at + 1)),
            (None, _) => lines.push((at + 1, line.to_owned())),
        }
    }
    Ok(lines)
}

#[derive(PartialEq)]
enum ReadingPlace {
    Before,
    Within,
    After,
}

struct NetlistReading<'a> {
    order: &'a FilterOrder,
    place: ReadingPlace,
    nodes: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    found: FilterNetlist,
}

impl<'a> NetlistReading<'a> {
    fn new(order: &'a FilterOrder) -> Self {
        let known = [("0", GROUND), ("gnd", GROUND), ("in", INPUT), ("out", OUTPUT)];
        let nodes = known.map(|(name, node)| (name.to_owned(), node)).into();
        let found = FilterNetlist { n_nodes: 3, passives: Vec::new(), opamps: Vec::new() };
        Self { order, place: ReadingPlace::Before, nodes, names: BTreeSet::new(), found }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let shown: String = line.chars().take(60).collect();
        match (&self.place, words.as_slice()) {
            (ReadingPlace::Before, [".subckt", name, "in", "out"]) if *name == SUBCIRCUIT => {
                self.place = ReadingPlace::Within;
            }
            (ReadingPlace::Before, _) => return Err(format!("`.subckt filter in out` is expected, not `{shown}`")),
            (ReadingPlace::Within, [".ends"]) => self.place = ReadingPlace::After,
            (ReadingPlace::Within, [".ends", name]) if *name == SUBCIRCUIT => self.place = ReadingPlace::After,
            (ReadingPlace::Within, [name, rest @ ..]) => self.element(name, rest, &shown)?,
            (ReadingPlace::After, [".end"]) | (ReadingPlace::Within, []) => {}
            (ReadingPlace::After, _) => return Err(format!("nothing is expected behind `.ends`, not `{shown}`")),
        }
        Ok(())
    }

    fn element(&mut self, name: &str, rest: &[&str], shown: &str) -> Result<(), String> {
        if !self.names.insert(name.to_owned()) {
            return Err(format!("there are two `{name}`"));
        }
        match (name.chars().next(), rest) {
            (Some('r'), [a, b, value]) => self.passive(PassiveKind::Resistor, [a, b], value),
            (Some('c'), [a, b, value]) => self.passive(PassiveKind::Capacitor, [a, b], value),
            (Some('x'), [plus, minus, output, model]) if *model == self.order.opamp.name.to_ascii_lowercase() => {
                let [plus, minus, output] = [plus, minus, output].map(|name| self.node(name));
                self.found.opamps.push(OpampPlace { plus: plus?, minus: minus?, output: output? });
                Ok(())
            }
            _ => Err(format!(
                "`{shown}` is no resistor, capacitor or {} as they are to be written",
                self.order.opamp.name
            )),
        }
    }

    fn passive(&mut self, kind: PassiveKind, nodes: [&&str; 2], text: &str) -> Result<(), String> {
        let range = self.order.range(kind);
        let value = spice_number(text).ok_or_else(|| format!("`{text}` is no value"))?;
        range.admit(value).map_err(|why| format!("`{text}`: {why}"))?;
        let [a, b] = nodes.map(|name| self.node(name));
        self.found.passives.push(PassivePart { kind, nodes: [a?, b?], value });
        Ok(())
    }

    fn node(&mut self, name: &str) -> Result<usize, String> {
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("`{}` is no name of a node", name.chars().take(40).collect::<String>()));
        }
        let next = self.found.n_nodes;
        let node = *self.nodes.entry(name.to_owned()).or_insert(next);
        self.found.n_nodes = next.max(node + 1);
        Ok(node)
    }

    fn finish(self) -> Result<FilterNetlist, String> {
        if self.place != ReadingPlace::After {
            return Err("there is no whole subcircuit `filter`".to_owned());
        }
        let (found, order) = (self.found, self.order);
        let counts = [
            ("op-amps", found.opamps.len(), order.most_opamps),
            ("resistors", found.count(PassiveKind::Resistor), order.resistors.most),
            ("capacitors", found.count(PassiveKind::Capacitor), order.capacitors.most),
        ];
        if let Some((what, there, most)) = counts.into_iter().find(|(_, there, most)| there > most) {
            return Err(format!("it has {there} {what}, and {most} are admitted"));
        }
        let grounded = found.grounded();
        match self.nodes.iter().find(|(_, node)| !grounded.contains(*node)) {
            Some((name, _)) => {
                let name: String = name.chars().take(40).collect();
                Err(format!("node `{name}` has no path to ground for direct current"))
            }
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = "* mine\n.SUBCKT Filter in out\nR1 in a 4.7K ; first\nRb a\n+ out 10k\nC1 a GND 2.2nF\nX1 0 a out OPAMP\n.ends filter\n.end\n";

    fn told(text: &str) -> String {
        let order = FilterOrder::example();
        let text = text.replace("OPAMP", &order.opamp.name);
        FilterNetlist::read(&text, &order).map_or_else(|why| why, |found| format!("{:?}", found.passives.len()))
    }

    #[test]
    fn netlists_are_read_however_they_are_written() {
        assert_eq!(told(RIGHT), "3");
        assert_eq!(told(&RIGHT.replace('\n', "\r\n")), "3");
        let order = FilterOrder::example();
        let found = FilterNetlist::read(&RIGHT.replace("OPAMP", &order.opamp.name), &order).unwrap();
        assert_eq!((found.n_nodes, found.opamps[0]), (4, OpampPlace { plus: 0, minus: 3, output: 2 }));
    }

    #[test]
    fn every_node_has_a_path_for_direct_current() {
        let with = |lines: &str| told(&RIGHT.replace("X1 0", &format!("{lines}\nX1 0")));
        let floats = |node: &str| format!("node `{node}` has no path to ground for direct current");
        assert_eq!(with("C2 a q 1n\nR2 q 0 10k"), "5");
        assert_eq!(with("C2 a q 1n\nR2 p q 10k\nR3 p out 10k"), "6");
        assert_eq!(with("C2 a q 1n\nC3 q 0 1n"), floats("q"), "two capacitors in a row");
        assert_eq!(with("C2 a q 1n"), floats("q"), "a capacitor that ends nowhere");
        assert_eq!(with("C2 a q 1n\nR2 q p 10k\nC3 p 0 1n"), floats("p"), "an island");
        assert_eq!(with("C2 a q 1n\nR2 q p 10k\nX2 0 a p OPAMP"), "5", "the output of an op-amp");
        assert_eq!(with("C2 a q 1n\nR2 p 0 10k\nX2 q a p OPAMP"), floats("q"), "the input of an op-amp");
    }

    #[test]
    fn whatever_else_there_is_is_refused() {
        let wrong = [
            RIGHT.replace("4.7K", "4.75k"),
            RIGHT.replace("4.7K", "4k7"),
            RIGHT.replace("4.7K", "{r}"),
            RIGHT.replace("4.7K", "4.7k tc1=1"),
            RIGHT.replace("R1 in", "E1 in"),
            RIGHT.replace("Rb a", "R1 a"),
            RIGHT.replace("OPAMP", "ideal"),
            RIGHT.replace("* mine", ".include /etc/passwd"),
            RIGHT.replace(".ends", ".param a=1\n.ends"),
            RIGHT.replace(".end\n", ".control\nshell id\n.endc\n"),
            RIGHT.replace("a GND", "a `id`"),
            RIGHT.replace(
                "X1 0 a out OPAMP",
                &(1..9).map(|at| format!("X{at} 0 a out OPAMP")).collect::<Vec<_>>().join("\n"),
            ),
            RIGHT.replace(".ends filter", ""),
            "+ x".to_owned(),
            "\u{0}\u{1}".to_owned(),
            String::new(),
            "*\n".repeat(3000),
        ];
        let told: Vec<String> = wrong.iter().map(|text| told(text)).collect();
        assert!(told.iter().all(|why| why.len() > 5), "{told:#?}");
    }
}
