//! Pictures of the screen, altered: with numbered boxes around what can be acted on, or a part of it enlarged.

use std::io::Cursor;

/// The digits, five rows of three dots each.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
/// Pixels across one dot of a digit.
const DOT: i64 = 2;
const COLOURS: [[u8; 3]; 6] =
    [[200, 30, 40], [20, 110, 40], [30, 70, 200], [150, 50, 160], [180, 90, 0], [0, 110, 130]];
const WHITE: [u8; 3] = [255, 255, 255];

/// Pixels that can be drawn on, without transparency.
pub struct Pixels {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    channels: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Unpacks a PNG of eight bits a channel.
    pub fn from_png(png: &[u8]) -> Result<Self, String> {
        let unreadable = |error: png::DecodingError| format!("the picture cannot be read: {error}");
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().map_err(unreadable)?;
        let size = reader.output_buffer_size().ok_or("the picture is too large")?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).map_err(unreadable)?;
        let channels = match (info.color_type, info.bit_depth) {
            (png::ColorType::Rgb, png::BitDepth::Eight) => 3,
            (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
            (colour, depth) => return Err(format!("the picture is of an unknown kind: {colour:?}, {depth:?}")),
        };
        bytes.truncate(info.buffer_size());
        Ok(Self { width: info.width, height: info.height, channels, bytes })
    }

    /// Packs them again.
    pub fn to_png(&self) -> Result<Vec<u8>, String> {
        let size = (self.width, self.height);
        if self.channels == 3 {
            quintain_png::encode_rgb(size, &self.bytes)
        } else {
            quintain_png::encode_rgba(size, &self.bytes)
        }
    }

    /// The same pixels below others of the same width, which are given as red, green, blue and opacity.
    #[must_use]
    pub fn below(&self, above: &[u8]) -> Self {
        let n_above = above.len() / 4;
        let mut bytes = Vec::with_capacity(n_above * self.channels + self.bytes.len());
        above.chunks_exact(4).for_each(|pixel| bytes.extend_from_slice(&pixel[..self.channels]));
        bytes.extend_from_slice(&self.bytes);
        let n_rows = n_above as u32 / self.width.max(1);
        Self { height: self.height + n_rows, bytes, ..*self }
    }

    /// The colour of a pixel.
    pub fn at(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let place = self.place(i64::from(x), i64::from(y))?;
        Some([self.bytes[place], self.bytes[place + 1], self.bytes[place + 2]])
    }

    fn place(&self, x: i64, y: i64) -> Option<usize> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| (y as usize * self.width as usize + x as usize) * self.channels)
    }

    fn fill(&mut self, left: i64, top: i64, width: i64, height: i64, colour: [u8; 3]) {
        for y in top..top + height {
            for x in left..left + width {
                if let Some(place) = self.place(x, y) {
                    self.bytes[place..place + 3].copy_from_slice(&colour);
                }
            }
        }
    }

    fn frame(&mut self, [left, top, width, height]: [i64; 4], colour: [u8; 3]) {
        self.fill(left, top, width, 2, colour);
        self.fill(left, top + height - 2, width, 2, colour);
        self.fill(left, top, 2, height, colour);
        self.fill(left + width - 2, top, 2, height, colour);
    }

    fn number(&mut self, number: u32, left: i64, top: i64, colour: [u8; 3]) {
        let text = number.to_string();
        let width = text.len() as i64 * 4 * DOT + DOT;
        self.fill(left, top, width, 7 * DOT, colour);
        for (idx, digit) in text.bytes().enumerate() {
            let rows = DIGITS[usize::from(digit - b'0')];
            for (row, dots) in rows.iter().enumerate() {
                for column in (0..3).filter(|column| dots >> (2 - column) & 1 == 1) {
                    let x = left + DOT + (idx as i64 * 4 + column) * DOT;
                    self.fill(x, top + (row as i64 + 1) * DOT, DOT, DOT, WHITE);
                }
            }
        }
    }
}

/// A part of a PNG, enlarged to the size of the whole. The part is given by two opposite corners.
pub(crate) fn enlarge(png: &[u8], [x0, y0, x1, y1]: [f64; 4]) -> Result<Vec<u8>, String> {
    let pixels = Pixels::from_png(png)?;
    let (width, height) = (f64::from(pixels.width), f64::from(pixels.height));
    let (left, right) = (x0.min(x1).max(0.0), x0.max(x1).min(width));
    let (top, bottom) = (y0.min(y1).max(0.0), y0.max(y1).min(height));
    if !(right - left >= 1.0 && bottom - top >= 1.0) {
        return Err(
            "There is nothing to enlarge: the corners must lie on the screen, apart from each other.".to_owned()
        );
    }
    // One scale for both directions, so that nothing is distorted; what is left over stays black.
    let scale = (width / (right - left)).min(height / (bottom - top));
    let mut enlarged = vec![0; pixels.bytes.len()];
    for y in 0..pixels.height {
        for x in 0..pixels.width {
            let (from_x, from_y) = (left + (f64::from(x) + 0.5) / scale, top + (f64::from(y) + 0.5) / scale);
            let inside = from_x < right && from_y < bottom;
            let from = pixels.place(from_x as i64, from_y as i64).filter(|_| inside);
            let to = pixels.place(x.into(), y.into()).expect("every pixel has its place");
            if pixels.channels == 4 {
                enlarged[to + 3] = 255;
            }
            if let Some(from) = from {
                enlarged[to..to + 3].copy_from_slice(&pixels.bytes[from..from + 3]);
            }
        }
    }
    Pixels { bytes: enlarged, ..pixels }.to_png()
}

/// Draws boxes and numbers on a PNG.
pub(crate) fn mark(png: &[u8], marks: &[(u32, [f64; 4])]) -> Result<Vec<u8>, String> {
    let mut pixels = Pixels::from_png(png)?;
    let colour_of = |number: u32| COLOURS[number as usize % COLOURS.len()];
    for (number, found) in marks {
        pixels.frame(found.map(|side| side.round() as i64), colour_of(*number));
    }
    for (number, [x, y, ..]) in marks {
        pixels.number(*number, x.round() as i64, y.round() as i64, colour_of(*number));
    }
    pixels.to_png()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_and_numbers_are_drawn() {
        let blank = Pixels { width: 40, height: 24, channels: 3, bytes: vec![255; 40 * 24 * 3] };
        let png = mark(&blank.to_png().expect("packed"), &[(12, [2.0, 2.0, 30.0, 20.0])]).expect("drawn");
        let drawn = Pixels::from_png(&png).expect("unpacked");
        let rows = (0..drawn.height).step_by(2).map(|y| {
            let dots = (0..drawn.width).step_by(2);
            dots.map(|x| if drawn.at(x, y) == Some(WHITE) { '.' } else { '#' }).collect::<String>()
        });
        insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
        ....................
        .###############....
        .##.##...#.....#....
        .#..####.#.....#....
        .##.##...#.....#....
        .##.##.###.....#....
        .#...#...#.....#....
        .#########.....#....
        .#.............#....
        .#.............#....
        .###############....
        ....................
        ");
    }
}
