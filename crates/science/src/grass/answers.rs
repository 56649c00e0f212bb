//! Something about the land that is to be found out with GRASS and answered.

use std::collections::BTreeMap;

use quintain_core::Rng;
use quintain_core::action::Action;
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::console::{self, CommandPlace, ToolWords, words};
use super::land::{CELL_M, Land, N_COLS, N_ROWS};
use super::make_raster::use_number;
use super::map_rule::MapRule;
use super::mapset_judge::JudgedParts;
use crate::parameters::{Parameters, whole};

/// So many lands are tried.
const MOST_LANDS: u32 = 50;
/// Square metres of a hectare.
const HECTARE_M2: f64 = 10_000.0;

/// Something is to be found out.
pub(super) struct FindOut {
    name: &'static str,
    place: CommandPlace,
    /// Nothing where a land leaves no clear question: then another one is drawn.
    question: fn(&Parameters, &Land, &mut Rng) -> Result<Option<LandQuestion>, String>,
    wrong_ways: &'static [&'static str],
}

/// What is asked, what is right, and what somebody says who goes wrong.
struct LandQuestion {
    words: BTreeMap<String, Value>,
    answer: Value,
    wrong: Value,
    commands: Vec<ToolWords>,
}

impl DesktopScenario for FindOut {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let (number, question) = (0..MOST_LANDS)
            .find_map(|_| {
                let number = rng.next_u64() >> 12;
                (self.question)(parameters, &Land::of(number), rng).map(|found| Some((number, found?))).transpose()
            })
            .ok_or("no land has an answer that is clear")??;
        Ok(PreparedScenario {
            plan: json!({
                "land": number,
                "judged": JudgedParts::default().planned(),
                "commands": console::plan_of(&question.commands),
                "answer": question.answer,
                "wrong": question.wrong,
            }),
            expected: json!({ "land": number, "answer": question.answer }),
            words: question.words,
        })
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let mut steps = console::given(&console::planned(&plan["commands"])?, self.place);
        let value = plan[if wrong_way.is_some() { "wrong" } else { "answer" }].clone();
        steps.push(PlannedStep::Act(Action::Answer { value }));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        self.wrong_ways
    }
}

/// A number with so many decimals.
fn rounded(value: f64, n_decimals: i32) -> f64 {
    let unit = 10f64.powi(n_decimals);
    (value * unit).round() / unit
}

/// The elevation at a place.
pub(super) static VALUE_AT: FindOut = FindOut {
    name: "value-at",
    place: CommandPlace::Console,
    wrong_ways: &["one-cell-off"],
    question: |_parameters, land, rng| {
        let (row, col) = (rng.between(3, N_ROWS as i64 - 4), rng.between(3, N_COLS as i64 - 4));
        let (middle_east, middle_north) = land.elevation.middle(row as usize, col as usize);
        let (east, north) = (middle_east + rng.between(-3, 3) as f64, middle_north + rng.between(-3, 3) as f64);
        let elevation = land.elevation.at(row, col).ok_or("no elevation there")?;
        let beside = land.elevation.at(row + 1, col - 1).ok_or("no elevation beside it")?;
        // Beside it the land may be as high: then it is a metre off.
        let beside = if (beside - elevation).abs() > 0.05 { beside } else { elevation + 1.0 };
        Ok(Some(LandQuestion {
            words: [("east".to_owned(), json!(east)), ("north".to_owned(), json!(north))].into(),
            answer: json!({ "elevation": rounded(elevation, 2) }),
            wrong: json!({ "elevation": rounded(beside, 2) }),
            commands: vec![words(&format!("r.what map=elevation coordinates={east},{north}"))],
        }))
    },
};

/// How much land of a use lies above a limit.
pub(super) static LAND_AREA: FindOut = FindOut {
    name: "land-area",
    place: CommandPlace::Shell,
    wrong_ways: &["all-of-it"],
    question: |parameters, land, _rng| {
        let number = use_number(parameters)?;
        let share = whole(parameters, "percent_below", 20..=70)? as f64 / 100.0;
        let limit = land.share_below(share);
        let uses = || land.landuse.cells.iter().zip(&land.elevation.cells);
        let is_use = |cell: Option<f64>| cell == Some(number as f64);
        let n_all = uses().filter(|(cell, _)| is_use(**cell)).count();
        let n_high = uses().filter(|(cell, high)| is_use(**cell) && high.is_some_and(|z| z > limit)).count();
        let area = |n: usize| json!({ "hectares": rounded(n as f64 * CELL_M * CELL_M / HECTARE_M2, 2) });
        if n_high == 0 || n_high == n_all {
            return Ok(None);
        }
        Ok(Some(LandQuestion {
            words: [("limit".to_owned(), json!(limit as i64))].into(),
            answer: area(n_high),
            wrong: area(n_all),
            commands: vec![
                words(&format!("r.mapcalc expression=part=if(landuse=={number}&&elevation>{limit},1,null())")),
                words("r.stats -an input=part"),
            ],
        }))
    },
};

/// By so many metres a summit is higher than all else.
const CLEARLY_HIGHER: f64 = 0.019;

/// The highest cell of a land use.
pub(super) static SUMMIT: FindOut = FindOut {
    name: "summit",
    place: CommandPlace::Shell,
    wrong_ways: &["corner"],
    question: |parameters, land, _rng| {
        let number = use_number(parameters)?;
        let cells = (0..N_ROWS).flat_map(|row| (0..N_COLS).map(move |col| (row as i64, col as i64)));
        let cells = cells.filter(|(row, col)| land.landuse.at(*row, *col) == Some(number as f64));
        let height = |&(row, col): &(i64, i64)| land.elevation.at(row, col).unwrap_or(f64::NEG_INFINITY);
        let mut cells: Vec<(i64, i64)> = cells.collect();
        cells.sort_by(|a, b| height(b).total_cmp(&height(a)));
        let [first, second, ..] = cells[..] else { return Ok(None) };
        if height(&first) - height(&second) < CLEARLY_HIGHER {
            return Ok(None);
        }
        let (east, north) = land.elevation.middle(first.0 as usize, first.1 as usize);
        let elevation = rounded(height(&first), 2);
        Ok(Some(LandQuestion {
            words: BTreeMap::new(),
            answer: json!({ "east": east, "north": north, "elevation": elevation }),
            wrong: json!({ "east": east - 5.0, "north": north + 5.0, "elevation": elevation }),
            commands: vec![
                words(&format!("r.mapcalc expression=part=if(landuse=={number},elevation,null())")),
                ["sh", "-c", "r.stats -1gn input=part | sort -k3 -n -r | head -1"].map(str::to_owned).to_vec(),
            ],
        }))
    },
};

/// The mean elevation of a land use.
pub(super) static LAND_MEAN: FindOut = FindOut {
    name: "land-mean",
    place: CommandPlace::Shell,
    wrong_ways: &["all-land"],
    question: |parameters, land, _rng| {
        let number = use_number(parameters)?;
        let mean = |cells: &[f64]| cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        let both = || land.landuse.cells.iter().zip(land.elevation.cells.iter().flatten());
        let inside: Vec<f64> = both().filter(|(cell, _)| **cell == Some(number as f64)).map(|(_, z)| *z).collect();
        let all: Vec<f64> = both().map(|(_, z)| *z).collect();
        let of_all = if (mean(&all) - mean(&inside)).abs() > 0.1 { mean(&all) } else { mean(&all) + 1.0 };
        Ok(Some(LandQuestion {
            words: BTreeMap::new(),
            answer: json!({ "mean": rounded(mean(&inside), 2) }),
            wrong: json!({ "mean": rounded(of_all, 2) }),
            commands: vec![words("r.univar -t map=elevation zones=landuse")],
        }))
    },
};

/// How much water stands in a hollow.
pub(super) static LAKE_VOLUME: FindOut = FindOut {
    name: "lake-volume",
    place: CommandPlace::Shell,
    wrong_ways: &["cells-not-metres"],
    question: |parameters, land, _rng| {
        let rise = whole(parameters, "rise", 5..=60)?;
        let (row, col) = land.lowest(6);
        let (east, north) = land.elevation.middle(row, col);
        let lowest = land.elevation.at(row as i64, col as i64).ok_or("the land has no lowest cell")?;
        let level = lowest.round() + rise as f64;
        let depths = MapRule::Lake { row: row as i64, col: col as i64, level }.grid(land);
        let depths: Vec<f64> = depths.cells.iter().flatten().copied().collect();
        let volume = depths.iter().sum::<f64>() * CELL_M * CELL_M;
        let hectares = depths.len() as f64 * CELL_M * CELL_M / HECTARE_M2;
        let answer = |volume: f64| json!({ "hectares": rounded(hectares, 2), "cubic_metres": volume.round() });
        Ok(Some(LandQuestion {
            words: [("east", json!(east)), ("north", json!(north)), ("level", json!(level as i64))]
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            answer: answer(volume),
            wrong: answer(volume / (CELL_M * CELL_M)),
            commands: vec![
                words(&format!("r.lake elevation=elevation water_level={level} lake=water coordinates={east},{north}")),
                words("r.univar -g map=water"),
            ],
        }))
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_has_one_summit() {
        for seed in 0..20 {
            for name in ["forest", "meadow", "field", "heath", "orchard"] {
                let parameters = Parameters::from([("use".to_owned(), json!(name))]);
                let prepared = SUMMIT.prepare(&parameters, &mut Rng::new(seed)).unwrap();
                let land = Land::planned(&prepared.plan).unwrap();
                let number = use_number(&parameters).unwrap() as f64;
                let top = prepared.expected["answer"]["elevation"].as_f64().unwrap();
                let both = land.landuse.cells.iter().zip(land.elevation.cells.iter().flatten());
                let n_top = both.filter(|(cell, z)| **cell == Some(number) && **z > top - 0.011).count();
                assert_eq!(n_top, 1, "seed {seed}, {name}");
            }
        }
    }
}
