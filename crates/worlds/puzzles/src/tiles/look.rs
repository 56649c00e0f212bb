//! Whether two tiles can be told apart.

use quintain_core::picture::Picture;

use crate::canvas::Area;

/// Every so many pixels are compared, across and down.
const COMPARE_EVERY: usize = 4;

/// A sparse sample of an area's colours.
pub(crate) fn look(picture: &Picture, area: Area) -> Vec<u8> {
    let stride = picture.width() as usize * 4;
    let mut sample = Vec::new();
    for y in (area.y..area.y + area.height).step_by(COMPARE_EVERY) {
        let from = y as usize * stride + area.x as usize * 4;
        let row = &picture.rgba()[from..from + area.width as usize * 4];
        sample.extend(row.chunks_exact(4).step_by(COMPARE_EVERY).flat_map(|pixel| &pixel[..3]));
    }
    sample
}

/// Whether every two samples of one size differ by so much: the mean difference of a colour channel, out of 255.
pub(crate) fn all_differ(looks: &[Vec<u8>], least: f64) -> bool {
    looks.iter().enumerate().all(|(i, a)| looks[..i].iter().all(|b| difference(a, b) >= least))
}

/// The mean difference of a colour channel between two samples of one size, out of 255.
pub(crate) fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u32 = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    f64::from(sum) / a.len().max(1) as f64
}
