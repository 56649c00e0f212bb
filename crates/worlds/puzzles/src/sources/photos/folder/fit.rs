//! Making a photograph fit a size.

use std::borrow::Cow;

use image::RgbaImage;
use quintain_core::picture::Picture;

use crate::scale::{middle, scale};
use crate::sources::photos::opaque::{is_opaque, lay_on_white};

/// Cuts the middle out of a photograph in the wanted proportions and scales it. See-through parts become white.
pub(super) fn fit(photo: &RgbaImage, width: u32, height: u32) -> Picture {
    let mut rgba = Cow::Borrowed(photo.as_raw().as_slice());
    if !is_opaque(&rgba) {
        lay_on_white(rgba.to_mut());
    }
    scale(&rgba, photo.width(), middle(photo.dimensions(), (width, height)), (width, height))
}
