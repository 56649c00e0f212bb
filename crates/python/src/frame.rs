//! Pictures, as `NumPy` has them: rows from the top, three bytes a pixel.

use anyhow::{Context, anyhow, ensure};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use quintain_core::{Picture, Screen};

use crate::error::raised;

/// Writes a picture without its alpha bytes on a canvas of so many rows and columns: at its top left, the rest black.
pub(crate) fn write(screen: &Screen, canvas: (u32, u32), into: &mut [u8]) -> anyhow::Result<()> {
    match screen {
        Screen::Raw(picture) => write_picture(picture, canvas, into),
        Screen::Png { bytes, .. } => write_picture(&decoded(bytes)?, canvas, into),
    }
}

/// A picture as a new array.
pub(crate) fn array<'py>(py: Python<'py>, screen: &Screen) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (width, height) = screen.size();
    let rgb = py.detach(|| {
        let mut rgb = vec![0; n_bytes((height, width))];
        write(screen, (height, width), &mut rgb).map(|()| rgb)
    });
    as_array(py, rgb.map_err(raised)?, (height, width))
}

/// Bytes of a picture as an array, without copying them.
pub(crate) fn as_array(py: Python<'_>, rgb: Vec<u8>, (height, width): (u32, u32)) -> PyResult<Bound<'_, PyArray3<u8>>> {
    PyArray1::from_vec(py, rgb).reshape([height as usize, width as usize, 3])
}

/// How many bytes a picture of so many rows and columns takes.
pub(crate) fn n_bytes((height, width): (u32, u32)) -> usize {
    height as usize * width as usize * 3
}

/// The pixels of a PNG file.
pub(crate) fn decoded(png: &[u8]) -> anyhow::Result<Picture> {
    quintain_png::decode(png).map_err(|why| anyhow!(why)).context("a picture cannot be read")
}

fn write_picture(picture: &Picture, (height, width): (u32, u32), into: &mut [u8]) -> anyhow::Result<()> {
    let size = (picture.height(), picture.width());
    ensure!(
        size.0 <= height && size.1 <= width,
        "a picture of {size:?} rows and columns does not fit on ({height}, {width}): instances of this task differ in \
         size; give a larger canvas=(rows, columns)",
    );
    if size.1 == width {
        let (drawn, rest) = into.split_at_mut(n_bytes(size));
        write_rgb(picture.rgba(), drawn);
        rest.fill(0);
        return Ok(());
    }
    into.fill(0);
    let rows = picture.rgba().chunks_exact(size.1 as usize * 4);
    for (from, to) in rows.zip(into.chunks_exact_mut(width as usize * 3)) {
        write_rgb(from, &mut to[..size.1 as usize * 3]);
    }
    Ok(())
}

fn write_rgb(rgba: &[u8], into: &mut [u8]) {
    let (fours, rest) = rgba.as_chunks::<16>();
    let (threes, rest_into) = into.as_chunks_mut::<12>();
    for (three, four) in threes.iter_mut().zip(fours) {
        *three = without_alpha(four);
    }
    for (to, from) in rest_into.chunks_exact_mut(3).zip(rest.chunks_exact(4)) {
        to.copy_from_slice(&from[..3]);
    }
}

/// Four pixels, as three words instead of four: a word at a time is several times faster than a byte at a time.
fn without_alpha(four: &[u8; 16]) -> [u8; 12] {
    let pixel = |i: usize| u32::from_le_bytes([four[4 * i], four[4 * i + 1], four[4 * i + 2], 0]);
    let (a, b, c, d) = (pixel(0), pixel(1), pixel(2), pixel(3));
    let words = [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8].map(u32::to_le_bytes);
    let mut three = [0; 12];
    for (to, word) in three.chunks_exact_mut(4).zip(words) {
        to.copy_from_slice(&word);
    }
    three
}
