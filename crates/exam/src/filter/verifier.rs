//! The verifier `active-filter`: reads the netlist that an agent left, and has ngspice measure what was read, in a room of its
//! own. Nothing of the agent's text gets there.

use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Map, Value, json};

use super::corners::{self, FilterCorner};
use super::mask::BandExtremes;
use super::netlist::{FilterNetlist, PassiveKind};
use super::order::FilterOrder;
use super::{NAME, deck, planned};

/// The deliverable.
pub(super) const NETLIST: &str = "filter.cir";
/// The largest netlist that is read, and the largest table of ngspice's.
const MOST_BYTES: u64 = 64 << 10;
const MOST_TABLE_BYTES: u64 = 16 << 20;
/// How long ngspice may take, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(5);
/// What is told of a step that never settles.
const NEVER_PERCENT: f64 = 1000.0;
/// How many frequencies a band has.
const N_FREQUENCIES: usize = 101;

/// The kind `active-filter`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterMeasuring;

struct FilterRun(String);

impl VerifierKind for FilterMeasuring {
    fn kind(&self) -> &'static str {
        NAME
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(option) => Err(format!("a verifier of kind `{NAME}` has no option `{option}`")),
            None => Ok(Box::new(FilterRun(spec.name.clone()))),
        }
    }
}

impl VerifierRunner for FilterRun {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let (seed, order) = planned(&case.reference.start["plan"])?;
        let value = match read(case.files.get(NETLIST), &order) {
            Ok(netlist) => measured(&netlist, &order, seed)?,
            Err(problem) => Err(problem),
        };
        Ok(vec![(self.0.clone(), value.map_or_else(complaints::problem, Value::Object))])
    }
}

fn read(file: Option<&FileHandle>, order: &FilterOrder) -> Result<FilterNetlist, String> {
    let faulty = |why: String| complaints::faulty(NETLIST, why);
    let bytes = complaints::bytes_left(NETLIST, file, MOST_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|why| faulty(format!("it is no UTF-8: {}", why.utf8_error())))?;
    FilterNetlist::read(&text, order).map_err(faulty)
}

/// The measures of a filter, or what is wrong with it. An outer error is ours.
fn measured(
    netlist: &FilterNetlist,
    order: &FilterOrder,
    seed: u64,
) -> Result<Result<Map<String, Value>, String>, String> {
    let unsolved = || Ok(Err(format!("{NETLIST}: its equations have no solution")));
    let Some(corners) = corners::of(netlist, order, seed) else { return unsolved() };
    let mut room = VerifierRoom::open()?;
    room.put("deck.cir", deck::written(order, &corners).as_bytes())?;
    let report = room.run(&["ngspice", "-n", "-b", "deck.cir"], WITHIN)?;
    if !report.output.contains("Circuit:") {
        return Err(format!("ngspice did not read its deck: {}", report.errors.chars().take(300).collect::<String>()));
    }
    let mut table = |file: &str| -> Result<Option<Vec<Vec<f64>>>, String> {
        Ok(room.get(file, MOST_TABLE_BYTES)?.and_then(|bytes| numbers(&bytes)))
    };
    let (pass, stop, response) = (table(deck::PASS)?, table(deck::STOP)?, table(deck::STEP)?);
    let levels = |table: Option<Vec<Vec<f64>>>| table.and_then(|rows| levels_db(&rows, corners.len()));
    let (Some(pass), Some(stop)) = (levels(pass), levels(stop)) else { return unsolved() };
    let mut measures = counts(netlist);
    for (at, corner) in corners.iter().enumerate() {
        measures.extend(extremes(corner, BandExtremes::of(&pass[at], &stop[at])));
    }
    let unsettled = response.and_then(|rows| unsettled_percent(&rows, corners.len(), deck::step_end_s(order)));
    measures.insert("step: unsettled_percent".to_owned(), told(unsettled.unwrap_or(NEVER_PERCENT)));
    Ok(Ok(measures))
}

fn counts(netlist: &FilterNetlist) -> Map<String, Value> {
    let counts = [
        ("opamps", netlist.opamps.len()),
        ("resistors", netlist.count(PassiveKind::Resistor)),
        ("capacitors", netlist.count(PassiveKind::Capacitor)),
    ];
    counts.into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect()
}

fn extremes(corner: &FilterCorner, of: BandExtremes) -> Vec<(String, Value)> {
    let all = [
        ("pass_lowest_db", of.pass_lowest),
        ("pass_highest_db", of.pass_highest),
        ("stop_highest_db", of.stop_highest),
    ];
    all.into_iter().map(|(name, value)| (format!("{}: {name}", corner.name), told(value))).collect()
}

fn told(value: f64) -> Value {
    json!((value * 1000.0).round() / 1000.0)
}

/// A table of numbers; nothing if anything else is in it.
fn numbers(bytes: &[u8]) -> Option<Vec<Vec<f64>>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let number = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
    text.lines().map(|line| line.split_whitespace().map(number).collect()).collect()
}

/// The gains of each copy: a row has the frequency, and two numbers for each.
fn levels_db(rows: &[Vec<f64>], n_copies: usize) -> Option<Vec<Vec<f64>>> {
    if rows.len() != N_FREQUENCIES || rows.iter().any(|row| row.len() != 1 + 2 * n_copies) {
        return None;
    }
    let level = |row: &Vec<f64>, copy: usize| {
        let [re, im] = [row[1 + 2 * copy], row[2 + 2 * copy]];
        10.0 * libm::log10((re * re + im * im).max(1e-30))
    };
    Some((0..n_copies).map(|copy| rows.iter().map(|row| level(row, copy)).collect()).collect())
}

/// How far the outputs still move at the end of the step, in percent of where they are, for the copy that is worst.
fn unsettled_percent(rows: &[Vec<f64>], n_copies: usize, end_s: f64) -> Option<f64> {
    let whole = rows.last().is_some_and(|row| row[0] >= end_s * 0.999) && rows.len() > 10;
    if !whole || rows.iter().any(|row| row.len() != 1 + n_copies) {
        return None;
    }
    let moves = |copy: usize| {
        let all = || rows.iter().map(|row| row[1 + copy]);
        let (lowest, highest) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        (highest - lowest) / f64::midpoint(highest, lowest).abs().max(1e-9) * 100.0
    };
    Some((0..n_copies).map(moves).fold(0.0, f64::max).min(NEVER_PERCENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_of_numbers_are_read() {
        assert_eq!(numbers(b" 1.0 2.5e-3\n 2 -3 \n"), Some(vec![vec![1.0, 2.5e-3], vec![2.0, -3.0]]));
        assert_eq!(
            (numbers(b"1 nan\n"), numbers(b"1 inf"), numbers(b"a\n"), numbers(&[0xff])),
            (None, None, None, None)
        );
        assert_eq!(levels_db(&[vec![1.0, 1.0, 0.0]], 1), None);
        assert!((levels_db(&vec![vec![1.0, 0.0, 10.0]; N_FREQUENCIES], 1).unwrap()[0][7] - 20.0).abs() < 1e-12);
    }

    #[test]
    fn a_step_has_to_settle() {
        let rows = |swing: f64| -> Vec<Vec<f64>> {
            (0..20).map(|at| vec![f64::from(at) / 19.0, 2.0 + if at % 2 == 0 { swing } else { 0.0 }]).collect()
        };
        assert!(unsettled_percent(&rows(0.001), 1, 1.0).unwrap() < 0.1);
        assert!(unsettled_percent(&rows(1.0), 1, 1.0).unwrap() > 30.0);
        assert_eq!(unsettled_percent(&rows(0.0), 1, 2.0), None);
        assert_eq!(unsettled_percent(&[], 1, 2.0), None);
    }
}
