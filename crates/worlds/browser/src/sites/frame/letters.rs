//! Letters for the frame, from one sheet so that they look the same everywhere.
//!
//! The sheet holds Liberation Sans at 13 pixels as Chromium draws it (without hinting, in grey), every letter at four
//! positions between two pixels. `letters.txt` tells which letters it holds, in order, and how far each goes.

use std::collections::HashMap;
use std::sync::OnceLock;

static SHEET: &[u8] = include_bytes!("letters.png");
static TABLE: &str = include_str!("letters.txt");
/// Pixels across and down of one letter on the sheet.
pub(super) const CELL: usize = 20;
/// Letters begin so many pixels to the right of their cell's edge.
const BEARING: usize = 3;
/// Positions of a letter between two pixels.
const PHASES: usize = 4;
/// Letters of one column of the sheet.
const COLUMN: usize = 100;
/// What stands for letters that the sheet does not hold.
const UNKNOWN: char = '•';

struct LetterSheet {
    width: usize,
    /// How much of each pixel is covered.
    coverage: Vec<u8>,
    /// The place of each letter on the sheet, and how far it goes.
    letters: HashMap<char, (usize, f32)>,
}

fn sheet() -> &'static LetterSheet {
    static READ: OnceLock<LetterSheet> = OnceLock::new();
    READ.get_or_init(|| {
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(SHEET)).read_info().expect("the bundled sheet is a PNG");
        let mut coverage = vec![0; reader.output_buffer_size().expect("the bundled sheet is small")];
        let info = reader.next_frame(&mut coverage).expect("the bundled sheet can be read");
        let letters = TABLE.lines().enumerate().filter_map(|(idx, line)| {
            let letter = line.chars().next()?;
            let advance = line[letter.len_utf8()..].trim().parse().ok()?;
            Some((letter, (idx, advance)))
        });
        LetterSheet { width: info.width as usize, coverage, letters: letters.collect() }
    })
}

fn letter(wanted: char) -> (usize, f32) {
    let letters = &sheet().letters;
    letters.get(&wanted).or_else(|| letters.get(&UNKNOWN)).copied().unwrap_or((0, 0.0))
}

/// How far a letter goes, in pixels.
pub(super) fn advance(of: char) -> f32 {
    letter(of).1
}

/// How wide a text is, in pixels.
pub(super) fn width(text: impl IntoIterator<Item = char>) -> f32 {
    text.into_iter().map(advance).sum()
}

/// A text, cut and ended by three dots where it is too wide.
pub(super) fn fitted(text: &str, room: f32) -> String {
    if width(text.chars()) <= room {
        return text.to_owned();
    }
    let mut left = room - advance('…');
    let fits = text.chars().take_while(|letter| {
        left -= advance(*letter);
        left >= 0.0
    });
    let mut fitted = fits.collect::<String>().trim_end().to_owned();
    fitted.push('…');
    fitted
}

/// Calls for every pixel that a text covers, with its place and how much of it is covered. The text begins at `x`; its cell
/// of [`CELL`] pixels begins at `top`.
pub(super) fn set(text: &str, mut x: f32, top: i32, mut put: impl FnMut(i32, i32, u8)) {
    let sheet = sheet();
    for (place, advance) in text.chars().map(letter) {
        let phase = ((x - x.floor()) * PHASES as f32) as usize % PHASES;
        let (left, upper) = ((place / COLUMN * PHASES + phase) * CELL, place % COLUMN * CELL);
        for row in 0..CELL {
            for column in 0..CELL {
                let covered = sheet.coverage[(upper + row) * sheet.width + left + column];
                if covered > 0 {
                    put(x.floor() as i32 + column as i32 - BEARING as i32, top + row as i32, covered);
                }
            }
        }
        x += advance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_holds_what_names_are_written_with() {
        for letter in ('!'..='~').chain("éüÅøłŠžőțćÐ–—“”…€".chars()) {
            assert!(sheet().letters.contains_key(&letter), "{letter}");
            let mut n_covered = 0;
            set(&letter.to_string(), 4.25, 0, |_, _, covered| n_covered += i32::from(covered > 40));
            assert!(n_covered > 1, "{letter} is not drawn");
        }
    }

    #[test]
    fn texts_are_cut_where_they_are_too_wide() {
        assert_eq!(fitted("short", 100.0), "short");
        assert_eq!(fitted("a title that goes on and on", 100.0), "a title that goe…");
        assert_eq!(fitted("漢字", 5.0), "…");
    }
}
