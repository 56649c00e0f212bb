//! Compares a circuit of gates with a goal.

use quintain_core::check::{Clause, ClauseSwitch, Finding, Measures};
use quintain_core::score::Score;

use super::{CircuitGoal, GoalOutput, folded, restrictions};
use crate::circuit::model::expression::Expression;
use crate::circuit::model::{Circuit, Logic, LogicTerminal, PartKind};

/// What is found: nothing holds where the terminals are wrong, the circuit cannot be evaluated or a restriction is
/// broken; else the share of the rows that are right.
pub(super) fn judge(check: &str, goal: &CircuitGoal, circuit: &Circuit, on: ClauseSwitch<'_>) -> Finding {
    match compared(goal, circuit, on) {
        Ok(rows) => rows.finding(check),
        Err(why) => Finding::of(check, false, why),
    }
}

/// The clauses that every goal has, besides one for each output.
const NO_OTHER_PART: &str = "no other part";
const NO_OTHER_INPUT: &str = "no other input";
const NO_OTHER_OUTPUT: &str = "no other output";

/// What a goal demands, one by one. That all its terminals are there and nothing is left open needs no clause: without that
/// there is no table to compare.
pub(super) fn clauses(goal: &CircuitGoal) -> Vec<Clause> {
    let always = [NO_OTHER_PART, NO_OTHER_INPUT, NO_OTHER_OUTPUT].map(Clause::needed);
    let mut columns: Vec<String> = goal.outputs.iter().map(|output| column(goal, output)).collect();
    columns.dedup();
    let follows = !goal.steps.is_empty() && goal.all_used && goal.outputs.len() == 1;
    let why = follows.then(|| "every step is there and of use, so that the last one drives the output".to_owned());
    let levels = |name: String| Clause { name, spare: why.clone() };
    always.into_iter().chain(restrictions::clauses(goal)).chain(columns.into_iter().map(levels)).collect()
}

/// The clause that an output has the right levels. Where every gate is prescribed, an output is wrong only together with
/// another.
fn column(goal: &CircuitGoal, output: &GoalOutput) -> String {
    if goal.steps.is_empty() { format!("levels of {}", output.name) } else { "levels".to_owned() }
}

/// The circuit without parts that cannot belong to a circuit of gates.
fn without_other_parts(circuit: &Circuit) -> Circuit {
    let belongs = |kind: PartKind| kind.is_gate() || kind.is_logic() || kind.is_constant();
    let parts = circuit.parts.iter().filter(|part| belongs(part.kind)).cloned().collect();
    Circuit { parts, ..circuit.clone() }
}

fn compared(goal: &CircuitGoal, circuit: &Circuit, on: ClauseSwitch<'_>) -> Result<JudgedRows, String> {
    let circuit = &if on.holds(NO_OTHER_PART) { circuit.clone() } else { without_other_parts(circuit) };
    let logic = Logic::of(circuit).map_err(|problem| problem.to_string())?;
    let inputs: Vec<&str> = goal.inputs.iter().map(|(_, label)| label.as_str()).collect();
    let outputs: Vec<&str> = goal.outputs.iter().map(|output| output.label.as_str()).collect();
    let input_places = places(&inputs, &logic.inputs, ("logic input", on.holds(NO_OTHER_INPUT)))?;
    let output_places = places(&outputs, &logic.outputs, ("logic output", on.holds(NO_OTHER_OUTPUT)))?;
    restrictions::kept(goal, circuit, &logic, on)?;
    let table = logic.table_of(&input_places, &output_places).map_err(|problem| problem.to_string())?;
    let mut rows = JudgedRows { n_all: table.n_rows(), ..JudgedRows::default() };
    for row in 0..table.n_rows() {
        let wrong = goal.outputs.iter().enumerate().find_map(|(output_idx, output)| {
            let wanted = goal.wanted(output, row).filter(|_| on.holds(&column(goal, output)))?;
            (wanted != table.is_high(output_idx, row)).then_some((output, wanted))
        });
        match wrong {
            None => rows.n_right += 1,
            Some((output, wanted)) => drop(rows.first_wrong.get_or_insert_with(|| goal.complaint(output, row, wanted))),
        }
    }
    Ok(rows)
}

#[derive(Default)]
struct JudgedRows {
    n_all: usize,
    n_right: usize,
    first_wrong: Option<String>,
}

impl JudgedRows {
    fn finding(self, check: &str) -> Finding {
        let because = match self.first_wrong {
            None => format!("all {} rows are right", self.n_all),
            Some(first) => format!("{} of {} rows are right; {first}", self.n_right, self.n_all),
        };
        let measures = [("rows", self.n_all), ("rows_right", self.n_right)];
        let measures: Measures = measures.map(|(name, count)| (name.to_owned(), count as f64)).into();
        let score = Score::clamped(self.n_right as f64 / self.n_all as f64);
        Finding { check: check.to_owned(), score, because, measures }
    }
}

/// The place of each label among the terminals; or which label is missing, twice or too many.
fn places(labels: &[&str], terminals: &[LogicTerminal], (what, exactly): (&str, bool)) -> Result<Vec<usize>, String> {
    let mut places = Vec::new();
    for label in labels {
        let found = terminals.iter().enumerate().filter(|(_, terminal)| folded(&terminal.label) == folded(label));
        match found.map(|(place, _)| place).collect::<Vec<_>>()[..] {
            [only] => places.push(only),
            [first, ..] if !exactly => places.push(first),
            [] => return Err(format!("no {what} is labelled `{label}`")),
            ref several => return Err(format!("{} {what}s are labelled `{label}`", several.len())),
        }
    }
    match (0..terminals.len()).find(|place| exactly && !places.contains(place)) {
        Some(place) => Err(format!("there is a {what} too many, labelled `{}`", terminals[place].label)),
        None => Ok(places),
    }
}

impl CircuitGoal {
    /// The level an input has in a row: the first input is the most significant bit.
    pub(super) fn level(&self, name: &str, row: usize) -> Option<bool> {
        let place = self.inputs.iter().position(|(known, _)| known == name)?;
        Some(row >> (self.inputs.len() - 1 - place) & 1 == 1)
    }

    /// What an output should be in a row; nothing where it is free.
    pub(super) fn wanted(&self, output: &GoalOutput, row: usize) -> Option<bool> {
        let level = |name: &str| self.level(name, row);
        let holds = |expression: &Expression| {
            expression.holds(&level).expect("a goal's expressions name its inputs, as it was checked")
        };
        let is_free = output.free.as_ref().is_some_and(holds);
        (!is_free).then(|| holds(&output.is))
    }

    fn complaint(&self, output: &GoalOutput, row: usize, wanted: bool) -> String {
        let word = |level: bool| if level { "high" } else { "low" };
        let inputs = self.inputs.iter().map(|(name, label)| {
            let level = self.level(name, row).unwrap_or_default();
            format!("{label} {}", word(level))
        });
        let inputs: Vec<String> = inputs.collect();
        format!("with {} `{}` should be {}", inputs.join(", "), output.label, word(wanted))
    }
}
