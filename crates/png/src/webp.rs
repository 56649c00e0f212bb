//! Pictures as lossless WebP files, for records: two thirds of a PNG file at the same effort, and where a picture differs little
//! from one before it, a fraction of that, for only what differs is packed.

use std::io::Cursor;

use image_webp::{ColorType, WebPDecoder, WebPEncoder};
use quintain_core::Picture;

/// What a WebP file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct WebpPicture {
    /// Its pixels.
    pub picture: Picture,
    /// The name of the picture that it must be laid over, where it holds only what differs from that one.
    pub over: Option<String>,
}

impl WebpPicture {
    /// The whole picture, once the one below is known.
    pub fn laid_over(self, below: &Picture) -> Result<Picture, String> {
        let (mut whole, top) = (below.clone(), self.picture);
        if (whole.width(), whole.height()) != (top.width(), top.height()) {
            return Err("the picture below it has another size".to_owned());
        }
        let pixels = whole.rgba_mut().chunks_exact_mut(4).zip(top.rgba().chunks_exact(4));
        for (below, top) in pixels.filter(|(_, top)| top[3] == 255) {
            below.copy_from_slice(top);
        }
        Ok(whole)
    }
}

/// Packs pixels. The alpha byte is left out where it is 255 throughout, as it should be.
pub fn encode_webp(picture: &Picture) -> Result<Vec<u8>, String> {
    if is_opaque(picture) { packed(picture, &picture.rgb(), ColorType::Rgb8, None) } else { with_alpha(picture, None) }
}

/// Packs what differs from the picture below, which goes by that name; the rest is transparent. Nothing where one of them is
/// not opaque or their sizes differ: what is transparent then could not be told from what is the same.
pub fn encode_over(picture: &Picture, below: &Picture, name: &str) -> Option<Result<Vec<u8>, String>> {
    let is_same_size = (picture.width(), picture.height()) == (below.width(), below.height());
    if !is_same_size || !is_opaque(picture) || !is_opaque(below) {
        return None;
    }
    let mut top = picture.clone();
    for (top, below) in top.rgba_mut().chunks_exact_mut(4).zip(below.rgba().chunks_exact(4)) {
        if top == below {
            top.copy_from_slice(&[0; 4]);
        }
    }
    Some(with_alpha(&top, Some(name)))
}

/// Which share of the pixels differs between two pictures; all of them where their sizes do.
pub fn changed_share(one: &Picture, other: &Picture) -> f64 {
    if (one.width(), one.height()) != (other.width(), other.height()) {
        return 1.0;
    }
    let pixels = one.rgba().chunks_exact(4).zip(other.rgba().chunks_exact(4));
    let n_changed = pixels.filter(|(one, other)| one != other).count();
    n_changed as f64 / (one.rgba().len() / 4).max(1) as f64
}

/// Unpacks a WebP file.
pub fn decode_webp(webp: &[u8]) -> Result<WebpPicture, String> {
    let mut decoder = WebPDecoder::new(Cursor::new(webp)).map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    let mut pixels = vec![0; decoder.output_buffer_size().ok_or("it is too large")?];
    decoder.read_image(&mut pixels).map_err(|error| error.to_string())?;
    let rgba = if decoder.has_alpha() {
        pixels
    } else {
        pixels.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect()
    };
    let picture = Picture::from_rgba(width, height, rgba).ok_or("its size does not fit its bytes")?;
    Ok(WebpPicture { picture, over: over_of(&mut decoder)? })
}

/// The name of the picture that a WebP file must be laid over, where it must. No pixel is unpacked.
pub fn name_below(webp: &[u8]) -> Result<Option<String>, String> {
    over_of(&mut WebPDecoder::new(Cursor::new(webp)).map_err(|error| error.to_string())?)
}

fn over_of(decoder: &mut WebPDecoder<Cursor<&[u8]>>) -> Result<Option<String>, String> {
    let name = decoder.xmp_metadata().map_err(|error| error.to_string())?;
    let text = name.map(String::from_utf8).transpose();
    text.map_err(|_garbage| "the name of the picture below it is no text".to_owned())
}

fn is_opaque(picture: &Picture) -> bool {
    picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255)
}

fn with_alpha(picture: &Picture, over: Option<&str>) -> Result<Vec<u8>, String> {
    packed(picture, picture.rgba(), ColorType::Rgba8, over)
}

fn packed(picture: &Picture, pixels: &[u8], color: ColorType, over: Option<&str>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(pixels.len() / 16 + 1024);
    let mut encoder = WebPEncoder::new(&mut bytes);
    if let Some(name) = over {
        encoder.set_xmp_metadata(name.as_bytes().to_vec());
    }
    encoder.encode(pixels, picture.width(), picture.height(), color).map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use quintain_core::Rng;

    use super::*;

    fn noise(width: u32, height: u32, seed: u64) -> Picture {
        let mut rng = Rng::for_purpose(seed, "webp");
        let mut picture = Picture::filled(width, height, [0; 3]);
        for pixel in picture.rgba_mut().chunks_exact_mut(4) {
            pixel[..3].copy_from_slice(&rng.next_u64().to_le_bytes()[..3]);
        }
        picture
    }

    #[test]
    fn pictures_come_back_pixel_for_pixel_whole_or_laid_over_another() {
        for (width, height) in [(1, 1), (7, 3), (64, 64), (333, 17)] {
            let below = noise(width, height, 1);
            let whole = decode_webp(&encode_webp(&below).unwrap()).unwrap();
            assert_eq!(whole, WebpPicture { picture: below.clone(), over: None });
            let mut above = below.clone();
            above.rgba_mut()[..3].copy_from_slice(&[1, 2, 3]);
            let top = decode_webp(&encode_over(&above, &below, "below").unwrap().unwrap()).unwrap();
            assert_eq!(top.over.as_deref(), Some("below"));
            assert_eq!(top.laid_over(&below).unwrap(), above);
        }
    }

    #[test]
    fn nothing_is_laid_over_what_does_not_fit_it_or_is_not_opaque() {
        let (small, large) = (noise(4, 4, 1), noise(5, 4, 1));
        assert!(encode_over(&small, &large, "x").is_none());
        let mut glass = small.clone();
        glass.rgba_mut()[3] = 7;
        assert!(encode_over(&glass, &small, "x").is_none() && encode_over(&small, &glass, "x").is_none());
        assert_eq!(decode_webp(&encode_webp(&glass).unwrap()).unwrap().picture, glass);
        assert!((changed_share(&small, &large) - 1.0).abs() < f64::EPSILON);
        assert!(changed_share(&small, &small) < f64::EPSILON);
    }
}
