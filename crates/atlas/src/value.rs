//! Values as they are shown: whole numbers of the last digit, days, entities, terms of a list.

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::entity::Entity;
use crate::ids::{CountryId, IndicatorId};

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureUnit {
    /// Things.
    Count,
    /// A place in an order, from 1.
    Rank,
    /// A year.
    Year,
    /// A day, counted as [`Date`] does.
    Day,
    /// Percent.
    Percent,
    /// Percentage points.
    Points,
    /// A quotient without a unit.
    Ratio,
    /// Thousands of the currency of a country.
    Thousands(CountryId),
    /// Hundredths of the currency of a country.
    Hundredths(CountryId),
    /// The unit of an indicator.
    Of(IndicatorId),
}

/// A number as it is shown. `scaled` is a whole number of the last digit: 2.37 is 237 with two digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number {
    /// The number without its point.
    pub scaled: i64,
    /// How many digits stand after the point.
    pub digits: u32,
    /// What it counts.
    pub unit: MeasureUnit,
}

impl Number {
    /// A whole number.
    pub const fn whole(scaled: i64, unit: MeasureUnit) -> Self {
        Self { scaled, digits: 0, unit }
    }

    /// The number nearest to a value that has so many digits after the point; `None` where the value is none.
    pub fn nearest(value: f64, digits: u32, unit: MeasureUnit) -> Option<Self> {
        let scaled = libm::round(value * 10_i64.pow(digits) as f64);
        scaled.is_finite().then_some(Self { scaled: scaled as i64, digits, unit })
    }

    /// The number with its point.
    pub fn value(self) -> f64 {
        self.scaled as f64 / 10_i64.pow(self.digits) as f64
    }
}

/// Something that is said of an entity.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Another entity.
    Entity(Entity),
    /// A number.
    Number(Number),
    /// A day.
    Date(Date),
    /// A term of a list, such as the reason of a restatement.
    Term(&'static str),
    /// A name or title.
    Text(String),
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match number.unit {
            MeasureUnit::Day => Self::Date(Date(number.scaled as i32)),
            _ => Self::Number(number),
        }
    }
}
