//! Reads a line of text off the screen by the shapes of its characters.
//!
//! The app draws values one character per cell at whole pixels, so each cell is compared with the shapes of all
//! characters in `glyphs.txt`, which `just glyphs` writes. Anti-aliasing may differ a little.

use std::sync::LazyLock;

use quintain_browser::Pixels;
use quintain_core::observation::Screen as Picture;

use crate::oracle::Rectangle;

/// The cell of one character, in pixels.
const CELL: (u32, u32) = (9, 18);
/// The darkest ink, as the red of its colour tells it apart from paper.
const INK: u32 = 238;
/// How far a cell may be from the nearest shape, in shades summed over the cell.
const MAX_DISTANCE: u32 = 80;

struct Glyph {
    character: char,
    shades: Vec<u32>,
}

static GLYPHS: LazyLock<Vec<Glyph>> = LazyLock::new(|| {
    let blocks = include_str!("glyphs.txt").split("\nglyph ").skip(1);
    blocks
        .filter_map(|block| {
            let (name, rows) = block.split_once('\n')?;
            let shades = rows.lines().take(CELL.1 as usize).flat_map(str::chars).filter_map(|shade| shade.to_digit(16));
            Some(Glyph { character: name.chars().next()?, shades: shades.collect() })
        })
        .collect()
});

/// The text in a rectangle of the screen; nothing where some of it cannot be told.
pub(super) fn text_at(picture: &Picture, place: Rectangle) -> Option<String> {
    let pixels = unpacked(picture)?;
    let [left, top, width, _] = place.map(|length| length.round() as u32);
    let n_cells = (width + CELL.0 / 2) / CELL.0;
    (0..n_cells).map(|idx| character(&pixels, left + idx * CELL.0, top)).collect()
}

fn unpacked(picture: &Picture) -> Option<Pixels> {
    match picture {
        Picture::Png { bytes, .. } => Pixels::from_png(bytes).ok(),
        Picture::Raw(_) => None,
    }
}

/// The character in a cell; nothing where it is like none.
fn character(pixels: &Pixels, left: u32, top: u32) -> Option<char> {
    let mut shades = Vec::new();
    for row in 0..CELL.1 {
        for column in 0..CELL.0 {
            let red = u32::from(pixels.at(left + column, top + row)?[0]);
            shades.push(((255 - red) * 15 / INK).min(15));
        }
    }
    let distance = |glyph: &Glyph| glyph.shades.iter().zip(&shades).map(|(a, b)| a.abs_diff(*b)).sum::<u32>();
    let nearest = GLYPHS.iter().min_by_key(|glyph| distance(glyph))?;
    (distance(nearest) <= MAX_DISTANCE).then_some(nearest.character)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A picture of a line of text, every pixel up to so many shades off.
    fn pictured(text: &str, off: impl Fn(usize) -> i32) -> Picture {
        let (width, height) = (text.chars().count() as u32 * CELL.0, CELL.1);
        let mut bytes = vec![255; (width * height * 3) as usize];
        for (idx, character) in text.chars().enumerate() {
            let glyph = GLYPHS.iter().find(|glyph| glyph.character == character).expect("a known character");
            for (place, shade) in glyph.shades.iter().enumerate() {
                let (column, row) = (place as u32 % CELL.0, place as u32 / CELL.0);
                let at = ((row * width + idx as u32 * CELL.0 + column) * 3) as usize;
                let shade = (*shade as i32 + off(place)).clamp(0, 15) as u32;
                bytes[at..at + 3].fill((255 - shade * INK / 15) as u8);
            }
        }
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
        Picture::Png { bytes: png.into(), size: (width, height) }
    }

    fn read(picture: &Picture) -> Option<String> {
        text_at(picture, [0.0, 0.0, f64::from(picture.size().0), f64::from(CELL.1)])
    }

    #[test]
    fn what_is_no_character_cannot_be_read() {
        assert_eq!(read(&pictured("Vd = 6.812 V", |_| 0)), Some("Vd = 6.812 V".to_owned()));
        assert_eq!(read(&pictured("Vd = 6.812 V", |place| if place % 2 == 0 { 9 } else { 0 })), None);
        assert_eq!(text_at(&pictured("1", |_| 0), [5.0, 5.0, 9.0, 18.0]), None, "it leaves the picture");
    }

    proptest! {
        #[test]
        fn shades_may_be_a_little_off(text in "(Vd|f|Vpp|duty) = -?[1-9][0-9]{0,2}\\.[0-9]{1,3} (V|mV|µV|kHz|Hz|%)", seed in 0..7_usize) {
            let picture = pictured(&text, |place| ((place * 31 + seed * 17) % 7 == 0).into());
            prop_assert_eq!(read(&picture), Some(text));
        }
    }

    #[test]
    fn shapes_are_whole_and_far_apart() {
        assert!(GLYPHS.len() > 40);
        for (idx, one) in GLYPHS.iter().enumerate() {
            assert_eq!(one.shades.len() as u32, CELL.0 * CELL.1, "{}", one.character);
            for other in &GLYPHS[idx + 1..] {
                let distance: u32 = one.shades.iter().zip(&other.shades).map(|(a, b)| a.abs_diff(*b)).sum();
                assert!(distance > 40, "`{}` and `{}` are only {distance} apart", one.character, other.character);
            }
        }
    }
}
