//! Accounting: reconcile the books of a month with the bank and close it.

mod calendar;
mod case;
mod drawing;
mod files;
mod terms;
mod truth;

use std::collections::BTreeMap;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::{Value, json};

use crate::CODE;
use crate::cells::with_cells;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use case::ClosingCase;

const NAME: &str = "reconcile-close";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("close/solution.py");

/// Reconcile the books of a month with the bank and close it.
pub(crate) struct ReconcileAndClose;

impl Assignment for ReconcileAndClose {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_plain = parameters.number("n_plain", 1..=200)?;
        let n_planted = parameters.number("n_planted", 1..=5)?;
        let seed = rng.next_u64();
        let case = ClosingCase::drawn(seed, n_plain as usize, n_planted as usize);
        let truth = truth::of(&case);
        let end = calendar::iso(case.period.last);
        Ok(PreparedWork {
            plan: seeded(seed, [("n_plain", n_plain), ("n_planted", n_planted)]),
            expected: json!({
                "reconciliation": truth.reconciliation,
                "adjustments": truth.adjustments,
                "trial_balance": truth.trial_balance,
                "open_items": truth.open_items,
                "summary": truth.summary,
            }),
            words: BTreeMap::from([("period_end".to_owned(), json!(end))]),
        })
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let case = ClosingCase::drawn(seed, size_of(plan, "n_plain")?, size_of(plan, "n_planted")?);
        Ok(files::of(&case))
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        let seed = seed_of(plan)?;
        // The instruction names the end of the month.
        let end = calendar::iso(ClosingCase::drawn(seed, 1, 1).period.last);
        Ok(scripted(
            "head -40 input/books.journal; head -5 input/*.csv",
            ("close.py", SOLUTION),
            format!("python3 close.py {way} {end} && head -3 output/*"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["one-plug-entry", "by-amount", "no-cut-off", "rate-upside-down"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let with_text = |path: &str, how: &str, edit: fn(String) -> String| {
            Some(alterations::with(left, path, how, edit(alterations::text_of(left, path)?).into_bytes()))
        };
        let wrong = [
            with_cells(left, "adjustments.csv", "debit and credit exchanged", |table| table.texts("amount", negated)),
            with_text("adjustments.csv", "a plug of one cent", |text| {
                format!("{text}PLUG,assets:bank:eur,0.01\nPLUG,expenses:bank-charges,-0.01\n")
            }),
            with_text("reconciliation.csv", "short taken for outstanding", |text| {
                text.replacen(",short,", ",outstanding,", 1)
            }),
            with_text("reconciliation.csv", "amounts without sign", |text| text.replace(",-", ",")),
            with_cells(left, "trial-balance.csv", "in cents", |table| {
                table.texts("balance", |cell| cell.replace('.', ""));
            }),
            with_text("summary.json", "two profits", |text| text.replacen('{', "{\"profit\": 1, ", 1)),
            with_cells(left, "trial-balance.csv", "more than half a cent too much", |table| {
                table.texts("balance", |cell| with_thousandths(cell, '6'));
            }),
            with_cells(left, "trial-balance.csv", "a comma as the decimal mark", |table| {
                table.texts("balance", |cell| format!("\"{}\"", cell.replace('.', ",")));
            }),
            with_text("open-items.csv", "an invoice that is paid", |text| format!("{text}S-99999,10.00\n")),
        ];
        let right = [
            with_cells(left, "trial-balance.csv", "a third decimal", |table| {
                table.texts("balance", |cell| format!("{cell}0"));
            }),
            with_cells(left, "trial-balance.csv", "less than half a cent too much", |table| {
                table.texts("balance", |cell| with_thousandths(cell, '4'));
            }),
            with_cells(left, "trial-balance.csv", "nothing before the point", |table| {
                table.texts("balance", |cell| {
                    cell.strip_prefix("0.").map_or(cell.to_owned(), |rest| format!(".{rest}"))
                });
            }),
            with_text("reconciliation.csv", "a blank behind commas", |text| text.replace(',', ", ")),
        ];
        altered.wrong.extend(wrong.into_iter().flatten());
        altered.right.extend(right.into_iter().flatten());
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let hledger = Software { program: "hledger", package: "hledger", mend: "apt install hledger" };
        [hledger, PYTHON].map(|software| software.need(NAME)).to_vec()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("close")
    }
}

fn negated(cell: &str) -> String {
    cell.strip_prefix('-').map_or_else(|| format!("-{cell}"), str::to_owned)
}

/// An amount with a third decimal.
fn with_thousandths(cell: &str, digit: char) -> String {
    if cell.contains('.') { format!("{cell}{digit}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_files() {
        let plan = |seed: &str| json!({ "seed": seed, "n_plain": 20, "n_planted": 1 });
        let files = |seed: &str| ReconcileAndClose.inputs(&plan(seed)).unwrap();
        assert_eq!(files("5"), files("5"));
        assert_ne!(files("5"), files("6"));
        assert!(ReconcileAndClose.inputs(&json!({})).is_err());
    }

    #[test]
    fn the_month_does_not_depend_on_its_size() {
        let last = |n_plain, n_planted| ClosingCase::drawn(11, n_plain, n_planted).period.last;
        assert_eq!(last(1, 1), last(90, 3));
    }

    #[test]
    fn amounts_are_negated() {
        assert_eq!(["-1.5", "2"].map(negated), ["1.5", "-2"]);
    }
}
