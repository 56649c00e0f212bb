//! Search over all sites: an index made from the columns of the world, without any text.

mod among;
mod index;
mod query;
mod spelling;

pub use index::SearchIndex;
pub(crate) use query::{HITS_A_PAGE, MOST_HITS};
pub use query::{SearchFilter, SearchHit, SearchPage};
