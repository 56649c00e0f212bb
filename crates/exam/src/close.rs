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
use quintain_core::{Action, Digest, FileSet, Pick, Rng, Task};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, alterations};
use serde_json::{Value, json};

use crate::CODE;
use case::ClosingCase;

const NAME: &str = "reconcile-close";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("close/solution.py");
/// The largest table that is altered.
const LARGEST: u64 = 1 << 20;

/// Reconcile the books of a month with the bank and close it.
pub(crate) struct ReconcileAndClose;

impl Assignment for ReconcileAndClose {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(
        &self,
        _task: &Task,
        _pick: &Pick,
        parameters: &BTreeMap<String, Value>,
        rng: &mut Rng,
    ) -> Result<PreparedWork, String> {
        let number = |name: &str, most: u64| {
            let given = parameters.get(name).and_then(Value::as_u64).filter(|n| (1..=most).contains(n));
            given.ok_or_else(|| format!("`{name}` must be from 1 to {most}"))
        };
        let (n_plain, n_planted) = (number("n_plain", 200)?, number("n_planted", 5)?);
        let seed = rng.next_u64();
        let case = ClosingCase::drawn(seed, n_plain as usize, n_planted as usize);
        let truth = truth::of(&case);
        let end = calendar::iso(case.period.last);
        Ok(PreparedWork {
            // Whole numbers of this size do not go through JSON unharmed everywhere.
            plan: json!({ "seed": seed.to_string(), "n_plain": n_plain, "n_planted": n_planted }),
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
        let seed = plan["seed"].as_str().and_then(|seed| seed.parse().ok()).ok_or("the plan has no seed")?;
        let number = |name: &str| plan[name].as_u64().ok_or_else(|| format!("the plan has no `{name}`"));
        let case = ClosingCase::drawn(seed, number("n_plain")? as usize, number("n_planted")? as usize);
        Ok(files::of(&case))
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        let seed = plan["seed"].as_str().and_then(|seed| seed.parse().ok()).ok_or("the plan has no seed")?;
        // The instruction names the end of the month.
        let end = calendar::iso(ClosingCase::drawn(seed, 1, 1).period.last);
        Ok(vec![
            Action::Shell { command: "head -40 input/books.journal; head -5 input/*.csv".to_owned() },
            Action::call("write_file", [json!("close.py"), json!(SOLUTION)]),
            Action::Shell { command: format!("python3 close.py {way} {end} && head -3 output/*") },
        ])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["one-plug-entry", "by-amount", "no-cut-off", "rate-upside-down"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let mut change = |path: &str, how: &str, is_right: Rightness, edit: fn(&str) -> String| {
            let Some(bytes) = left.get(path).and_then(|file| file.whole(LARGEST).ok()) else { return };
            let text = edit(&String::from_utf8_lossy(&bytes));
            let all = if is_right == Rightness::Right { &mut altered.right } else { &mut altered.wrong };
            all.push(alterations::with(left, path, how, text.into_bytes()));
        };
        let wrong = Rightness::Wrong;
        change("adjustments.csv", "debit and credit exchanged", wrong, |text| each_last(text, |cell| negated(&cell)));
        change("adjustments.csv", "a plug of one cent", wrong, |text| {
            format!("{text}PLUG,assets:bank:eur,0.01\nPLUG,expenses:bank-charges,-0.01\n")
        });
        change("reconciliation.csv", "short taken for outstanding", wrong, |text| {
            text.replacen(",short,", ",outstanding,", 1)
        });
        change("reconciliation.csv", "amounts without sign", wrong, |text| text.replace(",-", ","));
        change("trial-balance.csv", "in cents", wrong, |text| each_last(text, |cell| cell.replace('.', "")));
        change("open-items.csv", "an invoice that is paid", wrong, |text| format!("{text}S-99999,10.00\n"));
        change("trial-balance.csv", "a third decimal", Rightness::Right, |text| {
            each_last(text, |cell| format!("{cell}0"))
        });
        change("reconciliation.csv", "a blank behind commas", Rightness::Right, |text| text.replace(',', ", "));
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let hledger = Software { program: "hledger", package: "hledger", mend: "apt install hledger" };
        let python = Software { program: "python3", package: "python3", mend: "apt install python3" };
        [hledger, python].map(|software| software.need(NAME)).to_vec()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("close")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rightness {
    Right,
    Wrong,
}

/// A table with the last cell of each row made anew.
fn each_last(text: &str, make: impl Fn(String) -> String) -> String {
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().to_owned() + "\n";
    for line in lines {
        let (head, last) = line.rsplit_once(',').unwrap_or(("", line));
        out.extend([head, ",", &make(last.to_owned()), "\n"]);
    }
    out
}

fn negated(cell: &str) -> String {
    cell.strip_prefix('-').map_or_else(|| format!("-{cell}"), str::to_owned)
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
    fn last_cells_are_made_anew() {
        assert_eq!(each_last("a,b\nx,-1.5\ny,2\n", |cell| negated(&cell)), "a,b\nx,1.5\ny,-2\n");
    }
}
