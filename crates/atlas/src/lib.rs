//! A whole consistent fictional world, computed from an edition, a seed and a size.
//!
//! [`Atlas::new`] makes it: columns for some hundred thousand entities. Everything is read from public columns by typed
//! ids (`atlas.companies.seat[company]`), or computed by a method of [`Atlas`] when it is asked for
//! (`atlas.accounts(company, year)`). No text is made but names and titles.
//!
//! This crate does no I/O, reads no clock and draws no randomness but from the seed.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod atlas;
pub mod blocs;
mod by_day;
mod column;
pub mod companies;
mod date;
mod dice;
mod encyclopaedia;
mod entity;
mod facts;
pub mod gazette;
pub mod geography;
pub mod government;
mod ids;
pub mod institutions;
pub mod names;
pub mod news;
pub mod papers;
pub mod people;
pub mod provenance;
pub mod query;
mod search_terms;
mod shares;
mod size;
pub mod statistics;
mod titles;
mod value;

pub use atlas::Atlas;
pub use column::{Column, Grouped, RowId};
pub use date::Date;
pub use entity::{Entity, Kind};
pub use ids::{
    BlocId, CompanyId, CountryId, IndicatorId, InstitutionId, NewsId, NoticeId, PaperId, PersonId, PlaceId, RegionId,
    TopicId, VenueId, WordId,
};
pub use search_terms::TermField;
pub use size::{Counts, Edition, Size};
pub use value::{MeasureUnit, Number, Value};
