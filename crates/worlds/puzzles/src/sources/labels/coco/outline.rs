//! From outlines to masks.

use super::{LabelOutline, Mask};

/// The pixels whose middle lies inside an outline. Runs must be for a picture of this size.
pub(super) fn mask(outline: &LabelOutline, width: u32, height: u32) -> Mask {
    match outline {
        LabelOutline::Polygons(polygons) => of_polygons(polygons, width, height),
        LabelOutline::Runs { counts, .. } => of_runs(counts, width, height),
    }
}

/// How many pixels an outline holds.
pub(super) fn area(outline: &LabelOutline, width: u32, height: u32) -> usize {
    match outline {
        LabelOutline::Polygons(polygons) => of_polygons(polygons, width, height).area(),
        LabelOutline::Runs { counts, .. } => counts.iter().skip(1).step_by(2).map(|count| *count as usize).sum(),
    }
}

/// All that lies in any of the polygons.
fn of_polygons(polygons: &[Vec<f64>], width: u32, height: u32) -> Mask {
    let mut mask = Mask::default();
    let rows = || polygons.iter().flat_map(|corners| corners.iter().skip(1).step_by(2)).copied();
    let top = rows().fold(f64::from(height), f64::min).max(0.0) as u32;
    let bottom = rows().fold(0.0, f64::max).ceil().min(f64::from(height)) as u32;
    for y in top..bottom {
        let middle = f64::from(y) + 0.5;
        let mut stretches: Vec<(u32, u32)> =
            polygons.iter().flat_map(|corners| crossed(corners, middle, width)).collect();
        stretches.sort_unstable();
        for (from, to) in stretches {
            mask.push([y, from, to]);
        }
    }
    mask
}

/// The stretches of a row that lie inside a polygon.
fn crossed(corners: &[f64], y: f64, width: u32) -> Vec<(u32, u32)> {
    let points: Vec<(f64, f64)> = corners.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let mut crossings = Vec::new();
    for (i, &(ax, ay)) in points.iter().enumerate() {
        let (bx, by) = points[(i + 1) % points.len()];
        if (ay <= y) != (by <= y) {
            crossings.push(ax + (y - ay) / (by - ay) * (bx - ax));
        }
    }
    crossings.sort_by(f64::total_cmp);
    // The first pixel whose middle is not left of a crossing.
    let pixel = |x: f64| (x - 0.5).ceil().clamp(0.0, f64::from(width)) as u32;
    let stretch = |pair: &[f64]| (pixel(pair[0]), pixel(pair[1]));
    crossings.chunks_exact(2).map(stretch).filter(|(from, to)| from < to).collect()
}

/// The mask of runs that go down the columns.
fn of_runs(counts: &[u32], width: u32, height: u32) -> Mask {
    let mut inside = vec![false; width as usize * height as usize];
    let mut at = 0;
    for (i, count) in counts.iter().enumerate() {
        let to = (at + *count as usize).min(inside.len());
        inside[at..to].fill(i % 2 == 1);
        at = to;
    }
    let mut mask = Mask::default();
    for y in 0..height {
        for x in 0..width {
            if inside[x as usize * height as usize + y as usize] {
                mask.push([y, x, x + 1]);
            }
        }
    }
    mask
}
