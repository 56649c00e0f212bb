//! What is said of indicators, and of countries by them.

use quintain_atlas::statistics::{FIRST_YEAR, LAST_YEAR, Observed, known};
use quintain_atlas::{Atlas, CountryId, Date, IndicatorId, MeasureUnit, Number, Value};

use super::indicator_notes::notes_on;
use super::{Aspect, year as year_value};

/// Which of the values that were published for a year is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeriesVersion {
    /// The value that rules: the final one by today's definition, or the first estimate while there is no other.
    Latest,
    /// The first estimate.
    First,
    /// The final value.
    Final,
    /// The final value by the definition before the break in the series.
    OldDefinition,
}

pub(super) fn told_of_country(atlas: &Atlas, country: CountryId, aspect: Aspect, as_of: Date) -> Option<Value> {
    let Aspect::Statistic(indicator, year, version) = aspect else { return None };
    if !(FIRST_YEAR..=LAST_YEAR).contains(&year) {
        return None;
    }
    let seen = atlas.observed(indicator, country, year);
    let scaled = published(&seen, version, as_of)?;
    Some(Value::Number(Number { scaled, digits: seen.digits, unit: MeasureUnit::Of(indicator) }))
}

/// What was out on a day.
fn published(seen: &Observed, version: SeriesVersion, as_of: Date) -> Option<i64> {
    let first = Some(seen.provisional).filter(|_| seen.provisional_out <= as_of);
    let settled = seen.settled.filter(|_| seen.settled_out <= as_of);
    match version {
        SeriesVersion::Latest => settled.or(first),
        SeriesVersion::First => first,
        SeriesVersion::Final => settled,
        SeriesVersion::OldDefinition => seen.old_definition.filter(|_| seen.settled_out <= as_of),
    }
}

pub(super) fn told_of_indicator(atlas: &Atlas, id: IndicatorId, aspect: Aspect) -> Option<Value> {
    let indicator = &atlas.indicators[id];
    let last_old = |at: i32| (at + 1).min(LAST_YEAR - 1);
    match aspect {
        Aspect::Definition => Some(Value::Term(notes_on(id).definition)),
        Aspect::Theme => Some(Value::Term(notes_on(id).theme.title())),
        Aspect::Unit => Some(Value::Term(indicator.unit)),
        Aspect::BreakYear => indicator.break_year.map(year_value),
        Aspect::LastOldYear => indicator.break_year.map(last_old).map(year_value),
        Aspect::BreakReason => indicator.break_year.map(|_| Value::Term(notes_on(id).changed)),
        Aspect::Released(year, version) => released(atlas, id, year, version).map(Value::Date),
        _ => None,
    }
}

/// When values of a year came out, or will. Rates of exchange and of central banks are never revised, so they are told
/// without.
fn released(atlas: &Atlas, id: IndicatorId, year: i32, version: SeriesVersion) -> Option<Date> {
    let seen = atlas.observed(id, CountryId(0), year);
    match version {
        _ if !is_revised(id) || !(FIRST_YEAR..=LAST_YEAR).contains(&year) => None,
        SeriesVersion::First => Some(seen.provisional_out),
        SeriesVersion::Final => Some(seen.settled_out),
        SeriesVersion::Latest | SeriesVersion::OldDefinition => None,
    }
}

/// Whether first estimates of an indicator are replaced by other values later.
pub(crate) fn is_revised(id: IndicatorId) -> bool {
    !matches!(id, known::EXCHANGE_RATE | known::POLICY_RATE)
}
