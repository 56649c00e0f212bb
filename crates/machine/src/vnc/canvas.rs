//! A picture that is painted piece by piece.

use vnc::Rect;

use crate::screen_pixels::ScreenPixels;

/// Bytes of a pixel: blue, green, red, and one that says nothing.
const PIXEL: usize = 4;

/// A picture that is painted piece by piece. What lies outside of it is left out.
#[derive(Default)]
pub(super) struct Canvas {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
    n_painted: u64,
}

impl Canvas {
    /// Begins anew with another size.
    pub(super) fn resize(&mut self, width: u16, height: u16) {
        let (width, height) = (usize::from(width), usize::from(height));
        *self = Self { width, height, bytes: vec![0; width * height * PIXEL], n_painted: 0 };
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (self.width as u32, self.height as u32)
    }

    pub(super) fn n_pixels(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether as much was painted as there is.
    pub(super) fn is_painted(&self) -> bool {
        self.n_pixels() > 0 && self.n_painted >= self.n_pixels()
    }

    /// Paints pixels line by line; says how many.
    pub(super) fn paint(&mut self, place: Rect, pixels: &[u8]) -> u64 {
        let line = usize::from(place.width) * PIXEL;
        if line == 0 {
            return 0;
        }
        for (y, pixels) in (usize::from(place.y)..self.height).zip(pixels.chunks_exact(line)) {
            if let Some(line) = self.line(usize::from(place.x), y) {
                let used = line.len().min(pixels.len());
                line[..used].copy_from_slice(&pixels[..used]);
            }
        }
        self.count(place)
    }

    /// Paints what is elsewhere; says how many pixels.
    pub(super) fn copy(&mut self, from: Rect, to: Rect) -> u64 {
        let mut taken = Vec::with_capacity(usize::from(to.width) * usize::from(to.height) * PIXEL);
        for y in usize::from(from.y)..usize::from(from.y) + usize::from(to.height) {
            let wanted = usize::from(to.width) * PIXEL;
            let line = self.line(usize::from(from.x), y).map_or(&[][..], |line| &*line);
            let used = line.len().min(wanted);
            taken.extend_from_slice(&line[..used]);
            taken.resize(taken.len() + wanted - used, 0);
        }
        self.paint(to, &taken)
    }

    fn count(&mut self, place: Rect) -> u64 {
        let n_pixels = u64::from(place.width) * u64::from(place.height);
        self.n_painted += n_pixels;
        n_pixels
    }

    /// A line from some pixel to its end.
    fn line(&mut self, x: usize, y: usize) -> Option<&mut [u8]> {
        let (start, end) = ((y * self.width + x) * PIXEL, (y + 1) * self.width * PIXEL);
        if x >= self.width { None } else { self.bytes.get_mut(start..end) }
    }

    pub(super) fn pixels(&self) -> ScreenPixels {
        let (width, height) = self.size();
        let whole = ScreenPixels::from_bgrx(width, height, self.width * PIXEL, &self.bytes);
        whole.expect("there are as many bytes as its size says")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: u16, y: u16, width: u16, height: u16) -> Rect {
        Rect { x, y, width, height }
    }

    /// The blue of every pixel, as a digit.
    fn shown(canvas: &Canvas) -> String {
        let lines = canvas.bytes.chunks_exact(canvas.width * PIXEL);
        let line = |line: &[u8]| line.chunks_exact(PIXEL).map(|pixel| pixel[0].to_string()).collect::<String>();
        lines.map(line).collect::<Vec<_>>().join("/")
    }

    fn pixels(blues: &[u8]) -> Vec<u8> {
        blues.iter().flat_map(|blue| [*blue, 0, 0, 0]).collect()
    }

    #[test]
    fn pieces_are_painted_and_copied_and_what_is_outside_is_left_out() {
        let mut canvas = Canvas::default();
        canvas.resize(4, 2);
        assert_eq!(canvas.paint(at(1, 0, 2, 2), &pixels(&[1, 2, 3, 4])), 4);
        assert_eq!(shown(&canvas), "0120/0340");
        assert!(!canvas.is_painted());
        canvas.copy(at(1, 0, 2, 2), at(2, 0, 2, 2));
        assert_eq!(shown(&canvas), "0112/0334");
        canvas.paint(at(3, 1, 2, 2), &pixels(&[5, 6, 7, 8]));
        assert_eq!(shown(&canvas), "0112/0335");
        canvas.copy(at(3, 1, 2, 2), at(0, 0, 2, 2));
        assert_eq!(shown(&canvas), "5012/0035");
        assert_eq!(canvas.paint(at(9, 9, 1, 1), &pixels(&[9])), 1);
        assert!(canvas.is_painted());
    }
}
