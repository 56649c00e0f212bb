//! Making a photograph fit a size.

use image::RgbaImage;
use quintain_core::picture::Picture;

use crate::scale::{middle, scale};

/// Cuts the middle out of a photograph in the wanted proportions and scales it. See-through parts become white.
pub(super) fn fit(photo: &RgbaImage, width: u32, height: u32) -> Picture {
    scale(photo.as_raw(), photo.width(), middle(photo.dimensions(), (width, height)), (width, height))
}
