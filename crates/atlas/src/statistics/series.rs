//! Values of indicators, computed when they are asked for.

use super::energy::capacity_mw;
use super::indicators::{Indicator, Shape, known};
use super::{Economy, EnergySource, LAST_YEAR};
use crate::date::Date;
use crate::dice::{Strand, WorldKey};
use crate::ids::{CountryId, IndicatorId};

/// Whether a value is the first estimate or the settled one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vintage {
    /// The first estimate, told in the year itself.
    Provisional,
    /// The settled value, told in the autumn after.
    Final,
}

/// By which definition a value was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// Today's definition. The years before the break were counted again by it.
    Current,
    /// The definition before the break. Its table goes on for two years beyond the break and is kept as an archive.
    Old,
}

/// Everything that was ever published of an indicator for a country and a year. Values are whole numbers of the last
/// digit shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    /// How many decimals are shown.
    pub digits: u32,
    /// The first estimate.
    pub provisional: i64,
    /// The settled value, once it is out.
    pub settled: Option<i64>,
    /// The value by the definition before the break, for the years that have one.
    pub old_definition: Option<i64>,
    /// When the first estimate came out.
    pub provisional_out: Date,
    /// When the settled value came out, or will.
    pub settled_out: Date,
}

impl Observed {
    /// What rules: the settled value by today's definition, or the first estimate while there is none.
    pub fn ruling(&self) -> i64 {
        self.settled.unwrap_or(self.provisional)
    }
}

/// What values are computed from.
pub(crate) struct SeriesSources<'a> {
    pub(crate) key: WorldKey,
    pub(crate) economy: &'a Economy,
    pub(crate) id: IndicatorId,
    pub(crate) indicator: &'a Indicator,
}

impl SeriesSources<'_> {
    pub(crate) fn observed(&self, country: CountryId, year: i32) -> Observed {
        let value = self.value(country, year);
        let shown = |value: f64| libm::round(value * power_of_ten(self.indicator.digits)) as i64;
        let has_old = self.indicator.break_year.is_some_and(|at| year < at + 2);
        Observed {
            digits: self.indicator.digits,
            provisional: shown(self.provisional(value, country, year)),
            settled: (year < LAST_YEAR).then(|| shown(value)),
            old_definition: has_old.then(|| shown(value * self.old_factor(country))),
            provisional_out: Date::new(year, 12, 15).on_a_weekday(),
            settled_out: Date::new(year + 1, 9, 30).on_a_weekday(),
        }
    }

    fn pair(&self, country: CountryId) -> u64 {
        u64::from(self.id.0) << 16 | u64::from(country.0)
    }

    /// First estimates are a percent or two off; rates and shares some tenths.
    fn provisional(&self, value: f64, country: CountryId, year: i32) -> f64 {
        let error = self.key.dice_of_pair(Strand::Vintage, self.pair(country), year as u64).bell();
        match self.id {
            known::EXCHANGE_RATE | known::POLICY_RATE => value,
            known::GROWTH_REAL | known::GROWTH_NOMINAL | known::INFLATION => value + error * 0.3,
            _ => value * (1.0 + error * 0.013),
        }
    }

    fn old_factor(&self, country: CountryId) -> f64 {
        self.key.dice(Strand::SeriesBreak, self.pair(country) + (1 << 32)).uniform(0.82, 1.2)
    }

    fn value(&self, country: CountryId, year: i32) -> f64 {
        if self.indicator.shape == Shape::Core { self.core(country, year) } else { self.general(country, year) }
    }

    fn core(&self, country: CountryId, year: i32) -> f64 {
        let economy = self.economy;
        let percent = |bp: i32| f64::from(bp) / 100.0;
        match self.id {
            known::POPULATION => economy.population_k(country, year),
            known::OUTPUT_NOMINAL => economy.nominal_output_m(country, year),
            known::OUTPUT_REAL => economy.real_output_m(country, year),
            known::GROWTH_REAL => percent(economy.growth_bp(country, year)),
            known::GROWTH_NOMINAL => {
                let (growth, prices) = (economy.growth_bp(country, year), economy.inflation_bp(country, year));
                ((1.0 + percent(growth) / 100.0) * (1.0 + percent(prices) / 100.0) - 1.0) * 100.0
            }
            known::INFLATION => percent(economy.inflation_bp(country, year)),
            known::EXCHANGE_RATE => economy.rate(country, year),
            known::POLICY_RATE => percent(economy.policy_rate_bp(country, year)),
            known::OUTPUT_A_HEAD => economy.real_output_m(country, year) * 1000.0 / economy.population_k(country, year),
            known::EMISSIONS => self.emissions_a_head(country, year) * economy.population_k(country, year),
            known::EMISSIONS_A_HEAD => self.emissions_a_head(country, year),
            IndicatorId(id) => {
                let source = EnergySource::ALL[(id as usize - 11).min(EnergySource::ALL.len() - 1)];
                capacity_mw(self.key, economy, country, source, year)
            }
        }
    }

    /// Richer countries emit more; most emit less from year to year.
    fn emissions_a_head(&self, country: CountryId, year: i32) -> f64 {
        let id = u64::from(known::EMISSIONS_A_HEAD.0) << 16 | u64::from(country.0);
        let mut dice = self.key.dice(Strand::Series, id);
        let level = dice.log_bell(0.055, 0.28) * libm::sqrt(self.economy.wealth(country, 2015));
        let trend = dice.uniform(-0.034, 0.012);
        level * libm::pow(1.0 + trend, f64::from(year - 2008)) * (1.0 + 0.02 * self.smooth(id, year))
    }

    /// A slow bell: neighbouring years are alike.
    fn smooth(&self, id: u64, year: i32) -> f64 {
        let at = |year: i32| self.key.dice_of_pair(Strand::Series, id, year as u64).bell();
        (at(year) + at(year - 1) + at(year - 2)) * 0.577
    }

    fn general(&self, country: CountryId, year: i32) -> f64 {
        let Indicator { low, high, trend, noise, shape, .. } = *self.indicator;
        let id = self.pair(country);
        let mut dice = self.key.dice(Strand::Series, id);
        let level = low + (high - low) * (dice.unit() + dice.unit()) / 2.0;
        let trend = trend + dice.bell() * 0.004;
        let wave = (1.0 + noise * self.smooth(id, year)).max(0.2);
        match shape {
            Shape::Core | Shape::Level => level * libm::pow(1.0 + trend, f64::from(year - 2008)) * wave,
            Shape::Share => share(level, trend, year) * wave.min(1.02),
            Shape::People => {
                level * self.economy.population_k(country, year) / 1000.0
                    * libm::pow(1.0 + trend, f64::from(year - 2008))
                    * wave
            }
            Shape::Index => {
                let at_base = 1.0 + noise * self.smooth(id, 2015);
                100.0 * libm::pow(1.0 + trend, f64::from(year - 2015)) * wave / at_base
            }
        }
    }
}

/// A share follows its trend and bends before it reaches a hundred.
fn share(level: f64, trend: f64, year: i32) -> f64 {
    let odds = level / (100.0 - level).max(0.5) * libm::pow(1.0 + trend * 1.3, f64::from(year - 2008));
    // Debts may exceed output, other shares never come near to the bend's end.
    if level > 97.0 { level * libm::pow(1.0 + trend, f64::from(year - 2008)) } else { 100.0 * odds / (1.0 + odds) }
}

/// Ten to a small power, exactly.
fn power_of_ten(digits: u32) -> f64 {
    10_i64.pow(digits) as f64
}
