//! The mark and the word of a house, drawn in straight lines.

use std::fmt::Write as _;

/// The mark is as high as it is wide; letters are lower, and stand on its foot.
pub(super) const MARK: f64 = 100.0;
const LETTER_HEIGHT: f64 = 60.0;
const WORD_LEFT: f64 = 122.0;
const SPACING: f64 = 9.0;

/// The corners of a letter that is 60 high.
fn corners(of: char) -> Vec<[f64; 2]> {
    let told = match of {
        'A' => "20,0 34,0 54,60 39,60 27,20 15,60 0,60",
        'E' => "0,0 42,0 42,13 14,13 14,23 38,23 38,36 14,36 14,47 42,47 42,60 0,60",
        'F' => "0,0 40,0 40,13 14,13 14,24 36,24 36,37 14,37 14,60 0,60",
        'H' => "0,0 14,0 14,23 36,23 36,0 50,0 50,60 36,60 36,37 14,37 14,60 0,60",
        'I' => "0,0 14,0 14,60 0,60",
        'K' => "0,0 14,0 14,22 32,0 50,0 27,29 50,60 32,60 14,37 14,60 0,60",
        'L' => "0,0 14,0 14,46 40,46 40,60 0,60",
        'M' => "0,60 0,0 14,0 30,26 46,0 60,0 60,60 46,60 46,24 30,48 14,24 14,60",
        'N' => "0,60 0,0 14,0 38,36 38,0 52,0 52,60 38,60 14,24 14,60",
        'T' => "0,0 48,0 48,14 31,14 31,60 17,60 17,14 0,14",
        _ => "0,0 15,0 27,40 39,0 54,0 34,60 20,60",
    };
    let corner = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    told.split(' ').filter_map(corner).collect()
}

/// The word's letters as data of paths, and where the last one ends.
pub(super) fn word(house: &str) -> (Vec<String>, f64) {
    let (mut letters, mut left) = (Vec::new(), WORD_LEFT);
    for points in house.chars().map(corners) {
        let mut data = String::new();
        for (at, [x, y]) in points.iter().enumerate() {
            let command = if at == 0 { "M" } else { " L" };
            // Writing to a text cannot fail.
            write!(data, "{command} {},{}", left + x, MARK - LETTER_HEIGHT + y).ok();
        }
        letters.push(data + " Z");
        left += SPACING + points.iter().fold(0.0, |most: f64, [x, _]| most.max(*x));
    }
    (letters, left - SPACING)
}

/// How high the logo is, as a share of its width.
pub(super) fn proportion(house: &str) -> f64 {
    MARK / word(house).1
}
