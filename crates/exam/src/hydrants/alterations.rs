//! What right tables of a network become: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{usual, with};

const LARGEST: u64 = 1 << 20;
/// Which rows are changed: all of them, or the first.
const ALL: usize = usize::MAX;
const FIRST: usize = 1;

/// The usual alterations, and those of these tables.
pub(super) fn of(left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let numbers = |path: &str, how: &str, column: usize, n_rows: usize, change: &dyn Fn(f64) -> f64| {
        let new = |cell: &str| cell.parse().map_or_else(|_| cell.to_owned(), |number| format!("{:.4}", change(number)));
        changed(left, path, how, (column, n_rows), &new)
    };
    altered.wrong.extend(
        [
            numbers("junctions.csv", "pressures in kPa", 2, ALL, &|metres| metres * 9.806_65),
            numbers("junctions.csv", "one head 10 cm off", 1, FIRST, &|metres| metres + 0.1),
            numbers("links.csv", "flows with the other sign", 1, ALL, &|flow| -flow),
            numbers("links.csv", "flows in cubic metres an hour", 1, ALL, &|flow| flow * 3.6),
            numbers("hydrants.csv", "flows in litres a minute", 2, ALL, &|flow| flow * 60.0),
            numbers("hydrants.csv", "one hydrant gives half a litre more", 2, FIRST, &|flow| flow + 0.5),
            changed(left, "hydrants.csv", "another limiting junction", (3, FIRST), &|name| format!("{name}0")),
        ]
        .into_iter()
        .flatten(),
    );
    let rounded = |metres: f64| (metres * 100.0).round() / 100.0;
    altered.right.extend(
        [
            numbers("junctions.csv", "pressures rounded to the centimetre", 2, ALL, &rounded),
            numbers("hydrants.csv", "flows rounded to a hundredth of a litre", 2, ALL, &rounded),
        ]
        .into_iter()
        .flatten(),
    );
    altered
}

/// All files, with one column of one table changed in its first rows.
fn changed(
    left: &FileSet,
    path: &str,
    how: &str,
    (column, n_rows): (usize, usize),
    change: &dyn Fn(&str) -> String,
) -> Option<(String, FileSet)> {
    let bytes = left.get(path)?.whole(LARGEST).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let row = |(at, row): (usize, &str)| {
        let is_meant = at > 0 && at - 1 < n_rows;
        let cell = |(at, cell): (usize, &str)| if is_meant && at == column { change(cell) } else { cell.to_owned() };
        row.split(',').enumerate().map(cell).collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = text.lines().enumerate().map(row).collect();
    Some(with(left, path, how, (rows.join("\n") + "\n").into_bytes()))
}

#[cfg(test)]
mod tests {
    use quintain_core::FileHandle;

    use super::*;

    #[test]
    fn one_column_is_changed() {
        let left: FileSet = [("a.csv".to_owned(), FileHandle::embedded(b"k,v\na,1\nb,2\n"))].into();
        let told = |n_rows| {
            let (_, files) = changed(&left, "a.csv", "more", (1, n_rows), &|cell| format!("{cell}!")).unwrap();
            String::from_utf8(files["a.csv"].whole(64).unwrap()).unwrap()
        };
        assert_eq!((told(ALL).as_str(), told(FIRST).as_str()), ("k,v\na,1!\nb,2!\n", "k,v\na,1!\nb,2\n"));
        assert!(changed(&left, "b.csv", "more", (1, ALL), &str::to_owned).is_none());
    }
}
