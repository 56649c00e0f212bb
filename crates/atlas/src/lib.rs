//! A whole consistent fictional world, computed from an edition, a seed and a size.
//!
//! [`Atlas::new`] makes it: columns for some hundred thousand entities. No text is made but names and titles. This crate
//! does no I/O, reads no clock and draws no randomness but from the seed. The world's today is [`Date::TODAY`].
//!
//! # Finding one's way
//!
//! Ids are small typed numbers ([`CompanyId`], [`PaperId`] ...); an [`Entity`] is an id with its kind. A property is read
//! from a public column by id, a list from a [`Grouped`]:
//!
//! ```
//! use quintain_atlas::{Atlas, CompanyId, Date, Edition, Entity, Size};
//!
//! let atlas = Atlas::new(Edition::FIRST, 7, Size::Small);
//! let company = CompanyId(200);
//! let seat = atlas.companies.seat[company];
//! let region = atlas.geography.places.region[seat];
//! let chair = atlas.companies.chairs.at(company, Date::new(2024, 12, 31)).map(|term| term.person);
//! let licences = atlas.companies.licences.of(company);
//! let revenue = atlas.accounts(company, 2024).map(|filed| filed.ruling().revenue_k);
//! let told = format!("{} of {}", atlas.title(company.into()), atlas.title(Entity::Region(region)));
//! # assert!(chair.is_some() && revenue.is_some() && told.len() > 8 && licences.len() < 9);
//! ```
//!
//! | what | where |
//! |---|---|
//! | countries, regions, places, currencies, map | `atlas.geography` ([`geography::Geography`]) |
//! | people, their posts and employers | `atlas.people`, `atlas.tenures`, `atlas.employments` |
//! | companies, officers, former names, parents, licences | `atlas.companies` ([`companies::CompanyTable`]) |
//! | accounts, restatements, press figures, auditors | [`Atlas::accounts`], [`Atlas::restatement`], [`Atlas::press_figure`], [`Atlas::auditor`] |
//! | institutions; topics, venues, papers, citations, retractions | `atlas.institutions`; `atlas.topics`, `atlas.venues`, `atlas.papers` |
//! | indicators and their values | `atlas.indicators`, [`Atlas::observed`]; those with a name of their own: [`statistics::known`] |
//! | governments, blocs, central banks | `atlas.governments`, `atlas.blocs`, `atlas.economy` |
//! | gazettes with amendments; news with errata | `atlas.notices` ([`gazette::NoticeTable`]), `atlas.news` ([`news::NewsTable`]) |
//! | when an article of the encyclopaedia was last checked | [`Atlas::article_checked`] |
//! | names and titles as text, as words | [`Atlas::title`], [`Atlas::company_name`], [`Atlas::title_words`] |
//! | everything an index needs | [`Atlas::entities`], [`Atlas::search_terms`], [`names::Words`] |
//! | whose word rules, what is said wrongly | [`provenance`], [`Atlas::falsehoods`], [`Atlas::wrong_values`] |
//! | questions, margins, wrong readings | [`query`], [`Atlas::evaluate`], [`Atlas::misreadings_that_change`] |
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
