//! The few series that everything else follows: output, prices, people, exchange rates and the rates of central banks.
//!
//! They are walks, so they are walked once. That is about 10,000 numbers; the 160 indicators are computed from them.

use crate::column::{Grouped, RowId};
use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::geography::CountryTable;
use crate::ids::CountryId;

/// The first year of all series.
pub const FIRST_YEAR: i32 = 1990;
/// The last year of all series; only its provisional values are out.
pub const LAST_YEAR: i32 = 2025;
/// How many years a series has.
pub const N_YEARS: usize = (LAST_YEAR - FIRST_YEAR + 1) as usize;

/// A decision of a central bank; it is in force until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateDecision {
    /// The day from which the rate holds.
    pub date: Date,
    /// The rate, in hundredths of a percent.
    pub rate_bp: i32,
    /// By how much it differs from the one before.
    pub change_bp: i32,
}

/// One country in one year.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CountryYear {
    growth_bp: i32,
    inflation_bp: i32,
    population_k: f64,
    // Output in millions: at prices of 2015, and at those of the year.
    real: f64,
    nominal: f64,
    // Units of the currency for a clearing unit at the end of the year.
    rate: f64,
}

/// The core series of all countries.
#[derive(Clone, Debug, PartialEq)]
pub struct Economy {
    years: Vec<CountryYear>,
    rates_2015: Vec<f64>,
    /// Decisions of the central bank of each country since 1998, the first one first.
    pub rate_decisions: Grouped<CountryId, RateDecision>,
}

impl Economy {
    pub(crate) fn new(key: WorldKey, countries: &CountryTable) -> Self {
        let world: Vec<f64> = (0..N_YEARS).map(|year| world_shock(key, year)).collect();
        let mut years = Vec::with_capacity(countries.name.len() * N_YEARS);
        let mut rates_2015 = Vec::new();
        for country in countries.name.ids() {
            let mut dice = key.dice(Strand::Economy, u64::from(country.0));
            years.extend(walked(countries, country, &world, &mut dice));
            rates_2015.push(countries.currency[country].rate_2015_e4 as f64 / 10_000.0);
        }
        let mut economy = Self { years, rates_2015, rate_decisions: Grouped::new() };
        for country in countries.name.ids() {
            let mut dice = key.dice(Strand::RatePath, u64::from(country.0));
            let decisions = economy.decided(country, &mut dice);
            economy.rate_decisions.push(decisions);
        }
        economy
    }

    fn at(&self, country: CountryId, year: i32) -> &CountryYear {
        let year = (year.clamp(FIRST_YEAR, LAST_YEAR) - FIRST_YEAR) as usize;
        &self.years[country.index() * N_YEARS + year]
    }

    /// Growth of output at constant prices, in hundredths of a percent.
    pub fn growth_bp(&self, country: CountryId, year: i32) -> i32 {
        self.at(country, year).growth_bp
    }

    /// Growth of prices, in hundredths of a percent.
    pub fn inflation_bp(&self, country: CountryId, year: i32) -> i32 {
        self.at(country, year).inflation_bp
    }

    /// People at the middle of the year, in thousands.
    pub fn population_k(&self, country: CountryId, year: i32) -> f64 {
        self.at(country, year).population_k
    }

    /// Output at the prices of 2015, in millions of the currency.
    pub fn real_output_m(&self, country: CountryId, year: i32) -> f64 {
        self.at(country, year).real
    }

    /// Output at the prices of the year, in millions of the currency.
    pub fn nominal_output_m(&self, country: CountryId, year: i32) -> f64 {
        self.at(country, year).nominal
    }

    /// Units of the currency for one clearing unit at the end of the year.
    pub fn rate(&self, country: CountryId, year: i32) -> f64 {
        self.at(country, year).rate
    }

    pub(crate) fn rate_2015(&self, country: CountryId) -> f64 {
        self.rates_2015[country.index()]
    }

    /// Output a head in 2015, in clearing units: how rich a country is.
    pub(crate) fn wealth(&self, country: CountryId, year: i32) -> f64 {
        let at = self.at(country, year);
        at.real * 1000.0 / at.population_k / self.rate_2015(country)
    }

    /// The decision that was in force on a day.
    pub fn decision_in_force(&self, country: CountryId, day: Date) -> Option<&RateDecision> {
        self.rate_decisions.of(country).iter().rev().find(|decision| decision.date <= day)
    }

    /// The central bank's rate at the end of a year, in hundredths of a percent.
    pub fn policy_rate_bp(&self, country: CountryId, year: i32) -> i32 {
        self.decision_in_force(country, Date::year_end(year)).map_or(400, |decision| decision.rate_bp)
    }

    /// Eight meetings a year; at about every second one the rate goes a step towards what prices and growth ask for.
    fn decided(&self, country: CountryId, dice: &mut Dice) -> Vec<RateDecision> {
        let mut rate_bp = (self.inflation_bp(country, 1998) / 25 * 25 + 200).clamp(50, 2400);
        let first = Date::new(1998, 1, 1 + dice.days(4, 24)).on_a_weekday();
        let mut decisions = vec![RateDecision { date: first, rate_bp, change_bp: 0 }];
        for meeting in 1..8 * (LAST_YEAR - 1998 + 1) {
            let year = 1998 + meeting / 8;
            let date = Date::new(year, 1, 10).plus_days(meeting % 8 * 45 + dice.days(0, 12)).on_a_weekday();
            let asked = self.inflation_bp(country, year) + 100 + self.growth_bp(country, year) / 4;
            let gap = f64::from(asked.max(0) - rate_bp) + dice.bell() * 60.0;
            let steps = (gap / 70.0).clamp(-4.0, 4.0) as i32;
            let change_bp = (steps * 25).max(-rate_bp);
            if change_bp != 0 && date < Date::TODAY {
                rate_bp += change_bp;
                decisions.push(RateDecision { date, rate_bp, change_bp });
            }
        }
        decisions
    }
}

/// What befalls all countries alike in a year: small shocks, and now and then a crisis.
fn world_shock(key: WorldKey, year: usize) -> f64 {
    let mut dice = key.dice(Strand::Economy, 1_000_000 + year as u64);
    let small = dice.bell() * 0.009;
    if dice.chance(70) { small - dice.uniform(0.025, 0.055) } else { small }
}

/// Growth, prices and people by year, as rates.
fn rates(world: &[f64], dice: &mut Dice) -> Vec<(f64, f64, f64)> {
    let (mean_growth, mean_prices) = (0.024 + dice.bell() * 0.011, dice.log_bell(0.026, 0.45));
    let mean_people = 0.007 + dice.bell() * 0.006;
    let (mut own, mut prices) = (0.0, mean_prices);
    let step = |&shock: &f64| {
        own = own * 0.45 + dice.bell() * 0.014;
        prices =
            (mean_prices + (prices - mean_prices) * 0.6 + dice.bell() * 0.4 * mean_prices + shock * 0.15).max(-0.01);
        (mean_growth + own + shock, prices, mean_people + dice.bell() * 0.001)
    };
    world.iter().map(step).collect()
}

/// The years of a country: levels are fixed in 2015 and walked to both sides.
fn walked(countries: &CountryTable, country: CountryId, world: &[f64], dice: &mut Dice) -> Vec<CountryYear> {
    let rates = rates(world, dice);
    let rate_2015 = countries.currency[country].rate_2015_e4 as f64 / 10_000.0;
    let population_k = f64::from(countries.population_2015_k[country]);
    let output = population_k / 1000.0 * f64::from(countries.output_a_head_2015[country]) * rate_2015;
    let middle = (2015 - FIRST_YEAR) as usize;
    let start = CountryYear { population_k, real: output, nominal: output, rate: rate_2015, ..CountryYear::default() };
    let mut years = vec![start; N_YEARS];
    let drift: Vec<f64> = rates.iter().map(|rate| 1.0 + (rate.1 - 0.025) * 0.8 + dice.bell() * 0.05).collect();
    let factors = |year: usize| (1.0 + rates[year].0, 1.0 + rates[year].1, 1.0 + rates[year].2, drift[year]);
    for year in middle + 1..N_YEARS {
        years[year] = stepped(years[year - 1], factors(year));
    }
    for year in (0..middle).rev() {
        let (growth, prices, people, drift) = factors(year + 1);
        years[year] = stepped(years[year + 1], (1.0 / growth, 1.0 / prices, 1.0 / people, 1.0 / drift));
    }
    for (year, rate) in years.iter_mut().zip(&rates) {
        year.growth_bp = libm::round(rate.0 * 10_000.0) as i32;
        year.inflation_bp = libm::round(rate.1 * 10_000.0) as i32;
    }
    years
}

fn stepped(from: CountryYear, (growth, prices, people, drift): (f64, f64, f64, f64)) -> CountryYear {
    CountryYear {
        population_k: from.population_k * people,
        real: from.real * growth,
        nominal: from.nominal * growth * prices,
        rate: from.rate * drift,
        ..from
    }
}
