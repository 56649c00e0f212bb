//! What right tables of a network become: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::usual;

use crate::cells::with_cells;

/// The usual alterations, and those of these tables.
pub(super) fn of(left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let wrong = [
        with_cells(left, "junctions.csv", "pressures in kPa", |table| table.map("pressure_m", |m| m * 9.806_65)),
        with_cells(left, "junctions.csv", "one head 10 cm off", |table| table.first("head_m", |m| m + 0.1)),
        with_cells(left, "links.csv", "flows with the other sign", |table| table.map("flow_lps", |flow| -flow)),
        with_cells(left, "links.csv", "flows in cubic metres an hour", |table| {
            table.map("flow_lps", |flow| flow * 3.6);
        }),
        with_cells(left, "hydrants.csv", "flows in litres a minute", |table| {
            table.map("available_flow_lps", |flow| flow * 60.0);
        }),
        with_cells(left, "hydrants.csv", "one hydrant gives half a litre more", |table| {
            table.first("available_flow_lps", |flow| flow + 0.5);
        }),
        with_cells(left, "hydrants.csv", "another limiting junction", |table| {
            table.first_text("limiting_junction", |name| format!("{name}0"));
        }),
    ];
    let rounded = |number: f64| (number * 100.0).round() / 100.0;
    let right = [
        with_cells(left, "junctions.csv", "pressures rounded to the centimetre", |table| {
            table.map("pressure_m", rounded);
        }),
        with_cells(left, "hydrants.csv", "flows rounded to a hundredth of a litre", |table| {
            table.map("available_flow_lps", rounded);
        }),
    ];
    altered.wrong.extend(wrong.into_iter().flatten());
    altered.right.extend(right.into_iter().flatten());
    altered
}
