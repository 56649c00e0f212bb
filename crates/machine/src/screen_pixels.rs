//! The pixels of a screen.

/// The pixels of a screen, red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenPixels {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Three bytes each, line by line.
    pub rgb: Vec<u8>,
}

impl ScreenPixels {
    /// Made of blue, green, red and a byte that says nothing, in lines of so many bytes. Nothing where there are too few.
    pub fn from_bgrx(width: u32, height: u32, line_bytes: usize, bytes: &[u8]) -> Option<Self> {
        let used = width as usize * 4;
        if line_bytes < used || bytes.len() < line_bytes * height as usize {
            return None;
        }
        let mut rgb = vec![0; used / 4 * 3 * height as usize];
        let lines = bytes.chunks_exact(line_bytes).zip(rgb.chunks_exact_mut(used / 4 * 3));
        for (from, to) in lines {
            for (from, to) in from[..used].as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<3>().0) {
                *to = [from[2], from[1], from[0]];
            }
        }
        Some(Self { width, height, rgb })
    }

    /// As a PNG file, packed quickly.
    pub fn to_png(&self) -> Result<Vec<u8>, String> {
        quintain_png::encode_rgb((self.width, self.height), &self.rgb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_turned_around_and_lines_are_cut() {
        let bytes = [3, 2, 1, 0, 6, 5, 4, 0, 99, 99, 99, 99, 9, 8, 7, 0, 12, 11, 10, 0, 99, 99, 99, 99];
        let pixels = ScreenPixels::from_bgrx(2, 2, 12, &bytes).unwrap();
        assert_eq!(pixels.rgb, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(ScreenPixels::from_bgrx(2, 3, 12, &bytes), None);
        assert_eq!(ScreenPixels::from_bgrx(4, 1, 12, &bytes), None);
    }
}
