//! What is counted: 160 indicators, listed in `indicators.txt`.

use super::{EnergySource, FIRST_YEAR};
use crate::column::{Column, RowId};
use crate::dice::{Strand, WorldKey};
use crate::ids::{IndicatorId, WordId};
use crate::names::Words;

/// The indicators that queries and other parts of the world ask for by name: the first twenty of the list.
pub mod known {
    use super::{EnergySource, IndicatorId};

    /// People at the middle of the year, in thousands.
    pub const POPULATION: IndicatorId = IndicatorId(0);
    /// Output at current prices.
    pub const OUTPUT_NOMINAL: IndicatorId = IndicatorId(1);
    /// Output at the prices of 2015.
    pub const OUTPUT_REAL: IndicatorId = IndicatorId(2);
    /// Growth of output at constant prices.
    pub const GROWTH_REAL: IndicatorId = IndicatorId(3);
    /// Growth of output at current prices.
    pub const GROWTH_NOMINAL: IndicatorId = IndicatorId(4);
    /// Change of consumer prices.
    pub const INFLATION: IndicatorId = IndicatorId(5);
    /// Currency for one clearing unit at the end of the year.
    pub const EXCHANGE_RATE: IndicatorId = IndicatorId(6);
    /// The central bank's rate at the end of the year.
    pub const POLICY_RATE: IndicatorId = IndicatorId(7);
    /// Output a head at the prices of 2015.
    pub const OUTPUT_A_HEAD: IndicatorId = IndicatorId(8);
    /// Emissions of greenhouse gases.
    pub const EMISSIONS: IndicatorId = IndicatorId(9);
    /// Emissions of greenhouse gases a head.
    pub const EMISSIONS_A_HEAD: IndicatorId = IndicatorId(10);

    /// Installed capacity of a source of energy.
    pub const fn capacity(source: EnergySource) -> IndicatorId {
        IndicatorId(11 + source as u32)
    }
}

/// Which unit an indicator is told in, as its text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndicatorUnit {
    /// Percent or points.
    Percent,
    /// The country's own currency, or millions of it.
    Currency,
    /// Anything else.
    Plain,
}

/// How the values of an indicator run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// Computed from the core series.
    Core,
    /// A level between bounds, with a trend.
    Level,
    /// A share that stays below a hundred.
    Share,
    /// So many for a million people.
    People,
    /// 100 in 2015.
    Index,
}

/// One indicator.
#[derive(Clone, Debug, PartialEq)]
pub struct Indicator {
    /// A short name for addresses.
    pub slug: &'static str,
    /// The title.
    pub title: &'static str,
    /// The title as words.
    pub words: Vec<WordId>,
    /// The unit as it is told.
    pub unit: &'static str,
    /// How many decimals are shown; values are whole numbers of the last one.
    pub digits: u32,
    /// The first year that is counted by the new definition alone, where the definition was changed.
    pub break_year: Option<i32>,
    pub(super) shape: Shape,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) trend: f64,
    pub(super) noise: f64,
}

impl Indicator {
    /// What kind of unit it is.
    pub fn unit_kind(&self) -> IndicatorUnit {
        match self.unit {
            "percent" | "points" => IndicatorUnit::Percent,
            unit if unit.contains("national currency") => IndicatorUnit::Currency,
            _ => IndicatorUnit::Plain,
        }
    }
}

/// All indicators of a world. Only the years in which definitions change differ from world to world.
pub(crate) fn indicators(key: WorldKey, words: &mut Words) -> Column<IndicatorId, Indicator> {
    lines().enumerate().map(|(index, line)| indicator(key, IndicatorId::from_index(index), line, words)).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("indicators.txt").lines().filter(|line| !line.starts_with('#'))
}

/// The indicator with a short name.
pub(crate) fn indicator_named(slug: &str) -> Option<IndicatorId> {
    lines().position(|line| line.split('|').next().map(str::trim) == Some(slug)).map(IndicatorId::from_index)
}

fn indicator(key: WorldKey, id: IndicatorId, line: &'static str, words: &mut Words) -> Indicator {
    let mut parts = line.split('|').map(str::trim);
    let mut next = || parts.next().expect("every line of the list has nine parts");
    let (slug, title, unit) = (next(), next(), next());
    let shape = match next() {
        "core" => Shape::Core,
        "level" => Shape::Level,
        "share" => Shape::Share,
        "people" => Shape::People,
        _ => Shape::Index,
    };
    let mut number = || next().parse::<f64>().expect("the last five parts of a line are numbers");
    let (low, high, trend, noise, digits) = (number(), number(), number() / 100.0, number() / 100.0, number() as u32);
    let plain: String = title.chars().filter(|c| *c != ',' && *c != '=').collect();
    let words = words.add_all(&plain.to_lowercase());
    Indicator { slug, title, words, unit, digits, break_year: break_year(key, id), shape, low, high, trend, noise }
}

/// Two definitions in five were changed. That of emissions always was, those of money and people never.
fn break_year(key: WorldKey, id: IndicatorId) -> Option<i32> {
    let mut dice = key.dice(Strand::SeriesBreak, u64::from(id.0));
    let year = dice.days(FIRST_YEAR + 17, FIRST_YEAR + 28);
    let is_broken = match id {
        known::EMISSIONS | known::EMISSIONS_A_HEAD => true,
        IndicatorId(0..20) => false,
        _ => dice.chance(400),
    };
    let of_emissions = key.dice(Strand::SeriesBreak, u64::from(known::EMISSIONS.0)).days(2007, 2018);
    is_broken.then_some(if id == known::EMISSIONS_A_HEAD { of_emissions } else { year })
}
