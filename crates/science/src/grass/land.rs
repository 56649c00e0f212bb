//! The land that the maps of an instance show: hills and valleys, what grows where, and stations.

use std::fmt::Write as _;

use quintain_core::Rng;
use serde_json::Value;

use super::cell_grid::CellGrid;

pub(super) const N_ROWS: usize = 60;
pub(super) const N_COLS: usize = 80;
/// Metres across a cell.
pub(super) const CELL_M: f64 = 10.0;
pub(super) const WEST: f64 = 500_000.0;
pub(super) const SOUTH: f64 = 5_000_000.0;
pub(super) const NORTH: f64 = SOUTH + CELL_M * N_ROWS as f64;
pub(super) const EAST: f64 = WEST + CELL_M * N_COLS as f64;
/// What grows there, by the number that it has in the map, from 1.
pub(super) const USES: [&str; 5] = ["forest", "meadow", "field", "heath", "orchard"];
const STATION_NAMES: [&str; 12] =
    ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine"];

/// The land of an instance.
#[derive(Clone, Debug)]
pub(super) struct Land {
    /// Metres above the sea. None of them is whole or half, so that a limit never falls on one.
    pub(super) elevation: CellGrid,
    /// What grows there: 1 to 5.
    pub(super) landuse: CellGrid,
    pub(super) stations: Vec<Station>,
}

/// A station, in the middle of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Station {
    pub(super) number: usize,
    pub(super) name: &'static str,
    pub(super) east: f64,
    pub(super) north: f64,
    pub(super) n_sensors: i64,
    /// The elevation of its ground.
    pub(super) ground_m: f64,
}

impl Land {
    /// The land of a plan.
    pub(super) fn planned(plan: &Value) -> Result<Self, String> {
        plan["land"].as_u64().map(Self::of).ok_or_else(|| "the plan has no land".to_owned())
    }

    /// A land for each number.
    pub(super) fn of(number: u64) -> Self {
        let mut rng = Rng::for_purpose(number, "land");
        let elevation = hills(&mut rng);
        let landuse = uses(&mut rng, &elevation);
        let stations = placed(&mut rng, &elevation);
        Self { elevation, landuse, stations }
    }

    /// A whole elevation that so large a share of the land lies below.
    pub(super) fn share_below(&self, share: f64) -> f64 {
        let mut cells: Vec<f64> = self.elevation.cells.iter().flatten().copied().collect();
        cells.sort_by(f64::total_cmp);
        cells[(share * (cells.len() - 1) as f64) as usize].round()
    }

    /// The row and the column of the lowest cell at least so far from the edges.
    pub(super) fn lowest(&self, margin: usize) -> (usize, usize) {
        let inner = (margin..N_ROWS - margin).flat_map(|row| (margin..N_COLS - margin).map(move |col| (row, col)));
        let height = |&(row, col): &(usize, usize)| self.elevation.at(row as i64, col as i64).unwrap_or(f64::INFINITY);
        inner.min_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or((margin, margin))
    }

    /// The stations as `v.in.ascii` reads them.
    pub(super) fn stations_text(&self) -> String {
        let mut text = String::new();
        for Station { number, name, east, north, n_sensors, .. } in &self.stations {
            let _infallible = writeln!(text, "{east}|{north}|{number}|{name}|{n_sensors}");
        }
        text
    }
}

/// Round hills and hollows on a plane that leans.
fn hills(rng: &mut Rng) -> CellGrid {
    let (base, lean_east, lean_north) = (rng.uniform(250.0, 420.0), rng.uniform(-40.0, 40.0), rng.uniform(-40.0, 40.0));
    let mut bumps: Vec<[f64; 4]> = Vec::new();
    for n in 0..9 {
        let height = if n < 6 { rng.uniform(40.0, 130.0) } else { rng.uniform(-90.0, -50.0) };
        bumps.push([rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), height, rng.uniform(0.05, 0.14)]);
    }
    let empty =
        CellGrid { west: WEST, north: NORTH, cell_m: CELL_M, n_cols: N_COLS, cells: vec![None; N_ROWS * N_COLS] };
    empty.map(|row, col| {
        let (x, y) = (col as f64 / N_COLS as f64, row as f64 / N_ROWS as f64);
        let bump = |[at_x, at_y, height, width]: &[f64; 4]| {
            let away = (x - at_x).powi(2) + (y - at_y).powi(2);
            height * (-away / (2.0 * width * width)).exp()
        };
        let exact = base + lean_east * x + lean_north * y + bumps.iter().map(bump).sum::<f64>();
        Some(stored((exact * 50.0).round() / 50.0 + 0.01))
    })
}

/// A number as a map of single precision keeps it.
pub(super) fn stored(value: f64) -> f64 {
    f64::from(value as f32)
}

/// So many cells each land use has at least.
const FEWEST_CELLS: usize = 60;

/// What grows where: some of everything.
fn uses(rng: &mut Rng, over: &CellGrid) -> CellGrid {
    loop {
        let drawn = patches(rng, over);
        let n_cells = |number: usize| drawn.cells.iter().filter(|cell| **cell == Some(number as f64)).count();
        if (1..=USES.len()).all(|number| n_cells(number) >= FEWEST_CELLS) {
            return drawn;
        }
    }
}

/// Patches around random middles.
fn patches(rng: &mut Rng, over: &CellGrid) -> CellGrid {
    let patch = |n: usize, rng: &mut Rng| (rng.uniform(0.0, 80.0), rng.uniform(0.0, 60.0), (n % USES.len()) + 1);
    let patches: Vec<(f64, f64, usize)> = (0..15).map(|n| patch(n, rng)).collect();
    over.map(|row, col| {
        let away = |patch: &(f64, f64, usize)| (patch.0 - col as f64).powi(2) + (patch.1 - row as f64).powi(2);
        patches.iter().min_by(|a, b| away(a).total_cmp(&away(b))).map(|patch| patch.2 as f64)
    })
}

/// Stations in cells of their own, none at an edge.
fn placed(rng: &mut Rng, elevation: &CellGrid) -> Vec<Station> {
    let mut cells: Vec<(usize, usize)> =
        (2..N_ROWS - 2).step_by(4).flat_map(|row| (2..N_COLS - 2).step_by(4).map(move |col| (row, col))).collect();
    rng.shuffle(&mut cells);
    let station = |(n, name): (usize, &'static str)| {
        let (row, col) = cells[n];
        let (east, north) = elevation.middle(row, col);
        let ground_m = elevation.at(row as i64, col as i64).unwrap_or_default();
        Station { number: n + 1, name, east, north, n_sensors: rng.between(1, 9), ground_m }
    };
    STATION_NAMES.into_iter().enumerate().map(station).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_never_fall_on_a_cell_and_lands_differ() {
        let land = Land::of(7);
        let is_off = |value: &f64| ((value * 100.0).round() as i64 % 2) == 1;
        assert!(land.elevation.cells.iter().flatten().all(is_off));
        let below = land.share_below(0.5);
        let n_below = land.elevation.cells.iter().flatten().filter(|value| **value < below).count();
        assert!((2000..2800).contains(&n_below), "{n_below}");
        assert_ne!(land.elevation, Land::of(8).elevation);
        assert_eq!(land.stations, Land::of(7).stations);
    }

    #[test]
    fn some_of_everything_grows_on_every_land() {
        for number in 0..200 {
            let land = Land::of(number);
            let n_cells = |use_number: f64| land.landuse.cells.iter().filter(|cell| **cell == Some(use_number)).count();
            assert!([1.0, 2.0, 3.0, 4.0, 5.0].map(n_cells).iter().all(|n| *n >= FEWEST_CELLS), "land {number}");
        }
    }
}
