//! A plot as a PDF file: an axis, and a line through points.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quintain_core::Rng;

use super::project::FOLDER;

/// A plot of each place, drawn at random, as the files beside a paper.
pub(super) fn drawn_plots<const N: usize>(places: [&str; N], rng: &mut Rng) -> BTreeMap<String, String> {
    let plots = places.map(|place| {
        let points: Vec<i64> = (0..24).map(|_| rng.between(5, 95)).collect();
        (format!("{FOLDER}/figures/{}.pdf", place.to_lowercase()), plotted(&points))
    });
    plots.into()
}

/// A line through points that are from 0 to 100 high, at equal distances. It is plain text.
pub(super) fn plotted(heights: &[i64]) -> String {
    let mut drawn = String::from("1 w 10 110 m 10 10 l 250 10 l S\n0.2 0.3 0.7 RG 1.5 w\n");
    for (idx, height) in heights.iter().enumerate() {
        let word = if idx == 0 { 'm' } else { 'l' };
        writeln!(drawn, "{} {} {word}", 12 + 10 * idx, 10 + height).expect("texts take everything");
    }
    drawn.push_str("S\n");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 260 120] /Contents 4 0 R /Resources << >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{drawn}endstream", drawn.len()),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut starts = Vec::new();
    for (idx, object) in objects.iter().enumerate() {
        starts.push(file.len());
        write!(file, "{} 0 obj\n{object}\nendobj\n", idx + 1).expect("texts take everything");
    }
    let table_start = file.len();
    let rows = starts.iter().map(|start| format!("{start:010} 00000 n \n"));
    let rows: String = rows.collect();
    write!(
        file,
        "xref\n0 5\n0000000000 65535 f \n{rows}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n{table_start}\n%%EOF\n"
    )
    .expect("texts take everything");
    file
}
