//! Pixels.

mod scale;

pub use scale::{PixelRectangle, scale};

use crate::digest::Digest;

/// An opaque picture: rows from the top, four bytes a pixel (red, green, blue, 255).
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, [red, green, blue]: [u8; 3]) -> Self {
        let rgba = [red, green, blue, 255].repeat(width as usize * height as usize);
        Self { width, height, rgba }
    }

    /// A picture from its bytes, if there are as many as the size needs.
    pub fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Option<Self> {
        (rgba.len() == width as usize * height as usize * 4).then_some(Self { width, height, rgba })
    }

    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The bytes.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// The bytes, to draw on. The alpha byte is expected to stay 255.
    pub fn rgba_mut(&mut self) -> &mut [u8] {
        &mut self.rgba
    }

    /// The bytes without alpha.
    pub fn rgb(&self) -> Vec<u8> {
        let mut rgb = vec![0; self.rgba.len() / 4 * 3];
        for (to, from) in rgb.chunks_exact_mut(3).zip(self.rgba.chunks_exact(4)) {
            to.copy_from_slice(&from[..3]);
        }
        rgb
    }

    /// The picture, scaled to a size.
    #[must_use]
    pub fn scaled(&self, size: (u32, u32)) -> Self {
        let whole = (self.width, self.height);
        scale(PixelRectangle { rgba: &self.rgba, row_width: self.width, corner: (0, 0), size: whole }, size)
    }

    /// The hash of the size and the pixels: the same picture has the same digest however it is encoded.
    pub fn digest(&self) -> Digest {
        let mut size = [0; 8];
        size[..4].copy_from_slice(&self.width.to_le_bytes());
        size[4..].copy_from_slice(&self.height.to_le_bytes());
        Digest::of_parts([("size", &size[..]), ("rgba", &self.rgba)])
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}
