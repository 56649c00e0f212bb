//! Litigation support: put a collection of mail into threads and tell its copies.

mod collection;
mod letter;
mod truth;

use std::collections::BTreeMap;

use quintain_core::{Action, Digest, Pick, Rng, Task};
use quintain_workspace::{Assignment, InputFiles, PreparedWork};
use serde_json::{Value, json};

use crate::CODE;
use collection::MailCollection;

/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("mail/solution.py");

/// Put a collection of mail into threads and tell its copies.
pub(crate) struct MailThreads;

impl Assignment for MailThreads {
    fn name(&self) -> &'static str {
        "mail-threads"
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
        let n_files = parameters.get("n_files").and_then(Value::as_u64).filter(|n| (20..=500).contains(n));
        let n_files = n_files.ok_or("`n_files` must be from 20 to 500: tables are compared row by row")?;
        let seed = rng.next_u64();
        let found = MailCollection::drawn(seed, n_files as usize);
        let table = |column: &str, rows: Vec<(String, String)>| {
            let rows: Vec<Value> = rows.into_iter().map(|(file, of)| json!({ "file": file, column: of })).collect();
            json!({ "columns": { "file": "exact", column: "exact" }, "key": ["file"], "rows": rows })
        };
        let truth = truth::of(&found);
        Ok(PreparedWork {
            // Whole numbers of this size do not go through JSON unharmed everywhere.
            plan: json!({ "seed": seed.to_string(), "n_files": n_files }),
            expected: json!({ "threads": table("thread", truth.threads), "duplicates": table("original", truth.copies) }),
            words: BTreeMap::new(),
        })
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = plan["seed"].as_str().and_then(|seed| seed.parse().ok()).ok_or("the plan has no seed")?;
        let n_files = plan["n_files"].as_u64().ok_or("the plan has no number of files")?;
        let letters = MailCollection::drawn(seed, n_files as usize).letters;
        Ok(letters.iter().map(|letter| (format!("mail/{}", letter.file), letter.written().into_bytes())).collect())
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(vec![
            Action::Shell { command: "ls input/mail | head; find input/mail -type f | wc -l".to_owned() },
            Action::call("write_file", [json!("threads.py"), json!(SOLUTION)]),
            Action::Shell { command: format!("python3 threads.py {way} && head -3 output/*.csv") },
        ])
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["by-subject", "by-message-id", "raw-headers"]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("mail")
    }
}
