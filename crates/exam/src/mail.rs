//! Litigation support: put a collection of mail into threads and tell its copies.

mod collection;
mod letter;
mod traps;
mod truth;

use quintain_core::offering::WorldNeed;
use quintain_core::{Action, Digest, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, WorkParameters};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
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
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let n_files =
            parameters.number("n_files", 40..=500).map_err(|why| format!("{why}: tables are compared row by row"))?;
        let seed = rng.next_u64();
        let found = MailCollection::drawn(seed, n_files as usize);
        let table = |column: &str, rows: Vec<(String, String)>| {
            let rows: Vec<Value> = rows.into_iter().map(|(file, of)| json!({ "file": file, column: of })).collect();
            json!({ "columns": { "file": "exact", column: "exact" }, "key": ["file"], "rows": rows })
        };
        let truth = truth::of(&found);
        Ok(PreparedWork::of(
            seeded(seed, [("n_files", n_files)]),
            json!({ "threads": table("thread", truth.threads), "duplicates": table("original", truth.copies) }),
        ))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let seed = seed_of(plan)?;
        let n_files = size_of(plan, "n_files")?;
        let letters = MailCollection::drawn(seed, n_files).letters;
        Ok(letters.iter().map(|letter| (format!("mail/{}", letter.file), letter.written().into_bytes())).collect())
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "ls input/mail | head; find input/mail -type f | wc -l",
            ("threads.py", SOLUTION),
            format!("python3 threads.py {way} && head -3 output/*.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["by-subject", "by-message-id", "raw-headers"]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![PYTHON.need("mail-threads")]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("mail")
    }
}
