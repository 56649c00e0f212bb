//! Pictures that are laid on meshes.

use quintain_core::picture::Picture;

/// A square picture whose side is a power of two, ready to be laid on a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshTexture {
    side: usize,
    texels: Vec<[u8; 4]>,
}

impl MeshTexture {
    /// A picture, averaged down (or spread out) to a square of at most so many texels along a side.
    pub fn of(picture: &Picture, most: u32) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let wanted = width.max(height).min(most.max(1) as usize);
        let side = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let range = |i: usize, n: usize| {
            let from = i * n / side;
            from..((i + 1) * n / side).max(from + 1)
        };
        let cells = (0..side * side).map(|i| (range(i % side, width), range(i / side, height)));
        let texels = cells.map(|(columns, rows)| mean(picture, &columns, rows)).collect();
        Self { side, texels }
    }

    /// Texels along a side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// All texels, row by row from the top.
    pub fn texels(&self) -> &[[u8; 4]] {
        &self.texels
    }

    /// The texel at a place measured in texels from the top left; beyond the edges the picture repeats.
    #[inline]
    pub(super) fn texel(&self, across: f32, down: f32) -> [u8; 4] {
        let mask = self.side - 1;
        let index = |along: f32| (along as i32 - i32::from(along < 0.0)) as usize & mask;
        self.texels[index(down) * self.side + index(across)]
    }
}

/// The mean colour of an area.
fn mean(picture: &Picture, columns: &std::ops::Range<usize>, rows: std::ops::Range<usize>) -> [u8; 4] {
    let n_pixels = (columns.len() * rows.len()) as u32;
    let mut sums = [n_pixels / 2; 3];
    for row in rows {
        let from = (row * picture.width() as usize + columns.start) * 4;
        for pixel in picture.rgba()[from..from + columns.len() * 4].chunks_exact(4) {
            for (sum, channel) in sums.iter_mut().zip(pixel) {
                *sum += u32::from(*channel);
            }
        }
    }
    let [red, green, blue] = sums.map(|sum| (sum / n_pixels) as u8);
    [red, green, blue, 255]
}
