//! Locations that were never left: nearly right ones, and others that are right.

use quintain_core::world::AlteredFiles;
use quintain_core::{FileHandle, FileSet};
use serde_json::Value;

use super::cell_grid::CellGrid;
use super::land::Land;
use super::location::{PERMANENT, raster_files};
use super::map_rule::MapRule;
use super::mapset_judge::JudgedParts;

/// The largest file that is altered.
const LARGEST: u64 = 8 << 20;

/// Locations by what was altered.
pub(super) type AlteredLocations = Vec<(String, FileSet)>;

/// What becomes of the first raster map that a plan has judged.
pub(super) fn altered_raster(plan: &Value, left: &FileSet) -> Option<AlteredFiles> {
    let land = Land::planned(plan).ok()?;
    let parts: JudgedParts = serde_json::from_value(plan["judged"].clone()).ok()?;
    let (name, rule) = parts.rasters.into_iter().next()?;
    let grid = rule.grid(&land);
    let mut wrong: AlteredLocations = vec![("no map".to_owned(), without_raster(left, &name))];
    let put = |(how, grid): (&str, CellGrid)| (how.to_owned(), with_raster(left, &name, &grid));
    wrong.extend(nearly(&grid, &rule).into_iter().map(put));
    for (given, grid) in [("elevation", &land.elevation), ("landuse", &land.landuse)] {
        let changed = changed_at(grid, 1234, |value| value.map(|value| value + 1.0));
        wrong.push((format!("one cell of {given} changed"), with_raster(left, given, &changed)));
    }
    let close = grid.map(|row, col| grid.at(row, col).map(|value| value + 0.4 * rule.tolerance(value)));
    let nowhere = land.elevation.map(|_, _| None);
    let mut right = vec![
        put(("the same map, written by another program", grid)),
        put(("a map that is off by less than it may be", close)),
        ("a mask that was left".to_owned(), with_raster(left, "MASK", &nowhere)),
    ];
    right.extend(with_another_map(left, &land.elevation));
    let asks_for_region = matches!(rule, MapRule::Coarser { .. });
    if asks_for_region { &mut wrong } else { &mut right }.extend(with_other_region(left));
    Some(AlteredFiles { wrong, right })
}

/// Grids that are nearly this one.
fn nearly(grid: &CellGrid, rule: &MapRule) -> Vec<(&'static str, CellGrid)> {
    let n_rows = grid.n_rows() as i64;
    let at = |has_value: bool| grid.cells.iter().rposition(|cell| cell.is_some() == has_value);
    let mut all = vec![
        ("a map of the land next to it", CellGrid { west: grid.west + grid.cell_m, ..grid.clone() }),
        ("a map that is turned over", grid.map(|row, col| grid.at(n_rows - 1 - row, col))),
        (
            "a map without its southern row",
            CellGrid { cells: grid.cells[..grid.cells.len() - grid.n_cols].to_vec(), ..grid.clone() },
        ),
    ];
    if let Some(idx) = at(true) {
        let off = |value: f64| value + 3.0 * rule.tolerance(value).max(0.1);
        all.push(("one cell off", changed_at(grid, idx, |value| value.map(off))));
        all.push(("one cell without a value", changed_at(grid, idx, |_| None)));
    }
    if let Some(idx) = at(false) {
        all.push(("one value where there is none", changed_at(grid, idx, |_| Some(1.0))));
        all.push(("nought where there is no value", grid.map(|row, col| grid.at(row, col).or(Some(0.0)))));
    }
    all
}

/// A grid in which one cell is another.
fn changed_at(grid: &CellGrid, idx: usize, change: impl Fn(Option<f64>) -> Option<f64>) -> CellGrid {
    let mut changed = grid.clone();
    if let Some(cell) = changed.cells.get_mut(idx) {
        *cell = change(*cell);
    }
    changed
}

/// The location with this raster map in it, in place of one of that name.
pub(super) fn with_raster(left: &FileSet, name: &str, grid: &CellGrid) -> FileSet {
    let mut files = without_raster(left, name);
    files.extend(raster_files(name, grid).into_iter().map(|(path, bytes)| (path, FileHandle::held(bytes))));
    files
}

/// The location without a raster map.
pub(super) fn without_raster(left: &FileSet, name: &str) -> FileSet {
    let is_of_it = |path: &str| {
        let inside = path.strip_prefix(PERMANENT).and_then(|rest| rest.strip_prefix('/'));
        let mut parts = inside.unwrap_or_default().split('/');
        parts.next().is_some_and(|element| element != "vector") && parts.next() == Some(name)
    };
    left.iter().filter(|(path, _)| !is_of_it(path)).map(|(path, file)| (path.clone(), file.clone())).collect()
}

/// The location without files whose paths begin so.
pub(super) fn without(left: &FileSet, path: &str) -> FileSet {
    left.iter().filter(|(at, _)| !at.starts_with(path)).map(|(at, file)| (at.clone(), file.clone())).collect()
}

/// The location with some bytes of a file in place of others, where they are there: the first time, or the last.
pub(super) fn with_bytes(left: &FileSet, path: &str, (from, to): (&[u8], &[u8])) -> Vec<FileSet> {
    let bytes = left.get(path).and_then(|file| file.whole(LARGEST).ok()).unwrap_or_default();
    let places: Vec<usize> =
        bytes.windows(from.len().max(1)).enumerate().filter(|(_, part)| *part == from).map(|(at, _)| at).collect();
    let mut ends: Vec<usize> = places.first().into_iter().chain(places.last()).copied().collect();
    ends.dedup();
    let altered = |at: &usize| {
        let bytes = [&bytes[..*at], to, &bytes[at + from.len()..]].concat();
        let mut files = left.clone();
        files.insert(path.to_owned(), FileHandle::held(bytes));
        files
    };
    ends.iter().map(altered).collect()
}

/// The location with a text of a file in place of another, by what that is; left out where there is no such text in it.
pub(super) fn with_texts(left: &FileSet, path: &str, all: &[(&str, &str, &str)]) -> AlteredLocations {
    let one = |(how, from, to): &(&str, &str, &str)| {
        let files = with_bytes(left, path, (from.as_bytes(), to.as_bytes())).into_iter().next()?;
        Some(((*how).to_owned(), files))
    };
    all.iter().filter_map(one).collect()
}

/// The location in which maps are computed elsewhere.
pub(super) fn with_other_region(left: &FileSet) -> AlteredLocations {
    let smaller = ("another region", "north:      5000600\n", "north:      5000500\n");
    with_texts(left, &format!("{PERMANENT}/WIND"), &[smaller])
}

/// The location with a map beside the others.
pub(super) fn with_another_map(left: &FileSet, grid: &CellGrid) -> AlteredLocations {
    vec![("another map".to_owned(), with_raster(left, "on_the_way", grid))]
}

/// The location with a region that has other bounds or cells, and with one that differs in what is not looked at.
pub(super) fn with_other_bounds(left: &FileSet, path: &str) -> AlteredFiles {
    let text = left.get(path).and_then(|file| file.whole(LARGEST).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let changed = |key: &str, by: f64| {
        let line = text.lines().find(|line| line.split(':').next() == Some(key))?;
        let value: f64 = line.split(':').nth(1)?.trim().parse().ok()?;
        let how = format!("{key} {} for {value}", value + by);
        let files = with_texts(left, path, &[(&how, &format!("{line}\n"), &format!("{key}: {}\n", value + by))]);
        files.into_iter().next()
    };
    // The size of cells follows from the bounds and their number, which GRASS believes.
    let bounds = ["north", "south", "east", "west"].iter().filter_map(|key| changed(key, -100.0));
    AlteredFiles {
        wrong: bounds.chain(changed("cols", 1.0)).collect(),
        right: ["t-b resol", "top"].iter().filter_map(|key| changed(key, 1.0)).collect(),
    }
}
