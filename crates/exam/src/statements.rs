//! Accounting: a model of income statement, balance sheet and cash flow as a workbook that works.

mod alterations;
mod books;
mod cases;
mod forecast;
mod recalculation;
mod typing;
mod workbook;

use std::fmt::Write as _;
use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng, Task};
use quintain_workspace::{Assignment, InputFiles, PlannedStep, PreparedWork, Software, WorkParameters};
use serde_json::{Map, Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::{PYTHON, is_at_screen, needed_at_screen};
use crate::texts::texts;
use books::{CONSTANTS, ModelBooks, YEARLY};
use cases::ModelCases;
use recalculation::WorkbookRecalculation;

/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("statements/solution.py");
/// Calc without its first questions, without its guesses at what is typed, and with the format that is asked for.
const CALC_SETTINGS: &[u8] = include_bytes!("statements/calc.xcu");
const NAME: &str = "three-statement-model";
/// The workbook as it was left, and the cases of changed inputs.
const BASE: &str = "base";
const CASES: [&str; 3] = ["downturn", "investment", "other_books"];
/// How far off an amount may be, in thousands.
const TOLERANCE: f64 = 0.01;

/// Build a workbook whose three statements follow from its assumptions.
pub(crate) struct ThreeStatements;

impl Assignment for ThreeStatements {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_years = parameters.number("n_years", 3..=8)?;
        let plan = seeded(rng.next_u64(), [("n_years", n_years)]);
        let (books, cases) = books_of(&plan)?;
        let [first, last] = [1, n_years as i64].map(|at| json!((books.closed_year + at).to_string()));
        let mut expected: Map<String, Value> =
            CASES.iter().zip(cases.books(&books)).map(|(name, books)| ((*name).to_owned(), record(&books))).collect();
        expected.insert(BASE.to_owned(), record(&books));
        let closed = json!(books.closed_year.to_string());
        let words = [("closed_year", closed), ("first_year", first), ("last_year", last)];
        let words = words.into_iter().map(|(name, word)| (name.to_owned(), word)).collect();
        Ok(PreparedWork { plan, expected: Value::Object(expected), words })
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let (books, _) = books_of(plan)?;
        let files = [
            ("trial_balance.csv", trial_balance(&books)),
            ("assumptions.csv", assumptions(&books)),
            ("constants.csv", constants(&books)),
        ];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "head -4 input/*.csv",
            ("build_model.py", SOLUTION),
            format!("python3 build_model.py {way} && ls -l output"),
        ))
    }

    /// With the keyboard alone. Who goes wrong does so with a script.
    fn solution_at_screen(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        if wrong_way.is_some() {
            return Ok(self.solution(plan, wrong_way)?.into_iter().map(PlannedStep::Act).collect());
        }
        Ok(typing::steps(&books_of(plan)?.0))
    }

    fn home(&self) -> InputFiles {
        [(".config/libreoffice/4/user/registrymodifications.xcu".to_owned(), CALC_SETTINGS.to_vec())].into()
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["pasted", "unclosed", "full-year", "never-repaid"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        alterations::of(plan, left)
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        WorkbookRecalculation::all()
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let office = Software {
            program: "soffice",
            package: "libreoffice-calc-nogui|libreoffice-calc",
            mend: "apt install libreoffice-calc-nogui",
        };
        let at_screen = Software {
            program: "soffice",
            package: "libreoffice-gtk3",
            mend: "apt install --no-install-recommends libreoffice-calc libreoffice-gtk3",
        };
        vec![office.need(NAME), PYTHON.need(NAME), needed_at_screen(at_screen.need(NAME), has_screen)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("statements")
    }
}

fn has_screen(task: &Task) -> bool {
    is_at_screen(task, NAME)
}

/// What a plan was made of.
fn books_of(plan: &Value) -> Result<(ModelBooks, ModelCases), String> {
    let seed = seed_of(plan)?;
    let n_years = size_of(plan, "n_years")?;
    Ok(ModelBooks::drawn(seed, n_years))
}

/// Every line of every year, as `revenue 2027`.
fn record(books: &ModelBooks) -> Value {
    let years = books.years().zip(forecast::of(books));
    let fields: Map<String, Value> = years
        .flat_map(|(year, lines)| {
            lines.into_iter().map(move |(line, value)| (format!("{line} {year}"), json!(books::rounded(value, 6))))
        })
        .collect();
    let number = json!({ "type": "number", "tolerance": TOLERANCE });
    let types: Map<String, Value> = fields.keys().map(|name| (name.clone(), number.clone())).collect();
    json!({ "fields": fields, "types": types })
}

fn trial_balance(books: &ModelBooks) -> String {
    let amount = |amount: f64| if amount == 0.0 { String::new() } else { format!("{amount:.1}") };
    let mut out = "account,name,line,debit,credit\n".to_owned();
    for account in &books.accounts {
        let (debit, credit) = (amount(account.debit), amount(account.credit));
        // Writing to a text cannot fail.
        writeln!(out, "{},\"{}\",{},{debit},{credit}", account.number, account.name, account.line).ok();
    }
    out
}

fn assumptions(books: &ModelBooks) -> String {
    let row = |cells: Vec<String>| cells.join(",") + "\n";
    let years = books.years().map(|year| year.to_string());
    let mut out = row(["key", "unit"].map(str::to_owned).into_iter().chain(years).collect());
    for (key, unit, _) in YEARLY {
        let values = books.yearly[key].iter().map(f64::to_string);
        out += &row([key, unit].map(str::to_owned).into_iter().chain(values).collect());
    }
    out
}

fn constants(books: &ModelBooks) -> String {
    let rows = CONSTANTS.map(|key| format!("{key},{}\n", books.constants[key]));
    format!("key,value\n{}", rows.concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_years": 3 + seed % 5 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_gives_others() {
        let files = |seed| ThreeStatements.inputs(&plan(seed)).unwrap();
        assert_eq!(files(7), files(7));
        let different: BTreeSet<String> =
            (0..50).map(|seed| record(&books_of(&plan(seed)).unwrap().0).to_string()).collect();
        assert_eq!(different.len(), 50);
        let text = String::from_utf8(files(7)["trial_balance.csv"].clone()).unwrap();
        assert!(text.starts_with("account,name,line,debit,credit\n1000,\"Bank, current account\",cash,"), "{text}");
    }

    #[test]
    fn wrong_plans_are_told() {
        assert!(ThreeStatements.inputs(&json!({})).is_err());
        assert!(ThreeStatements.inputs(&json!({ "seed": "1" })).is_err());
    }
}
