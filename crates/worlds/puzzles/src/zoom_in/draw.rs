//! The whole photograph, and beside it the views in a row.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::Start;
use crate::canvas::Area;
use crate::scale::scale;
use crate::tiles::row::DrawnRow;

/// Cuts the views out of the photograph. It stands before them itself, so that they are all looks at something known.
pub(super) fn draw(start: &Start, photo: &Picture) -> DrawnRow {
    let cut = |area: Area| scale(photo.rgba(), photo.width(), area, (start.tile, start.tile));
    let whole = cut(Area::new(0, 0, photo.width() as i32, photo.height() as i32));
    let views = start.views.iter().map(|view| Arc::new(cut(view.area()))).collect();
    DrawnRow::new(views, Some(&whole))
}
