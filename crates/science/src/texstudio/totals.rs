//! Counts that are added up in a sentence.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::{replaced, with_usual};
use super::draft::{PaperDraft, drawing, other_place};
use super::editing::SourceEditing;
use super::project::{FOLDER, PaperProject, main_source};
use crate::parameters::Parameters;

const DATA: &str = "data/counts.txt";

/// The sum of some counts, and the greatest of them with its place, go into a sentence.
pub(super) struct FillTotals;

impl DesktopScenario for FillTotals {
    fn name(&self) -> &'static str {
        "fill-totals"
    }

    fn prepare(&self, parameters: &Parameters, _rng: &mut Rng) -> Result<PreparedScenario, String> {
        let mut rng = drawing(parameters, self.name())?;
        let rng = &mut rng;
        let mut before = PaperDraft::drawn(rng, 3);
        let mut places = vec![before.place];
        while places.len() < 6 {
            places.push(other_place(rng, &places));
        }
        rng.shuffle(&mut places);
        let mut counts: Vec<i64> = (1..=6).map(|idx| 110 * idx + rng.between(0, 99)).collect();
        rng.shuffle(&mut counts);
        let most = counts.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(idx, _)| idx);
        let rows = places.iter().zip(&counts).map(|(place, count)| format!("{place}|{count}\n"));
        let rows: String = rows.collect();
        let open = "In all TOTAL samples were taken, MOST of them at SITE alone.";
        let told = |open: &str| {
            let total: i64 = counts.iter().sum();
            open.replace("TOTAL", &total.to_string())
                .replace("MOST", &counts[most].to_string())
                .replace("SITE", places[most])
        };
        let at = 1 + rng.below(2);
        before.sections[at].lines.push(open.to_owned());
        let source = before.source();
        let right = told(&source);
        let beside = BTreeMap::from([(format!("{FOLDER}/{DATA}"), format!("site|samples\n{rows}"))]);
        let project = PaperProject::new(source, right, beside);
        Ok(PreparedScenario {
            plan: project.plan(&json!({ "open": open })),
            expected: json!({ "sentence": told(open) }),
            words: [("open".to_owned(), json!(open))].into(),
        })
    }

    /// Reads the rows as anybody would, and adds them up.
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let data = plan["found"][format!("{FOLDER}/{DATA}")].as_str().ok_or("no data")?;
        let n_rows = if wrong_way == Some("one-row-forgotten") { 5 } else { 6 };
        let (mut total, mut most, mut site) = (0_i64, 0_i64, "");
        for (place, count) in data.lines().skip(1).take(n_rows).filter_map(|line| line.split_once('|')) {
            let count = count.parse::<i64>().map_err(|error| error.to_string())?;
            total += count;
            if count > most {
                (most, site) = (count, place);
            }
        }
        let open = plan["solution"]["open"].as_str().unwrap_or_default();
        let mut editing = SourceEditing::new(main_source(plan)?);
        let site = if wrong_way == Some("site-left-open") { "SITE" } else { site };
        editing.replace(open, &format!("In all {total} samples were taken, {most} of them at {site} alone."))?;
        Ok(editing.saved())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["one-row-forgotten", "site-left-open"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        with_usual(
            left,
            AlteredFiles {
                wrong: replaced(
                    left,
                    &[
                        ("a digit more", " samples were", "0 samples were"),
                        ("a number that is commented out", " samples were taken", " samples % were taken"),
                        ("a word more", " alone.", " alone, it seems."),
                    ],
                ),
                right: replaced(
                    left,
                    &[
                        ("a blank that does not break", " samples were", "~samples were"),
                        ("a line that is broken elsewhere", " samples were", "\nsamples were"),
                    ],
                ),
            },
        )
    }
}
