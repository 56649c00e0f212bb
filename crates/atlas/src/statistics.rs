//! Statistics: a small core that is computed at once, and 160 indicators that are computed when asked for.

mod economy;
mod energy;
mod indicators;
mod series;

pub use economy::{Economy, FIRST_YEAR, LAST_YEAR, N_YEARS, RateDecision};
pub use energy::EnergySource;
pub use indicators::{Indicator, IndicatorUnit, known};
pub use series::{Definition, Observed, Vintage};

pub(crate) use indicators::{indicator_named, indicators};
pub(crate) use series::SeriesSources;
