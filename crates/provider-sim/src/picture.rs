//! Pictures as far as a provider looks at them before it takes them: is it one, and how large is it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A picture in base 64 that says it is of this media type: its size in pixels, or what is wrong with it.
pub(super) fn size(media_type: &str, data: &str) -> Result<(u32, u32), String> {
    // The head is enough to know it by; the rest must be base 64 all the same.
    let bytes = STANDARD.decode(data).map_err(|error| format!("the image is not valid base64: {error}"))?;
    let (found, size) = head(&bytes).ok_or("the image is neither a PNG nor a JPEG file")?;
    if found != media_type {
        return Err(format!("the image was specified as {media_type} but appears to be {found}"));
    }
    if size.0 == 0 || size.1 == 0 {
        return Err("the image has no pixels".to_owned());
    }
    Ok(size)
}

/// A picture as a data URL.
pub(super) fn size_of_url(url: &str) -> Result<(u32, u32), String> {
    let (media_type, data) = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"))
        .ok_or("only data URLs with base64 images can be read: data:image/png;base64,...")?;
    size(media_type, data)
}

/// What kind of file it is and how large its picture.
fn head(bytes: &[u8]) -> Option<(&'static str, (u32, u32))> {
    png(bytes).map(|size| ("image/png", size)).or_else(|| jpeg(bytes).map(|size| ("image/jpeg", size)))
}

fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let at = |from: usize| Some(u32::from_be_bytes(rest.get(from..from + 4)?.try_into().ok()?));
    (rest.get(4..8)? == b"IHDR").then_some((at(8)?, at(12)?))
}

/// Walks from marker to marker until the one that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, high, low, ..] = *rest else { return None };
        let two = |from: usize| Some(u32::from(u16::from_be_bytes(rest.get(from..from + 2)?.try_into().ok()?)));
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            return Some((two(7)?, two(5)?));
        }
        rest = rest.get(2 + usize::from(u16::from_be_bytes([high, low]))..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a PNG file.
    fn png_head(across: u32, down: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(across.to_be_bytes());
        bytes.extend(down.to_be_bytes());
        bytes
    }

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        let png = STANDARD.encode(png_head(1280, 720));
        let jpeg = STANDARD.encode(b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x02\xd0\x05\0");
        assert_eq!(size("image/png", &png), Ok((1280, 720)));
        assert_eq!(size("image/jpeg", &jpeg), Ok((1280, 720)));
        assert_eq!(size_of_url(&format!("data:image/png;base64,{png}")), Ok((1280, 720)));
        for wrong in [
            size("image/jpeg", &png),
            size("image/png", "not base 64!"),
            size("image/png", &STANDARD.encode("GIF89a")),
            size("image/png", &STANDARD.encode(png_head(0, 720))),
            size_of_url("https://example.org/a.png"),
        ] {
            assert!(wrong.is_err(), "{wrong:?}");
        }
    }
}
