//! Compares a circuit of gates with a goal.

use quintain_core::check::{Finding, Measures};
use quintain_core::score::Score;

use super::{CircuitGoal, GoalOutput, folded, restrictions};
use crate::circuit::model::expression::Expression;
use crate::circuit::model::{Circuit, Logic, LogicTerminal};

/// What is found: nothing holds where the terminals are wrong, the circuit cannot be evaluated or a restriction is
/// broken; else the share of the rows that are right.
pub(super) fn judge(check: &str, goal: &CircuitGoal, circuit: &Circuit) -> Finding {
    match compared(goal, circuit) {
        Ok(rows) => rows.finding(check),
        Err(why) => Finding::of(check, false, why),
    }
}

fn compared(goal: &CircuitGoal, circuit: &Circuit) -> Result<JudgedRows, String> {
    let logic = Logic::of(circuit).map_err(|problem| problem.to_string())?;
    let inputs: Vec<&str> = goal.inputs.iter().map(|(_, label)| label.as_str()).collect();
    let outputs: Vec<&str> = goal.outputs.iter().map(|output| output.label.as_str()).collect();
    let input_places = places(&inputs, &logic.inputs, "logic input")?;
    let output_places = places(&outputs, &logic.outputs, "logic output")?;
    restrictions::kept(goal, circuit, &logic)?;
    let table = logic.table_of(&input_places, &output_places).map_err(|problem| problem.to_string())?;
    let mut rows = JudgedRows { n_all: table.n_rows(), ..JudgedRows::default() };
    for row in 0..table.n_rows() {
        let wrong = goal.outputs.iter().enumerate().find_map(|(output_idx, output)| {
            let wanted = goal.wanted(output, row)?;
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
fn places(labels: &[&str], terminals: &[LogicTerminal], what: &str) -> Result<Vec<usize>, String> {
    let mut places = Vec::new();
    for label in labels {
        let found = terminals.iter().enumerate().filter(|(_, terminal)| folded(&terminal.label) == folded(label));
        match found.map(|(place, _)| place).collect::<Vec<_>>()[..] {
            [only] => places.push(only),
            [] => return Err(format!("no {what} is labelled `{label}`")),
            ref several => return Err(format!("{} {what}s are labelled `{label}`", several.len())),
        }
    }
    match (0..terminals.len()).find(|place| !places.contains(place)) {
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
