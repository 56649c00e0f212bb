//! Pictures as PNG files: the same bytes for records, for models and for people.
//!
//! A crate of its own because packing is by far the most work of many tests: it alone is compiled optimised for them.

mod jpeg;
mod webp;

use quintain_core::Picture;

pub use jpeg::encode_jpeg;
pub use webp::{WebpPicture, changed_share, decode_webp, encode_over, encode_webp, name_below};

/// Packs pixels quickly. The alpha byte is left out where it is 255 throughout, as it should be.
pub fn encode(picture: &Picture) -> Result<Vec<u8>, String> {
    let is_opaque = picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255);
    let size = (picture.width(), picture.height());
    if is_opaque { encode_rgb(size, &picture.rgb()) } else { encode_rgba(size, picture.rgba()) }
}

/// Packs pixels of three bytes quickly, given by their size across and down.
pub fn encode_rgb(size: (u32, u32), rgb: &[u8]) -> Result<Vec<u8>, String> {
    pack(size, png::ColorType::Rgb, rgb)
}

/// Packs pixels of four bytes quickly, given by their size across and down.
pub fn encode_rgba(size: (u32, u32), rgba: &[u8]) -> Result<Vec<u8>, String> {
    pack(size, png::ColorType::Rgba, rgba)
}

fn pack((width, height): (u32, u32), color: png::ColorType, pixels: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(pixels.len() / 16 + 1024);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_color(color);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(pixels).and_then(|()| writer.finish()).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Unpacks a PNG file of any colour type into pixels.
pub fn decode(png: &[u8]) -> Result<Picture, String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let size = reader.output_buffer_size().ok_or("it is too large")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::GrayscaleAlpha => {
            pixels.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect()
        }
        _ => pixels,
    };
    Picture::from_rgba(info.width, info.height, rgba).ok_or_else(|| "its size does not fit its bytes".to_owned())
}

/// Checks that a PNG file is whole, by the sums that the format itself carries. No pixel is unpacked.
pub fn check_whole(png: &[u8]) -> Result<(), String> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("it is no PNG file")?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>().ok_or("it breaks off")?;
        let n_bytes = u32::from_be_bytes(*length) as usize;
        let chunk = after.get(..4 + n_bytes).ok_or("it breaks off")?;
        let sum = after.get(4 + n_bytes..8 + n_bytes).ok_or("it breaks off")?;
        if crc32fast::hash(chunk).to_be_bytes() != sum {
            return Err("one of its parts is not as it was written".to_owned());
        }
        if chunk.starts_with(b"IEND") {
            return Ok(());
        }
        rest = &after[8 + n_bytes..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_and_every_missing_byte_of_a_picture_is_seen() {
        let rgba = (0..6 * 5).flat_map(|idx| [idx as u8 * 3, 7, 9, 255]).collect();
        let png = encode(&Picture::from_rgba(6, 5, rgba).unwrap()).unwrap();
        assert_eq!(check_whole(&png), Ok(()));
        for bit in 0..png.len() * 8 {
            let mut flipped = png.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(check_whole(&flipped).is_err(), "bit {bit}");
        }
        for cut in 0..png.len() {
            assert!(check_whole(&png[..cut]).is_err(), "cut at {cut}");
        }
    }
}
