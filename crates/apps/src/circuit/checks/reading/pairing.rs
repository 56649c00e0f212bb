//! Whether one circuit is the other, drawn differently: parts paired one to one so that their nets agree.
//!
//! Any number of grounds, and of one-terminal DC sources of one voltage, are one point each, as they are electrically; but
//! where one is asked for, at least one is there, even if nothing is joined to it.
//! Resistors, inductors and capacitors may be turned around, a gate's inputs exchanged.

use std::collections::BTreeMap;

use quintain_core::check::ClauseSwitch;
use serde_json::Value;

use crate::circuit::model::{Circuit, CircuitPart, GROUND, Nets, PartKind};

/// How far two values may be apart and still be the same, as a share: what is left when decimal fractions are rounded.
const SAME: f64 = 1e-11;
/// The most steps a search may take. Circuits of tasks take a few dozen.
const MOST_STEPS: usize = 200_000;

/// The parts of two circuits, paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    pairs: BTreeMap<usize, PartPair>,
}

/// A part of the expected circuit and its counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartPair {
    /// The expected part, by its place in the document.
    pub expected_idx: usize,
    /// The actual part, by its place in the document.
    pub actual_idx: usize,
    /// For each pin of the expected part, the pin of the actual one, by place.
    pub pins: Vec<usize>,
}

impl PartPair {
    /// The name of the actual pin that stands for an expected one.
    pub(crate) fn pin(&self, expected: &Circuit, actual: &CircuitPart, pin: &str) -> Option<&'static str> {
        let expected = expected.parts.get(self.expected_idx)?;
        let place = expected.pins().iter().position(|spec| spec.name == pin)?;
        actual.pins().get(*self.pins.get(place)?).map(|spec| spec.name.as_str())
    }
}

/// What is demanded of the parts, and of how they are joined.
pub(super) const NO_OTHER_PART: &str = "no other part";
pub(super) const COUNTS: &str = "number of parts";
pub(super) const JOINTS: &str = "joints";

impl Pairing {
    /// Pairs the parts; or says what is missing, too many or joined in another way.
    pub fn of(expected: &Circuit, actual: &Circuit) -> Result<Self, String> {
        Self::with(expected, actual, ClauseSwitch::ALL)
    }

    /// The same with all clauses or all but one.
    pub(super) fn with(expected: &Circuit, actual: &Circuit, on: ClauseSwitch<'_>) -> Result<Self, String> {
        let wanted = PartGraph::of(expected, expected, ClauseSwitch::ALL)?;
        let found = PartGraph::of(actual, expected, on)?;
        if on.holds(COUNTS) {
            counted(&wanted, &found, expected)?;
        }
        let mut search = PairingSearch::new(&wanted, &found, on.holds(JOINTS));
        if !search.go_on() {
            return Err("its parts are the right ones, but they are not joined as asked".to_owned());
        }
        let pairs = search.pairs.into_iter().filter_map(|(one, other, pins)| {
            let (expected_idx, actual_idx) = (wanted.nodes[one].part_idx?, found.nodes[other].part_idx?);
            Some((expected_idx, PartPair { expected_idx, actual_idx, pins }))
        });
        Ok(Self { pairs: pairs.collect() })
    }

    /// The counterpart of an expected part. Grounds and one-terminal DC sources have none.
    pub fn pair(&self, expected_idx: usize) -> Option<&PartPair> {
        self.pairs.get(&expected_idx)
    }
}

/// A circuit as parts of known classes on nets.
struct PartGraph {
    nodes: Vec<PairingNode>,
    /// How many pins are on each net.
    degrees: BTreeMap<usize, usize>,
}

struct PairingNode {
    /// The place in the document; nothing for what stands for several parts.
    part_idx: Option<usize>,
    /// The place of the first expected part of its kind and settings.
    class: usize,
    pins: Vec<usize>,
    /// The orders in which the pins may be taken.
    orders: Vec<Vec<usize>>,
}

impl PartGraph {
    /// Reads a circuit, every part by the first part like it in the expected circuit.
    fn of(circuit: &Circuit, expected: &Circuit, on: ClauseSwitch<'_>) -> Result<Self, String> {
        let nets = Nets::of(circuit);
        let class_of = |part: &CircuitPart| expected.parts.iter().position(|known| is_like(part, known));
        let mut nodes = Vec::new();
        let mut rails: BTreeMap<usize, usize> = BTreeMap::new();
        let mut same: BTreeMap<usize, usize> = BTreeMap::new();
        for (part_idx, (part, pins)) in circuit.parts.iter().zip(&nets.pins).enumerate() {
            let class = match class_of(part) {
                Some(class) => class,
                None if on.holds(NO_OTHER_PART) => return Err(format!("{} was not asked for", described(part))),
                None => continue,
            };
            if part.kind.is_constant() {
                let net = *rails.entry(class).or_insert(pins[0]);
                same.insert(pins[0], net);
                continue;
            }
            nodes.push(PairingNode { part_idx: Some(part_idx), class, pins: pins.clone(), orders: orders(part) });
        }
        let rails = rails.into_iter().map(|(class, net)| PairingNode {
            part_idx: None,
            class,
            pins: vec![net],
            orders: vec![vec![0]],
        });
        nodes.extend(rails);
        let mut degrees = BTreeMap::new();
        for net in nodes.iter_mut().flat_map(|node| &mut node.pins) {
            *net = same.get(net).copied().unwrap_or(*net);
            *degrees.entry(*net).or_insert(0) += 1;
        }
        Ok(Self { nodes, degrees })
    }

    fn count(&self, class: usize) -> usize {
        self.nodes.iter().filter(|node| node.class == class).count()
    }
}

fn counted(wanted: &PartGraph, found: &PartGraph, expected: &Circuit) -> Result<(), String> {
    for node in &wanted.nodes {
        let (n_wanted, n_found) = (wanted.count(node.class), found.count(node.class));
        if n_wanted != n_found {
            let part = described(&expected.parts[node.class]);
            return Err(format!("{n_found} of {part} where {n_wanted} {} asked for", were(n_wanted)));
        }
    }
    Ok(())
}

fn were(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// A part in words: its kind and what is set.
fn described(part: &CircuitPart) -> String {
    let spec = part.kind.spec();
    let told = spec.settings.iter().filter(|setting| setting.key != "label").map(|setting| {
        let value =
            if setting.kind == "number" { part.number(&setting.key).to_string() } else { part.choice(&setting.key) };
        format!("{} {value} {}", setting.label, setting.unit).trim_end().to_owned()
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { spec.name.clone() } else { format!("{} ({})", spec.name, told.join(", ")) }
}

/// Whether two parts are of one kind with the same settings, whatever their labels.
fn is_like(one: &CircuitPart, other: &CircuitPart) -> bool {
    one.kind == other.kind
        && one.kind.spec().settings.iter().filter(|setting| setting.key != "label").all(|setting| {
            let key = setting.key.as_str();
            match setting.kind.as_str() {
                "number" => is_same_value(one.number(key), other.number(key)),
                "choice" => one.choice(key) == other.choice(key),
                _ => set(one, key, &setting.default) == set(other, key, &setting.default),
            }
        })
}

fn set<'a>(part: &'a CircuitPart, key: &str, default: &'a Value) -> &'a Value {
    part.settings.get(key).unwrap_or(default)
}

/// Whether two values of parts are the same number.
pub(super) fn is_same_value(one: f64, other: f64) -> bool {
    (one - other).abs() <= SAME * one.abs().max(other.abs())
}

/// The orders in which the pins of a part may be taken without making it another.
fn orders(part: &CircuitPart) -> Vec<Vec<usize>> {
    let n_pins = part.pins().len();
    let as_drawn: Vec<usize> = (0..n_pins).collect();
    match part.kind {
        PartKind::Resistor => vec![as_drawn, vec![1, 0]],
        PartKind::Capacitor if part.number("initial_voltage") == 0.0 => vec![as_drawn, vec![1, 0]],
        PartKind::Inductor if part.number("initial_current") == 0.0 => vec![as_drawn, vec![1, 0]],
        kind if kind.is_gate() => {
            let inputs = permutations(&as_drawn[..n_pins - 1]);
            inputs.into_iter().map(|inputs| inputs.into_iter().chain([n_pins - 1]).collect()).collect()
        }
        _ => vec![as_drawn],
    }
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in items.iter().enumerate() {
        let rest: Vec<usize> = items.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, item)| *item).collect();
        all.extend(permutations(&rest).into_iter().map(|rest| [*first].into_iter().chain(rest).collect()));
    }
    all
}

/// A search for a pairing: part after part, taking back what leads nowhere.
struct PairingSearch<'a> {
    wanted: &'a PartGraph,
    found: &'a PartGraph,
    pairs: Vec<(usize, usize, Vec<usize>)>,
    /// The actual net of each expected one, and the other way.
    there: BTreeMap<usize, usize>,
    back: BTreeMap<usize, usize>,
    n_steps: usize,
    minds_joints: bool,
}

impl<'a> PairingSearch<'a> {
    fn new(wanted: &'a PartGraph, found: &'a PartGraph, minds_joints: bool) -> Self {
        let ground = BTreeMap::from([(GROUND, GROUND)]);
        Self { wanted, found, pairs: Vec::new(), there: ground.clone(), back: ground, n_steps: 0, minds_joints }
    }

    /// Pairs the next part with every candidate in turn, until all are paired.
    fn go_on(&mut self) -> bool {
        let Some(one) = self.next() else { return true };
        for other in 0..self.found.nodes.len() {
            let is_free = self.pairs.iter().all(|(_, taken, _)| *taken != other);
            if !is_free || self.found.nodes[other].class != self.wanted.nodes[one].class {
                continue;
            }
            for order in &self.wanted.nodes[one].orders {
                self.n_steps += 1;
                if self.n_steps > MOST_STEPS {
                    return false;
                }
                if self.goes_on_with(one, other, order) {
                    return true;
                }
            }
        }
        false
    }

    /// The part with the most pins on nets that are already paired.
    fn next(&self) -> Option<usize> {
        let open = (0..self.wanted.nodes.len()).filter(|one| self.pairs.iter().all(|(done, ..)| done != one));
        let known = |one: &usize| {
            let pins = &self.wanted.nodes[*one].pins;
            (pins.iter().filter(|net| self.there.contains_key(net)).count(), usize::MAX - one)
        };
        open.max_by_key(known)
    }

    fn goes_on_with(&mut self, one: usize, other: usize, order: &[usize]) -> bool {
        let (wanted, found) = (&self.wanted.nodes[one].pins, &self.found.nodes[other].pins);
        let mut fresh = Vec::new();
        let mut fits = true;
        for (place, net) in wanted.iter().enumerate() {
            let actual = found[order[place]];
            match (self.there.get(net), self.back.get(&actual)) {
                (Some(there), Some(_)) if *there == actual => {}
                (None, None) if self.wanted.degrees[net] == self.found.degrees[&actual] => {
                    self.there.insert(*net, actual);
                    self.back.insert(actual, *net);
                    fresh.push((*net, actual));
                }
                _ if !self.minds_joints => {}
                _ => {
                    fits = false;
                    break;
                }
            }
        }
        if fits {
            self.pairs.push((one, other, order.to_vec()));
            if self.go_on() {
                return true;
            }
            self.pairs.pop();
        }
        for (net, actual) in fresh {
            self.there.remove(&net);
            self.back.remove(&actual);
        }
        false
    }
}
