//! A picture of tiles on a table that knows what it shows.

use std::sync::Arc;

use quintain_core::picture::Picture;

use crate::twin::Twin;

/// A table, and which tile is drawn at each place of it.
pub(crate) struct TileTable(Twin<Vec<usize>>);

impl TileTable {
    /// A table without tiles.
    pub(crate) fn new(empty: Picture) -> Self {
        Self(Twin::new(empty, Vec::new()))
    }

    /// Lays a tile wherever it has changed, and gives the picture. `lay` is told the place, then the tile.
    pub(crate) fn show(&mut self, order: &[usize], lay: impl Fn(&mut Picture, usize, usize)) -> Arc<Picture> {
        self.0.show(&order.to_vec(), |picture, shown| {
            for (place, tile) in order.iter().enumerate() {
                if shown.get(place) != Some(tile) {
                    lay(picture, place, *tile);
                }
            }
        })
    }
}
