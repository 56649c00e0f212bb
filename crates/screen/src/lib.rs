//! What is shown of a screen, whatever world it belongs to: the whole, a part of it enlarged, the same with numbers on what
//! can be acted on, and its tree as text.

mod element_tree;
mod pixels;
mod shown;

pub use element_tree::{ElementTree, MAX_MARKS, MarkPlaces, clipped, words_of};
pub use pixels::Pixels;
pub use shown::ShownScreen;
