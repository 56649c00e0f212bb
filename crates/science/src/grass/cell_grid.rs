//! A grid of cells, as raster maps are.

/// A grid of square cells, row by row from the north. Nothing is known of cells without a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellGrid {
    /// The east coordinate of its western edge.
    pub(super) west: f64,
    /// The north coordinate of its northern edge.
    pub(super) north: f64,
    /// Metres across a cell.
    pub(super) cell_m: f64,
    pub(super) n_cols: usize,
    pub(super) cells: Vec<Option<f64>>,
}

impl CellGrid {
    pub(super) fn n_rows(&self) -> usize {
        self.cells.len() / self.n_cols.max(1)
    }

    /// What a cell holds; nothing outside of the grid.
    pub(super) fn at(&self, row: i64, col: i64) -> Option<f64> {
        let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
        (col < self.n_cols).then(|| self.cells.get(row * self.n_cols + col).copied().flatten()).flatten()
    }

    /// East and north of the middle of a cell.
    pub(super) fn middle(&self, row: usize, col: usize) -> (f64, f64) {
        (self.west + self.cell_m * (col as f64 + 0.5), self.north - self.cell_m * (row as f64 + 0.5))
    }

    /// Another grid over the same cells.
    pub(super) fn map(&self, mut value: impl FnMut(i64, i64) -> Option<f64>) -> Self {
        let n_cols = self.n_cols;
        let cells = (0..self.cells.len()).map(|at| value((at / n_cols) as i64, (at % n_cols) as i64)).collect();
        Self { cells, ..self.clone() }
    }

    /// Reads what `r.out.ascii` writes, cells without a value as `*`; or tells what is wrong.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let mut head = |name: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')).map(str::trim);
            value.and_then(|value| value.parse::<f64>().ok()).ok_or_else(|| format!("no `{name}` but {line:?}"))
        };
        let [north, south, east, west] = [head("north")?, head("south")?, head("east")?, head("west")?];
        let (n_rows, n_cols) = (head("rows")? as usize, head("cols")? as usize);
        let one = |word: &str| match word {
            "*" => Ok(None),
            word => word.parse::<f64>().map(Some).map_err(|_not_a_number| format!("{word:?} is no number")),
        };
        let cells: Vec<Option<f64>> = lines.flat_map(str::split_whitespace).map(one).collect::<Result<_, _>>()?;
        let cell_m = (east - west) / n_cols as f64;
        let is_square = (cell_m - (north - south) / n_rows as f64).abs() < 1e-6;
        if n_cols == 0 || cells.len() != n_rows * n_cols || !is_square {
            return Err(format!("{n_rows} rows, {n_cols} columns and {} cells do not fit", cells.len()));
        }
        Ok(Self { west, north, cell_m, n_cols, cells })
    }

    /// How many cells of another one hold the same as its own, where both lie over the same ground. How far off a cell may
    /// be depends on what it should hold.
    pub(super) fn n_equal(&self, other: &Self, tolerance: impl Fn(f64) -> f64) -> usize {
        let bounds = |grid: &Self| [grid.west, grid.north, grid.cell_m];
        let lie_together = bounds(self).iter().zip(bounds(other)).all(|(a, b)| (a - b).abs() < 1e-6);
        if !lie_together || self.n_cols != other.n_cols || self.cells.len() != other.cells.len() {
            return 0;
        }
        let is_equal = |(a, b): &(&Option<f64>, &Option<f64>)| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance(*a),
            (a, b) => a.is_none() && b.is_none(),
        };
        self.cells.iter().zip(&other.cells).filter(is_equal).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "north: 40\nsouth: 20\neast: 130\nwest: 100\nrows: 2\ncols: 3\n1 2.5 *\n* 4 5\n";

    #[test]
    fn a_grid_is_read_and_compared_cell_by_cell() {
        let grid = CellGrid::read(TEXT).unwrap();
        assert_eq!((grid.n_rows(), grid.n_cols, grid.cell_m), (2, 3, 10.0));
        assert_eq!((grid.at(0, 1), grid.at(0, 2), grid.at(0, 3), grid.at(-1, 0)), (Some(2.5), None, None, None));
        assert_eq!(grid.middle(1, 0), (105.0, 25.0));
        let other = grid.map(|row, col| grid.at(row, col).map(|value| value + if col == 1 { 0.2 } else { 0.0 }));
        assert_eq!((grid.n_equal(&other, |_| 0.1), grid.n_equal(&other, |_| 0.3)), (4, 6));
        assert_eq!(grid.n_equal(&other, |expected| expected * 0.06), 5, "0.2 is little beside 4");
        let holed = grid.map(|_, _| None);
        assert_eq!(grid.n_equal(&holed, |_| 9.0), 2, "no value is not any value");
        let moved = CellGrid { west: 110.0, ..grid.clone() };
        assert_eq!(grid.n_equal(&moved, |_| 0.0), 0, "another place is another map");
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        assert!(CellGrid::read("").is_err());
        assert!(CellGrid::read(&TEXT.replace("2.5", "x")).is_err());
        assert!(CellGrid::read(&TEXT.replace(" 5\n", "\n")).is_err());
        assert!(CellGrid::read(&TEXT.replace("east: 130", "east: 160")).is_err(), "cells are square");
    }
}
