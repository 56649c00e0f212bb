//! Tiles that lie in a wrong order and go into the right one: what jigsaws, zoomed views and frames of clips share.
//!
//! Tiles are numbered as they lie when all is right, places as the eye reads them, both from 0. An order says for each
//! place which tile lies there, so the right order counts up.

pub(crate) mod look;
pub(crate) mod order;
pub(crate) mod row;
pub(crate) mod solve;
pub(crate) mod table;
