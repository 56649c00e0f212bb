//! Tables that a solution left, altered cell by cell.

use quintain_core::FileSet;
use quintain_workspace::alterations;

/// The largest table that is altered.
const LARGEST: u64 = 16 << 20;

/// A table without quotes, as our own solutions write it.
#[derive(Clone, Debug)]
pub(crate) struct TableCells {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TableCells {
    fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        Some(Self { columns: lines.next()?, rows: lines.collect() })
    }

    fn written(&self) -> Vec<u8> {
        let lines = [&self.columns].into_iter().chain(&self.rows);
        lines.map(|cells| cells.join(",") + "\n").collect::<String>().into_bytes()
    }

    /// Changes the cells of a column, whatever they are.
    pub(crate) fn texts(&mut self, column: &str, change: impl Fn(&str) -> String) {
        let Some(at) = self.columns.iter().position(|name| name == column) else { return };
        for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            *cell = change(cell);
        }
    }

    /// Changes the numbers of a column.
    pub(crate) fn map(&mut self, column: &str, change: impl Fn(f64) -> f64) {
        self.texts(column, |cell| numbers(cell, &change));
    }

    /// Changes the cell in the first row of a column.
    pub(crate) fn first_text(&mut self, column: &str, change: impl Fn(&str) -> String) {
        let rest = self.rows.split_off(self.rows.len().min(1));
        self.texts(column, change);
        self.rows.extend(rest);
    }

    /// Changes the number in the first row of a column.
    pub(crate) fn first(&mut self, column: &str, change: impl Fn(f64) -> f64) {
        self.first_text(column, |cell| numbers(cell, &change));
    }

    /// Gives each of two columns the other's cells.
    pub(crate) fn exchange(&mut self, one: &str, other: &str) {
        let place = |column: &str| self.columns.iter().position(|name| name == column);
        if let (Some(one), Some(other)) = (place(one), place(other)) {
            self.rows.iter_mut().for_each(|row| row.swap(one, other));
        }
    }

    /// Leaves the rows out in which a column holds this.
    pub(crate) fn without(&mut self, column: &str, value: &str) {
        if let Some(at) = self.columns.iter().position(|name| name == column) {
            self.rows.retain(|row| row.get(at).is_none_or(|cell| cell != value));
        }
    }

    /// Writes every number that is not whole with so many decimals.
    pub(crate) fn round(&mut self, n_decimals: usize) {
        for cell in self.rows.iter_mut().flatten().filter(|cell| cell.contains(['.', 'e'])) {
            if let Ok(number) = cell.parse::<f64>() {
                *cell = format!("{number:.n_decimals$}");
            }
        }
    }
}

/// A cell with its number changed; one that is none stays as it is.
fn numbers(cell: &str, change: impl Fn(f64) -> f64) -> String {
    cell.parse().map_or_else(|_| cell.to_owned(), |number| change(number).to_string())
}

/// All files, with one table that is altered; nothing if it is not there.
pub(crate) fn with_cells(
    left: &FileSet,
    path: &str,
    how: &str,
    alter: impl FnOnce(&mut TableCells),
) -> Option<(String, FileSet)> {
    let mut table = TableCells::read(&left.get(path)?.whole(LARGEST).ok()?)?;
    alter(&mut table);
    Some(alterations::with(left, path, how, table.written()))
}

#[cfg(test)]
mod tests {
    use quintain_core::FileHandle;

    use super::*;

    fn altered(alter: impl FnOnce(&mut TableCells)) -> String {
        let left = FileSet::from([("t.csv".to_owned(), FileHandle::held(&b"k,a,b\nx,1,2.56789\ny,3,4e-05\n"[..]))]);
        let (_, files) = with_cells(&left, "t.csv", "altered", alter).unwrap();
        String::from_utf8_lossy(&files["t.csv"].whole(99).unwrap()).into_owned()
    }

    #[test]
    fn cells_are_changed_and_nothing_else() {
        assert_eq!(altered(|table| table.map("a", |n| -n)), "k,a,b\nx,-1,2.56789\ny,-3,4e-05\n");
        assert_eq!(altered(|table| table.first("a", |n| n + 1.0)), "k,a,b\nx,2,2.56789\ny,3,4e-05\n");
        assert_eq!(altered(|table| table.map("k", |n| n + 1.0)), "k,a,b\nx,1,2.56789\ny,3,4e-05\n", "no numbers");
        assert_eq!(altered(|table| table.texts("a", |cell| format!("-{cell}"))), "k,a,b\nx,-1,2.56789\ny,-3,4e-05\n");
        assert_eq!(
            altered(|table| table.first_text("k", |cell| format!("{cell}!"))),
            "k,a,b\nx!,1,2.56789\ny,3,4e-05\n"
        );
        assert_eq!(altered(|table| table.exchange("a", "b")), "k,a,b\nx,2.56789,1\ny,4e-05,3\n");
        assert_eq!(altered(|table| table.without("k", "x")), "k,a,b\ny,3,4e-05\n");
        assert_eq!(altered(|table| table.round(3)), "k,a,b\nx,1,2.568\ny,3,0.000\n");
        assert!(with_cells(&FileSet::new(), "t.csv", "altered", |_| ()).is_none());
    }
}
