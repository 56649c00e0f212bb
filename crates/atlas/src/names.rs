//! Names: words of eight cultures, coined from their sounds, and the world's word list.

pub(crate) mod blocked;
pub(crate) mod coining;
pub(crate) mod culture;
pub(crate) mod words;

pub use culture::CultureId;
pub use words::{Capitals, Words};
