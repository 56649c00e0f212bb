//! The picture: a number in thick strokes, and a red square somewhere else.

use std::sync::Arc;

use quintain_core::{Digest, Picture, Screen};

/// Pixels across and down. No model that is known has such a picture made smaller.
pub(super) const SIZE: (u32, u32) = (1280, 720);

/// Half the side of the square.
pub(super) const HALF_SIDE_PX: u32 = 28;

const PAPER: [u8; 3] = [245, 245, 240];
const INK: [u8; 3] = [20, 20, 30];
const RED: [u8; 3] = [214, 32, 32];

/// Which strokes each digit has: top, upper left, upper right, middle, lower left, lower right, bottom.
const STROKES: [&str; 10] =
    ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"];

/// Across, down, how wide and how high each stroke is, in pixels from the corner of its digit.
const PLACES: [(u32, u32, u32, u32); 7] = [
    (0, 0, 100, 20),
    (0, 0, 20, 100),
    (80, 0, 20, 100),
    (0, 80, 100, 20),
    (0, 80, 20, 100),
    (80, 80, 20, 100),
    (0, 160, 100, 20),
];

#[derive(Debug)]
pub(super) struct EyeChart {
    /// Three digits, the first of which is no zero.
    pub(super) number: u32,
    /// The middle of the square.
    pub(super) target_px: (f64, f64),
}

impl EyeChart {
    /// Number and place follow from a name.
    pub(super) fn of(name: &str) -> Self {
        let draw = |what: &str, below: u32| {
            let hex = Digest::of(format!("{what} {name}").as_bytes()).short();
            u32::from_str_radix(&hex[..6], 16).unwrap_or(0) % below
        };
        // On the right and in the upper half: there, no point in one kind of units is near the same point in another.
        let target_px = (f64::from(880 + draw("across", 320)), f64::from(80 + draw("down", 160)));
        Self { number: 100 + draw("number", 900), target_px }
    }

    pub(super) fn screen(&self) -> Screen {
        let mut picture = Picture::filled(SIZE.0, SIZE.1, PAPER);
        for (idx, digit) in self.number.to_string().bytes().enumerate() {
            let left = 140 + 160 * idx as u32;
            let strokes = STROKES[usize::from(digit - b'0')].bytes();
            let strokes = PLACES.iter().zip(strokes).filter(|(_, stroke)| *stroke == b'1');
            for ((across, down, wide, high), _) in strokes {
                fill(&mut picture, (left + across, 270 + down), (*wide, *high), INK);
            }
        }
        let corner = (self.target_px.0 as u32 - HALF_SIDE_PX, self.target_px.1 as u32 - HALF_SIDE_PX);
        fill(&mut picture, corner, (2 * HALF_SIDE_PX, 2 * HALF_SIDE_PX), RED);
        Screen::Raw(Arc::new(picture))
    }
}

fn fill(picture: &mut Picture, (left, top): (u32, u32), (wide, high): (u32, u32), [red, green, blue]: [u8; 3]) {
    let width = picture.width();
    for y in top..top + high {
        let start = ((y * width + left) * 4) as usize;
        for pixel in picture.rgba_mut()[start..start + (wide * 4) as usize].chunks_exact_mut(4) {
            pixel.copy_from_slice(&[red, green, blue, 255]);
        }
    }
}
