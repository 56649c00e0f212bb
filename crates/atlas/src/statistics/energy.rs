//! Installed capacity for electricity, by source.

use crate::dice::{Strand, WorldKey};
use crate::ids::CountryId;
use crate::statistics::Economy;

/// What electricity is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnergySource {
    /// Water.
    Hydro,
    /// Wind.
    Wind,
    /// Sun.
    Solar,
    /// Wood and waste.
    Biomass,
    /// Heat of the earth.
    Geothermal,
    /// Coal.
    Coal,
    /// Gas.
    Gas,
    /// Oil.
    Oil,
    /// Nuclear fission.
    Nuclear,
}

impl EnergySource {
    /// All sources.
    pub const ALL: [Self; 9] = [
        Self::Hydro,
        Self::Wind,
        Self::Solar,
        Self::Biomass,
        Self::Geothermal,
        Self::Coal,
        Self::Gas,
        Self::Oil,
        Self::Nuclear,
    ];

    /// The renewable ones.
    pub const RENEWABLE: [Self; 5] = [Self::Hydro, Self::Wind, Self::Solar, Self::Biomass, Self::Geothermal];

    /// What the source is called.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Hydro => "hydropower",
            Self::Wind => "wind",
            Self::Solar => "solar",
            Self::Biomass => "biomass",
            Self::Geothermal => "geothermal",
            Self::Coal => "coal",
            Self::Gas => "natural gas",
            Self::Oil => "oil",
            Self::Nuclear => "nuclear",
        }
    }

    /// The usual share of all capacity in 2010, how much it varies between countries, and its growth in a year.
    const fn nature(self) -> (f64, f64, f64) {
        match self {
            Self::Hydro => (0.14, 0.9, 0.008),
            Self::Wind => (0.06, 0.7, 0.075),
            Self::Solar => (0.03, 0.7, 0.12),
            Self::Biomass => (0.03, 0.6, 0.025),
            Self::Geothermal => (0.008, 1.1, 0.02),
            Self::Coal => (0.30, 0.7, -0.03),
            Self::Gas => (0.26, 0.5, 0.012),
            Self::Oil => (0.06, 0.6, -0.03),
            Self::Nuclear => (0.10, 0.8, -0.004),
        }
    }
}

/// Installed capacity in megawatts.
pub(super) fn capacity_mw(
    key: WorldKey,
    economy: &Economy,
    country: CountryId,
    source: EnergySource,
    year: i32,
) -> f64 {
    let (share, variety, growth) = source.nature();
    let id = u64::from(country.0) * 16 + source as u64;
    let mut dice = key.dice(Strand::Energy, id);
    let share = dice.log_bell(share, variety);
    let growth = growth + dice.bell() * 0.012;
    let demand_mw =
        economy.population_k(country, 2010) * 0.25 * libm::sqrt(economy.wealth(country, 2010).max(500.0)) / 25.0;
    let wobble = key.dice_of_pair(Strand::Energy, id, year as u64).bell() * 0.01;
    demand_mw * share * libm::pow(1.0 + growth, f64::from(year - 2010)) * (1.0 + wobble)
}
