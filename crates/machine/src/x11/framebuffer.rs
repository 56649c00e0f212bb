//! The file in which an X server without a screen keeps its picture, pointer and all: a window dump that is never finished.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use crate::machine::MachineFault;
use crate::screen_pixels::ScreenPixels;

/// The bytes of the fixed part of a window dump's head.
const HEAD: usize = 100;
/// The bytes of one of its colours.
const COLOUR: u64 = 12;

/// The picture of a server.
pub(super) struct Framebuffer {
    file: File,
    shape: FramebufferShape,
    bytes: Vec<u8>,
}

/// Where the pixels are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FramebufferShape {
    width: u32,
    height: u32,
    line_bytes: u32,
    first: u64,
}

impl Framebuffer {
    /// The picture in a file.
    pub(super) fn of(file: File) -> Result<Self, MachineFault> {
        let mut head = [0; HEAD];
        file.read_exact_at(&mut head, 0).map_err(MachineFault::display)?;
        let shape = FramebufferShape::of(&head)
            .ok_or_else(|| MachineFault::display("its picture is of a kind that is not read here"))?;
        let bytes = vec![0; shape.line_bytes as usize * shape.height as usize];
        Ok(Self { file, shape, bytes })
    }

    pub(super) fn read(&mut self) -> Result<ScreenPixels, MachineFault> {
        self.file.read_exact_at(&mut self.bytes, self.shape.first).map_err(MachineFault::display)?;
        let FramebufferShape { width, height, line_bytes, .. } = self.shape;
        ScreenPixels::from_bgrx(width, height, line_bytes as usize, &self.bytes)
            .ok_or_else(|| MachineFault::display("its picture has too few bytes"))
    }
}

impl FramebufferShape {
    /// From the head of a window dump of four bytes a pixel; nothing for others, and for those that no screen can be.
    fn of(head: &[u8; HEAD]) -> Option<Self> {
        let number = |at: usize| head.as_chunks::<4>().0.get(at).map(|bytes| u32::from_be_bytes(*bytes));
        let [head_bytes, width, height, bits, line_bytes, n_colours] =
            [number(0)?, number(4)?, number(5)?, number(11)?, number(12)?, number(19)?];
        let is_sound = bits == 32 && (1..=16384).contains(&width) && (1..=16384).contains(&height);
        let is_sound = is_sound && line_bytes >= width * 4 && line_bytes <= width * 4 + 4096 && n_colours <= 65536;
        let first = u64::from(head_bytes) + u64::from(n_colours) * COLOUR;
        is_sound.then_some(Self { width, height, line_bytes, first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_and_a_strange_one_is_not() {
        let mut head = [0; HEAD];
        for (at, number) in [(0, 160_u32), (4, 1280), (5, 720), (11, 32), (12, 5120), (19, 256)] {
            head[at * 4..at * 4 + 4].copy_from_slice(&number.to_be_bytes());
        }
        let shape = FramebufferShape { width: 1280, height: 720, line_bytes: 5120, first: 160 + 256 * 12 };
        assert_eq!(FramebufferShape::of(&head), Some(shape));
        head[47] = 16;
        assert_eq!(FramebufferShape::of(&head), None);
    }
}
