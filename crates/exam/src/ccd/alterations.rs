//! What a right table of magnitudes becomes: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::usual;

use crate::cells::{TableCells, with_cells};

/// What the exposure comes to in magnitudes, where one forgets to divide by it.
const EXPOSURE: f64 = 5.638;

/// The usual alterations, and those of magnitudes.
pub(super) fn of(left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let put = |how: &str, alter: &dyn Fn(&mut TableCells)| with_cells(left, "photometry.csv", how, alter);
    let swapped = |filter: &str| if filter == "B" { "V".to_owned() } else { "B".to_owned() };
    let wrong = [
        put("not divided by the exposure", &|table| table.map("mag", |mag| mag - EXPOSURE)),
        put("the other sign", &|table| table.map("mag", |mag| -mag)),
        put("one star four hundredths off", &|table| table.first("mag", |mag| mag + 0.04)),
        put("no zero point", &|table| table.map("mag", |mag| mag - 25.0)),
        put("filters swapped", &|table| table.texts("filter", swapped)),
    ];
    let right = [
        put("three decimals", &|table| table.round(3)),
        put("two decimals", &|table| table.round(2)),
        put("a hundredth more", &|table| table.map("mag", |mag| mag + 0.01)),
    ];
    altered.wrong.extend(wrong.into_iter().flatten());
    altered.right.extend(right.into_iter().flatten());
    altered
}
