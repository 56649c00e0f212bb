//! What a raster map has to hold, worked out from the land by plain arithmetic.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cell_grid::CellGrid;
use super::land::Land;

/// What a raster map has to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub(super) enum MapRule {
    /// The elevation itself.
    Elevation,
    /// The land use itself.
    Landuse,
    /// 1 where the land is higher than this, else nothing.
    Above { limit: f64 },
    /// How steep it is in degrees, by the eight cells around; nothing at the edges.
    Slope,
    /// The elevation less an amount, times a factor.
    Scaled { less: f64, factor: f64 },
    /// A number for each land use.
    Grouped { groups: Vec<i64> },
    /// The mean elevation of a square of so many cells across, as far as there are cells.
    Smoothed { n_across: i64 },
    /// How deep the water is that stands at this level around a cell; nothing where there is none.
    Lake { row: i64, col: i64, level: f64 },
    /// How far it is to the nearest cell of a land use, from middle to middle, in metres.
    Distance { to: i64 },
    /// The mean elevation in cells that are so many times as wide.
    Coarser { times: i64 },
    /// 1 where this grows, that is no farther away, and it is flatter than that; else nothing.
    Sites { grows: i64, near: i64, within_m: f64, flatter_than_deg: f64 },
}

impl MapRule {
    /// The map.
    pub(super) fn grid(&self, land: &Land) -> CellGrid {
        let high = &land.elevation;
        match self {
            Self::Elevation => high.clone(),
            Self::Landuse => land.landuse.clone(),
            Self::Above { limit } => high.map(|row, col| high.at(row, col).filter(|z| z > limit).map(|_| 1.0)),
            Self::Slope => high.map(|row, col| steepness_deg(high, row, col)),
            Self::Scaled { less, factor } => high.map(|row, col| high.at(row, col).map(|z| (z - less) * factor)),
            Self::Grouped { groups } => land.landuse.map(|row, col| {
                let number = land.landuse.at(row, col)? as usize;
                groups.get(number.checked_sub(1)?).map(|group| *group as f64)
            }),
            Self::Smoothed { n_across } => {
                let reach = n_across / 2;
                high.map(|row, col| mean(high, row - reach..=row + reach, &(col - reach..col + reach + 1)))
            }
            Self::Lake { row, col, level } => {
                let wet = flooded(high, (*row, *col), *level);
                high.map(|row, col| high.at(row, col).filter(|_| wet.contains(&(row, col))).map(|z| level - z))
            }
            Self::Distance { to } => distance(&land.landuse, *to),
            Self::Coarser { times } => coarser(high, *times),
            Self::Sites { grows, near, within_m, flatter_than_deg } => high.map(|row, col| {
                let is_use = land.landuse.at(row, col) == Some(*grows as f64);
                let is_near = is_use && is_within(&land.landuse, (row, col), *near, *within_m);
                let is_flat = steepness_deg(high, row, col).is_some_and(|slope| slope < *flatter_than_deg);
                (is_near && is_flat).then_some(1.0)
            }),
        }
    }

    /// How many cells the map has.
    pub(super) fn n_cells(&self, land: &Land) -> usize {
        let n_cells = land.elevation.cells.len();
        match self {
            Self::Coarser { times } => n_cells / (times * times) as usize,
            _ => n_cells,
        }
    }

    /// How far a cell may be off that should hold this: tools compute in single precision.
    pub(super) fn tolerance(&self, expected: f64) -> f64 {
        match self {
            Self::Above { .. } | Self::Landuse | Self::Grouped { .. } | Self::Sites { .. } => 0.0,
            Self::Elevation => 1e-4,
            Self::Slope | Self::Smoothed { .. } | Self::Lake { .. } | Self::Coarser { .. } => 0.005,
            Self::Distance { .. } => DISTANCE_ERROR * expected + 0.005,
            Self::Scaled { factor, .. } => 0.005 * factor.abs().max(1.0),
        }
    }
}

/// `r.grow.distance` hands the nearest cell on from neighbour to neighbour, and misses it in places: what it tells is up to
/// 4 percent too far.
pub(super) const DISTANCE_ERROR: f64 = 0.05;

pub(super) fn steepness_deg(high: &CellGrid, row: i64, col: i64) -> Option<f64> {
    let around = |down: i64, right: i64| high.at(row + down, col + right);
    let [north_west, north, north_east] = [around(-1, -1)?, around(-1, 0)?, around(-1, 1)?];
    let [south_west, south, south_east] = [around(1, -1)?, around(1, 0)?, around(1, 1)?];
    let (west, east) = (around(0, -1)?, around(0, 1)?);
    let across =
        ((north_east + 2.0 * east + south_east) - (north_west + 2.0 * west + south_west)) / (8.0 * high.cell_m);
    let down =
        ((south_west + 2.0 * south + south_east) - (north_west + 2.0 * north + north_east)) / (8.0 * high.cell_m);
    Some(across.hypot(down).atan().to_degrees())
}

fn mean(grid: &CellGrid, rows: impl Iterator<Item = i64>, cols: &Range<i64>) -> Option<f64> {
    let values = rows.flat_map(|row| cols.clone().map(move |col| (row, col)));
    let values: Vec<f64> = values.filter_map(|(row, col)| grid.at(row, col)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The cells below a level that hang together with a cell, corners included.
fn flooded(high: &CellGrid, from: (i64, i64), level: f64) -> BTreeSet<(i64, i64)> {
    let mut wet = BTreeSet::new();
    let mut next = vec![from];
    while let Some((row, col)) = next.pop() {
        let is_low = high.at(row, col).is_some_and(|z| z < level);
        if is_low && wet.insert((row, col)) {
            next.extend((-1..=1).flat_map(|down| (-1..=1).map(move |right| (row + down, col + right))));
        }
    }
    wet
}

/// Whether a cell of a land use is no farther from a cell than this, from middle to middle.
pub(super) fn is_within(landuse: &CellGrid, (row, col): (i64, i64), to: i64, within_m: f64) -> bool {
    let reach = (within_m / landuse.cell_m).floor() as i64;
    let around = (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |right| (down, right)));
    let is_near =
        |(down, right): &(i64, i64)| ((down * down + right * right) as f64).sqrt() * landuse.cell_m <= within_m;
    around.filter(is_near).any(|(down, right)| landuse.at(row + down, col + right) == Some(to as f64))
}

fn distance(landuse: &CellGrid, to: i64) -> CellGrid {
    let n_cols = landuse.n_cols as i64;
    let places = (0..landuse.cells.len() as i64).map(|at| (at / n_cols, at % n_cols));
    let goals: Vec<(i64, i64)> = places.filter(|(row, col)| landuse.at(*row, *col) == Some(to as f64)).collect();
    landuse.map(|row, col| {
        let nearest = goals.iter().map(|(r, c)| (r - row).pow(2) + (c - col).pow(2)).min()?;
        Some((nearest as f64).sqrt() * landuse.cell_m)
    })
}

fn coarser(high: &CellGrid, times: i64) -> CellGrid {
    let (n_rows, n_cols) = (high.n_rows() as i64 / times, high.n_cols as i64 / times);
    let cells = (0..n_rows * n_cols).map(|at| {
        let (row, col) = (at / n_cols * times, at % n_cols * times);
        mean(high, row..row + times, &(col..col + times))
    });
    let cell_m = high.cell_m * times as f64;
    CellGrid { cell_m, n_cols: n_cols as usize, cells: cells.collect(), ..high.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[f64]]) -> CellGrid {
        let cells = rows.concat().into_iter().map(Some).collect();
        CellGrid { west: 0.0, north: 100.0, cell_m: 10.0, n_cols: rows[0].len(), cells }
    }

    fn land(elevation: CellGrid) -> Land {
        let landuse = elevation.map(|row, col| Some(if (row, col) == (0, 0) { 2.0 } else { 1.0 }));
        Land { elevation, landuse, stations: Vec::new() }
    }

    fn told(rule: &MapRule, land: &Land) -> String {
        let grid = rule.grid(land);
        let cell = |value: &Option<f64>| value.map_or("*".to_owned(), |value| format!("{value:.2}"));
        let rows = grid.cells.chunks(grid.n_cols).map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" "));
        rows.collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn maps_follow_from_the_land() {
        let land =
            land(grid(&[&[1.0, 9.0, 3.0, 4.0], &[9.0, 2.0, 9.0, 4.0], &[9.0, 9.0, 9.0, 9.0], &[1.0, 1.0, 1.0, 1.0]]));
        let all = [
            MapRule::Above { limit: 8.0 },
            MapRule::Scaled { less: 1.0, factor: 2.0 },
            MapRule::Grouped { groups: vec![7, 8] },
            MapRule::Smoothed { n_across: 3 },
            MapRule::Lake { row: 1, col: 1, level: 3.5 },
            MapRule::Distance { to: 2 },
            MapRule::Coarser { times: 2 },
            MapRule::Sites { grows: 1, near: 2, within_m: 15.0, flatter_than_deg: 60.0 },
        ];
        assert!(all.iter().all(|rule| rule.n_cells(&land) == rule.grid(&land).cells.len()));
        let lines: Vec<String> = all.iter().map(|rule| told(rule, &land)).collect();
        assert_eq!(
            lines,
            [
                "* 1.00 * * / 1.00 * 1.00 * / 1.00 1.00 1.00 1.00 / * * * *",
                "0.00 16.00 4.00 6.00 / 16.00 2.00 16.00 6.00 / 16.00 16.00 16.00 16.00 / 0.00 0.00 0.00 0.00",
                "8.00 7.00 7.00 7.00 / 7.00 7.00 7.00 7.00 / 7.00 7.00 7.00 7.00 / 7.00 7.00 7.00 7.00",
                "5.25 5.50 5.17 5.00 / 6.50 6.67 6.44 6.33 / 5.17 5.56 5.00 5.50 / 5.00 5.00 5.00 5.00",
                "2.50 * 0.50 * / * 1.50 * * / * * * * / * * * *",
                "0.00 10.00 20.00 30.00 / 10.00 14.14 22.36 31.62 / 20.00 22.36 28.28 36.06 / 30.00 31.62 36.06 42.43",
                "5.25 5.00 / 5.00 5.00",
                "* * * * / * 1.00 * * / * * * * / * * * *",
            ]
        );
    }

    #[test]
    fn a_plane_is_as_steep_as_it_leans() {
        let plane = grid(&[&[0.0, 10.0, 20.0], &[0.0, 10.0, 20.0], &[0.0, 10.0, 20.0]]);
        assert_eq!(told(&MapRule::Slope, &land(plane)), "* * * / * 45.00 * / * * *");
    }
}
