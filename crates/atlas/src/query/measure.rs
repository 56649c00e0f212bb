//! What can be measured of entities.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::ids::{CountryId, IndicatorId};
use crate::statistics::indicator_named;

/// A number of an entity. An entity that has no such number drops out of the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Of a company: revenue of a year as last restated, in thousands of its currency.
    Revenue(i32),
    /// Of a company: revenue of a year as the press printed it.
    PressRevenue(i32),
    /// Of a company: total assets of a year as last restated.
    TotalAssets(i32),
    /// Of a bank: net interest margin of a year, in percent.
    InterestMargin(i32),
    /// Of a company: the first year that was restated.
    RestatedYear,
    /// Of a company: day of foundation. Of an institution: year of foundation by the register.
    Founded,
    /// Of a person: day of birth.
    Born,
    /// Of a paper: day of appearance. Of a notice or news item: day of issue.
    Dated,
    /// Of a paper: how often it is cited.
    Citations,
    /// Of a place: people.
    Population,
    /// Of a country: an indicator, by its number or its short name, in a year.
    Indicator(#[serde(deserialize_with = "indicator_by_name")] IndicatorId, i32),
    /// Of a source of energy: its installed capacity in a country and a year.
    CapacityIn(#[serde(with = "country")] CountryId, i32),
    /// Of a rate decision: the rate, in percent.
    Rate,
    /// Of a rate decision: the change, in points.
    RateChange,
    /// Of a climate plan: its target, in percent.
    Target,
    /// Of a version of a climate plan: by how many points its target differs from that of the version before.
    TargetChange,
    /// Of a regional ordinance: the fee, in hundredths of the currency.
    Fee,
    /// By how many percent the second is more than the first.
    Growth(Box<Measure>, Box<Measure>),
    /// The second less the first.
    Difference(Box<Measure>, Box<Measure>),
    /// The first by the second.
    Ratio(Box<Measure>, Box<Measure>),
    /// The place by a measure among all entities of the pool; the most has place 1.
    Rank(Box<Measure>),
    /// An amount in the currency of another country, at the rates of the end of a year.
    Converted {
        /// The amount.
        of: Box<Measure>,
        /// The country whose currency it is to be in.
        #[serde(with = "country")]
        into: CountryId,
        /// The year at whose end rates are taken.
        year: i32,
    },
}

impl Measure {
    /// Growth of revenue between two years, in percent.
    pub fn revenue_growth(from: i32, to: i32) -> Self {
        Self::Growth(Box::new(Self::Revenue(from)), Box::new(Self::Revenue(to)))
    }

    /// Growth of an indicator between two years, in percent.
    pub fn indicator_growth(indicator: IndicatorId, from: i32, to: i32) -> Self {
        Self::Growth(Box::new(Self::Indicator(indicator, from)), Box::new(Self::Indicator(indicator, to)))
    }

    /// By how many places an entity rose between two measures.
    pub fn rank_gain(from: Self, to: Self) -> Self {
        // A rise is a smaller place later.
        Self::Difference(Box::new(Self::Rank(Box::new(to))), Box::new(Self::Rank(Box::new(from))))
    }
}

/// Countries are written as the entities they are, so that what follows from a question can be put into another one.
mod country {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::entity::Entity;
    use crate::ids::CountryId;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    pub(super) fn serialize<S: Serializer>(country: &CountryId, serializer: S) -> Result<S::Ok, S::Error> {
        Entity::Country(*country).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CountryId, D::Error> {
        match Entity::deserialize(deserializer)? {
            Entity::Country(country) => Ok(country),
            other => Err(D::Error::custom(format!("{other:?} is no country"))),
        }
    }
}

/// Reads an indicator as people write it: by its short name.
fn indicator_by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<IndicatorId, D::Error> {
    deserializer.deserialize_any(IndicatorVisitor)
}

struct IndicatorVisitor;

impl Visitor<'_> for IndicatorVisitor {
    type Value = IndicatorId;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the short name or the number of an indicator")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<IndicatorId, E> {
        indicator_named(name).ok_or_else(|| E::custom(format!("there is no indicator `{name}`")))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<IndicatorId, E> {
        u32::try_from(number).map(IndicatorId).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<IndicatorId, E> {
        u32::try_from(number).map(IndicatorId).map_err(E::custom)
    }
}
