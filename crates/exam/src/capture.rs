//! Forensics: what happened in an office, from what a sensor saw of its network.

mod messages;
mod packet;
mod stage;
mod story;
mod talk;
mod truth;

use quintain_core::offering::WorldNeed;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::CODE;
use crate::scripted::scripted;
use crate::software::PYTHON;
use story::CaptureStory;

/// The name in `task.toml`.
const NAME: &str = "capture-triage";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("capture/solution.py");

/// Tell from a capture who was taken over, who called home, and what left.
pub(crate) struct CaptureTriage;

/// What files follow from.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CapturePlan {
    /// Whole numbers of this size do not go through JSON unharmed everywhere.
    seed: String,
    n_machines: usize,
    n_taken: usize,
    n_visits: usize,
}

impl Assignment for CaptureTriage {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let plan = CapturePlan {
            seed: rng.next_u64().to_string(),
            n_machines: parameters.number("n_machines", 8..=24)? as usize,
            n_taken: parameters.number("n_taken", 3..=6)? as usize,
            n_visits: parameters.number("n_visits", 50..=2000)? as usize,
        };
        let story = plan.story()?;
        Ok(PreparedWork {
            plan: serde_json::to_value(&plan).map_err(|error| error.to_string())?,
            expected: truth::of(&story),
            words: known(&story).into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect(),
        })
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        CapturePlan::read(plan)?.files()
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        let known = known(&CapturePlan::read(plan)?.story()?).map(|(_, value)| value).join(" ");
        Ok(scripted(
            "tshark -r input/capture.pcap -q -z io,phs 2>&1 | head -40",
            ("triage.py", SOLUTION),
            format!("python3 triage.py {way} {known} && head -3 output/*.csv"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["as-captured", "by-name", "last-lease", "every-copy", "chunks-as-captured"]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        for path in left.keys() {
            let Some(text) = alterations::text_of(left, path).map(|text| text.replace('\r', "")) else { continue };
            let with = |(how, text): (&str, String)| alterations::with(left, path, how, text.into_bytes());
            altered.wrong.extend(near_misses(&text).into_iter().map(with));
            altered.right.extend(variations(&text).into_iter().map(with));
        }
        altered
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let tshark = Software { program: "tshark", package: "tshark", mend: "apt install tshark" };
        vec![tshark.need(NAME), PYTHON.need(NAME)]
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("capture")
    }
}

impl CapturePlan {
    fn read(plan: &Value) -> Result<Self, String> {
        serde_json::from_value(plan.clone()).map_err(|error| format!("the plan cannot be read: {error}"))
    }

    fn seed(&self) -> Result<u64, String> {
        self.seed.parse().map_err(|error| format!("the plan's seed is no number: {error}"))
    }

    fn story(&self) -> Result<CaptureStory, String> {
        Ok(CaptureStory::drawn(self.seed()?, self.n_machines, self.n_taken))
    }

    fn files(&self) -> Result<InputFiles, String> {
        let packets = stage::played(&self.story()?, self.seed()?, self.n_visits);
        Ok([("capture.pcap".to_owned(), packet::pcap(packets))].into())
    }
}

/// What is known of those who did it: the words of the instruction.
fn known(story: &CaptureStory) -> [(&'static str, String); 3] {
    let mark = truth::hexadecimal(&story.mark, "");
    [("loader", truth::sha256(&story.loader)), ("mark", mark), ("zone", story.zone.clone())]
}

/// A table that is wrong in one thing: its last row is missing, stands twice, or has one cell changed.
fn near_misses(text: &str) -> Vec<(&'static str, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let Some((last, others)) = lines.split_last().filter(|(_, others)| !others.is_empty()) else { return Vec::new() };
    let with = |rows: &[&str]| [others, rows].concat().join("\n") + "\n";
    let cells: Vec<&str> = last.split(',').collect();
    let swapped = [cells[1], cells[0]].into_iter().chain(cells[2..].iter().copied()).collect::<Vec<_>>().join(",");
    // All tables end in a moment of UTC.
    let later = last.replace('Z', "+01:00");
    let cut = last.strip_suffix('Z').unwrap_or(last);
    vec![
        ("a row is missing", with(&[])),
        ("a row stands twice", with(&[last, last])),
        ("two cells have changed places", with(&[&swapped])),
        ("a moment is in another zone", with(&[&later])),
        ("a moment is cut", with(&[&cut[..cut.len() - 3]])),
    ]
}

/// The same table, written otherwise.
fn variations(text: &str) -> Vec<(&'static str, String)> {
    let turned = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",");
    vec![
        ("columns in another order", text.lines().map(turned).collect::<Vec<_>>().join("\n")),
        ("blanks around cells", text.replace(',', " , ")),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> CapturePlan {
        CapturePlan { seed: seed.to_string(), n_machines: 8, n_taken: 3, n_visits: 60 }
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_others_give_others() {
        assert_eq!(plan(7).files(), plan(7).files());
        let expected: BTreeSet<String> =
            (0..50).map(|seed| truth::of(&plan(seed).story().unwrap()).to_string()).collect();
        assert_eq!(expected.len(), 50);
    }

    #[test]
    fn every_story_holds_every_trap() {
        for seed in 0..50 {
            let story = plan(seed).story().unwrap();
            let names: BTreeSet<&String> = story.machines.iter().map(|machine| &machine.name).collect();
            assert_eq!(names.len(), 8);
            let last_holder = |address| {
                let leases =
                    story.machines.iter().enumerate().flat_map(|(at, one)| one.leases.iter().map(move |l| (l, at)));
                leases
                    .filter(|(lease, _)| lease.address == address)
                    .max_by_key(|(lease, _)| lease.from)
                    .map(|(_, at)| at)
            };
            let whole = story.fetches.iter().filter(|fetch| fetch.is_loader && fetch.is_whole);
            let whole: Vec<_> = whole.collect();
            assert_eq!(whole.len(), 4);
            let address = |fetch: &story::FileFetch| story.address(fetch.machine, fetch.at).unwrap();
            assert!(whole.iter().any(|fetch| last_holder(address(fetch)) != Some(fetch.machine)), "seed {seed}");
            let same_name =
                |decoy: &&story::FileFetch| !decoy.is_loader && whole.iter().any(|one| one.path == decoy.path);
            assert!(story.fetches.iter().filter(same_name).count() > 0, "seed {seed}");
            assert_eq!(story.tunnels.iter().filter(|session| session.is_whole).count(), 3);
        }
    }

    #[test]
    fn a_plan_that_cannot_be_read_is_refused() {
        assert!(CapturePlan::read(&json!({})).unwrap_err().contains("cannot be read"));
        assert!(CapturePlan { seed: "x".to_owned(), ..plan(1) }.files().unwrap_err().contains("no number"));
    }

    #[test]
    fn nearly_right_tables_are_made_of_right_ones() {
        let text = "a,b,at\n1,2,2025-01-01T00:00:00Z\n";
        let misses: BTreeSet<String> = near_misses(text).into_iter().map(|(_, text)| text).collect();
        assert_eq!((misses.len(), misses.contains(text)), (5, false));
        assert!(near_misses("nonsense").is_empty());
        assert_eq!(variations(text)[0].1, "at,b,a\n2025-01-01T00:00:00Z,2,1");
    }
}
