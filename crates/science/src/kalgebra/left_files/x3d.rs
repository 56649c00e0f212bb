//! A surface as KAlgebra exports it: triangles over a grid of `x` and `y`.
//!
//! It writes three numbers for every corner with spaces between them, and nothing between two corners: `-4 -4 5-3.74194 -4
//! 4.74194`. The third number of a corner and the first of the next are told apart by what the next has to be: corners come
//! cell by cell, and the grid is always the same. The last character of all is cut off, so
//! that the last height is not looked at.

use serde_json::json;

use super::FileContent;

/// The grid has so many cells along each side, from minus so far to so far.
const N_CELLS: usize = 31;
const REACH: f64 = 4.0;
/// The corners of the two triangles of a cell, in the order in which they are written.
const CORNERS: [(usize, usize); 6] = [(0, 0), (1, 0), (0, 1), (1, 0), (0, 1), (1, 1)];
/// Of the grid, every so manieth line is told.
const TOLD_EVERY: usize = 2;

/// Places on the surface.
pub(super) fn points(text: &str) -> FileContent {
    let (_, coordinates) = text.split_once("<Coordinate point='").ok_or("it holds no coordinates")?;
    let (coordinates, _) = coordinates.split_once('\'').ok_or("its coordinates do not end")?;
    let words: Vec<&str> = coordinates.split_whitespace().collect();
    let corners = corners();
    if words.len() / 2 != corners.len() {
        return Err("it is no surface over a grid of x and y".to_owned());
    }
    let line = |idx: usize| idx as f64 * 2.0 * REACH / N_CELLS as f64 - REACH;
    let mut points = Vec::new();
    for (at, pair) in corners.windows(2).enumerate() {
        let ((across, along), (next, _)) = (pair[0], pair[1]);
        let strange = || format!("corner {at} is not where KAlgebra puts it");
        let height = words[2 * at + 2].strip_suffix(&shown(line(next))).ok_or_else(strange)?;
        let height: f64 = height.parse().map_err(|_not_a_number| strange())?;
        if words[2 * at + 1] != shown(line(along)) || !height.is_finite() {
            return Err(strange());
        }
        let is_first = at % CORNERS.len() == 0;
        if is_first && across % TOLD_EVERY == 0 && along % TOLD_EVERY == 0 {
            points.push([line(across), line(along), height]);
        }
    }
    Ok(json!({ "points": points }))
}

/// Which lines of the grid meet in each corner, in the order in which corners are written.
fn corners() -> Vec<(usize, usize)> {
    let cells = (0..N_CELLS).flat_map(|across| (0..N_CELLS).map(move |along| (across, along)));
    cells.flat_map(|(across, along)| CORNERS.map(|(right, up)| (across + right, along + up))).collect()
}

/// A number with six digits, without zeros behind them.
fn shown(number: f64) -> String {
    let n_decimals = if number.abs() < 1.0 { 6 } else { 5 };
    let text = format!("{number:.n_decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(height: impl Fn(f64, f64) -> f64) -> String {
        let line = |idx: usize| -4.0 + 8.0 * idx as f64 / 31.0;
        let corner = |(across, along): (usize, usize)| {
            let (x, y) = (line(across), line(along));
            format!("{} {} {}", shown(x), shown(y), shown(height(x, y)))
        };
        let written: String = corners().into_iter().map(corner).collect();
        format!("<X3D><Coordinate point='{}'/></X3D>", &written[..written.len() - 1])
    }

    #[test]
    fn heights_are_told_apart_from_what_follows_them() {
        let text = exported(|x, y| 13.7419 + x - 2.0 * y);
        assert!(
            text.starts_with("<X3D><Coordinate point='-4 -4 17.7419-3.74194 -4 17.99996-4 -3.74194 "),
            "{}",
            &text[..80]
        );
        let read = points(&text).expect("a surface");
        let read: Vec<[f64; 3]> = serde_json::from_value(read["points"].clone()).expect("points");
        assert_eq!(read.len(), 256);
        assert!(points(&exported(|_, _| 5.0)).is_ok(), "the last height is gone as a whole");
        assert!(read.iter().all(|[x, y, z]| (13.7419 + x - 2.0 * y - z).abs() < 1e-4));
    }

    #[test]
    fn other_files_are_told_from_surfaces() {
        let cut = exported(|x, _| x).replacen(" 4 ", " 3 ", 1);
        let told = ["", "<Coordinate point='1 2 3'/>", "<Coordinate point='", &cut].map(points);
        let told = told.map(|read| read.map_or_else(|why| why, |read| read.to_string()));
        insta::assert_snapshot!(told.join("\n"), @r"
        it holds no coordinates
        it is no surface over a grid of x and y
        its coordinates do not end
        corner 182 is not where KAlgebra puts it
        ");
    }
}
