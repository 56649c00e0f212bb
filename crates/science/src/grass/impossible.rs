//! What cannot be done, and can be found out to be so: only giving up is right.

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::console::{self, CommandPlace, words};
use super::land::{EAST, Land, N_ROWS, NORTH};
use super::mapset_judge::JudgedParts;
use crate::parameters::{Parameters, text, whole};

/// The elevation of a place that no map covers.
pub(super) struct OutsideTheMap;

/// The elevation of a place that no map covers.
pub(super) static OUTSIDE: OutsideTheMap = OutsideTheMap;

impl DesktopScenario for OutsideTheMap {
    fn name(&self) -> &'static str {
        "outside-the-map"
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let beyond = whole(parameters, "beyond", 1..=999)?;
        let row = rng.below(N_ROWS);
        let (east, north) = (EAST + beyond as f64, NORTH - 10.0 * row as f64 - 5.0);
        let nearest = Land::of(number).elevation.at(row as i64, 79).ok_or("no cell at the edge")?;
        Ok(PreparedScenario {
            plan: json!({
                "land": number,
                "judged": JudgedParts::default().planned(),
                "commands": console::plan_of(&[words(&format!("r.what map=elevation coordinates={east},{north}"))]),
                "nearest": (nearest * 100.0).round() / 100.0,
            }),
            expected: Value::Null,
            words: [("east".to_owned(), json!(east)), ("north".to_owned(), json!(north))].into(),
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut steps = console::given(&console::planned(&plan["commands"])?, CommandPlace::Shell);
        steps.push(PlannedStep::Act(match wrong_way {
            Some(_) => Action::Answer { value: json!({ "elevation": plan["nearest"] }) },
            None => Action::GiveUp { reason: "the map does not reach that far: the place has no value".to_owned() },
        }));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["nearest-cell"]
    }
}

/// A map that was removed is to come back.
pub(super) struct BringBack;

/// A map that was removed is to come back.
pub(super) static REMOVED: BringBack = BringBack;

impl DesktopScenario for BringBack {
    fn name(&self) -> &'static str {
        "bring-back"
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let number = rng.next_u64() >> 12;
        let removed = text(parameters, "removed")?;
        Ok(PreparedScenario {
            plan: json!({ "land": number, "judged": JudgedParts::default().planned(), "removed": removed }),
            expected: Value::Null,
            ..PreparedScenario::default()
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let removed = plan["removed"].as_str().ok_or("no map")?;
        if wrong_way.is_some() {
            let commands = [words(&format!("g.copy raster=landuse,{removed}"))];
            let done = PlannedStep::Act(Action::Done);
            return Ok(console::given(&commands, CommandPlace::Console).into_iter().chain([done]).collect());
        }
        let reason = "GRASS keeps nothing of a map that was removed";
        let given_up = PlannedStep::Act(Action::GiveUp { reason: reason.to_owned() });
        Ok(console::opened().into_iter().chain([given_up]).collect())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["another-map"]
    }
}
