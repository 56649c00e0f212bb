//! Marks beside values, and the footnotes that tell what they mean.

use quintain_atlas::statistics::LAST_YEAR;
use quintain_atlas::{Entity, IndicatorId};

use crate::facts::{Aspect, Fact, SeriesVersion, is_revised};
use crate::html::Html;
use crate::page::{Narrator, PageWriter};

/// What is to be known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ValueMark {
    /// Only a first estimate is out.
    Provisional,
    /// The first year of today's definition.
    Break,
    /// A year before the break, counted again by today's definition.
    Recounted,
}

impl ValueMark {
    /// The mark of an indicator's value for a year; those by the old definition have none.
    pub(super) fn of(page: &PageWriter, id: IndicatorId, year: i32, version: SeriesVersion) -> Option<Self> {
        let break_year = page.web.atlas.indicators[id].break_year;
        match (version, break_year) {
            (SeriesVersion::OldDefinition, _) => None,
            _ if year == LAST_YEAR && is_revised(id) => Some(Self::Provisional),
            (_, Some(at)) if year == at => Some(Self::Break),
            (_, Some(at)) if year < at => Some(Self::Recounted),
            _ => None,
        }
    }

    pub(super) const fn letter(self) -> &'static str {
        match self {
            Self::Provisional => "p",
            Self::Break => "b",
            Self::Recounted => "r",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Provisional => "numbers.mark.provisional",
            Self::Break => "numbers.mark.break",
            Self::Recounted => "numbers.mark.recounted",
        }
    }
}

/// A cell with a value and its mark.
pub(super) fn cell(html: &mut Html, shown: &str, mark: Option<ValueMark>) {
    html.open("td", &[("class", "num")]).text(shown);
    if let Some(mark) = mark {
        html.leaf("sup", &[], mark.letter());
    }
    html.close("td");
}

/// The footnotes of the marks that a page used.
pub(super) fn footnotes(page: &mut PageWriter, id: IndicatorId, mut used: Vec<ValueMark>, into: &mut Html) {
    used.sort_unstable();
    used.dedup();
    if used.is_empty() {
        return;
    }
    into.element("table", &[("class", "small notes")], |html| {
        for mark in used {
            let mut told = Html::new();
            let given = given(id);
            Narrator::new(page, Entity::Indicator(id), "the series")
                .sentence(mark.sentence(), &given)
                .paragraph(&mut told);
            html.element("tr", &[], |html| {
                html.leaf("th", &[], mark.letter()).wrap("td", &[], &told);
            });
        }
    });
}

/// What sentences about an indicator may speak of.
pub(super) fn given(id: IndicatorId) -> [(&'static str, Fact); 8] {
    [
        ("unit", Fact::new(id, Aspect::Unit)),
        ("theme", Fact::new(id, Aspect::Theme)),
        ("definition", Fact::new(id, Aspect::Definition)),
        ("break_year", Fact::new(id, Aspect::BreakYear)),
        ("break_reason", Fact::new(id, Aspect::BreakReason)),
        ("last_old_year", Fact::new(id, Aspect::LastOldYear)),
        ("first_out", Fact::new(id, Aspect::Released(LAST_YEAR, SeriesVersion::First))),
        ("final_due", Fact::new(id, Aspect::Released(LAST_YEAR, SeriesVersion::Final))),
    ]
}
