//! What a right table of magnitudes becomes: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{usual, with};

const TABLE: &str = "photometry.csv";
const LARGEST: u64 = 1 << 20;
/// What the exposure comes to in magnitudes, where one forgets to divide by it.
const EXPOSURE: f64 = 5.638;

/// The usual alterations, and those of magnitudes.
pub(super) fn of(left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let Some(text) = left.get(TABLE).and_then(|file| file.whole(LARGEST).ok()) else { return altered };
    let text = String::from_utf8_lossy(&text).into_owned();
    let put = |how: &str, change: &dyn Fn(usize, f64) -> f64| with(left, TABLE, how, changed(&text, change));
    let swapped = text.replace(",B,", ",?,").replace(",V,", ",B,").replace(",?,", ",V,");
    altered.wrong.extend([
        put("not divided by the exposure", &|_, mag| mag - EXPOSURE),
        put("the other sign", &|_, mag| -mag),
        put("one star a tenth off", &|at, mag| if at == 1 { mag + 0.1 } else { mag }),
        put("no zero point", &|_, mag| mag - 25.0),
        with(left, TABLE, "filters swapped", swapped.into_bytes()),
    ]);
    altered.right.extend([
        put("three decimals", &|_, mag| (mag * 1000.0).round() / 1000.0),
        put("a hundredth more", &|_, mag| mag + 0.01),
    ]);
    altered
}

/// The table with every magnitude changed; rows are counted from one.
fn changed(text: &str, change: &dyn Fn(usize, f64) -> f64) -> Vec<u8> {
    let row = |(at, row): (usize, &str)| match row.rsplit_once(',') {
        Some((key, mag)) => mag.parse().map_or_else(|_| row.to_owned(), |mag| format!("{key},{:.4}", change(at, mag))),
        None => row.to_owned(),
    };
    let rows: Vec<String> = text.lines().enumerate().map(row).collect();
    (rows.join("\n") + "\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnitudes_are_changed_row_by_row() {
        let told = changed("star,filter,mag\nS01,B,17.5\nS01,V,x\n", &|at, mag| mag + at as f64);
        assert_eq!(String::from_utf8(told).unwrap(), "star,filter,mag\nS01,B,18.5000\nS01,V,x\n");
    }
}
