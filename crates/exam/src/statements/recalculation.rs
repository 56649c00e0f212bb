//! The verifier `recalculated-workbook`: works a workbook out again in a clean sandbox, as it is and with changed inputs, and
//! reads what its model says.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Map, Value, json};

use super::forecast::LINES;
use super::{BASE, CASES, assumptions, books_of, constants, trial_balance};

/// The file that is judged.
pub(super) const WORKBOOK: &str = "model.xlsx";
/// The largest one that is looked at.
const LARGEST: u64 = 16 << 20;
/// Far more than it takes, for a machine that has much else to do.
const WITHIN: Duration = Duration::from_mins(5);
/// What changes the inputs, what reads the results, and the settings under which everything is worked out anew.
const VARY: &[u8] = include_bytes!("vary.py");
const READ: &[u8] = include_bytes!("read.py");
const SETTINGS: &[u8] = include_bytes!("registrymodifications.xcu");
/// Every sheet as a table in UTF-8, with numbers as they are and not as they are shown.
const TABLES: &str = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1";

/// The kind `recalculated-workbook`.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkbookRecalculation;

struct RecalculatedWorkbook {
    name: String,
}

impl WorkbookRecalculation {
    pub(super) fn all() -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(Self)]
    }
}

impl VerifierKind for WorkbookRecalculation {
    fn kind(&self) -> &'static str {
        "recalculated-workbook"
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        match spec.options.keys().next() {
            Some(other) => Err(format!("a verifier of kind `recalculated-workbook` has no option `{other}`")),
            None => Ok(Box::new(RecalculatedWorkbook { name: spec.name.clone() })),
        }
    }
}

impl VerifierRunner for RecalculatedWorkbook {
    /// Whatever is wrong with the workbook is told as a problem: that is the agent's doing.
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let told = match case.files.get(WORKBOOK) {
            None => Err(complaints::missing(WORKBOOK)),
            Some(file) => {
                recalculated(file, &case.reference.start["plan"])?.map_err(|why| complaints::faulty(WORKBOOK, why))
            }
        };
        let value = told.unwrap_or_else(complaints::problem);
        Ok(vec![(self.name.clone(), value)])
    }
}

/// What the model says in every case, or what is wrong with the workbook.
fn recalculated(file: &FileHandle, plan: &Value) -> Result<Result<Value, String>, String> {
    let (books, cases) = books_of(plan)?;
    let changes = cases.0.iter().map(|case| case.iter().map(|change| change.told(books.closed_year)).collect());
    let mut all: Map<String, Value> = CASES.iter().map(|name| (*name).to_owned()).zip(changes).collect();
    all.insert(BASE.to_owned(), json!([]));
    let years: Vec<String> = books.years().map(|year| year.to_string()).collect();
    let names: Vec<&String> = all.keys().collect();
    let wanted = json!({ "cases": names, "lines": LINES, "years": years });
    let mut room = VerifierRoom::open()?;
    if let Err(why) = room.put_left(WORKBOOK, file, LARGEST)? {
        return Ok(Err(why));
    }
    for (path, bytes) in [
        ("vary.py", VARY),
        ("read.py", READ),
        ("profile/user/registrymodifications.xcu", SETTINGS),
        ("cases.json", json!(all).to_string().as_bytes()),
        ("wanted.json", wanted.to_string().as_bytes()),
        ("cases/.keep", b""),
        ("given/TrialBalance.csv", trial_balance(&books).as_bytes()),
        ("given/Assumptions.csv", assumptions(&books).as_bytes()),
        ("given/Constants.csv", constants(&books).as_bytes()),
    ] {
        room.put(path, bytes)?;
    }
    Ok(worked_out(&mut room, &names)?.and_then(|told| serde_json::from_str(&told).map_err(|error| error.to_string())))
}

fn worked_out(room: &mut VerifierRoom, cases: &[&String]) -> Result<Result<String, String>, String> {
    let varied = room.run(&["python3", "-I", "vary.py", WORKBOOK, "cases.json"], WITHIN)?;
    if !varied.succeeded {
        return Ok(Err(brief(&varied.errors)));
    }
    let files: Vec<String> = cases.iter().map(|case| format!("cases/{case}.xlsx")).collect();
    let profile = "-env:UserInstallation=file:///work/profile";
    let mut office = vec!["soffice", profile, "--headless", "--norestore", "--convert-to", TABLES, "--outdir", "told"];
    office.extend(files.iter().map(String::as_str));
    let converted = room.run(&office, WITHIN)?;
    if !converted.succeeded {
        return Ok(Err("it cannot be worked out again".to_owned()));
    }
    let read = room.run(&["python3", "-I", "read.py", "wanted.json"], WITHIN)?;
    Ok(if read.succeeded { Ok(read.output) } else { Err(brief(&read.errors)) })
}

/// The last line, which says what is wrong.
fn brief(errors: &str) -> String {
    errors.trim().lines().last().unwrap_or("it cannot be read").chars().take(200).collect()
}
