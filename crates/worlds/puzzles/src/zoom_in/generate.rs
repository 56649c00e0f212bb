//! Picking a photograph and ever closer views of it, such that their order can be seen.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::{Parameters, Start, ZoomView};
use crate::sources::photos::Photos;
use crate::tiles::look::all_differ;
use crate::tiles::order::mixed;
use crate::tiles::row::check_size;

/// The photograph is so many times as large as a view, across and down, so that close views still show detail.
const PHOTO: u32 = 2;
/// Each view is closer than the one before by more than this and less than that.
const GAPS: std::ops::RangeInclusive<f64> = 1.1..=3.0;
/// The closest view shows so many pixels of the photograph, at least, along a side.
const LEAST_SIDE: u32 = 32;
/// How many photographs are tried, and how many ways to look at each.
const PHOTOS: usize = 16;
const TRIES: usize = 8;
/// How different two views must look: the mean difference of a colour channel, out of 255.
const LEAST_DIFFERENCE: f64 = 8.0;
/// How much a view must differ from every part of the next closer one, lest their order could be the other way round.
const LEAST_MISFIT: u32 = 8;

/// Picks a photograph and views of it whose order can be seen, and mixes them.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, photos: &dyn Photos) -> Result<Start, String> {
    check(parameters)?;
    let (tile, side) = (parameters.tile, parameters.tile * PHOTO);
    for _ in 0..PHOTOS {
        let photo = photos.pick(rng, side, side)?;
        let picture = photos.load(&photo)?;
        for _ in 0..TRIES {
            let views = nested(parameters, side, rng);
            if is_decidable(&picture, &views) {
                return Ok(Start { photo, tile, order: mixed(views.len(), rng), views });
            }
        }
    }
    let source = photos.name();
    Err(format!(
        "{PHOTOS} photographs of {source} were tried: none gives {} views whose order can be seen",
        parameters.views
    ))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { views, least_gap, most_gap, tile } = *parameters;
    check_size(("views", views), tile)?;
    if !(GAPS.contains(&least_gap) && GAPS.contains(&most_gap) && least_gap <= most_gap) {
        let (least, most) = (GAPS.start(), GAPS.end());
        return Err(format!(
            "`least_gap` is {least_gap} and `most_gap` is {most_gap}: gaps are {least} to {most}, the least one first"
        ));
    }
    let closest = (0..views).fold(f64::from(tile * PHOTO), |side, _| side / most_gap);
    if closest < f64::from(LEAST_SIDE) {
        return Err(format!(
            "{views} views with gaps up to {most_gap} end at {closest:.0} pixels of the photograph: at least {LEAST_SIDE} are wanted"
        ));
    }
    Ok(())
}

/// Views by chance, each within the one before and anywhere in it.
fn nested(parameters: &Parameters, side: u32, rng: &mut Rng) -> Vec<ZoomView> {
    let mut around = ZoomView { x: 0, y: 0, side };
    let closer = |_| {
        let gap = rng.uniform(parameters.least_gap, parameters.most_gap);
        let side = (f64::from(around.side) / gap) as u32;
        let room = (around.side - side) as usize + 1;
        around = ZoomView { x: around.x + rng.below(room) as u32, y: around.y + rng.below(room) as u32, side };
        around
    };
    (0..parameters.views).map(closer).collect()
}

/// Whether views look different, and none could pass for a closer look at the one that is closer.
pub(super) fn is_decidable(photo: &Picture, views: &[ZoomView]) -> bool {
    let small: Vec<Vec<u8>> = views.iter().map(|view| reduced(photo, *view)).collect();
    let pairs = views.windows(2).zip(small.windows(2));
    all_differ(&small, LEAST_DIFFERENCE)
        && pairs.into_iter().all(|(views, small)| {
            let share = f64::from(views[1].side) / f64::from(views[0].side);
            !could_be_inside(&small[0], &small[1], share)
        })
}

/// Cells along a side of a reduced view.
const CELLS: usize = 28;
/// Points along a side of a cell whose mean is its colour.
const POINTS: usize = 3;
/// When one view is looked for in another, every so many cells are compared, across and down.
const EVERY: usize = 2;

/// A view in a few cells, three bytes each.
fn reduced(photo: &Picture, view: ZoomView) -> Vec<u8> {
    let stride = photo.width() as usize;
    let at = |from: u32, i: usize| from as usize + (2 * i + 1) * view.side as usize / (2 * CELLS * POINTS);
    let mut cells = Vec::with_capacity(CELLS * CELLS * 3);
    for cell in 0..CELLS * CELLS {
        let mut sum = [0_u32; 3];
        for point in 0..POINTS * POINTS {
            let x = at(view.x, cell % CELLS * POINTS + point % POINTS);
            let y = at(view.y, cell / CELLS * POINTS + point / POINTS);
            let pixel = &photo.rgba()[(y * stride + x) * 4..][..3];
            sum.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += u32::from(*channel));
        }
        cells.extend(sum.map(|sum| (sum / (POINTS * POINTS) as u32) as u8));
    }
    cells
}

/// Whether the one view would fit somewhere into the other, if it were a part of it that is so large.
fn could_be_inside(inner: &[u8], outer: &[u8], share: f64) -> bool {
    let side = ((CELLS as f64 * share) as usize).clamp(1, CELLS);
    let room = CELLS - side + 1;
    (0..room * room).any(|place| fits(inner, outer, (place % room, place / room), side))
}

/// Whether the one view, laid upon a square of the other, differs by less than it must.
fn fits(inner: &[u8], outer: &[u8], (left, top): (usize, usize), side: usize) -> bool {
    let n_sampled = (CELLS / EVERY) * (CELLS / EVERY) * 3;
    let mut left_over = LEAST_MISFIT * n_sampled as u32;
    for y in (0..CELLS).step_by(EVERY) {
        for x in (0..CELLS).step_by(EVERY) {
            let (here, there) = (colour(inner, x, y), colour(outer, left + x * side / CELLS, top + y * side / CELLS));
            let off: u32 = here.iter().zip(there).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            if off >= left_over {
                return false;
            }
            left_over -= off;
        }
    }
    true
}

fn colour(cells: &[u8], x: usize, y: usize) -> &[u8] {
    &cells[(y * CELLS + x) * 3..][..3]
}
