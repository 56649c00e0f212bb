//! Scaling parts of pictures.

use quintain_core::picture::{self, Picture, PixelRectangle};

use crate::canvas::Area;

/// Cuts an area out of rows of pixels, four bytes each, and scales it. See-through parts become white. The area must
/// lie within the rows.
pub(crate) fn scale(rgba: &[u8], row_width: u32, area: Area, size: (u32, u32)) -> Picture {
    let corner = (area.x as u32, area.y as u32);
    picture::scale(PixelRectangle { rgba, row_width, corner, size: (area.width as u32, area.height as u32) }, size)
}

/// The largest part in the middle of a picture that has the proportions of another.
pub(crate) fn middle((width, height): (u32, u32), (wanted_width, wanted_height): (u32, u32)) -> Area {
    let (w, h) = (u64::from(width), u64::from(height));
    let (ww, wh) = (u64::from(wanted_width), u64::from(wanted_height));
    let (cw, ch) = if w * wh > h * ww { (h * ww / wh, h) } else { (w, w * wh / ww) };
    let (cw, ch) = (cw.max(1) as u32, ch.max(1) as u32);
    Area::new(((width - cw) / 2) as i32, ((height - ch) / 2) as i32, cw as i32, ch as i32)
}
