//! Pictures as small JPEG files: for pages that people look at, never for records or models.

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use quintain_core::Picture;

/// Packs pixels with loss, made smaller where one side is longer than the longest: 1 to 100 says how true it stays.
pub fn encode_jpeg(picture: &Picture, longest_side: u32, quality: u8) -> Result<Vec<u8>, String> {
    let longest = picture.width().max(picture.height()).max(1);
    let side = |length: u32| (u64::from(length) * u64::from(longest_side) / u64::from(longest)).max(1) as u32;
    let scaled = (longest > longest_side).then(|| picture.scaled((side(picture.width()), side(picture.height()))));
    let shown = scaled.as_ref().unwrap_or(picture);
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality)
        .encode(&shown.rgb(), shown.width(), shown.height(), ExtendedColorType::Rgb8)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}
