//! Tables and lists as text.

/// Rows as aligned columns.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The first lines of a list, and how many more there are.
pub(crate) fn first_lines(lines: &[String], most: usize) -> String {
    let more = lines.len().saturating_sub(most);
    let rest = (more > 0).then(|| format!("and {more} more"));
    let shown: Vec<String> = lines.iter().take(most).cloned().chain(rest).collect();
    shown.join("\n")
}
