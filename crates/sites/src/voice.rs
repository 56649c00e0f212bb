//! How a site writes numbers and dates.

use quintain_atlas::{Atlas, Date, MeasureUnit, Number, Value};

use crate::draw::Draw;

/// How thousands are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    Comma,
    Space,
}

/// In which order the parts of a date come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateOrder {
    DayMonthYear,
    MonthDayYear,
    ShortMonth,
    YearFirst,
}

/// How a site writes numbers and dates: one voice for all its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voice {
    grouping: Grouping,
    order: DateOrder,
}

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Voice {
    /// The voice of instructions, which is the same in all worlds.
    pub const PLAIN: Self = Self { grouping: Grouping::Comma, order: DateOrder::DayMonthYear };

    /// A voice for prose.
    pub(crate) fn of_prose(mut draw: Draw) -> Self {
        let grouping = *draw.choose(&[Grouping::Comma, Grouping::Space]);
        Self { grouping, order: *draw.choose(&[DateOrder::DayMonthYear, DateOrder::MonthDayYear]) }
    }

    /// A voice for tables and registers.
    pub(crate) fn of_tables(mut draw: Draw) -> Self {
        let grouping = *draw.choose(&[Grouping::Comma, Grouping::Space]);
        let order = *draw.choose(&[DateOrder::DayMonthYear, DateOrder::ShortMonth, DateOrder::YearFirst]);
        Self { grouping, order }
    }

    /// A day.
    pub fn date(self, date: Date) -> String {
        let (year, month, day) = date.parts();
        let name = MONTHS[(month - 1).clamp(0, 11) as usize];
        match self.order {
            DateOrder::DayMonthYear => format!("{day} {name} {year}"),
            DateOrder::MonthDayYear => format!("{name} {day}, {year}"),
            DateOrder::ShortMonth => format!("{day:02} {} {year}", &name[..3]),
            DateOrder::YearFirst => date.to_string(),
        }
    }

    /// A whole number with its thousands told apart.
    pub fn whole(self, number: i64) -> String {
        let digits = number.unsigned_abs().to_string();
        let gap = match self.grouping {
            Grouping::Comma => ',',
            Grouping::Space => '\u{a0}',
        };
        let mut text = String::from(if number < 0 { "\u{2212}" } else { "" });
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push(gap);
            }
            text.push(digit);
        }
        text
    }

    /// A number with its point, without its unit.
    pub fn decimal(self, number: Number) -> String {
        if number.digits == 0 {
            return self.whole(number.scaled);
        }
        let unit = 10_u64.pow(number.digits);
        let size = number.scaled.unsigned_abs();
        let sign = if number.scaled < 0 { "\u{2212}" } else { "" };
        let whole = self.whole((size / unit) as i64);
        format!("{sign}{whole}.{:0width$}", size % unit, width = number.digits as usize)
    }

    /// A value as the site shows it. Amounts of money are shown without their unit, which stands above the table.
    pub fn value(self, atlas: &Atlas, value: &Value) -> String {
        match value {
            Value::Entity(entity) => atlas.title(*entity),
            Value::Date(date) => self.date(*date),
            Value::Term(term) => (*term).to_owned(),
            Value::Text(text) => text.clone(),
            Value::Number(number) => match number.unit {
                MeasureUnit::Year => number.scaled.to_string(),
                MeasureUnit::Day => self.date(Date(number.scaled as i32)),
                MeasureUnit::Percent => format!("{} %", self.decimal(*number)),
                MeasureUnit::Hundredths(_) => self.decimal(Number { digits: 2, ..*number }),
                _ => self.decimal(*number),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_written_in_one_voice() {
        let comma = Voice { grouping: Grouping::Comma, order: DateOrder::MonthDayYear };
        let space = Voice { grouping: Grouping::Space, order: DateOrder::ShortMonth };
        assert_eq!(comma.whole(1_234_567), "1,234,567");
        assert_eq!(space.whole(-12_345), "\u{2212}12\u{a0}345");
        assert_eq!(comma.decimal(Number { scaled: -237, digits: 2, unit: MeasureUnit::Percent }), "\u{2212}2.37");
        assert_eq!(comma.date(Date::new(2019, 3, 4)), "March 4, 2019");
        assert_eq!(space.date(Date::new(2019, 3, 4)), "04 Mar 2019");
    }
}
