//! Pictures as PNG files, for agents on the other side of a pipe or a file system.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use quintain_core::Screen;

/// The picture as the bytes of a PNG file. One that already is a PNG file is not touched.
pub fn png(screen: &Screen) -> io::Result<Cow<'_, [u8]>> {
    match screen {
        Screen::Png { bytes, .. } => Ok(Cow::Borrowed(bytes)),
        Screen::Raw(picture) => quintain_png::encode(picture).map(Cow::Owned).map_err(io::Error::other),
    }
}

/// Writes the picture as a PNG file. Whoever reads the file meanwhile sees the old picture or the new one, whole.
pub fn write_png(path: &Path, screen: &Screen) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".part");
    fs::write(&unfinished, png(screen)?)?;
    fs::rename(&unfinished, path)
}

/// The size of a picture after it was made so small that its longer side is at most so many pixels. One that is small
/// enough stays as it is.
pub fn fit((across, down): (u32, u32), longest: u32) -> (u32, u32) {
    let side = across.max(down);
    if longest == 0 || side <= longest {
        return (across, down);
    }
    let scaled = |length: u32| (f64::from(length) * f64::from(longest) / f64::from(side)).round() as u32;
    (scaled(across).max(1), scaled(down).max(1))
}

/// The picture made so small that its longer side is at most so many pixels.
pub fn reduced(screen: &Screen, longest: u32) -> Result<Screen, String> {
    scaled(screen, fit(screen.size(), longest))
}

/// The picture in this size.
pub fn scaled(screen: &Screen, size: (u32, u32)) -> Result<Screen, String> {
    if size == screen.size() {
        return Ok(screen.clone());
    }
    let smaller = match screen {
        Screen::Raw(picture) => picture.scaled(size),
        Screen::Png { bytes, .. } => quintain_png::decode(bytes)?.scaled(size),
    };
    Ok(Screen::Raw(Arc::new(smaller)))
}

#[cfg(test)]
mod tests {
    use quintain_core::Picture;

    use super::*;

    #[test]
    fn a_picture_survives_the_trip_through_a_file() {
        let mut picture = Picture::filled(3, 2, [9, 8, 7]);
        picture.rgba_mut()[..3].copy_from_slice(&[1, 2, 3]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("screen.png");
        write_png(&path, &Screen::Raw(Arc::new(picture.clone()))).unwrap();

        assert_eq!(quintain_png::decode(&fs::read(&path).unwrap()).unwrap(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left in the folder");
    }
}
