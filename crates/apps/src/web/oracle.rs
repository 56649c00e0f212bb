//! The way to the answers of a chain, gone with mouse and keyboard: words are looked up, links followed, forms filled in,
//! what is read is brought into view, what was found is noted.

mod browsing;
mod player;

pub(super) use player::WebPlayer;
