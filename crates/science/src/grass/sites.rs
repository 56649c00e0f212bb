//! Sites that fulfil several conditions: a map of them, and how large the largest is.

use std::collections::BTreeSet;

use quintain_core::action::Action;
use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng};
use quintain_desktop::{DesktopScenario, PlannedStep, PreparedScenario};
use serde_json::{Value, json};

use super::alterations::altered_raster;
use super::cell_grid::CellGrid;
use super::console::{self, CommandPlace, words};
use super::land::{Land, USES};
use super::map_rule::{DISTANCE_ERROR, MapRule, is_within, steepness_deg};
use super::mapset_judge::{JudgedParts, all_right};
use crate::parameters::{Parameters, text, whole};

/// So many lands are tried.
const MOST_LANDS: u32 = 200;
/// A slope this near to a limit could fall on either side of it, in degrees.
const UNCLEAR_DEG: f64 = 0.01;
/// How many cells the largest site has at least.
const FEWEST_CELLS: usize = 12;

/// Sites for a building are to be found.
pub(super) struct FindSites;

/// Sites for a building are to be found.
pub(super) static SITES: FindSites = FindSites;

/// What is asked for: what grows there, what has to be near, how near, and how flat it is.
struct SiteConditions {
    grows: i64,
    near: i64,
    within_m: i64,
    flatter_than_deg: f64,
}

impl SiteConditions {
    fn rule(&self) -> MapRule {
        let Self { grows, near, within_m, flatter_than_deg } = *self;
        MapRule::Sites { grows, near, within_m: within_m as f64, flatter_than_deg }
    }
}

/// The number of a land use that a parameter names.
fn use_of(parameters: &Parameters, name: &str) -> Result<i64, String> {
    let wanted = text(parameters, name)?;
    let at = USES.iter().position(|known| *known == wanted);
    at.map(|at| at as i64 + 1).ok_or_else(|| format!("`{name}` must be one of {}", USES.join(", ")))
}

/// Whether a distance is well apart from those that there are between cells, whichever way they are looked for.
fn is_clear_distance(within_m: i64) -> bool {
    let is_square = |n: i64| ((n as f64).sqrt().round() as i64).pow(2) == n;
    let is_distance = |cells_squared: i64| (0..=cells_squared).any(|a| is_square(a) && is_square(cells_squared - a));
    let exact = |cells_squared: i64| (cells_squared as f64).sqrt() * 10.0;
    let is_unclear = |n: &i64| exact(*n) <= within_m as f64 && exact(*n) * (1.0 + DISTANCE_ERROR) > within_m as f64;
    !(0..=within_m * within_m / 100).filter(is_unclear).any(is_distance)
}

/// A limit for the slope, in tenths of degrees, that no cell is near to; about this share of the candidates is flatter.
fn clear_slope(land: &Land, (grows, near, within_m): (i64, i64, i64), share: f64) -> Option<f64> {
    let is_candidate = |row: i64, col: i64| {
        land.landuse.at(row, col) == Some(grows as f64) && is_within(&land.landuse, (row, col), near, within_m as f64)
    };
    let slopes = land
        .elevation
        .map(|row, col| if is_candidate(row, col) { steepness_deg(&land.elevation, row, col) } else { None });
    let mut slopes: Vec<f64> = slopes.cells.into_iter().flatten().collect();
    slopes.sort_by(f64::total_cmp);
    let about = slopes.get((share * slopes.len() as f64) as usize)?;
    let limit = (about * 10.0).ceil() / 10.0;
    slopes.iter().all(|slope| (slope - limit).abs() > UNCLEAR_DEG).then_some(limit)
}

/// How many cells each piece of a map has, cells hanging together over edges; the largest first.
fn pieces(grid: &CellGrid) -> Vec<usize> {
    let n_cols = grid.n_cols as i64;
    let mut left: BTreeSet<(i64, i64)> = (0..grid.cells.len() as i64)
        .map(|at| (at / n_cols, at % n_cols))
        .filter(|at| grid.at(at.0, at.1).is_some())
        .collect();
    let mut sizes = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut size, mut next) = (0, vec![first]);
        while let Some((row, col)) = next.pop() {
            size += 1;
            let around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)];
            next.extend(around.into_iter().filter(|at| left.remove(at)));
        }
        sizes.push(size);
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn hectares(n_cells: usize) -> f64 {
    n_cells as f64 / 100.0
}

/// How it is done: one tool after the other, each with a map of its own.
fn commands(output: &str, conditions: &SiteConditions, is_slope_heeded: bool) -> Value {
    let SiteConditions { grows, near, within_m, flatter_than_deg } = conditions;
    let flat = if is_slope_heeded { format!("&&work_slope<{flatter_than_deg}") } else { String::new() };
    let lines = [
        "r.slope.aspect elevation=elevation slope=work_slope".to_owned(),
        format!("r.mapcalc expression=work_near=if(landuse=={near},1,null())"),
        "r.grow.distance input=work_near distance=work_away".to_owned(),
        format!("r.mapcalc expression={output}=if(landuse=={grows}&&work_away<={within_m}{flat},1,null())"),
        format!("r.clump input={output} output=work_pieces"),
        "r.stats -anc input=work_pieces sort=desc".to_owned(),
    ];
    console::plan_of(&lines.map(|line| words(&line)))
}

impl DesktopScenario for FindSites {
    fn name(&self) -> &'static str {
        "sites"
    }

    fn prepare(&self, parameters: &Parameters, rng: &mut Rng) -> Result<PreparedScenario, String> {
        let output = text(parameters, "output")?;
        let (grows, near) = (use_of(parameters, "grows")?, use_of(parameters, "near")?);
        let within_m = whole(parameters, "within", 10..=100)?;
        if grows == near || !is_clear_distance(within_m) {
            return Err("`grows` and `near` must differ, and no cells may be about `within` apart".to_owned());
        }
        let share = rng.uniform(0.35, 0.7);
        for _ in 0..MOST_LANDS {
            let number = rng.next_u64() >> 12;
            let land = Land::of(number);
            let Some(flatter_than_deg) = clear_slope(&land, (grows, near, within_m), share) else { continue };
            let conditions = SiteConditions { grows, near, within_m, flatter_than_deg };
            let judged = JudgedParts::raster(output, conditions.rule());
            let sizes = pieces(&conditions.rule().grid(&land));
            if sizes.len() < 2 || sizes[0] < FEWEST_CELLS {
                continue;
            }
            let answer = |n_cells: usize| json!({ "pieces": sizes.len(), "largest": hectares(n_cells) });
            let right = answer(sizes[0]);
            return Ok(PreparedScenario {
                expected: json!({
                    "land": number,
                    "made": all_right(&judged.rasters, &land),
                    "given": { "elevation": true, "landuse": true },
                    "answer": right,
                }),
                plan: json!({
                    "land": number,
                    "judged": judged.planned(),
                    "commands": commands(output, &conditions, true),
                    "steep_too": commands(output, &conditions, false),
                    "answer": right,
                    "all_together": answer(sizes.iter().sum()),
                }),
                words: [("slope".to_owned(), json!(flatter_than_deg))].into(),
            });
        }
        Err("no land has sites that are clear".to_owned())
    }

    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        let way = if wrong_way == Some("steep-too") { "steep_too" } else { "commands" };
        let mut steps = console::given(&console::planned(&plan[way])?, CommandPlace::Shell);
        let value = plan[if wrong_way == Some("all-together") { "all_together" } else { "answer" }].clone();
        steps.push(PlannedStep::Act(Action::Answer { value }));
        Ok(steps)
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &["steep-too", "all-together"]
    }

    fn altered(&self, plan: &Value, left: &FileSet) -> AlteredFiles {
        altered_raster(plan, left).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hang_together_over_edges() {
        let text = "north: 40\nsouth: 10\neast: 140\nwest: 100\nrows: 3\ncols: 4\n1 1 * 1\n* 1 * 1\n1 * * 1\n";
        assert_eq!(pieces(&CellGrid::read(text).unwrap()), [3, 3, 1]);
    }

    #[test]
    fn clear_distances_lie_between_those_of_cells() {
        let clear: Vec<i64> = (20..=50).filter(|within| is_clear_distance(*within)).collect();
        assert_eq!(clear, [21, 22, 24, 25, 26, 27, 28, 34, 35, 36, 38, 39, 47, 48, 49]);
    }

    #[test]
    fn sites_are_found_for_every_seed() {
        for seed in 0..12 {
            let parameters = [
                ("output", json!("sites")),
                ("grows", json!("field")),
                ("near", json!("forest")),
                ("within", json!(49)),
            ];
            let parameters = parameters.map(|(name, value)| (name.to_owned(), value)).into();
            let prepared = SITES.prepare(&parameters, &mut Rng::new(seed)).unwrap();
            assert_ne!(prepared.plan["answer"], prepared.plan["all_together"], "seed {seed}");
        }
    }
}
